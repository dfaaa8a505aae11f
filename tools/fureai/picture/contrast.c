// A colour for faces that collide, far from the colours of what they belong to.
#include "contrast.h"

enum { FAR_ENOUGH = 100 * 100 };

// Bright colours, the one that stands for a collision everywhere first.
static const fr_color choices[CONTRAST_COLORS] = {
    {214, 39, 40, 255}, {150, 30, 200, 255}, {0, 130, 60, 255}, {20, 60, 220, 255}};

// How far apart two colours are, squared.
static int color_distance(fr_color a, fr_color b) {
    int r = a.r - b.r, g = a.g - b.g, l = a.b - b.b;
    return r * r + g * g + l * l;
}

contrast contrast_begin(void) {
    contrast c;
    for (size_t i = 0; i < CONTRAST_COLORS; i++) {
        c.nearest[i] = FAR_ENOUGH;
    }
    return c;
}

void contrast_add(contrast *c, fr_color color) {
    for (size_t i = 0; i < CONTRAST_COLORS; i++) {
        int distance = color_distance(choices[i], color);
        if (distance < c->nearest[i]) { c->nearest[i] = distance; }
    }
}

fr_color contrast_choose(const contrast *c) {
    size_t best = 0;
    for (size_t i = 1; i < CONTRAST_COLORS; i++) {
        if (c->nearest[i] > c->nearest[best]) { best = i; }
    }
    return choices[best];
}
