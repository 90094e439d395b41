#include "ui/driver.hpp"
#include "app/files/shipped_models.hpp"
#include "app/views/view_figure.hpp"

#include "catch.hpp"
#include "figure/base/viewport.hpp"
#include "ui/stage/links_below.hpp"
#include "ui/stage/map_panel.hpp"
#include "ui/stage/stage_state.hpp"
#include "ui/window/compose.hpp"

#include <algorithm>
#include <chrono>
#include <ctime>
#include <thread>

namespace heed::ui::test {

Driver::Options Driver::tiny() {
    Options options;
    models::spec_of(options.document.model)->d_model = 64;
    models::spec_of(options.document.model)->n_heads = 4;
    models::spec_of(options.document.model)->n_encoder_layers =
        models::spec_of(options.document.model)->n_decoder_layers = 2;
    models::spec_of(options.document.model)->d_ff = 128;
    return options;
}

Driver::Options Driver::high() {
    Options options = tiny();
    options.height = 2400;
    return options;
}

Driver::Driver(Options options) : options_(std::move(options)) {
    ImGui::CreateContext();
    set_style();
    shim::map_keys();
    shim::begin_null_renderer();
    resize(options_.width, options_.height, options_.scale);
    ImGui::GetIO().DeltaTime = 1.0f / 60;
    shim::set_clipboard({[](void* user) -> const char* {
                             Driver& d = *static_cast<Driver*>(user);
                             d.clipboard_shown_ = d.shell->ui.private_use().pasted(d.clipboard);
                             return d.clipboard_shown_.c_str();
                         },
                         [](void* user, const char* text) {
                             Driver& d = *static_cast<Driver*>(user);
                             d.clipboard = d.shell->ui.private_use().decode(text);
                         },
                         this});
    fonts_ = std::make_unique<Fonts>();
    engine_ = std::make_unique<app::Engine>([] {}, 1);
    shell = std::make_unique<Shell>(renderer, *fonts_, *engine_, options_.document, options_.focus,
                                    options_.view);
    shell->state.timings = false;
    shim::move_mouse(-100, -100);
    settle();
}

Driver::~Driver() {
    shell.reset();
    shim::end_null_renderer();
    ImGui::DestroyContext();
}

void Driver::resize(int width, int height, float scale) {
    options_.width = width;
    options_.height = height;
    options_.scale = scale;
    ImGui::GetIO().DisplaySize =
        ImVec2(static_cast<float>(width) * scale, static_cast<float>(height) * scale);
    if (shell) shell->wake();
}

namespace {

double thread_ms() {
    timespec now{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) * 1e-6;
}

} // namespace

void Driver::frame() {
    const double begin = thread_ms();
    compose_frame(*shell, *fonts_, options_.scale, {[] {}, shim::serve_null_renderer});
    frame_ms_ = thread_ms() - begin;
    CHECK(shell->figures.mistake() == "");
    lacking = lacking || fonts_->needs_build(options_.scale);
}

void Driver::frames(int count) {
    for (int i = 0; i < count; ++i) frame();
}

void Driver::settle(const std::function<void()>& drawn) {
    for (int i = 0; i < 30; ++i) {
        while (shell->busy_with_files()) {
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
            frame();
        }
        for (int k = 0; k < 3; ++k) {
            if (k == 2) engine_->wait_for(shell->work.requested_revision());
            if (k == 2) shell->work.wait_until_saved();
            frame();
            drawn();
        }
        if (shell->work.up_to_date() && !shell->work.saving() && !shell->wants_frame()) break;
    }
}

void Driver::settle_all() {
    settle();
    engine_->wait_for_all();
    settle();
}

namespace {

const Widget* lookup(const std::vector<Widget>& widgets, const std::string& name) {
    const auto by = [&](auto member) {
        // What lies on top comes last.
        const auto at = std::find_if(widgets.rbegin(), widgets.rend(),
                                     [&](const Widget& w) { return w.*member == name; });
        return at == widgets.rend() ? nullptr : &*at;
    };
    // "mask/causal": of the widgets "mask/0", "mask/1", … the one that is called so.
    const auto group = name.rfind('/') + 1;
    const auto at = std::find_if(widgets.rbegin(), widgets.rend(), [&](const Widget& w) {
        const bool part = w.kind == Widget::Kind::choice || w.kind == Widget::Kind::toggle;
        return part && group > 0 && w.id.rfind('/') + 1 == group &&
               w.id.starts_with(name.substr(0, group)) && w.label == name.substr(group);
    });
    if (at != widgets.rend()) return &*at;
    const Widget* found = by(&Widget::id);
    return found != nullptr ? found : by(&Widget::label);
}

Point middle(const Box& box) { return {box.x + box.w / 2, box.y + box.h / 2}; }

} // namespace

bool Driver::has(const std::string& name) { return lookup(shell->ui.widgets(), name) != nullptr; }

const Widget& Driver::find(const std::string& name) {
    const Widget* widget = lookup(shell->ui.widgets(), name);
    if (widget == nullptr) {
        std::string ids;
        for (const Widget& w : shell->ui.widgets()) ids += w.id + "\n";
        FAIL("no widget '" << name << "' among\n" << ids);
    }
    return *widget;
}

figure::Figure Driver::picture() {
    find("picture");
    app::ViewState view = shell->state.view;
    view.caption = false;
    const auto& drawn = shell->state.picture; // it may be higher than the stage
    return main_figure(snapshot(), view, main_place(drawn.width, drawn.height, shell->state),
                       shell->state.layout.presenting);
}

figure::Figure Driver::links() {
    const Box place = find("links").box;
    app::ViewState view = shell->state.view;
    view.caption = false;
    return app::make_figure(snapshot(), view, links_place(place.w, place.h, picture()));
}

std::vector<figure::Figure> Driver::painted() {
    Canvas& canvas = shell->ui.canvas;
    canvas.keeps_painted = true;
    frame();
    canvas.keeps_painted = false;
    return canvas.painted();
}

Point Driver::cell(int row, int col, int map) {
    const Box place = find("picture").box;
    for (const figure::Target& target : picture().targets) {
        if (!target.as<figure::tag::Cells>() || map-- > 0) continue;
        const Box cell = figure::cell_box(target, row, col);
        const float down = place.y - shell->state.stage->scroll.offset; // of a tall picture
        return {place.x + cell.x + cell.w / 2, down + cell.y + cell.h / 2};
    }
    FAIL("the picture has no such cells");
    return {};
}

namespace {

/// Calls `visit(colour, covers)` for every triangle of the last frame, `covers`: a pixel.
template <class Visit> void visit_triangles(ImVec2 at, Visit&& visit) {
    const ImDrawData* data = ImGui::GetDrawData();
    for (int i = 0; i < data->CmdListsCount; ++i) {
        const ImDrawList& list = *data->CmdLists[i];
        for (const ImDrawCmd& cmd : list.CmdBuffer) {
            const bool inside = at.x >= cmd.ClipRect.x && at.x < cmd.ClipRect.z &&
                                at.y >= cmd.ClipRect.y && at.y < cmd.ClipRect.w;
            for (unsigned k = 0; k + 2 < cmd.ElemCount; k += 3) {
                const auto vertex = [&](unsigned corner) -> const ImDrawVert& {
                    const auto index = static_cast<int>(cmd.IdxOffset + k + corner);
                    return list.VtxBuffer[static_cast<int>(
                        cmd.VtxOffset + static_cast<unsigned>(list.IdxBuffer[index]))];
                };
                const auto side = [&](unsigned from, unsigned to) {
                    const ImVec2 a = vertex(from).pos, b = vertex(to).pos;
                    return (b.x - a.x) * (at.y - a.y) - (b.y - a.y) * (at.x - a.x);
                };
                const float s0 = side(0, 1), s1 = side(1, 2), s2 = side(2, 0);
                const bool covers =
                    inside && ((s0 >= 0 && s1 >= 0 && s2 >= 0) || (s0 <= 0 && s1 <= 0 && s2 <= 0));
                visit(vertex(0).col, covers);
            }
        }
    }
}

} // namespace

ImU32 Driver::colour_at(Point at) const {
    const float scale = shell->ui.canvas.scale();
    ImU32 top = 0;
    visit_triangles({at.x * scale, at.y * scale}, [&](ImU32 colour, bool covers) {
        if (covers && (colour >> IM_COL32_A_SHIFT) > 0) top = colour;
    });
    return top;
}

bool Driver::draws_colour(ImU32 colour) const {
    bool any = false;
    visit_triangles({}, [&](ImU32 drawn, bool) { any |= drawn == colour; });
    return any;
}

void Driver::hover(Point at) {
    const float scale = shell->ui.canvas.scale(); // the stage alone is larger
    shim::move_mouse(at.x * scale, at.y * scale);
    frames(2);
}

void Driver::hover(const std::string& name) { hover(middle(find(name).box)); }

void Driver::click(Point at) {
    hover(at);
    shim::press_mouse(0, true);
    frames(2);
    shim::press_mouse(0, false);
    frames(2);
    ImGui::GetIO().MouseDoubleClickTime = 0; // two clicks of a test are two clicks
    settle();
}

void Driver::click(const std::string& name) { click(middle(find(name).box)); }

void Driver::right_click(Point at) {
    hover(at);
    shim::press_mouse(1, true);
    frames(2);
    shim::press_mouse(1, false);
    frames(3);
    settle();
}

void Driver::double_click(const std::string& name) {
    hover(name);
    frames(30); // half a second: no earlier click is the first of these two
    ImGui::GetIO().MouseDoubleClickTime = 0.3f;
    for (int i = 0; i < 2; ++i) {
        shim::press_mouse(0, true);
        frame();
        shim::press_mouse(0, false);
        frame();
    }
    ImGui::GetIO().MouseDoubleClickTime = 0;
    settle();
}

void Driver::drag(Point from, Point to, int steps) {
    ImGui::GetIO().MouseDoubleClickTime = 0;
    hover(from);
    shim::press_mouse(0, true);
    frames(2);
    for (int i = 1; i <= steps; ++i) {
        const float t = static_cast<float>(i) / static_cast<float>(steps);
        hover(Point{from.x + (to.x - from.x) * t, from.y + (to.y - from.y) * t});
    }
    shim::press_mouse(0, false);
    frames(2);
    settle();
}

void Driver::wheel(Point at, float steps) {
    hover(at);
    shim::turn_wheel(steps);
    settle();
}

void Driver::hold_alt(bool down) {
    shim::set_modifiers(false, false, down);
    frame();
}

void Driver::key(shim::Key key, bool ctrl, bool shift, bool alt) {
    shim::set_modifiers(ctrl, shift, alt);
    frame();
    shim::press_key(key, true);
    frames(2);
    shim::press_key(key, false);
    frame();
    shim::set_modifiers(false, false);
    settle();
}

void Driver::type(const std::string& text) {
    shim::type_text(text);
    frames(static_cast<int>(text.size()) + 2);
    settle();
}

void Driver::paste(const std::string& text) {
    clipboard = text;
    key(shim::Key::v, true);
}

void Driver::replace_field(const std::string& name, const std::string& text) {
    click(name);
    key(shim::Key::a, true);
    text.empty() ? key(shim::Key::backspace) : paste(text); // of nothing, nothing is pasted
}

std::string Driver::screen() const {
    std::string all;
    for (const std::string& line : shell->ui.canvas.written()) all += line + "\n";
    return all;
}

bool Driver::shows(const std::string& text) const {
    return screen().find(text) != std::string::npos;
}

void open(Driver& driver, const std::string& path) {
    driver.shell->open_file(path);
    driver.settle();
    if (driver.shell->ui.typing()) driver.key(shim::Key::escape); // out of the sentence
}

Driver::Options small_unrolled() {
    Driver::Options options;
    options.width = 900;
    options.height = 420;
    options.document.model_file = app::shipped_model("en-fr-bahdanau");
    options.document.source = "the black cat did not eat the red apple";
    options.document.target.clear();
    options.view.view = app::View::unrolled;
    return options;
}

std::string on_one_line(std::string text) {
    std::replace(text.begin(), text.end(), '\n', ' ');
    return text;
}

bool says(const Driver& driver, const std::string& words) {
    return on_one_line(driver.screen()).find(words) != std::string::npos;
}

} // namespace heed::ui::test
