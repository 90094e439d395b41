// The one widget in which ImGui itself draws: a line of text that can be edited.
#include "ui/widgets/widgets.hpp"

#include "base/utf8.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace heed::ui {

using shim::Key;

namespace {

constexpr float kFieldRadius = 6, kInside = 10;

/// ImGui's own field without a frame, whose text is cut at its sides; the pointer reaches it from
/// `beside` them, too. `shows_text`: unless something else is drawn in its place.
void push_field_style(const figure::Theme& t, float beside, float above, bool shows_text) {
    // What stands in its place has other letters there: they are not marked.
    const ImU32 mark = shows_text ? packed(faded(t.accent, 0.3f)) : 0;
    ImGui::GetStyle().TouchExtraPadding.x = beside;
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(0, above));
    ImGui::PushStyleVar(ImGuiStyleVar_FrameBorderSize, 0);
    ImGui::PushStyleColor(ImGuiCol_FrameBg, 0);
    ImGui::PushStyleColor(ImGuiCol_Text, shows_text ? packed(t.text) : 0);
    ImGui::PushStyleColor(ImGuiCol_TextDisabled, packed(t.muted));
    ImGui::PushStyleColor(ImGuiCol_TextSelectedBg, mark);
    shim::push_no_tab_stop();
}

void pop_field_style() {
    shim::pop_no_tab_stop();
    ImGui::PopStyleColor(4);
    ImGui::PopStyleVar(2);
    ImGui::GetStyle().TouchExtraPadding.x = 0;
}

/// ImGui's own field. Escape gives the keyboard back; ImGui would also take back what was typed, in
/// this frame too.
void edit_line(const std::string& id, const std::string& hint, std::string& buffer, bool escaped,
               bool takes_back, ImGuiInputTextCallback callback, void* of_callback) {
    const std::string before = buffer;
    const bool hidden = escaped && shim::hide_escape(true);
    ImGui::InputTextWithHint(id.c_str(), hint.c_str(), buffer.data(), buffer.capacity() + 1,
                             ImGuiInputTextFlags_CallbackAlways |
                                 ImGuiInputTextFlags_CallbackResize |
                                 (takes_back ? 0 : ImGuiInputTextFlags_NoUndoRedo),
                             callback, of_callback);
    buffer.resize(std::char_traits<char>::length(buffer.c_str()));
    if (hidden) {
        shim::hide_escape(false);
        shim::release_active_widget();
    } else if (escaped) {
        buffer = before;
    }
}

/// Shows a text that fits from its start: another may have been longer, and scrolled. Pixels.
void show_from_start(const std::string& text, float room) {
    constexpr std::size_t kMeasured = 1000; // bytes; what is longer fits no field
    if (text.size() >= kMeasured || ImGui::CalcTextSize(text.c_str()).x >= room) return;
    shim::scroll_field_to_start();
}

} // namespace

