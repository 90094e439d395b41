// The lab's pages: one function a page, each in the file of its name.
#pragma once

#include "lab/page.hpp"

namespace heed::lab {

Page steps_page();
Page sqrt_dk_page();
Page softmax_gradient_page();
Page scores_page();
Page masks_page();
Page heads_page();
Page self_cross_page();
Page shuffle_page();
Page positions_page();
Page bottleneck_page();
Page norms_page();
Page warm_up_page();
Page subwords_page();
Page cost_page();
Page long_copies_page();

/// Pages in the order of the list.
inline std::vector<Page> all_pages() {
    return {steps_page(),      sqrt_dk_page(), softmax_gradient_page(),
            scores_page(),     masks_page(),   heads_page(),
            self_cross_page(), shuffle_page(), positions_page(),
            bottleneck_page(), norms_page(),   warm_up_page(),
            subwords_page(),   cost_page(),    long_copies_page()};
}

} // namespace heed::lab
