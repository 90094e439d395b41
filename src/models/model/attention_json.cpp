// An archive of arrays from JSON: numbers become floats as they are read, since a tree of them
// would take sixteen times the memory.
#include "models/model/attention_file.hpp"
#include "tensors/json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <set>
#include <utility>

namespace heed::models {

using base::ErrorKind;
using base::fail;
using base::Result;
using tensors::Array;
using tensors::Json;

namespace {

constexpr std::size_t kMostRank = 8;
constexpr std::size_t kMostJsonTexts = 1 << 20, kMostJsonMembers = 10'000;

/// Lists in lists, all of one length at each depth.
class Lists {
  public:
    /// What is wrong; empty: nothing.
    std::string open() {
        if (depth_ == kMostRank) return "is nested too deep";
        if (leaf_ && depth_ > *leaf_) return "has lists beside numbers";
        if (depth_ > 0) ++counts_[depth_ - 1];
        counts_[depth_++] = 0;
        if (array.shape.size() < depth_) array.shape.push_back(-1);
        return "";
    }
    std::string add(float value) {
        if (!leaf_ && depth_ < array.shape.size()) return "has numbers beside lists";
        if (leaf_.value_or(depth_ - 1) != depth_ - 1) return "has numbers beside lists";
        leaf_ = depth_ - 1;
        ++counts_[depth_ - 1];
        array.values.push_back(value);
        return "";
    }
    std::string close() {
        std::int64_t& length = array.shape[--depth_];
        const std::int64_t count = counts_[depth_];
        if (length < 0) length = count;
        if (length == count) return "";
        return fmt::format("has lists of {} and of {} side by side", length, count);
    }
    bool closed() const { return depth_ == 0; }

    Array array;

  private:
    std::size_t depth_ = 0;
    std::optional<std::size_t> leaf_; // the depth of lists of numbers
    std::array<std::int64_t, kMostRank> counts_{};
};

/// {"shape": […], "values": […]}.
struct Flat {
    std::optional<std::vector<std::int64_t>> shape;
    std::optional<std::vector<float>> values;
    bool of_values = false; // the list that is being read

    Result<Array> array(const std::string& path) {
        for (const auto& [name, there] :
             {std::pair("shape", shape.has_value()), std::pair("values", values.has_value())}) {
            if (!there) {
                return fail(ErrorKind::malformed, fmt::format("{}.{}", path, name), "is missing");
            }
        }
        const auto found = static_cast<std::uint64_t>(values->size());
        std::uint64_t count = 1;
        for (const std::int64_t side : *shape) {
            const auto size = static_cast<std::uint64_t>(side);
            if (size > found || count * size > found) {
                return fail(ErrorKind::mismatch, path,
                            fmt::format("has {} values, fewer than its shape asks for", found));
            }
            count *= size;
        }
        if (count != found) {
            return fail(ErrorKind::mismatch, path,
                        fmt::format("has {} values; its shape asks for {}", found, count));
        }
        return Array{*std::move(shape), *std::move(values)};
    }
};

/// Builds an archive of the parser's events.
class ArchiveBuilder {
  public:
    ArchiveBuilder(std::string_view bytes, const std::string& subject, tensors::Archive& archive)
        : bytes_(bytes), subject_(subject), archive_(archive) {}

