// .npz: a zip of .npy members.
#include "base/check.hpp"
#include "base/utf8.hpp"
#include "tensors/json.hpp"
#include "tensors/named.hpp"
#include "tensors/npy.hpp"

#include <fmt/format.h>
#include <zip.h>

#include <algorithm>
#include <deque>
#include <memory>
#include <set>
#include <utility>

namespace heed::tensors {

using base::ErrorKind;
using base::fail;

namespace {

constexpr const char* kMetadata = "metadata";
constexpr std::string_view kSuffix = ".npy";
// DOS time: 1 January 1980, midnight. The same archive gives the same bytes.
constexpr zip_uint16_t kTime = 0;
constexpr zip_uint16_t kDate = (1 << 5) | 1;

struct CloseFile {
    void operator()(zip_file_t* file) const { zip_fclose(file); }
};
struct FreeSource {
    void operator()(zip_source_t* source) const { zip_source_free(source); }
};
/// Throws changes away; a writer closes it by hand.
struct Discard {
    void operator()(zip_t* zip) const { zip_discard(zip); }
};
using File = std::unique_ptr<zip_file_t, CloseFile>;
using Source = std::unique_ptr<zip_source_t, FreeSource>;
using Zip = std::unique_ptr<zip_t, Discard>;

/// The library's error, which must be let go of.
class ZipError {
  public:
    ZipError() { zip_error_init(&error_); }
    ZipError(const ZipError&) = delete;
    ZipError& operator=(const ZipError&) = delete;
    ~ZipError() { zip_error_fini(&error_); }
    zip_error_t* get() { return &error_; }
    std::string text() { return zip_error_strerror(&error_); }

  private:
    zip_error_t error_;
};

/// The archive over a source; the caller's hold on the source stays.
Zip open_zip(const Source& source, int flags, ZipError& error) {
    zip_source_keep(source.get()); // the archive takes this hold when it opens, and only then
    Zip zip(zip_open_from_source(source.get(), flags, error.get()));
    if (!zip) zip_source_free(source.get());
    return zip;
}

class Writer {
  public:
    base::Result<std::string> write(Archive archive) {
        if (archive.arrays.empty() && archive.strings.empty() && archive.metadata.empty()) {
            // The library removes an archive without members; its end record alone is one.
            return "PK\5\6" + std::string(18, '\0');
        }
        ZipError error;
        const Source output(zip_source_buffer_create(nullptr, 0, 0, error.get()));
        Zip zip = output ? open_zip(output, ZIP_TRUNCATE, error) : nullptr;
        if (!zip) return failed(error.text());
        for (const auto& [name, array] : archive.arrays) {
            HEED_CHECK(element_count(array.shape) == array.values.size(),
                       "array \"{}\" of shape {} has {} values", name,
                       fmt::join(array.shape, " × "), array.values.size());
            if (!add(zip.get(), name, npy_header("<f4", array.shape), array.values)) {
                return failed(zip_strerror(zip.get()));
            }
        }
        for (const auto& [name, list] : archive.strings) {
            if (archive.arrays.count(name) != 0) return stands_twice(name);
            auto npy = npy_of_strings(list, false, name);
            if (!npy) return npy;
            if (!add(zip.get(), name, std::move(*npy), {})) return failed(zip_strerror(zip.get()));
        }
        if (!archive.metadata.empty()) {
            if (archive.arrays.count(kMetadata) + archive.strings.count(kMetadata) != 0) {
                return stands_twice(kMetadata);
            }
            auto npy = npy_of_strings({dump_json(Json(archive.metadata))}, true, kMetadata);
            if (!npy) return npy;
            if (!add(zip.get(), kMetadata, std::move(*npy), {})) {
                return failed(zip_strerror(zip.get()));
            }
        }
        // Closing writes, and frees the archive only when that went well.
        if (zip_close(zip.get()) != 0) return failed(zip_strerror(zip.get()));
        static_cast<void>(zip.release());
        archive = {}; // it stands in the output
        return read_back(output.get());
    }

  private:
    static tl::unexpected<base::Error> failed(const std::string& why) {
        return fail(ErrorKind::unwritable, "npz", "cannot be made: " + why);
    }
    static tl::unexpected<base::Error> stands_twice(const std::string& name) {
        return fail(ErrorKind::mismatch, name, "is the name of two things in one archive");
    }

