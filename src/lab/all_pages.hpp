// One function a page; each is in the file of its name.
#pragma once

#include "lab/page.hpp"

namespace heed::lab {

Page steps_page();
Page sqrt_dk_page();
Page softmax_gradient_page();
Page masks_page();
Page self_cross_page();
Page shuffle_page();
Page positions_page();
Page norms_page();
Page subwords_page();

/// In the order of the list.
inline std::vector<Page> all_pages() {
    std::vector<Page> all;
    all.push_back(steps_page());
    all.push_back(sqrt_dk_page());
    all.push_back(softmax_gradient_page());
    all.push_back(masks_page());
    all.push_back(self_cross_page());
    all.push_back(shuffle_page());
    all.push_back(positions_page());
    all.push_back(norms_page());
    all.push_back(subwords_page());
    return all;
}

} // namespace heed::lab
