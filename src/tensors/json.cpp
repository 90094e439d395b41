#include "tensors/json.hpp"

#include "base/utf8.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

namespace heed::tensors {

using base::ErrorKind;
using base::fail;

namespace {

constexpr std::size_t kMaxDepth = 64;

/// "line 2, column 5" of a byte; the column counts characters.
std::string place(std::string_view bytes, std::size_t at) {
    const std::string_view before = bytes.substr(0, std::min(at, bytes.size()));
    const std::size_t newline = before.rfind('\n');
    const std::size_t line_start = newline == std::string_view::npos ? 0 : newline + 1;
    return fmt::format("line {}, column {}", 1 + std::count(before.begin(), before.end(), '\n'),
                       1 + base::count_code_points(before.substr(line_start)));
}

/// Builds the document from the parser's events. The library's own builder looks every key up
/// among its brothers, which takes quadratic time in a large object, and keeps no duplicates;
/// this one appends, and sorts the keys once when the object ends.
class Builder {
  public:
    using number_integer_t = Json::number_integer_t;
    using number_unsigned_t = Json::number_unsigned_t;
    using number_float_t = Json::number_float_t;
    using string_t = Json::string_t;
    using binary_t = Json::binary_t;

    Builder(std::string_view bytes, const std::string& subject)
        : bytes_(bytes), subject_(subject) {}
    Builder(std::string_view bytes, const std::string& subject, std::size_t most_values,
            const TakeMember& take)
        : bytes_(bytes), subject_(subject), take_(&take), most_values_(most_values) {}

    bool null() { return add(nullptr); }
    bool boolean(bool value) { return add(value); }
    bool number_integer(number_integer_t value) { return add(value); }
    bool number_unsigned(number_unsigned_t value) { return add(value); }
    bool number_float(number_float_t value, const string_t&) { return add(value); }
    bool string(string_t& value) { return add(std::move(value)); }
    bool binary(binary_t&) { return false; }
    bool start_object(std::size_t) { return open(Json::object()); }
    bool start_array(std::size_t) { return open(Json::array()); }
    bool key(string_t& name) {
        key_ = std::move(name);
        return true;
    }
    bool end_object() {
        const auto& members = *open_.back()->get_ptr<const Json::object_t*>();
        std::vector<std::string_view> keys;
        keys.reserve(members.size());
        for (const auto& entry : members) keys.push_back(entry.first);
        std::sort(keys.begin(), keys.end());
        const auto twice = std::adjacent_find(keys.begin(), keys.end());
        if (twice != keys.end()) {
            error_ = {ErrorKind::malformed, subject_,
                      fmt::format("an object has the key \"{}\" twice", *twice)};
            return false;
        }
        open_.pop_back();
        return hand_over();
    }
    bool end_array() {
        open_.pop_back();
        return hand_over();
    }
    template <class Exception>
    bool parse_error(std::size_t position, const std::string&, const Exception& exception) {
        error_ = not_json(bytes_, position, exception.what(), subject_);
        return false;
    }

    base::Error error() const { return error_; }
    Json take() { return std::move(root_); }

