#version 330 core
// A frame on another of its size, pixel by pixel: software renderers fetch a texel by its number in
// half as much time again.
uniform sampler2D frame;

in vec2 corner;
out vec4 color;

void main() { color = texture(frame, corner); }
