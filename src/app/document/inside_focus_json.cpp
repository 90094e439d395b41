#include "app/document/inside_focus_json.hpp"

#include "app/document/json_reader.hpp"

namespace heed::app {

base::Result<InsideFocus> inside_focus_from_json(const tensors::Json& json,
                                                 const std::string& path) {
    constexpr int kMostWords = 100'000'000, kMostLayers = 9999;
    JsonReader reader(json, path,
                      {"token", "word", "against", "other", "instead", "patch", "from", "to"});
    InsideFocus asked;
    reader.take("token", asked.token, int_from(0, models::kMaxTokens));
    reader.take("word", asked.word, int_from(0, kMostWords));
    reader.take("against", asked.against, int_from(0, kMostWords));
    reader.take("other", asked.other, tensors::string);
    reader.take_name("instead", asked.instead);
    reader.take_name("patch", asked.patch);
    reader.take("from", asked.from, int_from(0, kMostLayers));
    reader.take("to", asked.to, int_from(0, kMostLayers));
    return reader.done().map([&] { return asked; });
}

tensors::Json inside_focus_to_json(const InsideFocus& asked) {
    tensors::Json json = {{"instead", name_of(asked.instead)},
                          {"patch", name_of(asked.patch)},
                          {"from", asked.from},
                          {"to", asked.to}};
    if (asked.token) json["token"] = *asked.token;
    if (asked.word) json["word"] = *asked.word;
    if (asked.against) json["against"] = *asked.against;
    if (!asked.other.empty()) json["other"] = asked.other;
    return json;
}

} // namespace heed::app