    /// null is what write_json() makes of a number that is not finite.
    bool null() { return number(std::numeric_limits<double>::quiet_NaN(), true); }
    bool boolean(bool value) { return unexpected(value ? "true" : "false"); }
    bool number_integer(std::int64_t value) {
        return place_ == Place::flat_list && !flat_.of_values
                   ? wrong(ErrorKind::out_of_range,
                           fmt::format("expected a whole number from 0 up, found {}", value))
                   : number(static_cast<double>(value), false);
    }
    bool number_unsigned(std::uint64_t value) {
        if (place_ != Place::flat_list || flat_.of_values) {
            return number(static_cast<double>(value), false);
        }
        if (flat_.shape->size() == kMostRank) {
            return wrong(ErrorKind::malformed, "has a shape and values that are no lists");
        }
        constexpr auto kMost = std::uint64_t{1} << 40;
        flat_.shape->push_back(static_cast<std::int64_t>(std::min(value, kMost)));
        return true;
    }
    bool number_float(double value, const std::string&) { return number(value, false); }
    bool string(std::string& value) {
        if (place_ == Place::root && name_ != "arrays") {
            archive_.metadata[name_] = std::move(value);
            return true;
        }
        if (place_ == Place::first) place_ = Place::texts;
        if (place_ != Place::texts) return unexpected("a text");
        if (++n_texts_ > kMostJsonTexts) {
            return wrong(
                ErrorKind::out_of_range,
                fmt::format("has more than {} texts, and no more are read", kMostJsonTexts));
        }
        texts_.push_back(std::move(value));
        return true;
    }
    bool binary(Json::binary_t&) { return false; }

    bool start_object(std::size_t) {
        switch (place_) {
        case Place::none: place_ = Place::root; return true;
        case Place::root: return name_ == "arrays" ? enter_arrays() : enter_flat();
        case Place::arrays: return enter_flat();
        default: return unexpected("an object");
        }
    }
    bool end_object() {
        if (place_ == Place::flat) {
            auto array = flat_.array(name_);
            if (!array) return wrong(std::move(array.error()));
            archive_.arrays[name_] = *std::move(array);
            leave();
        } else {
            place_ = place_ == Place::arrays ? Place::root : Place::none;
        }
        return true;
    }
    bool key(std::string& name) {
        if (place_ == Place::flat) {
            const bool values = name == "values";
            if (!values && name != "shape") {
                return wrong({ErrorKind::malformed, fmt::format("{}.{}", name_, name),
                              "is not known here; known are shape, values"});
            }
            if (values ? flat_.values.has_value() : flat_.shape.has_value()) return twice(name);
            flat_.of_values = values;
            return true;
        }
        auto& names = place_ == Place::arrays ? arrays_ : members_;
        if (!names.insert(name).second) return twice(name);
        name_ = std::move(name);
        if (names.size() <= kMostJsonMembers) return true;
        return wrong(
            {ErrorKind::out_of_range, "",
             fmt::format("has more than {} names, and no more are read", kMostJsonMembers)});
    }
    bool start_array(std::size_t) {
        switch (place_) {
        case Place::root:
            if (name_ == "arrays") return no_arrays();
            texts_.clear();
            lists_ = {};
            place_ = Place::first;
            return open();
        case Place::arrays:
            lists_ = {};
            place_ = Place::lists;
            in_arrays_ = true;
            return open();
        case Place::first: place_ = Place::lists; return open();
        case Place::lists: return open();
        case Place::flat:
            if (flat_.of_values)
                flat_.values.emplace();
            else
                flat_.shape.emplace();
            place_ = Place::flat_list;
            return true;
        case Place::none: return wrong({ErrorKind::malformed, "", "is no JSON object with arrays"});
        default: return unexpected("a list");
        }
    }
    bool end_array() {
        if (place_ == Place::flat_list) {
            place_ = Place::flat;
            return true;
        }
        if (place_ == Place::first || place_ == Place::texts) { // an empty list is one of texts
            archive_.strings[name_] = std::exchange(texts_, {});
            place_ = Place::root;
            return true;
        }
        if (std::string why = lists_.close(); !why.empty()) {
            return wrong(ErrorKind::mismatch, std::move(why));
        }
        if (!lists_.closed()) return true;
        archive_.arrays[name_] = std::move(lists_.array);
        leave();
        return true;
    }
    template <class Exception>
    bool parse_error(std::size_t position, const std::string&, const Exception& exception) {
        return wrong(tensors::not_json(bytes_, position, exception.what(), subject_));
    }

    base::Error error() const { return error_; }

