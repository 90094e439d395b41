// The picture that the export card writes: whether there is one, and how it will look.
#pragma once

#include "ui/dialogs/export_card.hpp"

namespace heed::ui {

/// True where words stand in the place of what a task writes.
bool has_nothing(Panel& panel, const ExportForm& form, const ExportTask& task);
/// The picture as the file will hold it, as large as there is room for.
void preview(Panel& panel, const Box& box, const ExportForm& form, const ExportTask& task);

} // namespace heed::ui
