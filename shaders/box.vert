#version 330 core
// Four corners of the box, from the vertex number alone: no buffer is needed.
uniform vec4 clip_box; // left, top, right, bottom in clip space

out vec2 corner; // from 0, 0 at the left and top to 1, 1

void main() {
    corner = vec2(gl_VertexID & 1, gl_VertexID >> 1);
    gl_Position = vec4(mix(clip_box.xy, clip_box.zw, corner), 0.0, 1.0);
}
