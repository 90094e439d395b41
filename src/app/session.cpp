#include "app/session.hpp"

#include "app/controls_json.hpp"
#include "app/json_reader.hpp"
#include "base/file.hpp"

#include <fmt/format.h>

#include <utility>

namespace heed::app {

using base::ErrorKind;
using base::fail;
using base::Result;
using tensors::Json;

namespace {

constexpr int kMaxPlace = 9999; // layers, heads

/// Each element of a list, by read(value, path).
template <class T, class Read> auto list_of(std::size_t most, Read read) {
    return [most, read](const Json& json, const std::string& path) -> Result<std::vector<T>> {
        if (!json.is_array()) return fail(ErrorKind::malformed, path, "a list was expected");
        if (json.size() > most) {
            return fail(ErrorKind::out_of_range, path,
                        fmt::format("{} entries, at most {} are allowed", json.size(), most));
        }
        std::vector<T> list;
        for (std::size_t i = 0; i < json.size(); ++i) {
            auto value = read(json[i], fmt::format("{}[{}]", path, i));
            if (!value) return tl::make_unexpected(value.error());
            list.push_back(*std::move(value));
        }
        return list;
    };
}

Result<PositionRoomState> read_position_room(const Json& json, const std::string& path) {
    JsonReader reader(json, path);
    PositionRoomState room;
    reader.take_name("kind", room.kind);
    reader.take("d_model", room.d_model, int_from(2, 1024));
    reader.take("length", room.length, int_from(8, 256));
    reader.take("base", room.base, float_from({10, 1e6}));
    return reader.done().map([&] { return room; });
}

Json position_room_to_json(const PositionRoomState& room) {
    Json json = {{"length", room.length}, {"base", room.base}};
    if (room.kind) json["kind"] = name_of(*room.kind);
    if (room.d_model) json["d_model"] = *room.d_model;
    return json;
}

Result<trace::HeadId> read_head(const Json& json, const std::string& path) {
    JsonReader reader(json, path);
    trace::HeadId head;
    reader.take_name("attention", head.kind);
    reader.take("layer", head.layer, int_from(0, kMaxPlace));
    reader.take("head", head.head, int_from(0, kMaxPlace));
    return reader.done().map([&] { return head; });
}

Json heads_to_json(const std::vector<trace::HeadId>& heads) {
    Json json = Json::array();
    for (const trace::HeadId& head : heads) {
        json.push_back(
            {{"attention", name_of(head.kind)}, {"layer", head.layer}, {"head", head.head}});
    }
    return json;
}

Result<ViewState> read_view(const Json& json, const std::string& path) {
    JsonReader reader(json, path);
    ViewState view;
    std::vector<int> selected;
    reader.take_name("view", view.view);
    reader.take("selected", selected, list_of<int>(2, int_from(0, models::kMaxTokens)));
    reader.take_name("range", view.range);
    reader.take_name("colours", view.scale);
    reader.take_name("palette", view.palette);
    reader.take_name("compare", view.compare);
    reader.take_name("head_order", view.head_order);
    reader.take("overlay", view.overlay, list_of<int>(kMaxPlace, int_from(0, kMaxPlace)));
    reader.take("threshold", view.threshold, float_from({0, 1}));
    reader.take("columns", view.columns, tensors::boolean);
    const auto tokens = list_of<int>(models::kMaxTokens, int_from(0, models::kMaxTokens));
    reader.take("pinned_queries", view.pinned_queries, tokens);
    reader.take("pinned_keys", view.pinned_keys, tokens);
    reader.take("slots", view.slots, list_of<trace::HeadId>(kMostSlots, read_head));
    reader.take("position_room", view.position_room, read_position_room);
    reader.take("softmax_factor", view.softmax_factor, float_from({1.0 / 64, 64}));
    reader.take_name("feature_order", view.feature_order);
    reader.take_name("flow_rule", view.flow_rule);
    reader.take_name("against", view.against);
    reader.take("numbers", view.numbers, tensors::boolean);
    reader.take("strips", view.strips, tensors::boolean);
    reader.take("caption", view.caption, tensors::boolean);
    std::vector<float> viewport;
    reader.take("viewport", viewport, list_of<float>(4, float_from({0, 1e6})));
    if (viewport.size() == 4) {
        view.viewport = {viewport[0], viewport[1], viewport[2], viewport[3]};
    }
    if (selected.size() == 2) view.selected = {selected[0], selected[1]};
    return reader.done().map([&] { return view; });
}

Json view_to_json(const ViewState& view) {
    Json json = {{"view", name_of(view.view)},
                 {"range", name_of(view.range)},
                 {"colours", name_of(view.scale)},
                 {"compare", name_of(view.compare)},
                 {"against", name_of(view.against)},
                 {"head_order", name_of(view.head_order)},
                 {"overlay", view.overlay},
                 {"threshold", view.threshold},
                 {"columns", view.columns},
                 {"pinned_queries", view.pinned_queries},
                 {"pinned_keys", view.pinned_keys},
                 {"slots", heads_to_json(view.slots)},
                 {"position_room", position_room_to_json(view.position_room)},
                 {"softmax_factor", view.softmax_factor},
                 {"feature_order", name_of(view.feature_order)},
                 {"flow_rule", name_of(view.flow_rule)},
                 {"numbers", view.numbers},
                 {"strips", view.strips},
                 {"caption", view.caption}};
    if (view.palette) json["palette"] = name_of(*view.palette);
    if (view.viewport) {
        const figure::Viewport& v = *view.viewport;
        json["viewport"] = {v.row, v.col, v.rows, v.cols};
    }
    if (view.selected) json["selected"] = {view.selected->first, view.selected->second};
    return json;
}

Result<Focus> read_focus(const Json& json, const std::string& path) {
    const auto places = list_of<int>(kMaxPlace, int_from(0, kMaxPlace));
    JsonReader reader(json, path);
    Focus focus;
    reader.take_name("attention", focus.head.kind);
    reader.take("layer", focus.head.layer, int_from(0, kMaxPlace));
    reader.take("head", focus.head.head, int_from(0, kMaxPlace));
    reader.take_name("stage", focus.stage);
    reader.take_name("combine", focus.combine);
    reader.take("layers", focus.layers, places);
    reader.take("heads", focus.heads, places);
    reader.take("merge_words", focus.merge_words, tensors::boolean);
    return reader.done().map([&] { return focus; });
}

Json focus_to_json(const Focus& focus) {
    Json json = {{"attention", name_of(focus.head.kind)},
                 {"layer", focus.head.layer},
                 {"head", focus.head.head},
                 {"stage", name_of(focus.stage)}};
    if (focus.combine) json["combine"] = name_of(*focus.combine);
    if (!focus.layers.empty()) json["layers"] = focus.layers;
    if (!focus.heads.empty()) json["heads"] = focus.heads;
    if (focus.merge_words) json["merge_words"] = true;
    return json;
}

Result<Reference> read_reference(const Json& json, const std::string& path) {
    JsonReader reader(json, path);
    Reference reference;
    reader.take("name", reference.name, tensors::string);
    reader.take("document", reference.document, document_from_json);
    reader.take("focus", reference.focus, read_focus);
    return reader.done().map([&] { return reference; });
}

Result<Kept> read_kept(const Json& json, const std::string& path) {
    JsonReader reader(json, path);
    Kept kept;
    reader.take("name", kept.name, tensors::string);
    reader.take("document", kept.document, document_from_json);
    reader.take("focus", kept.focus, read_focus);
    reader.take("view", kept.view, read_view);
    return reader.done().map([&] { return kept; });
}

} // namespace

Result<Session> session_from_json(const Json& json, const std::string& path) {
    JsonReader reader(json, path);
    Session session;
    reader.take("document", session.document, document_from_json);
    reader.take("focus", session.focus, read_focus);
    reader.take("view", session.view, read_view);
    reader.take("pinned", session.pinned, read_reference);
    reader.take("kept", session.kept, list_of<Kept>(kMaxKept, read_kept));
    return reader.done().map([&] { return session; });
}

Json session_to_json(const Session& session) {
    Json json = {{"document", document_to_json(session.document)},
                 {"focus", focus_to_json(session.focus)},
                 {"view", view_to_json(session.view)}};
    if (session.pinned) {
        json["pinned"] = {{"name", session.pinned->name},
                          {"document", document_to_json(session.pinned->document)},
                          {"focus", focus_to_json(session.pinned->focus)}};
    }
    for (const Kept& kept : session.kept) {
        json["kept"].push_back({{"name", kept.name},
                                {"document", document_to_json(kept.document)},
                                {"focus", focus_to_json(kept.focus)},
                                {"view", view_to_json(kept.view)}});
    }
    return json;
}

Result<Session> load_session(const std::string& path) {
    const auto bytes = base::read_file(path, kMaxSessionBytes);
    if (!bytes) return tl::make_unexpected(bytes.error());
    const auto json = tensors::parse_json(*bytes, path);
    if (!json) return tl::make_unexpected(json.error());
    if (!json->is_object() || !json->contains("document")) {
        return fail(ErrorKind::unsupported, path, "this JSON is no session of Heed's");
    }
    auto session = session_from_json(*json, "");
    if (!session) return fail(session.error().kind, path, base::describe(session.error()));
    return session;
}

Result<void> save_session(const Session& session, const std::string& path) {
    const std::string text = tensors::dump_json(session_to_json(session), 2) + "\n";
    if (text.size() > kMaxSessionBytes) {
        return fail(ErrorKind::out_of_range, path,
                    "the session is too large to be opened again: forget some kept states");
    }
    return base::write_file_atomic(path, text);
}

} // namespace heed::app
