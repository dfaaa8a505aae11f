// Where models are put beside one another, and in which colours.
#ifndef FUREAI_SCENE_SCENE_LAYOUT_H
#define FUREAI_SCENE_SCENE_LAYOUT_H

#include "fureai/scene.h"

// What of a model's box is where.
typedef struct fr__layout_item {
    fr_bounds bounds; // in the object's frame; empty: it is put as a point
    fr_vec3 position; // of the object's origin: the result
} fr__layout_item;

// Puts boxes side by side on the ground, y = 0, in rows along x that grow towards +z, with room between them: right of
// `taken`, which may be empty. The rows about the middle of x = 0 where nothing is taken. O(count).
void fr__layout_rows(fr__layout_item *items, uint32_t count, const fr_bounds *taken);

// A colour for the object of a number: neighbours differ, none is the grey of objects without colour or a red that
// stands for collisions.
fr_color fr__palette_color(uint32_t number);

#endif