  private:
    bool add(Json value) {
        if (take_ && open_.empty()) return no_object();
        if (!has_room()) return false;
        insert(std::move(value));
        return hand_over();
    }
    bool no_object() {
        error_ = {ErrorKind::malformed, subject_, "is no JSON object"};
        return false;
    }
    bool has_room() {
        if (++values_ <= most_values_) return true;
        error_ = {ErrorKind::out_of_range, subject_,
                  fmt::format("\"{:.80}\" has more than {} values, and no more are read",
                              root_.get_ptr<Json::object_t*>()->back().first, most_values_)};
        return false;
    }
    /// A whole member of the outermost object leaves, and its name stays.
    bool hand_over() {
        if (!take_ || open_.size() != 1) return true;
        auto& [name, value] = root_.get_ptr<Json::object_t*>()->back();
        values_ = 0;
        const auto taken = (*take_)(name, std::move(value));
        value = nullptr;
        if (!taken) error_ = taken.error();
        return taken.has_value();
    }
    bool open(Json container) {
        if (take_ && open_.empty() && !container.is_object()) return no_object();
        if (!open_.empty() && !has_room()) return false;
        if (open_.size() >= kMaxDepth) {
            error_ = {ErrorKind::out_of_range, subject_,
                      fmt::format("is nested deeper than {} levels", kMaxDepth)};
            return false;
        }
        open_.push_back(insert(std::move(container)));
        return true;
    }
    /// The pointers in open_ stay valid: a container grows only while it is the innermost one.
    Json* insert(Json value) {
        if (open_.empty()) {
            root_ = std::move(value);
            return &root_;
        }
        if (auto* members = open_.back()->get_ptr<Json::object_t*>()) {
            members->emplace_back(std::move(key_), std::move(value));
            return &members->back().second;
        }
        auto& values = *open_.back()->get_ptr<Json::array_t*>();
        values.push_back(std::move(value));
        return &values.back();
    }

    std::string_view bytes_;
    const std::string& subject_;
    const TakeMember* take_ = nullptr;
    std::size_t values_ = 0, most_values_ = std::numeric_limits<std::size_t>::max();
    Json root_;
    std::vector<Json*> open_;
    std::string key_;
    base::Error error_{ErrorKind::malformed, {}, {}};
};

/// The texts of a list.
class Texts {
  public:
    explicit Texts(std::size_t most) : most_(most) {}

    bool null() { return false; }
    bool boolean(bool) { return false; }
    bool number_integer(std::int64_t) { return false; }
    bool number_unsigned(std::uint64_t) { return false; }
    bool number_float(double, const std::string&) { return false; }
    bool string(std::string& value) {
        if (!open_ || texts.size() == most_) return false;
        texts.push_back(std::move(value));
        return true;
    }
    bool binary(Json::binary_t&) { return false; }
    bool start_object(std::size_t) { return false; }
    bool key(std::string&) { return false; }
    bool end_object() { return false; }
    bool start_array(std::size_t) { return !std::exchange(open_, true); }
    bool end_array() { return true; }
    template <class Exception> bool parse_error(std::size_t, const std::string&, const Exception&) {
        return false;
    }

    std::vector<std::string> texts;

