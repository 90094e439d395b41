// Below what comes next: how it is drawn; of a model that fills masks, which token is masked.
#pragma once

#include "ui/frame/panel.hpp"

namespace heed::ui {

class Form;

/// Temperature, top-k, top-p and the seed, as Space goes on with.
void sampling_rows(Panel& panel, Form& form);
/// Settings of generation_config.json that change what is said, and are not followed.
void not_followed_row(Panel& panel, Form& form);
/// The source's tokens side by side; a click masks one.
void mask_chips(Panel& panel, Form& form);

} // namespace heed::ui
