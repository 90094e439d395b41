#include "models/checkpoint/weights.hpp"

#include "models/checkpoint/staging.hpp"
#include "num/half_blocks.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <cctype>
#include <cstdint>
#include <functional>
#include <mutex>
#include <numeric>
#include <optional>
#include <set>
#include <span>
#include <utility>

namespace heed::models {

using base::ErrorKind;
using base::fail;

namespace {

using Extents = std::vector<std::int64_t>;

/// The number that # stands for, or −1 where the pattern has none; nothing where the name is
/// another. A "*" at the pattern's end is anything.
std::optional<long> matched(std::string_view pattern, std::string_view name) {
    long number = -1;
    std::size_t at = 0;
    for (const char c : pattern) {
        if (c == '*') return number;
        if (c == '#') {
            const std::size_t begin = at;
            number = 0;
            while (at < name.size() && std::isdigit(static_cast<unsigned char>(name[at])) &&
                   at - begin < 6) {
                number = 10 * number + (name[at++] - '0');
            }
            if (at == begin) return std::nullopt;
        } else if (at < name.size() && name[at] == c) {
            ++at;
        } else {
            return std::nullopt;
        }
    }
    return at == name.size() ? std::optional(number) : std::nullopt;
}

std::string numbered(const std::string& pattern, long number) {
    const auto at = pattern.find('#');
    return at == std::string::npos
               ? pattern
               : pattern.substr(0, at) + std::to_string(number) + pattern.substr(at + 1);
}

/// "encoder.layers.0.self_attn.in_proj" and ".bias".
std::pair<std::string, std::string> stem_of(const std::string& name) {
    for (const char* end : {".weight", "_weight", ".bias", "_bias"}) {
        if (name.ends_with(end)) {
            const std::string kind = std::string(".") + (end + 1);
            return {name.substr(0, name.size() - std::string_view(end).size()), kind};
        }
    }
    return {name, ""};
}

/// One part of ours, and what it is read from.
struct PartSource {
    const Part<false>* part;
    TensorFiles::Found found;
    Layout layout;
    Index first = 0, total = 0; // the part's first row among all rows of theirs
    bool vector = false;        // its numbers are rows of one number
    Index rows() const { return vector ? part->cols : part->rows; }
    Index cols() const { return vector ? 1 : part->cols; }
};

std::string extents_text(const Extents& shape) {
    return fmt::format("[{}]", fmt::join(shape, ", "));
}

std::string names_text(const std::vector<std::string>& names) {
    constexpr std::size_t kShown = 3;
    std::string text;
    for (std::size_t i = 0; i < std::min(kShown, names.size()); ++i) {
        text += fmt::format("{}{:.80}", i > 0 ? ", " : "", names[i]);
    }
    if (names.size() > kShown) text += fmt::format(" and {} more", names.size() - kShown);
    return text;
}

class WeightReader {
  public:
    WeightReader(const NamedTensors& ours, const TensorMap& map, const TensorFiles& files)
        : map_(map), files_(files) {
        for (const auto& tensor : ours) plan(tensor);
    }

    base::Result<void> check() const {
        if (!missing_.empty()) {
            return fail(ErrorKind::mismatch, files_.path(),
                        fmt::format("{} tensors of this model are missing: {}", missing_.size(),
                                    names_text(missing_)));
        }
        std::vector<std::string> left_over;
        for (const auto& [name, found] : files_.all()) {
            if (!used_.contains(name) && !ignored(name)) left_over.push_back(name);
        }
        if (!left_over.empty()) {
            return fail(ErrorKind::mismatch, files_.path(),
                        fmt::format("{} tensors do not belong to this model: {}", left_over.size(),
                                    names_text(left_over)));
        }
        for (const PartSource& source : sources_) {
            if (auto ok = check_shape(source); !ok) return ok;
        }
        return {};
    }

    /// A small file may name heads so wide that what is drawn beside it fills the memory.
    base::Result<void> check_memory() const {
        constexpr double kAlways = 1 << 24;
        double drawn = 0, read = 0;
        for (const auto& tensor : not_in_files_) {
            for (const auto& part : tensor.parts) drawn += 1.0 * part.rows * part.cols;
        }
        for (const PartSource& s : sources_) read += 1.0 * s.part->rows * s.part->cols;
        if (drawn <= read + kAlways) return {};
        return fail(ErrorKind::out_of_range, files_.path(),
                    fmt::format("has {:.3g} numbers; its {} asks for {:.3g} beside them, "
                                "for controls that can be switched on",
                                read, files_.settings(), drawn));
    }

