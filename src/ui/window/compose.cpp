#include "ui/window/compose.hpp"

namespace heed::ui {

namespace {
constexpr float kInstant = 1e-4f; // seconds; ImGui wants more than none
}

void compose_frame(Shell& shell, Fonts& fonts, float scale, const FrameHooks& hooks) {
    scale *= shell.magnification(ImGui::GetIO().DisplaySize.y / scale);
    for (int attempt = 0; attempt < 2; ++attempt) {
        const bool builds = fonts.needs_build(scale);
        if (builds) {
            fonts.build(scale);
            hooks.atlas_built();
        }
        hooks.begin();
        // A key that is down was not held while the atlas was built: it repeats nothing.
        float& passed = ImGui::GetIO().DeltaTime;
        const float usual = passed;
        if (builds) passed = kInstant;
        ImGui::NewFrame();
        shell.frame(scale);
        ImGui::Render();
        passed = usual;
        if (!fonts.needs_build(scale)) return;
    }
}

} // namespace heed::ui
