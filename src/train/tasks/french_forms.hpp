// Forms of French words beside each other: agreement, forms of verbs, elision and contraction.
#pragma once

#include "train/tasks/lexicon.hpp"
#include "train/tasks/meaning.hpp"

#include <array>
#include <string>

namespace heed::train::french_forms {

using Forms = std::array<std::string, 5>; // je, il, nous, vous, ils
extern const Forms kAvoir, kEtre, kEtait, kCan, kWant, kLike, kMust, kShould;
/// Endings behind the stem of the future.
extern const Forms kFuture;

/// Agreement of verbs, participles and adjectives.
struct Agreement {
    int person; // of Forms
    bool plural, feminine;
};
Agreement agreement_of(const NounPhrase& phrase);

/// "beaux" of "beau", "nationaux" of "national", "heureux" of itself.
std::string plural_of(const std::string& word, bool feminine);
std::string agreed(const Adjective& adjective, const Agreement& with);
std::string agreed_participle(const std::string& participle, const Agreement& with);

/// "de" "le" "ami" becomes "de" "l'ami", "de" "le" "chat" becomes "du" "chat".
Words join(Words words);

} // namespace heed::train::french_forms
