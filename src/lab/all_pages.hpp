// One function a page; each is in the file of its name.
#pragma once

#include "lab/page.hpp"

namespace heed::lab {

Page sqrt_dk_page();

/// In the order of the list.
inline std::vector<Page> all_pages() {
    std::vector<Page> all;
    all.push_back(sqrt_dk_page());
    return all;
}

} // namespace heed::lab
