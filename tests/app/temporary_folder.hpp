// A folder that is gone when the test is over.
#pragma once

#include "base/file.hpp"

#include <cstdlib>
#include <filesystem>
#include <string>
#include <unistd.h>

class TemporaryFolder {
  public:
    TemporaryFolder() {
        std::string name = (std::filesystem::temp_directory_path() / "heed-test-XXXXXX").string();
        path_ = ::mkdtemp(name.data());
    }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    ~TemporaryFolder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    std::string operator/(const std::string& name) const { return path_ + "/" + name; }
    const std::string& path() const { return path_; }
    bool holds(const std::string& name) const { return std::filesystem::exists(*this / name); }
    std::string bytes(const std::string& name) const {
        return heed::base::read_file(*this / name, 1 << 30).value();
    }

  private:
    std::string path_;
};
