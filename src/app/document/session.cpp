#include "app/document/session.hpp"

#include "app/document/controls_json.hpp"
#include "app/document/json_reader.hpp"
#include "base/file.hpp"

#include <fmt/format.h>

#include <type_traits>
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

Result<trace::HeadId> read_head_id(const Json& json, const std::string& path) {
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

/// Reads the fields that an object has.
struct FieldReader {
    JsonReader& reader;

    static auto whole(const ViewField& f) {
        return int_from(static_cast<long long>(f.low), static_cast<long long>(f.high));
    }

    template <class E>
    requires std::is_enum_v<E>
    void operator()(const ViewField& f, E& value) { reader.take_name(f.name, value); }
    template <class E>
    requires std::is_enum_v<E>
    void operator()(const ViewField& f, std::optional<E>& value) {
        reader.take_name(f.name, value);
    }
    void operator()(const ViewField& f, bool& value) {
        reader.take(f.name, value, tensors::boolean);
    }
    void operator()(const ViewField& f, float& value) {
        reader.take(f.name, value, float_from({f.low, f.high}));
    }
    void operator()(const ViewField& f, std::optional<float>& value) {
        reader.take(f.name, value, float_from({f.low, f.high}));
    }
    void operator()(const ViewField& f, int& value) { reader.take(f.name, value, whole(f)); }
    void operator()(const ViewField& f, std::optional<int>& value) {
        reader.take(f.name, value, whole(f));
    }
    void operator()(const ViewField& f, std::vector<int>& value) {
        reader.take(f.name, value, list_of<int>(static_cast<std::size_t>(f.high), whole(f)));
    }
    void operator()(const ViewField& f, std::vector<trace::HeadId>& value) {
        reader.take(f.name, value, list_of<trace::HeadId>(kMostSlots, read_head_id));
    }
    void operator()(const ViewField& f, std::optional<std::pair<int, int>>& value) {
        std::vector<int> cell;
        reader.take(f.name, cell, list_of<int>(2, whole(f)));
        if (cell.size() == 2) value = {cell[0], cell[1]};
    }
    void operator()(const ViewField& f, std::optional<figure::Viewport>& value) {
        std::vector<float> sides;
        reader.take(f.name, sides, list_of<float>(4, float_from({f.low, f.high})));
        if (sides.size() == 4) value = {sides[0], sides[1], sides[2], sides[3]};
    }
    void operator()(const ViewField& f, PositionRoomState& value) {
        reader.take(f.name, value,
                    [](const Json& json, const std::string& path) -> Result<PositionRoomState> {
                        JsonReader members(json, path);
                        PositionRoomState room;
                        room_fields(room, FieldReader{members});
                        return members.done().map([&] { return room; });
                    });
    }
};

/// Writes every field that has a value.
struct FieldWriter {
    Json& json;

    template <class T> void operator()(const ViewField& f, const T& value) {
        if constexpr (std::is_enum_v<T>) {
            json[f.name] = name_of(value);
        } else {
            json[f.name] = value;
        }
    }
    template <class T> void operator()(const ViewField& f, const std::optional<T>& value) {
        if (value) (*this)(f, *value);
    }
    void operator()(const ViewField& f, const std::vector<trace::HeadId>& value) {
        json[f.name] = heads_to_json(value);
    }
    void operator()(const ViewField& f, const std::pair<int, int>& cell) {
        json[f.name] = {cell.first, cell.second};
    }
    void operator()(const ViewField& f, const figure::Viewport& v) {
        json[f.name] = {v.row, v.col, v.rows, v.cols};
    }
    void operator()(const ViewField& f, const PositionRoomState& room) {
        room_fields(room, FieldWriter{json[f.name]});
    }
};

Result<ViewState> view_from_json(const Json& json, const std::string& path) {
    JsonReader reader(json, path);
    ViewState view;
    view_fields(view, FieldReader{reader});
    return reader.done().map([&] { return view; });
}

Json view_to_json(const ViewState& view) {
    Json json;
    view_fields(view, FieldWriter{json});
    return json;
}

Result<Focus> focus_from_json(const Json& json, const std::string& path) {
    const auto places = list_of<int>(kMaxPlace, int_from(0, kMaxPlace));
    JsonReader reader(json, path);
    Focus focus;
    reader.take_name("attention", focus.head.kind);
    reader.take("layer", focus.head.layer, int_from(0, kMaxPlace));
    reader.take("head", focus.head.head, int_from(0, kMaxPlace));
    reader.take_name("stage", focus.stage);
    reader.take_name("times", focus.times);
    reader.take_name("combine", focus.combine);
    reader.take("layers", focus.layers, places);
    reader.take("heads", focus.heads, places);
    reader.take("merge_words", focus.merge_words, tensors::boolean);
    reader.take("hide_special", focus.hide_special, tensors::boolean);
    reader.take("rows_read", focus.rows_read, tensors::boolean);
    return reader.done().map([&] { return focus; });
}

Json focus_to_json(const Focus& focus) {
    Json json = {{"attention", name_of(focus.head.kind)},
                 {"layer", focus.head.layer},
                 {"head", focus.head.head},
                 {"stage", name_of(focus.stage)}};
    if (focus.times != Times::nothing) json["times"] = name_of(focus.times);
    if (focus.combine) json["combine"] = name_of(*focus.combine);
    if (!focus.layers.empty()) json["layers"] = focus.layers;
    if (!focus.heads.empty()) json["heads"] = focus.heads;
    if (focus.merge_words) json["merge_words"] = true;
    if (focus.hide_special) json["hide_special"] = true;
    if (focus.rows_read) json["rows_read"] = true;
    return json;
}

Result<Reference> read_reference(const Json& json, const std::string& path) {
    JsonReader reader(json, path);
    Reference reference;
    reader.take("name", reference.name, tensors::string);
    reader.take("document", reference.document, document_from_json);
    reader.take("focus", reference.focus, focus_from_json);
    return reader.done().map([&] { return reference; });
}

Result<Bookmark> read_bookmark(const Json& json, const std::string& path) {
    JsonReader reader(json, path);
    Bookmark kept;
    reader.take("name", kept.name, tensors::string);
    reader.take("document", kept.document, document_from_json);
    reader.take("focus", kept.focus, focus_from_json);
    reader.take("view", kept.view, view_from_json);
    return reader.done().map([&] { return kept; });
}

} // namespace