    base::Result<void> fill(num::ThreadPool& pool, const Reading& reading) const {
        if (reading && !reading(0)) return stopped();
        for (const PartSource& s : sources_) {
            if (s.layout != Layout::stacked) continue;
            std::get<Matrix<float>*>(s.part->to)->resize(s.part->rows, s.part->cols);
        }
        double all = 0, done = 0;
        for (const PartSource& s : sources_) all += bytes_of(s);
        std::mutex lock;
        Staging staging;
        base::Result<void> result;
        pool.for_each(std::ssize(sources_), [&](Index i) {
            {
                const std::scoped_lock held(lock);
                if (!result) return;
            }
            const PartSource& source = sources_[static_cast<std::size_t>(i)];
            const auto ok = fill(source, staging);
            const std::scoped_lock held(lock);
            done += bytes_of(source);
            if (!ok && result) result = ok;
            if (result && reading && !reading(done / all)) result = stopped();
        });
        return result;
    }

    const NamedTensors& not_in_files() const { return not_in_files_; }

  private:
    static double bytes_of(const PartSource& s) {
        return static_cast<double>(s.found.entry->end - s.found.entry->begin);
    }
    base::Result<void> stopped() const {
        return fail(ErrorKind::cancelled, files_.path(),
                    "was not read to its end: it was stopped");
    }

    void plan(const NamedTensor<false>& tensor) {
        const auto [stem, kind] = stem_of(tensor.name);
        for (const TensorRow& row : map_.rows) {
            const bool whole = row.ours.starts_with('=');
            const auto number =
                whole ? matched(row.ours.substr(1), tensor.name) : matched(row.ours, stem);
            if (!number) continue;
            add(tensor, row, kind, *number);
            return;
        }
        if (tensor.optional) {
            not_in_files_.push_back(tensor);
        } else {
            missing_.push_back(tensor.name + " (of Heed's list)");
        }
    }

    void add(const NamedTensor<false>& tensor, const TensorRow& row, const std::string& kind,
             long number) {
        const bool single = row.theirs.size() == 1;
        Index first = 0, total = 0;
        for (const auto& part : tensor.parts) total += is_vector(tensor) ? part.cols : part.rows;
        const std::size_t count =
            row.layout == Layout::stacked ? row.theirs.size() : tensor.parts.size();
        for (std::size_t i = 0; i < count; ++i) {
            const bool stacked = row.layout == Layout::stacked;
            const std::string& theirs = row.theirs[single ? 0 : i];
            const std::string name = theirs.starts_with('=') ? numbered(theirs.substr(1), number)
                                                             : numbered(theirs, number) + kind;
            PartSource source{&tensor.parts[stacked ? 0 : i],
                              find_tensor(files_, map_.prefix, name), row.layout};
            source.vector = is_vector(tensor);
            source.first = single ? first : stacked ? static_cast<Index>(i) : 0;
            source.total = single ? total : source.rows();
            first += source.rows();
            if (source.found.file) {
                used_.insert(source.found.entry->name);
                sources_.push_back(source);
            } else {
                if (missing_.empty() || missing_.back() != name) missing_.push_back(name);
            }
        }
    }

    static bool is_vector(const NamedTensor<false>& tensor) { return tensor.shape.size() == 1; }

    bool ignored(const std::string& name) const {
        const auto is = [&](const std::string& pattern) {
            if (matched(pattern, name)) return true;
            const bool prefixed = !map_.prefix.empty() && name.starts_with(map_.prefix);
            return prefixed && matched(pattern, name.substr(map_.prefix.size()));
        };
        return std::any_of(map_.ignored.begin(), map_.ignored.end(), is);
    }

    static Extents expected_shape(const PartSource& s) {
        if (s.layout == Layout::stacked) return {s.cols()};
        const bool half = s.layout == Layout::first_half || s.layout == Layout::second_half;
        const std::int64_t rows = half ? 2 * s.total : s.total;
        if (s.vector) return {rows};
        return s.layout == Layout::conv1d ? Extents{s.cols(), rows} : Extents{rows, s.cols()};
    }

    // Axes of one number at the front and the last ones taken together are no difference: a patch
    // is channels × rows × columns there, a table of positions one of 1 × n × d.
    base::Result<void> check_shape(const PartSource& s) const {
        const Extents wanted = expected_shape(s);
        Extents shape = s.found.entry->shape;
        while (shape.size() > wanted.size() && shape.front() == 1) shape.erase(shape.begin());
        while (s.found.entry->shape.size() == 4 && shape.size() > wanted.size()) {
            const auto last = shape.back(); // their product is a file's size: no overflow
            shape.pop_back();
            shape.back() *= last;
        }
        if (shape == wanted) return {};
        return fail(ErrorKind::mismatch, s.found.file->path(),
                    fmt::format("{:.80} has the shape {}; its {} asks for {}", s.found.entry->name,
                                extents_text(s.found.entry->shape), files_.settings(),
                                extents_text(wanted)));
    }

