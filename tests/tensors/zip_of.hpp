// Zips for tests.
#pragma once

#include "catch.hpp"

#include <string>
#include <utility>
#include <vector>

#include <zip.h>

/// A zip by another way than our writer's.
inline std::string zip_of(const std::vector<std::pair<std::string, std::string>>& members,
                          int method) {
    zip_source_t* output = zip_source_buffer_create(nullptr, 0, 0, nullptr);
    zip_source_keep(output);
    zip_t* zip = zip_open_from_source(output, ZIP_TRUNCATE, nullptr);
    for (const auto& [name, data] : members) {
        if (name.back() == '/') {
            REQUIRE(zip_dir_add(zip, name.c_str(), 0) >= 0);
            continue;
        }
        zip_source_t* source = zip_source_buffer(zip, data.data(), data.size(), 0);
        const auto index = zip_file_add(zip, name.c_str(), source, ZIP_FL_ENC_UTF_8);
        REQUIRE(index >= 0);
        zip_set_file_compression(zip, static_cast<zip_uint64_t>(index), method, 0);
    }
    REQUIRE(zip_close(zip) == 0);
    zip_stat_t stat;
    zip_source_stat(output, &stat);
    zip_source_open(output);
    std::string bytes(stat.size, '\0');
    zip_source_read(output, bytes.data(), bytes.size());
    zip_source_close(output);
    zip_source_free(output);
    return bytes;
}