  private:
    enum class Place { none, root, arrays, first, lists, texts, flat, flat_list };

    bool wrong(base::Error error) {
        error_ = std::move(error);
        return false;
    }
    bool wrong(ErrorKind kind, std::string message) {
        return wrong({kind, name_, std::move(message)});
    }
    bool twice(const std::string& name) {
        return wrong({ErrorKind::malformed, "",
                      fmt::format("an object has the key \"{:.80}\" twice", name)});
    }
    bool no_arrays() {
        return wrong({ErrorKind::malformed, "arrays", "is no object of arrays by their names"});
    }
    bool unexpected(std::string_view found) {
        switch (place_) {
        case Place::none: return wrong({ErrorKind::malformed, "", "is no JSON object with arrays"});
        case Place::root:
            if (name_ == "arrays") return no_arrays();
            [[fallthrough]];
        case Place::arrays:
            return wrong(ErrorKind::malformed, "is no array: \"shape\" and \"values\", or lists");
        case Place::flat:
            return wrong(ErrorKind::malformed, "has a shape and values that are no lists");
        case Place::texts:
            return wrong(ErrorKind::malformed, fmt::format("expected a string, found {}", found));
        case Place::flat_list:
            if (flat_.of_values) break;
            return wrong(ErrorKind::malformed,
                         fmt::format("expected a whole number from 0 up, found {}", found));
        default: break;
        }
        return wrong(ErrorKind::malformed, fmt::format("expected a number, found {}", found));
    }

    bool enter_arrays() {
        place_ = Place::arrays;
        return true;
    }
    bool enter_flat() {
        in_arrays_ = place_ == Place::arrays;
        flat_ = {};
        place_ = Place::flat;
        return true;
    }
    void leave() { place_ = std::exchange(in_arrays_, false) ? Place::arrays : Place::root; }

    bool open() {
        std::string why = lists_.open();
        if (why.empty()) return true;
        const bool deep = why == "is nested too deep";
        return wrong(deep ? ErrorKind::malformed : ErrorKind::mismatch, std::move(why));
    }
    bool number(double value, bool is_null) {
        if (place_ == Place::first) place_ = Place::lists;
        const bool in_flat = place_ == Place::flat_list && flat_.of_values;
        if (place_ != Place::lists && !in_flat) return unexpected(is_null ? "null" : "a number");
        if (++n_numbers_ > kMostJsonNumbers) {
            return wrong(ErrorKind::out_of_range,
                         fmt::format("is the array with which the file has more than {} numbers; "
                                     "an .npz holds more",
                                     kMostJsonNumbers));
        }
        const auto narrow = static_cast<float>(value);
        if (in_flat) {
            flat_.values->push_back(narrow);
            return true;
        }
        std::string why = lists_.add(narrow);
        return why.empty() || wrong(ErrorKind::mismatch, std::move(why));
    }

    std::string_view bytes_;
    const std::string& subject_;
    tensors::Archive& archive_;
    base::Error error_{ErrorKind::malformed, {}, {}};
    std::size_t n_numbers_ = 0, n_texts_ = 0;
    bool in_arrays_ = false;
    Place place_ = Place::none;
    std::string name_;
    std::set<std::string> members_, arrays_;
    Lists lists_;
    Flat flat_;
    std::vector<std::string> texts_;
};

} // namespace

Result<tensors::Archive> read_archive_json(std::string_view bytes, const std::string& subject) {
    if (auto ok = tensors::check_no_zero(bytes, subject); !ok) {
        return tl::make_unexpected(ok.error());
    }
    tensors::Archive archive;
    ArchiveBuilder builder(bytes, subject, archive);
    if (Json::sax_parse(bytes.begin(), bytes.end(), &builder)) return archive;
    base::Error error = builder.error();
    if (error.subject != subject) error.message = base::describe(error);
    return fail(error.kind, subject, error.message);
}

} // namespace heed::models
