// Small trained models that come with the program.
#pragma once

#include "app/document/document.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace heed::app {

/// "zh-en-bahdanau": the names of those that are here, in the alphabet's order. They are looked for
/// in $HEED_MODELS, beside the program (../share/heed/models) and where it was built.
std::vector<std::string> shipped_models();
/// What people call one of them: "中文 → English" and "Bahdanau". A name that nobody gave words to
/// stands for itself.
struct ShippedTitle {
    std::string task, kind;
};
ShippedTitle shipped_title(std::string_view name);
/// The file of one of them; empty where there is none of that name.
std::string shipped_model(std::string_view name);
/// What the window shows when it was never opened before: Bahdanau's model, which speaks freely, or
/// an untrained transformer where no model came with the program.
Document first_document();

} // namespace heed::app
