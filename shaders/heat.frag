#version 330 core
// A matrix as colours: which cells lie under this pixel, which of them speaks for it, and which
// entry of the colour table stands for its value (the rule of figure::table_index). Compiled with
// A_CELL_A_PIXEL where no pixel shows several cells: software renderers take half the time then.
uniform sampler2D values;  // R32F, a texel a cell, row 0 at the top
uniform sampler2D table;   // 256 colours a row, a row a palette
uniform int palette;
uniform ivec2 cells;       // columns, rows
uniform vec4 shown;        // first column, first row, columns, rows: what fills the box
uniform vec4 box;          // left, top, width, height in pixels of the frame, y downward
uniform float frame_height;
uniform vec2 range;        // values of the table's ends
uniform bool centred;      // keep what lies farthest from the middle, not the largest
uniform vec4 not_finite;

out vec4 color;

void main() {
    vec2 pixel = vec2(gl_FragCoord.x, frame_height - gl_FragCoord.y) - box.xy;
    // A pixel shows the cell under its middle, and all cells that lie between its edges when cells
    // are smaller than pixels.
    ivec2 first = ivec2(floor(shown.xy + pixel * shown.zw / box.zw));
#ifdef A_CELL_A_PIXEL
    float kept = texelFetch(values, clamp(first, ivec2(0), cells - 1), 0).r;
    bool found = !isnan(kept) && !isinf(kept);
#else
    ivec2 last = first;
    if (shown.z > box.z) {
        first.x = int(floor(shown.x + (pixel.x - 0.5) * shown.z / box.z));
        last.x = int(ceil(shown.x + (pixel.x + 0.5) * shown.z / box.z)) - 1;
    }
    if (shown.w > box.w) {
        first.y = int(floor(shown.y + (pixel.y - 0.5) * shown.w / box.w));
        last.y = int(ceil(shown.y + (pixel.y + 0.5) * shown.w / box.w)) - 1;
    }
    first = clamp(first, ivec2(0), cells - 1);
    last = clamp(last, first, cells - 1);

    float middle = 0.5 * (range.x + range.y);
    float kept = 0.0;
    bool found = false;
    for (int y = first.y; y <= last.y; ++y) {
        for (int x = first.x; x <= last.x; ++x) {
            float value = texelFetch(values, ivec2(x, y), 0).r;
            if (isnan(value) || isinf(value)) continue;
            bool stronger = centred ? abs(value - middle) > abs(kept - middle) : value > kept;
            if (!found || stronger) kept = value;
            found = true;
        }
    }
#endif
    int entry = 0;
    if (kept >= range.y && kept > range.x) entry = 255;
    else if (kept > range.x) entry = int(floor((kept - range.x) / (range.y - range.x) * 255.0 + 0.5));
    color = found ? texelFetch(table, ivec2(entry, palette), 0) : not_finite;
}