int Ui::on_field(ImGuiInputTextCallbackData* data) {
    Ui& ui = *static_cast<Ui*>(data->UserData);
    FieldState& state = *ui.editing_;
    if (data->EventFlag == ImGuiInputTextFlags_CallbackResize) {
        state.buffer.resize(static_cast<std::size_t>(data->BufTextLen));
        data->Buf = state.buffer.data();
        return 0;
    }
    if (state.reload) { // undo, or a sentence chosen elsewhere
        data->DeleteChars(0, data->BufTextLen);
        data->InsertChars(0, state.reload->c_str());
        data->SelectionStart = data->SelectionEnd = data->CursorPos = data->BufTextLen;
        state.reload.reset();
        state.select_all |= ui.edits(ui.offered_);
    }
    if (state.select_all) { // ImGui puts the cursor where the field's last text had it
        state.select_all = false;
        data->SelectionStart = 0;
        data->SelectionEnd = data->CursorPos = data->BufTextLen;
    }
    if (std::exchange(state.select_name, false)) {
        const std::string_view path(data->Buf, static_cast<std::size_t>(data->BufTextLen));
        const std::size_t name = path.rfind('/') + 1, end = path.rfind('.');
        data->SelectionStart = static_cast<int>(name);
        data->SelectionEnd = data->CursorPos =
            end != path.npos && end > name ? static_cast<int>(end) : data->BufTextLen;
    }
    if (state.to_end) {
        state.to_end = false;
        data->SelectionStart = data->SelectionEnd = data->CursorPos = data->BufTextLen;
    }
    if (state.caret && !ImGui::IsMouseDown(0)) {
        const std::string before = state.known.substr(0, *std::exchange(state.caret, {}));
        const int at = static_cast<int>(ui.private_use_.encode(before).size());
        const bool dragged = ImGui::IsMouseReleased(0) && data->HasSelection();
        if (!dragged) {
            data->SelectionStart = data->SelectionEnd = data->CursorPos =
                std::min(at, data->BufTextLen);
        }
    }
    if (state.holds_caret) {
        data->SelectionStart = data->SelectionEnd = data->CursorPos =
            std::min(state.caret_at, data->BufTextLen);
    }
    state.caret_at = data->CursorPos;
    const bool whole = std::abs(data->SelectionEnd - data->SelectionStart) == data->BufTextLen;
    if (!whole && ui.edits(ui.offered_)) ui.offered_.clear();
    if (!ui.typed_astral_.empty()) {
        std::string typed;
        for (const char32_t c : ui.typed_astral_) base::append_utf8(typed, c);
        ui.typed_astral_.clear();
        if (data->HasSelection()) {
            const int low = std::min(data->SelectionStart, data->SelectionEnd);
            data->DeleteChars(low, std::abs(data->SelectionEnd - data->SelectionStart));
            data->CursorPos = low;
            data->SelectionStart = data->SelectionEnd = low;
        }
        data->InsertChars(data->CursorPos, ui.private_use_.encode(typed).c_str());
    }
    return 0;
}

/// Draws dots where all of the text is seen: ImGui scrolls a longer one, and does not tell how far.
void Ui::draw_dots(const Box& box, const std::string& text, const FieldOptions& options) {
    const float scale = canvas.scale(), pad = options.frame ? kInside : 0;
    const auto width = [&](std::size_t bytes) {
        return ImGui::CalcTextSize(private_use_.encode(text.substr(0, bytes)).c_str()).x / scale;
    };
    if (width(text.size()) > box.w - 2 * pad) return;
    for (const auto& [from, to] : options.dotted) {
        if (to > text.size()) return;
        const float end = box.x + pad + width(to);
        for (float x = box.x + pad + width(from); x < end; x += 4) {
            canvas.fill({x, box.y + box.h - 8, 2, 2}, theme().bad, 1);
        }
    }
}

void Ui::take_back_offer() {
    const ImVector<ImWchar>& typed = ImGui::GetIO().InputQueueCharacters;
    gives_space_ = edits(offered_) && !typed.empty() && typed.front() == ' ';
    if (!gives_space_) return;
    leave_field();
    typing_ = false; // to window keys of this frame
    offered_.clear();
}

bool Ui::edits(const std::string& field) const {
    const auto found = fields_.find(field);
    return found != fields_.end() && found->second.active;
}

std::optional<std::string> Ui::edited_sentence() const {
    for (const auto& [id, state] : fields_) {
        if (state.active && state.sentence) return state.known;
    }
    return std::nullopt;
}

bool Ui::field_takes_back() const {
    return std::ranges::any_of(
        fields_, [](const auto& field) { return field.second.active && field.second.takes_back; });
}

std::optional<std::string> Ui::edited_text() const {
    for (const auto& [id, state] : fields_) {
        if (state.active) return state.known;
    }
    return std::nullopt;
}

/// A field that was not drawn in a frame takes no keys from then on.
void Ui::forget_undrawn_fields() {
    for (auto& [id, state] : fields_) {
        if (!std::exchange(state.drawn, false)) state.active = false;
    }
}

