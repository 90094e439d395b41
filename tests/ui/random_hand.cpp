#include "ui/random_hand.hpp"

#include "base/file.hpp"
#include "base/utf8.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace heed::ui::test {

using shim::Key;

void RandomHand::frames(int count) {
    for (int i = 0; i < count; ++i) {
        driver_.frame();
        slowest_ms_ = std::max(slowest_ms_, driver_.frame_ms());
    }
}

void RandomHand::wait() {
    if (!patient_ && !rng_.one_in(4)) {
        frames(rng_.roll(4));
        return;
    }
    driver_.settle([this] { slowest_ms_ = std::max(slowest_ms_, driver_.frame_ms()); });
}

Point RandomHand::anywhere() {
    const Driver::Options& o = driver_.options();
    return {rng_.between(-10, static_cast<float>(o.width) + 10),
            rng_.between(-10, static_cast<float>(o.height) + 10)};
}

Point RandomHand::upon_widget() {
    const auto& widgets = driver_.shell->ui.widgets();
    if (widgets.empty()) return anywhere();
    const Widget& w = rng_.of(widgets);
    last_ += " " + w.id;
    return {w.box.x + rng_.between(0, w.box.w), w.box.y + rng_.between(0, w.box.h)};
}

void RandomHand::move(Point to) {
    const float scale = driver_.options().scale;
    shim::move_mouse(to.x * scale, to.y * scale);
    frames(1);
}

void RandomHand::press(int button, int clicks) {
    for (int i = 0; i < clicks; ++i) {
        shim::press_mouse(button, true);
        frames(1);
        shim::press_mouse(button, false);
        frames(1);
    }
}

void RandomHand::click_widget() {
    last_ = "click";
    move(upon_widget());
    press(0, rng_.one_in(6) ? 2 : 1);
}

void RandomHand::click_anywhere() {
    const Point at = anywhere();
    last_ = fmt::format("click at {:.0f},{:.0f}", at.x, at.y);
    const bool shift = rng_.one_in(5), ctrl = rng_.one_in(12), alt = rng_.one_in(12);
    shim::set_modifiers(ctrl, shift, alt);
    move(at);
    press(rng_.one_in(8) ? 1 + rng_.roll(2) : 0, rng_.one_in(6) ? 2 : 1);
    shim::set_modifiers(false, false, false);
}

void RandomHand::drag() {
    last_ = "drag";
    const Point from = rng_.one_in(2) ? upon_widget() : anywhere();
    const Point to = rng_.one_in(2)
                         ? Point{from.x + rng_.between(-80, 80), from.y + rng_.between(-80, 80)}
                         : anywhere();
    const bool alt = rng_.one_in(4);
    last_ += fmt::format(" {:.0f},{:.0f} to {:.0f},{:.0f}{}", from.x, from.y, to.x, to.y,
                         alt ? " with Alt" : "");
    shim::set_modifiers(false, false, alt);
    move(from);
    shim::press_mouse(0, true);
    frames(1);
    const int steps = 1 + rng_.roll(4);
    for (int i = 1; i <= steps; ++i) {
        const float t = static_cast<float>(i) / static_cast<float>(steps);
        move({from.x + (to.x - from.x) * t, from.y + (to.y - from.y) * t});
    }
    if (rng_.one_in(6)) { // something else in the middle of it
        const Key keys[] = {Key::escape, Key::z, Key::page_down, Key::t, Key::two};
        const Key k = rng_.of(keys);
        shim::set_modifiers(k == Key::z, false, alt);
        shim::press_key(k, true);
        frames(1);
        shim::press_key(k, false);
        last_ += " and a key";
    }
    shim::press_mouse(0, false);
    frames(1);
    shim::set_modifiers(false, false, false);
}

void RandomHand::wheel() {
    last_ = "wheel";
    move(rng_.one_in(2) ? upon_widget() : anywhere());
    for (int i = 1 + rng_.roll(3); i > 0; --i) {
        shim::turn_wheel(rng_.between(-3, 3));
        frames(1);
    }
}

