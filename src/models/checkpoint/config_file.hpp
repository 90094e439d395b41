// config.json of a checkpoint, read so that nothing in it is passed over: every key is read by a
// family, checked, known to change no number, or refused by its name.
#pragma once

#include "base/result.hpp"
#include "models/spec/spec.hpp"
#include "tensors/json.hpp"

#include <initializer_list>
#include <set>
#include <string>
#include <string_view>
#include <utility>

namespace heed::models {

/// Values of one object. The first key that is not as it should be is kept as the failure, and
/// what is asked after it gets the fallback. A key that is null is as good as absent.
class ConfigFile {
  public:
    /// Errors: those of reading a file and JSON; malformed where it is no object, or a link out of
    /// its folder.
    static base::Result<ConfigFile> open(const std::string& path);
    /// `before` is what stands before each key in the file, and in what is said of it.
    ConfigFile(tensors::Json json, std::string path, std::string before = "")
        : json_(std::move(json)), path_(std::move(path)), before_(std::move(before)) {}

    const std::string& path() const { return path_; }
    bool has(const char* key) const { return find(key) != nullptr; }
    /// True where the file has the key, be it null.
    bool mentions(const char* key) const { return json_.contains(key); }

    /// A size, from 1 on.
    int size(const char* key);
    int size(const char* key, int fallback);
    /// An id, from 0 on; −1 where there is none.
    int id(const char* key, int fallback);
    double number(const char* key, double fallback);
    bool flag(const char* key, bool fallback);
    std::string text(const char* key, const std::string& fallback);
    Activation activation(const char* key, const char* fallback);
    /// The object of a key, to be looked into as this is; nothing where it has none.
    const tensors::Json* object(const char* key);
    const tensors::Json* list(const char* key);
    /// The value of a key, of any kind, for who looks into it; nothing where it has none.
    const tensors::Json* any(const char* key) { return take(key); }

    /// A setting that Heed can have in one way alone.
    void only(const char* key, bool value);
    void only_text(const char* key, std::string_view value);
    void only_equal(const char* key, int value, const char* other);
    /// Keys that change no number of a run.
    void harmless(std::initializer_list<const char*> keys);
    /// "KEY is VALUE; ALLOWED".
    void refuse(const std::string& key, const std::string& allowed);

    /// The first failure, or the first key that nobody asked for.
    base::Result<void> finish();

  private:
    const tensors::Json* find(const char* key) const;
    const tensors::Json* take(const char* key);
    void missing(const char* key);

    tensors::Json json_;
    std::string path_, before_;
    std::set<std::string, std::less<>> known_;
    base::Result<void> result_;
};

} // namespace heed::models