/// Gives a field the keys that were asked for it, if any were; what is pressed is not let go for an
/// offer. Ctrl+A on the way is a newer wish than where its text goes on.
void Ui::give_keys(const std::string& id, FieldState& state) {
    const bool wanted = wants_field_ == id;
    const bool comes = wanted || state.to_end || state.select_name;
    if (comes && shim::command_down() && shim::key_pressed(Key::a)) {
        state.to_end = state.select_name = false;
        state.select_all = true;
    }
    if (!wanted) return;
    wants_field_.clear();
    if (id != offered_ || !ImGui::IsMouseDown(0)) return ImGui::SetKeyboardFocusHere();
    wants_field_for_ = 0;
    offered_.clear();
    state.select_all = false;
}

Ui::FieldResult Ui::field(const Box& box, const std::string& id, const std::string& label,
                          std::string& text, const FieldOptions& options) {
    FieldResult result;
    FieldState& state = *(editing_ = &fields_[id]);
    state.drawn = true;
    state.sentence = options.sentence;
    state.takes_back = options.takes_back;
    state.holds_caret = options.holds_caret;
    if (state.known != text || (state.buffer.empty() && !text.empty())) {
        state.known = text;
        std::string encoded = private_use_.encode(text);
        if (state.active) {
            state.reload = std::move(encoded);
        } else {
            state.buffer = std::move(encoded);
        }
    }
    const figure::Theme& t = theme();
    const bool was_active = state.active;
    if (options.frame) {
        canvas.fill(box, t.ground, kFieldRadius);
        canvas.outline(box, was_active ? t.accent : t.border, kFieldRadius);
    }
    const FieldFont face = options.mono ? FieldFont::mono : FieldFont::sans;
    const float line = canvas.fonts().pixels(face);
    const float pad = options.frame ? kInside * canvas.scale() : 0;
    const ImVec2 low = canvas.low(box), high = canvas.high(box);
    const float width = high.x - low.x - 2 * pad;
    ImGui::SetCursorScreenPos({low.x + pad, low.y});
    ImGui::SetNextItemWidth(width);
    shim::push_font(canvas.fonts().get(face), line);
    const bool resting = options.resting && !was_active && (!text.empty() || options.rests_empty);
    push_field_style(t, pad, std::floor((high.y - low.y - line) / 2), !resting);
    give_keys(id, state);
    const bool entered = was_active && shim::key_pressed(Key::enter);
    const bool escaped = was_active && shim::key_pressed(Key::escape);
    const bool clipped = clip_to_whole();
    const std::string off_caret = resting || options.hint.empty() ? "" : " " + options.hint;
    edit_line("##" + id, off_caret, state.buffer, escaped, options.takes_back, &Ui::on_field, this);
    if (clipped) canvas.pop_clip();
    pop_field_style();
    if (was_active) show_from_start(state.buffer, width);
    if (was_active && !options.dotted.empty()) draw_dots(box, text, options);
    shim::pop_font();
    result.entered = entered;
    state.active = result.active = ImGui::IsItemActive();
    result.left = ImGui::IsItemDeactivated();
    if (result.left && id == offered_) offered_.clear();
    if (ImGui::IsItemHovered() && hovered_.empty()) hovered_ = id;
    if (ImGui::IsItemActivated()) {
        keyboard_at_ = id;
        points_ = false;
        if (!ImGui::IsMouseDown(0)) reveal(box);
        typed_astral_.clear();
        if (resting && options.caret && ImGui::IsMouseClicked(0))
            state.caret = options.caret(mouse().x - box.x - kInside);
    }
    if (state.active) typing_now_ = true;
    std::string now = private_use_.decode(state.buffer);
    if (now != text && !state.reload) {
        text = now;
        result.changed = true;
    }
    state.known = text;
    if (resting) {
        canvas.push_clip(inset(box, 4, 1));
        options.resting(inset(box, kInside, 0));
        canvas.pop_clip();
    }
    canvas.fonts().note(state.buffer, &private_use_, face);
    if (state.buffer.empty()) canvas.fonts().note(options.hint, &private_use_, face);
    keyboard_order_.push_back(id);
    keyboard_layers_.push_back(layer_);
    note({id, label, Widget::Kind::field, box, layer_, true, state.active, 0, text});
    return result;
}

} // namespace heed::ui