void RandomHand::key() {
    const auto k = static_cast<Key>(rng_.roll(static_cast<int>(Key::count)));
    const bool shift = rng_.one_in(5), alt = rng_.one_in(6);
    last_ =
        fmt::format("key {}{}{}", static_cast<int>(k), shift ? " Shift" : "", alt ? " Alt" : "");
    shim::set_modifiers(false, shift, alt);
    frames(1);
    for (int i = rng_.one_in(4) ? 1 + rng_.roll(6) : 1; i > 0; --i) {
        shim::press_key(k, true);
        frames(1);
        shim::press_key(k, false);
        frames(1);
    }
    shim::set_modifiers(false, false, false);
}

void RandomHand::shortcut() {
    const Key keys[] = {Key::z, Key::z,     Key::y,     Key::k,    Key::e, Key::q, Key::a, Key::c,
                        Key::x, Key::equal, Key::minus, Key::zero, Key::p, Key::s, Key::o, Key::v};
    const Key k = rng_.of(keys);
    const bool shift = rng_.one_in(4);
    last_ = fmt::format("key {} Ctrl{}", static_cast<int>(k), shift ? " Shift" : "");
    shim::set_modifiers(true, shift);
    frames(1);
    shim::press_key(k, true);
    frames(1);
    shim::press_key(k, false);
    frames(1);
    shim::set_modifiers(false, false);
}

void RandomHand::type() {
    const std::string text = base::to_valid_utf8(some_text(rng_));
    last_ = "type \"" + text + "\"";
    constexpr int kMost = 40; // characters
    std::size_t at = 0;
    for (int i = 0; i < kMost && at < text.size(); ++i) {
        const base::Decoded c = base::decode_utf8(text, at);
        if (PrivateUse::needs_stand_in(c.code_point)) {
            driver_.shell->ui.type_astral(c.code_point);
        } else {
            shim::type_text(text.substr(at, c.length));
        }
        at += c.length;
        if (rng_.one_in(3)) frames(1);
    }
    frames(1);
}

void RandomHand::paste() {
    driver_.clipboard = some_text(rng_);
    last_ = "paste \"" + driver_.clipboard + "\"";
    shim::set_modifiers(true, false);
    frames(1);
    shim::press_key(Key::v, true);
    frames(1);
    shim::press_key(Key::v, false);
    frames(1);
    shim::set_modifiers(false, false);
}

void RandomHand::edit_sentence() {
    const std::string field = rng_.one_in(2) ? "source" : "target";
    if (!driver_.has(field)) return click_widget();
    const Box box = driver_.find(field).box;
    move({box.x + rng_.between(2, box.w - 2), box.y + box.h / 2});
    press(0, rng_.one_in(4) ? 2 : 1);
    if (rng_.one_in(2)) {
        shim::set_modifiers(true, false);
        shim::press_key(Key::a, true);
        frames(1);
        shim::press_key(Key::a, false);
        frames(1);
        shim::set_modifiers(false, false);
    }
    rng_.one_in(2) ? paste() : type();
    last_ = field + ": " + last_;
}

void RandomHand::drop_file() {
    const std::string names[] = {"text.txt", "model.safetensors", "session.json", "none", "."};
    const std::string path = folder_ + "/" + rng_.of(names);
    last_ = "drop " + path;
    if (path.ends_with("txt") || path.ends_with("s") || path.ends_with("json")) {
        static_cast<void>(base::write_file_atomic(path, some_text(rng_)));
    }
    driver_.shell->open_file(path);
    frames(1);
}

void RandomHand::resize() {
    Driver::Options options = driver_.options();
    some_size(rng_, options);
    last_ = fmt::format("resize {}x{} at {}", options.width, options.height, options.scale);
    driver_.resize(options.width, options.height, options.scale);
    frames(1);
}

void RandomHand::act() {
    slowest_ms_ = 0;
    const int what = rng_.roll(100);
    if (what < 34) {
        click_widget();
    } else if (what < 46) {
        click_anywhere();
    } else if (what < 56) {
        drag();
    } else if (what < 62) {
        wheel();
    } else if (what < 74) {
        key();
    } else if (what < 84) {
        shortcut();
    } else if (what < 87) {
        type();
    } else if (what < 89) {
        paste();
    } else if (what < 96) {
        edit_sentence();
    } else if (what < 97) {
        drop_file();
    } else if (what < 98) {
        resize();
    } else {
        last_ = "look";
        move(anywhere());
    }
    wait();
}

} // namespace heed::ui::test