    /// A stored member: a head, which is kept here until the archive closes, and the caller's
    /// values, which are not copied.
    bool add(zip_t* zip, const std::string& name, std::string head,
             const std::vector<float>& values) {
        heads_.push_back(std::move(head));
        std::string& kept = heads_.back();
        // The library takes bytes that it may own, hence not const; it only reads these.
        zip_buffer_fragment_t parts[2] = {
            {reinterpret_cast<zip_uint8_t*>(kept.data()), kept.size()},
            {reinterpret_cast<zip_uint8_t*>(const_cast<float*>(values.data())),
             values.size() * sizeof(float)}};
        Source source(zip_source_buffer_fragment(zip, parts, values.empty() ? 1 : 2, 0));
        if (!source) return false;
        const std::string file_name = base::to_valid_utf8(name) + std::string(kSuffix);
        const zip_int64_t index =
            zip_file_add(zip, file_name.c_str(), source.get(), ZIP_FL_ENC_UTF_8);
        if (index < 0) return false;
        static_cast<void>(source.release()); // the archive's now
        const auto at = static_cast<zip_uint64_t>(index);
        return zip_set_file_compression(zip, at, ZIP_CM_STORE, 0) == 0 &&
               zip_file_set_dostime(zip, at, kTime, kDate, 0) == 0;
    }

    static base::Result<std::string> read_back(zip_source_t* output) {
        zip_stat_t stat;
        if (zip_source_stat(output, &stat) != 0 || zip_source_open(output) != 0) {
            return failed(zip_error_strerror(zip_source_error(output)));
        }
        std::string bytes(stat.size, '\0');
        const zip_int64_t count = zip_source_read(output, bytes.data(), bytes.size());
        zip_source_close(output);
        if (count < 0 || static_cast<zip_uint64_t>(count) != stat.size) {
            return failed("the archive in memory ended early");
        }
        return bytes;
    }

    std::deque<std::string> heads_;
};

class NpzReader {
  public:
    NpzReader(const std::string& subject, std::uint64_t max_bytes)
        : subject_(subject), max_bytes_(max_bytes) {}

    base::Result<Archive> read(const std::string& bytes) {
        if (bytes.empty()) { // the library takes nothing for an archive without members
            return fail(ErrorKind::malformed, subject_, "is not a zip: it is empty");
        }
        ZipError error;
        archive_bytes_ = bytes.size();
        const Source source(zip_source_buffer_create(bytes.data(), bytes.size(), 0, error.get()));
        const Zip zip = source ? open_zip(source, ZIP_RDONLY, error) : nullptr;
        if (!zip) {
            return fail(ErrorKind::malformed, subject_, "is not a zip: " + error.text());
        }
        const zip_int64_t entries = zip_get_num_entries(zip.get(), 0);
        for (zip_int64_t i = 0; i < entries; ++i) {
            if (auto read = read_member(zip.get(), static_cast<zip_uint64_t>(i)); !read) {
                return tl::make_unexpected(read.error());
            }
        }
        return std::move(archive_);
    }

  private:
    base::Result<void> read_member(zip_t* zip, zip_uint64_t index) {
        zip_stat_t stat;
        if (zip_stat_index(zip, index, 0, &stat) != 0 || (stat.valid & ZIP_STAT_NAME) == 0) {
            return fail(ErrorKind::malformed, subject_,
                        fmt::format("member {}: {}", index, zip_strerror(zip)));
        }
        const std::string_view file_name = stat.name;
        if (!file_name.ends_with(kSuffix)) return {}; // folders, notes: nothing of ours
        const std::string name =
            base::to_valid_utf8(file_name.substr(0, file_name.size() - kSuffix.size()));
        const std::string path = fmt::format("{}: \"{}\"", subject_, name);
        if (!names_.insert(name).second) {
            return fail(ErrorKind::malformed, path, "stands twice in the archive");
        }
        if (auto allowed = check(stat, path); !allowed) return allowed;
        const File file(zip_fopen_index(zip, index, 0));
        if (!file) return fail(ErrorKind::malformed, path, zip_strerror(zip));
        auto bytes = inflate(file.get(), stat.size, path);
        if (!bytes) return tl::make_unexpected(bytes.error());
        return take(name, *bytes, path);
    }

