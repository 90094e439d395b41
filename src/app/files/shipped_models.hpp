// Small trained models that come with the program.
#pragma once

#include "app/document/document.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace heed::app {

/// "zh-en-bahdanau": the names of those that are here, in the order in which they are
/// offered. They are looked for
/// in $HEED_MODELS, beside the program (../share/heed/models) and where it was built.
std::vector<std::string> shipped_models();
/// The title that people give one of them: "中文 → English" and "Bahdanau". A name that nobody gave
/// words to stands for itself.
struct ShippedTitle {
    std::string task, kind;
};
ShippedTitle shipped_title(std::string_view name);
/// Words under which a model of this task is looked for: its languages' English names.
std::string task_keywords(const std::string& task);
/// The title of a file: the same where it is one of them, else its name without folder and suffix;
/// of a model that was trained here, in words.
ShippedTitle file_title(const std::string& path);
/// The detail that tells a file from others of its title: when it was written, of a model that was
/// trained here ("2026-11-22 18:04"); else its folder.
std::string file_detail(const std::string& path);
/// The file of one of them; empty where there is none of that name.
std::string shipped_model(std::string_view name);
/// True where Chinese is the language of the system ($LC_ALL, $LC_MESSAGES or $LANG).
bool speaks_chinese();
/// The one that everything starts with where no other is asked for: it translates from Chinese
/// where the system speaks it, else from English.
/// Empty where no model came with the program.
std::string default_model();

/// The state that a trained model opens with: a sentence that it knows, and the head that it aligns
/// by.
struct Opening {
    Document document;
    Focus focus;
};
Opening opening_of(const std::string& path, const models::Provenance& provenance);
/// The opening of default_model(), or an untrained transformer where there is none.
Opening first_opening();

} // namespace heed::app
