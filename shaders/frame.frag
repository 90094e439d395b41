#version 330 core
// A frame on another of its size, pixel by pixel.
uniform sampler2D frame;

out vec4 color;

void main() { color = texelFetch(frame, ivec2(gl_FragCoord.xy), 0); }