    /// Before a byte is inflated: how it is packed, and how much it says it is.
    base::Result<void> check(const zip_stat_t& stat, const std::string& path) const {
        constexpr zip_uint64_t kNeeded =
            ZIP_STAT_SIZE | ZIP_STAT_COMP_SIZE | ZIP_STAT_COMP_METHOD | ZIP_STAT_ENCRYPTION_METHOD;
        if ((stat.valid & kNeeded) != kNeeded) {
            return fail(ErrorKind::malformed, path, "does not say how long it is");
        }
        if (stat.encryption_method != ZIP_EM_NONE) {
            return fail(ErrorKind::unsupported, path, "is encrypted");
        }
        if (stat.comp_method != ZIP_CM_STORE && stat.comp_method != ZIP_CM_DEFLATE) {
            return fail(ErrorKind::unsupported, path,
                        fmt::format("is packed by method {}; stored and deflated ones are read",
                                    stat.comp_method));
        }
        if (stat.comp_size > archive_bytes_) {
            return fail(ErrorKind::malformed, path,
                        fmt::format("says that it fills {} bytes of an archive of {}",
                                    stat.comp_size, archive_bytes_));
        }
        // Deflate makes 1032 bytes of one at the most.
        const bool stored = stat.comp_method == ZIP_CM_STORE;
        if (stored ? stat.size != stat.comp_size : stat.size / 1032 > stat.comp_size) {
            return fail(ErrorKind::malformed, path,
                        fmt::format("says that {} bytes become {}", stat.comp_size, stat.size));
        }
        return room_for(stat.size, path);
    }

    /// True where what the archive becomes still has room for `bytes` more.
    base::Result<void> room_for(std::uint64_t bytes, const std::string& path) const {
        if (bytes <= max_bytes_ - total_) return {};
        return fail(ErrorKind::out_of_range, path,
                    fmt::format("brings the archive above the {} bytes that are read", max_bytes_));
    }

    static base::Result<std::string> inflate(zip_file_t* file, zip_uint64_t size,
                                             const std::string& path) {
        std::string bytes(size, '\0');
        zip_uint64_t have = 0;
        while (have < size) {
            const zip_int64_t count = zip_fread(file, bytes.data() + have, size - have);
            if (count <= 0) break;
            have += static_cast<zip_uint64_t>(count);
        }
        // The checksum is compared when the end is read.
        char rest = 0;
        if (have != size || zip_fread(file, &rest, 1) != 0) {
            return fail(ErrorKind::malformed, path,
                        fmt::format("is not the {} bytes it says it is: {}", size,
                                    zip_file_strerror(file)));
        }
        return bytes;
    }

    base::Result<void> take(const std::string& name, const std::string& bytes,
                            const std::string& path) {
        auto npy = parse_npy(bytes, path);
        if (!npy) return tl::make_unexpected(npy.error());
        // The larger of what it was inflated to and what it becomes.
        const std::uint64_t memory = std::max<std::uint64_t>(bytes.size(), npy_memory(*npy));
        if (auto room = room_for(memory, path); !room) return room;
        total_ += memory;
        if (!npy->is_text) {
            auto values = npy_numbers(*npy);
            archive_.arrays.emplace(name, Array{std::move(npy->shape), std::move(values)});
            return {};
        }
        if (npy->shape.size() > 1) {
            return fail(ErrorKind::unsupported, path,
                        fmt::format("is text of shape {}; a list or a single one is read",
                                    fmt::join(npy->shape, " × ")));
        }
        auto list = npy_strings(*npy);
        if (name == kMetadata && npy->shape.empty()) {
            const std::uint64_t json = kMemoryPerByte * list.front().size();
            if (auto room = room_for(json, path); !room) return room;
            if (take_metadata(list.front())) return {};
        }
        archive_.strings.emplace(name, std::move(list));
        return {};
    }

    bool take_metadata(const std::string& text) {
        const auto json = parse_json(text, {});
        if (!json || !json->is_object()) return false;
        std::map<std::string, std::string> metadata;
        for (const auto& entry : json->items()) {
            if (!entry.value().is_string()) return false;
            metadata.emplace(entry.key(), entry.value().get<std::string>());
        }
        archive_.metadata = std::move(metadata);
        return true;
    }

    const std::string& subject_;
    std::uint64_t max_bytes_;
    std::uint64_t archive_bytes_ = 0;
    std::uint64_t total_ = 0; // memory that the members so far have taken
    std::set<std::string> names_;
    Archive archive_;
};

} // namespace

base::Result<std::string> write_npz(Archive archive) { return Writer().write(std::move(archive)); }

base::Result<Archive> read_npz(const std::string& bytes, const std::string& subject,
                               std::uint64_t max_bytes) {
    return NpzReader(subject, max_bytes).read(bytes);
}

} // namespace heed::tensors
