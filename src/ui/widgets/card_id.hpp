// The cards and menus that open above the window.
#pragma once

namespace heed::ui {

enum class CardId {
    open_file,
    save_session,
    export_picture,
    keys,
    search,
    colours,
    model,
    score,
    head_order,
    data,
    leave_experiment,
    corpus,
    context,
};

} // namespace heed::ui