    base::Result<void> fill(const PartSource& s, Staging& staging) const {
        if (const auto stored = half_format(s)) return fill_in_blocks(s, *stored, staging);
        const std::int64_t count =
            std::accumulate(s.found.entry->shape.begin(), s.found.entry->shape.end(),
                            std::int64_t{1}, std::multiplies<>());
        Matrix<float>* table = floats_of(*s.part);
        if (table && s.layout == Layout::plain && count == s.part->rows * s.part->cols) {
            table->resize(s.part->rows, s.part->cols);
            num::wish_huge_pages(table->data(), sizeof(float) * static_cast<std::size_t>(count));
            return read(s, {table->data(), static_cast<std::size_t>(count)});
        }
        auto buffer = staging.take(count);
        const std::span values(buffer.floats.get(), static_cast<std::size_t>(count));
        if (auto ok = read(s, values); !ok) return ok;
        if (s.layout == Layout::plus_one) {
            for (float& value : values) value += 1;
        }
        place(s, values.data());
        staging.give(std::move(buffer));
        return {};
    }

    /// Packed while it is read, so that it stands in memory once.
    base::Result<void> fill_in_blocks(const PartSource& s, num::Stored stored,
                                      Staging& staging) const {
        const bool by_inputs = s.layout == Layout::conv1d;
        const Index in = s.cols(), out = s.rows(), width = by_inputs ? s.total : in;
        base::Result<void> result;
        auto buffer = staging.take(0);
        std::uint32_t bad = 0;
        const auto block = [&](Index first, Index count) -> const std::uint16_t* {
            const auto n = static_cast<std::size_t>(count * width);
            Staging::widen(buffer, static_cast<Index>((n + 1) / 2));
            const std::span to(reinterpret_cast<std::uint16_t*>(buffer.floats.get()), n);
            for (Index done = 0; result && done < count;) {
                const Stretch theirs =
                    by_inputs ? Stretch{first, count} : theirs_of(s, first + done, count - done);
                result =
                    read_rows(s, theirs, width, to.subspan(static_cast<std::size_t>(done * width)));
                done += theirs.rows;
            }
            if (!result) return nullptr;
            bad += count_not_finite(to, stored);
            return to.data() + (by_inputs ? s.first : 0);
        };
        auto packed = by_inputs ? num::half_weights_by_inputs(stored, in, out, width, block)
                                : num::half_weights(stored, in, out, block);
        staging.give(std::move(buffer));
        const Index looked_at = by_inputs ? in * width : out * width;
        if (result) result = refuse(s, bad, static_cast<std::uint64_t>(looked_at));
        auto* const* table = std::get_if<WordTable*>(&s.part->to);
        auto& to = table ? (*table)->halves : *std::get<num::Weights<float>*>(s.part->to);
        if (result) to = std::move(packed);
        return result;
    }

    /// Rows of theirs, one after another.
    struct Stretch {
        Index first, rows;
    };
    /// Rows of theirs that have ours from `row` on, of at most `most`.
    Stretch theirs_of(const PartSource& s, Index row, Index most) const {
        if (s.layout != Layout::per_head) {
            return {row + s.first + (s.layout == Layout::second_half ? s.total : 0), most};
        }
        const Index width = map_.head_width, kinds = s.total / s.rows();
        const Index head = row / width, kind = s.first / s.rows();
        return {(head * kinds + kind) * width + row % width, std::min(most, width - row % width)};
    }

    static base::Result<void> read_rows(const PartSource& s, Stretch rows, Index width,
                                        std::span<std::uint16_t> to) {
        const auto bytes = [&](Index n) {
            return static_cast<std::size_t>(n * width) * sizeof(std::uint16_t);
        };
        return s.found.file->read(*s.found.entry,
                                  {reinterpret_cast<char*>(to.data()), bytes(rows.rows)},
                                  bytes(rows.first));
    }

    static Matrix<float>* floats_of(const Part<false>& part) {
        if (auto* const* words = std::get_if<WordTable*>(&part.to)) return &(*words)->floats;
        auto* const* table = std::get_if<Matrix<float>*>(&part.to);
        return table ? *table : nullptr;
    }