  private:
    std::size_t most_;
    bool open_ = false;
};

/// "the string "off"": a value as a message shows it, cut short.
std::string found(const Json& value) {
    if (value.is_object()) return "an object";
    if (value.is_array()) return fmt::format("a list of {}", value.size());
    constexpr std::size_t kShown = 40;
    if (!value.is_string()) return dump_json(value);
    const auto& text = value.get_ref<const std::string&>();
    const std::string shown = base::to_valid_utf8(std::string_view(text).substr(0, kShown));
    return fmt::format("the string \"{}\"{}", shown, text.size() > kShown ? "…" : "");
}

tl::unexpected<base::Error> expected(const char* what, const Json& value, const std::string& path) {
    return fail(ErrorKind::malformed, path,
                fmt::format("expected {}, found {}", what, found(value)));
}

std::string join(const std::string& path, std::string_view key) {
    return path.empty() ? std::string(key) : fmt::format("{}.{}", path, key);
}

} // namespace

base::Error not_json(std::string_view bytes, std::size_t position, std::string_view why,
                     const std::string& subject) {
    // The library's message begins with its own idea of the place, in bytes.
    if (const auto bracket = why.find("] "); bracket != why.npos) why.remove_prefix(bracket + 2);
    if (why.substr(0, 11) == "parse error") {
        if (const auto colon = why.find(": "); colon != why.npos) why.remove_prefix(colon + 2);
    }
    return {ErrorKind::malformed, subject,
            fmt::format("not JSON: {}: {}", place(bytes, position > 0 ? position - 1 : 0),
                        base::to_valid_utf8(why))};
}

base::Result<void> check_no_zero(std::string_view bytes, const std::string& subject) {
    const auto zero = bytes.find('\0');
    if (zero == std::string_view::npos) return {};
    return fail(ErrorKind::malformed, subject,
                fmt::format("not JSON: {}: a zero byte", place(bytes, zero)));
}

base::Result<Json> parse_json(std::string_view bytes, const std::string& subject) {
    if (auto ok = check_no_zero(bytes, subject); !ok) return tl::make_unexpected(ok.error());
    Builder builder(bytes, subject);
    const bool whole = Json::sax_parse(bytes.begin(), bytes.end(), &builder);
    if (!whole) return tl::make_unexpected(builder.error());
    return builder.take();
}

base::Result<void> parse_members(std::string_view bytes, const std::string& subject,
                                 std::size_t most_values, const TakeMember& take) {
    if (auto ok = check_no_zero(bytes, subject); !ok) return ok;
    Builder builder(bytes, subject, most_values, take);
    const bool whole = Json::sax_parse(bytes.begin(), bytes.end(), &builder);
    if (!whole) return tl::make_unexpected(builder.error());
    return {};
}

std::optional<std::vector<std::string>> parse_texts(std::string_view bytes, std::size_t most) {
    Texts list(most);
    const bool whole = bytes.find('\0') == std::string_view::npos &&
                       Json::sax_parse(bytes.begin(), bytes.end(), &list);
    if (!whole) return std::nullopt;
    return std::move(list.texts);
}

std::string dump_json(const Json& json, int indent) {
    return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

base::Result<const Json*> member(const Json& object, const std::string& path, const char* key) {
    if (!object.is_object()) return expected("an object", object, path);
    const auto found_at = object.find(key);
    if (found_at == object.end()) {
        return fail(ErrorKind::malformed, join(path, key), "is missing");
    }
    return &*found_at;
}

base::Result<double> number(const Json& value, const std::string& path) {
    if (!value.is_number()) return expected("a number", value, path);
    const double result = value.get<double>();
    if (!std::isfinite(result)) return expected("a finite number", value, path);
    return result;
}

base::Result<std::int64_t> integer(const Json& value, const std::string& path) {
    if (!value.is_number_integer()) return expected("a whole number", value, path);
    constexpr auto kMax = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    if (value.is_number_unsigned() && value.get<std::uint64_t>() > kMax) {
        return fail(ErrorKind::out_of_range, path,
                    fmt::format("expected a whole number up to {}, found {}", kMax, found(value)));
    }
    return value.get<std::int64_t>();
}

base::Result<std::uint64_t> count(const Json& value, const std::string& path) {
    if (!value.is_number_integer()) return expected("a whole number from 0 up", value, path);
    if (!value.is_number_unsigned() && value.get<std::int64_t>() < 0) {
        return fail(ErrorKind::out_of_range, path,
                    fmt::format("expected a whole number from 0 up, found {}", found(value)));
    }
    return value.get<std::uint64_t>();
}

base::Result<bool> boolean(const Json& value, const std::string& path) {
    if (!value.is_boolean()) return expected("true or false", value, path);
    return value.get<bool>();
}

base::Result<std::string> string(const Json& value, const std::string& path) {
    if (!value.is_string()) return expected("a string", value, path);
    return value.get<std::string>();
}

base::Result<void> only_keys(const Json& object, const std::string& path,
                             std::initializer_list<std::string_view> keys) {
    if (!object.is_object()) return expected("an object", object, path);
    for (const auto& entry : object.items()) {
        if (std::find(keys.begin(), keys.end(), entry.key()) == keys.end()) {
            return fail(ErrorKind::malformed, join(path, entry.key()),
                        fmt::format("is not known here; known are {}", fmt::join(keys, ", ")));
        }
    }
    return {};
}

} // namespace heed::tensors
