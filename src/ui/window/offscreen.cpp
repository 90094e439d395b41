#include "ui/window/offscreen.hpp"

#include "ui/window/compose.hpp"

#include <backends/imgui_impl_opengl3.h>
#include <cmath>

namespace heed::ui {

base::Result<std::unique_ptr<Offscreen>> Offscreen::open(int width, int height, float scale,
                                                         app::Document document, app::Focus focus,
                                                         app::ViewState view) {
    std::unique_ptr<Offscreen> o(new Offscreen);
    const auto pixels = [&](int points) {
        return static_cast<int>(std::lround(static_cast<float>(points) * scale));
    };
    auto context = OffscreenContext::open(pixels(width), pixels(height));
    if (!context) return tl::make_unexpected(context.error());
    o->context_ = std::move(*context);
    o->scale_ = scale;
    ImGui::CreateContext();
    set_style();
    shim::map_keys();
    ImGuiIO& io = ImGui::GetIO();
    io.DisplaySize =
        ImVec2(static_cast<float>(o->context_->width()), static_cast<float>(o->context_->height()));
    io.DeltaTime = 1.0f / 60;
    ImGui_ImplOpenGL3_Init("#version 330 core");
    o->fonts_ = std::make_unique<Fonts>();
    o->renderer_ = std::make_unique<GlRenderer>();
    o->retained_ = std::make_unique<RetainedFrame>(*o->renderer_);
    o->engine_ = std::make_unique<app::Engine>([] {});
    o->shell_ = std::make_unique<Shell>(*o->renderer_, *o->fonts_, *o->engine_, std::move(document),
                                        focus, view);
    return o;
}

Offscreen::~Offscreen() {
    if (!context_ || !fonts_) return;
    shell_.reset();
    engine_.reset();
    retained_.reset();
    renderer_.reset();
    ImGui_ImplOpenGL3_Shutdown();
    ImGui::DestroyContext();
}

void Offscreen::frame() {
    compose_frame(*shell_, *fonts_, scale_,
                  {[this] {
                       shim::renew_font_texture();
                       retained_->forget();
                   },
                   ImGui_ImplOpenGL3_NewFrame});
    retained_->draw(shell_->ui.theme().ground);
}

void Offscreen::settle(std::optional<std::chrono::steady_clock::time_point> until) {
    constexpr int kMostFrames = 50; // a bound, should something keep asking
    shell_->wake();
    for (int i = 0; i < kMostFrames; ++i) {
        engine_->wait_for_all(until);
        frame();
        if (shell_->work.up_to_date() && !shell_->wants_frame()) break;
    }
}

} // namespace heed::ui