Result<Session> session_from_json(const Json& json, const std::string& path) {
    JsonReader reader(json, path);
    Session session;
    reader.take("document", session.document, document_from_json);
    reader.take("focus", session.focus, focus_from_json);
    reader.take("view", session.view, view_from_json);
    reader.take("pinned", session.pinned, read_reference);
    reader.take("kept", session.kept, list_of<Bookmark>(kMaxKept, read_bookmark));
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
    for (const Bookmark& kept : session.kept) {
        json["kept"].push_back({{"name", kept.name},
                                {"document", document_to_json(kept.document)},
                                {"focus", focus_to_json(kept.focus)},
                                {"view", view_to_json(kept.view)}});
    }
    return json;
}

models::Config kept_form(const models::Config& config) {
    Document document;
    document.model = config;
    const auto kept = document_from_json(document_to_json(document), "");
    return kept ? kept->model : Document{}.model;
}

Result<Session> load_session(const std::string& path) {
    const auto bytes = base::read_file(path, kMaxSessionBytes);
    if (!bytes) return tl::make_unexpected(bytes.error());
    const auto json = tensors::parse_json(*bytes, path);
    if (!json) return tl::make_unexpected(json.error());
    if (!json->is_object() || !json->contains("document")) {
        return fail(ErrorKind::unsupported, path, "this JSON is not a Heed session");
    }
    auto session = session_from_json(*json, "");
    if (!session) return fail(session.error().kind, path, base::describe(session.error()));
    return session;
}

Result<void> save_session(const Session& session, const std::string& path) {
    const std::string text = tensors::dump_json(session_to_json(session), 2) + "\n";
    if (text.size() > kMaxSessionBytes) {
        return fail(ErrorKind::out_of_range, path,
                    "the session is too large to be opened again: delete some snapshots");
    }
    return base::write_file_atomic(path, text);
}

} // namespace heed::app
