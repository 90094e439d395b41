#include "train/tasks/french_forms.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

namespace heed::train::french_forms {

const Forms kAvoir = {"ai", "a", "avons", "avez", "ont"};
const Forms kEtre = {"suis", "est", "sommes", "êtes", "sont"};
const Forms kEtait = {"étais", "était", "étions", "étiez", "étaient"};
const Forms kFuture = {"ai", "a", "ons", "ez", "ont"};
const Forms kCan = {"peux", "peut", "pouvons", "pouvez", "peuvent"};
const Forms kWant = {"veux", "veut", "voulons", "voulez", "veulent"};
const Forms kLike = {"aime", "aime", "aimons", "aimez", "aiment"};
const Forms kMust = {"dois", "doit", "devons", "devez", "doivent"};
const Forms kShould = {"devrais", "devrait", "devrions", "devriez", "devraient"};

namespace {

/// One word of two neighbours; it says what the second says, or else what the first does.
Word joined_word(const Word& first, const Word& second, std::string text) {
    Word whole = second;
    whole.text = std::move(text);
    if (whole.main < 0) {
        whole.main = first.main;
    } else if (first.main >= 0) {
        whole.minor.push_back(first.main);
    }
    whole.minor.insert(whole.minor.end(), first.minor.begin(), first.minor.end());
    return whole;
}

bool elides(std::string_view word, std::string_view next) {
    constexpr std::array kElided = {"le", "la", "je", "me", "ne", "de", "que", "ce"};
    if (word == "si") return next == "il" || next == "ils";
    return std::find(kElided.begin(), kElided.end(), word) != kElided.end() &&
           begins_with_vowel(next);
}

const char* contracted(std::string_view word, std::string_view next) {
    if (word == "de" && next == "le") return "du";
    if (word == "de" && next == "les") return "des";
    if (word == "à" && next == "le") return "au";
    if (word == "à" && next == "les") return "aux";
    return nullptr;
}

bool is_i(const NounPhrase* phrase) {
    return phrase && phrase->kind == NounPhrase::Kind::pronoun && phrase->pronoun == Pronoun::i;
}

} // namespace

Agreement agreement_of(const NounPhrase& phrase) {
    Agreement result{1, phrase.plural, false};
    switch (phrase.kind) {
    case NounPhrase::Kind::pronoun: {
        constexpr std::array kPersons = {0, 3, 1, 1, 2, 4, 1, 1, 1};
        result.person = kPersons[static_cast<std::size_t>(phrase.pronoun)];
        // A polite "vous" is one person.
        result.plural = phrase.pronoun == Pronoun::we || phrase.pronoun == Pronoun::they;
        result.feminine = phrase.pronoun == Pronoun::she;
        return result;
    }
    case NounPhrase::Kind::name: result.feminine = kNames[phrase.word].feminine; break;
    case NounPhrase::Kind::noun:
        result.feminine =
            phrase.woman || lexicon().nouns[phrase.container.value_or(phrase.word)].feminine;
        break;
    }
    if (phrase.other) {
        result.plural = true;
        result.feminine = result.feminine && agreement_of(*phrase.other).feminine;
    }
    if (result.plural) result.person = is_i(phrase.other.get()) ? 2 : 4;
    return result;
}

std::string plural_of(const std::string& word, bool feminine) {
    if (word.ends_with("s") || word.ends_with("x")) return word;
    if (!feminine && word.ends_with("al")) return word.substr(0, word.size() - 1) + "ux";
    if (!feminine && word.ends_with("eau")) return word + "x";
    return word + "s";
}

std::string agreed(const Adjective& adjective, const Agreement& with) {
    const std::string& one = with.feminine ? adjective.french_feminine : adjective.french;
    return with.plural ? plural_of(one, with.feminine) : one;
}

std::string agreed_participle(const std::string& participle, const Agreement& with) {
    const std::string one = with.feminine ? participle + "e" : participle;
    return with.plural ? plural_of(one, true) : one;
}

// From the last word to the first, because an article that is elided contracts no more.
Words join(Words words) {
    Words joined; // in reverse
    for (; !words.empty(); words.pop_back()) {
        const Word& word = words.back();
        if (!joined.empty()) {
            Word& next = joined.back();
            if (elides(word.text, next.text)) {
                const std::string stem = word.text.substr(0, word.text.size() - 1);
                next = joined_word(word, next, stem + "'" + next.text);
                continue;
            }
            if (const char* both = contracted(word.text, next.text)) {
                next = joined_word(next, word, both);
                continue;
            }
        }
        joined.push_back(word);
    }
    std::reverse(joined.begin(), joined.end());
    return joined;
}

} // namespace heed::train::french_forms