    /// Format of the numbers which stay 16-bit ones: those of linear maps and tables of words.
    static std::optional<num::Stored> half_format(const PartSource& s) {
        const bool stays = std::holds_alternative<num::Weights<float>*>(s.part->to) ||
                           std::holds_alternative<WordTable*>(s.part->to);
        if (!stays) return std::nullopt;
        if (s.layout == Layout::plus_one) return std::nullopt;
        if (s.found.entry->element == tensors::Element::bf16) return num::Stored::bf16;
        if (s.found.entry->element == tensors::Element::f16) return num::Stored::f16;
        return std::nullopt;
    }

    // Numbers are looked at by their bits, so that many are looked at at once.
    static base::Result<void> read(const PartSource& s, std::span<float> to) {
        if (auto ok = s.found.file->read(*s.found.entry, to); !ok) return ok;
        std::uint32_t bad = 0;
        for (const float x : to) {
            bad += (std::bit_cast<std::uint32_t>(x) & 0x7f800000u) == 0x7f800000u;
        }
        return refuse(s, bad, to.size());
    }

    static std::uint32_t count_not_finite(std::span<const std::uint16_t> halves,
                                          num::Stored stored) {
        const std::uint16_t exponent = stored == num::Stored::bf16 ? 0x7f80 : 0x7c00;
        std::uint32_t bad = 0;
        for (const std::uint16_t x : halves) bad += (x & exponent) == exponent;
        return bad;
    }

    /// `of`: how many numbers were looked at.
    static base::Result<void> refuse(const PartSource& s, std::uint32_t bad, std::uint64_t of) {
        if (bad == 0) return {};
        const bool whole = of == tensors::element_count(s.found.entry->shape);
        return fail(ErrorKind::out_of_range, s.found.file->path(),
                    fmt::format("{} of the {} numbers in {}{:.80} are NaN or infinite", bad, of,
                                whole ? "" : "a part of ", s.found.entry->name));
    }

    /// The part's numbers of all of theirs.
    void place(const PartSource& s, const float* values) const {
        using Rows = Eigen::Map<const Matrix<float>>;
        if (s.layout == Layout::stacked) {
            auto* table = std::get<Matrix<float>*>(s.part->to);
            table->row(s.first) = Rows(values, 1, s.cols());
        } else if (s.layout == Layout::conv1d && !s.vector) {
            if (s.rows() == s.total) return put(*s.part, values, true);
            const Matrix<float> part =
                Rows(values, s.cols(), s.total).middleCols(s.first, s.rows());
            put(*s.part, part.data(), true);
        } else if (s.layout == Layout::per_head) {
            const Rows all(values, s.total, s.cols());
            Matrix<float> part(s.rows(), s.cols());
            for (Index row = 0; row < s.rows();) {
                const Stretch theirs = theirs_of(s, row, s.rows() - row);
                part.middleRows(row, theirs.rows) = all.middleRows(theirs.first, theirs.rows);
                row += theirs.rows;
            }
            put(*s.part, part.data());
        } else {
            put(*s.part, values + theirs_of(s, 0, s.rows()).first * s.cols());
        }
    }

    const TensorMap& map_;
    const TensorFiles& files_;
    std::vector<PartSource> sources_;
    NamedTensors not_in_files_;
    std::vector<std::string> missing_;
    std::set<std::string, std::less<>> used_;
};

} // namespace

TensorFiles::Found find_tensor(const TensorFiles& files, const std::string& prefix,
                               const std::string& name) {
    std::vector<std::string> names = {name};
    if (!prefix.empty()) {
        names.push_back(name.starts_with(prefix) ? name.substr(prefix.size()) : prefix + name);
    }
    for (const std::string& candidate : names) {
        if (const auto found = files.all().find(candidate); found != files.all().end()) {
            return found->second;
        }
        constexpr std::pair<std::string_view, const char*> kOlder[] = {
            {"LayerNorm.weight", "gamma"}, {"LayerNorm.bias", "beta"}};
        for (const auto& [end, older] : kOlder) {
            if (!candidate.ends_with(end)) continue;
            const auto stem = candidate.substr(0, candidate.rfind('.') + 1);
            const auto found = files.all().find(stem + older);
            if (found != files.all().end()) return found->second;
        }
    }
    return {};
}

base::Result<NamedTensors> read_weights(const NamedTensors& ours, const TensorMap& map,
                                        const TensorFiles& files, num::ThreadPool& pool,
                                        const Reading& reading) {
    const WeightReader reader(ours, map, files);
    auto ok = reader.check();
    if (ok) ok = reader.check_memory();
    if (ok) ok = reader.fill(pool, reading);
    if (!ok) return tl::make_unexpected(ok.error());
    return reader.not_in_files();
}

} // namespace heed::models
