// How much larger than usual the window is drawn.
#pragma once

namespace heed::ui {

/// The largest zoom at which words still stand beside each other in a window of this size, in
/// pixels; 1 at least. `content_scale`: pixels a unit of the window before it is zoomed.
float largest_zoom(int width, int height, float content_scale);

/// Zoom by so many steps larger or smaller than what is seen, the wanted zoom or `most`; 1 after
/// more than a thousand. A step that finds no room changes nothing: what was wanted comes back in a
/// larger window.
float zoomed(float wanted, float steps, float most);

} // namespace heed::ui
