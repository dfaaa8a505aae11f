// A layer drawn over the world. Coordinates, texts, pixels and triangles are stored in pools that may move, so items
// store offsets; pointers are made when the layer is written.
#include "fureai/protocol.h"

#include <string.h>

// Lines, triangles or points of one colour and size.
typedef struct stroke {
    fr_color color;
    float size;
    size_t first, count; // coordinates in the pool of its kind
} stroke;

FR_ARRAY_TYPE(stroke_array, stroke);
FR_ARRAY_TYPE(wire_box_array, fr_wire_box);
FR_ARRAY_TYPE(wire_label_array, fr_wire_label);
FR_ARRAY_TYPE(wire_image_array, fr_wire_image);
FR_ARRAY_TYPE(wire_face_colors_array, fr_wire_face_colors);

typedef struct stroke_list {
    stroke_array strokes;
    fr_double_array coordinates;
} stroke_list;

struct fr_layer {
    fr_allocator allocator;
    fr_arena *arena; // texts, pixels and triangles, and the items while a layer is written
    stroke_list lines, triangles, points;
    wire_box_array boxes;
    wire_label_array labels;
    wire_image_array images;
    wire_face_colors_array face_colors;
    fr_ref object;    // the object whose frame it uses
    fr_status status; // the first failure while drawing
};

static stroke_list stroke_list_make(const fr_allocator *allocator) {
    return (stroke_list){stroke_array_make(allocator), fr_double_array_make(allocator)};
}

static void stroke_list_free(stroke_list *list) {
    stroke_array_destroy(&list->strokes);
    fr_double_array_destroy(&list->coordinates);
}

static void stroke_list_clear(stroke_list *list) {
    list->strokes.count = 0;
    list->coordinates.count = 0;
}

fr_status fr_layer_create(const fr_allocator *allocator, fr_layer **out, fr_error *error) {
    fr_allocator kept = fr_allocator_or_default(allocator);
    fr_layer *layer = fr_allocate(&kept, 1, sizeof *layer, _Alignof(fr_layer));
    if (layer == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for a layer"); }
    memset(layer, 0, sizeof *layer);
    if (fr_arena_create(0, &kept, &layer->arena, NULL) != FR_OK) {
        fr_deallocate(&kept, layer, 1, sizeof *layer);
        return fr_error_set(error, FR_ERROR_MEMORY, "no memory for a layer");
    }
    layer->allocator = kept;
    layer->lines = stroke_list_make(&kept);
    layer->triangles = stroke_list_make(&kept);
    layer->points = stroke_list_make(&kept);
    layer->boxes = wire_box_array_make(&kept);
    layer->labels = wire_label_array_make(&kept);
    layer->images = wire_image_array_make(&kept);
    layer->face_colors = wire_face_colors_array_make(&kept);
    *out = layer;
    return FR_OK;
}

void fr_layer_destroy(fr_layer *layer) {
    if (layer == NULL) { return; }
    stroke_list_free(&layer->lines);
    stroke_list_free(&layer->triangles);
    stroke_list_free(&layer->points);
    wire_box_array_destroy(&layer->boxes);
    wire_label_array_destroy(&layer->labels);
    wire_image_array_destroy(&layer->images);
    wire_face_colors_array_destroy(&layer->face_colors);
    fr_arena_destroy(layer->arena);
    fr_allocator kept = layer->allocator;
    fr_deallocate(&kept, layer, 1, sizeof *layer);
}

void fr_layer_clear(fr_layer *layer) {
    stroke_list_clear(&layer->lines);
    stroke_list_clear(&layer->triangles);
    stroke_list_clear(&layer->points);
    layer->boxes.count = 0;
    layer->labels.count = 0;
    layer->images.count = 0;
    layer->face_colors.count = 0;
    fr_arena_reset(layer->arena);
    layer->object = (fr_ref){0, 0};
    layer->status = FR_OK;
}

void fr_layer_attach(fr_layer *layer, fr_ref object) { layer->object = object; }

// ---------------------------------------------------------------------------------------------------------------
// Drawing

static bool same_color(fr_color a, fr_color b) { return a.r == b.r && a.g == b.g && a.b == b.b && a.a == b.a; }

// Adds coordinates to the last stroke where it looks the same, else a new one. A stroke must fit a message's count.
static fr_status add_stroke(stroke_list *list, const double *points, size_t count, fr_color color, double size) {
    if (count == 0) { return FR_OK; }
    if (count > FR_PROTOCOL_MAX_PAYLOAD / sizeof(double)) { return FR_ERROR_LIMIT; }
    stroke *last = list->strokes.count > 0 ? list->strokes.data + list->strokes.count - 1 : NULL;
    bool goes_on = last != NULL && same_color(last->color, color) && last->size == (float)size &&
                   last->count + count <= FR_PROTOCOL_MAX_PAYLOAD / sizeof(double);

    size_t first = list->coordinates.count;
    double *kept = fr_double_array_push(&list->coordinates, count);
    if (kept == NULL) { return FR_ERROR_MEMORY; }
    memcpy(kept, points, count * sizeof *kept);
    if (goes_on) {
        last->count += count;
        return FR_OK;
    }
    stroke *added = stroke_array_push(&list->strokes, 1);
    if (added == NULL) {
        list->coordinates.count = first;
        return FR_ERROR_MEMORY;
    }
    *added = (stroke){color, (float)size, first, count};
    return FR_OK;
}

// Stores the first failure.
static void note(fr_layer *layer, fr_status status) {
    if (layer->status == FR_OK) { layer->status = status; }
}

static void layer_lines(const double *points, size_t count, fr_color color, double width, void *user) {
    fr_layer *layer = user;
    note(layer, add_stroke(&layer->lines, points, 6 * count, color, width));
}

static void layer_triangles(const double *points, size_t count, fr_color color, void *user) {
    fr_layer *layer = user;
    note(layer, add_stroke(&layer->triangles, points, 9 * count, color, 0));
}

static void layer_points(const double *points, size_t count, fr_color color, double size, void *user) {
    fr_layer *layer = user;
    note(layer, add_stroke(&layer->points, points, 3 * count, color, size));
}

// A copy in the layer's arena; NULL, with the layer's status set, when there is no memory.
static void *copy_of(fr_layer *layer, const void *bytes, size_t count, size_t size) {
    void *copy = fr_arena_alloc(layer->arena, count, size, 8);
    if (copy == NULL) {
        note(layer, FR_ERROR_MEMORY);
    } else if (count > 0) {
        memcpy(copy, bytes, count * size);
    }
    return copy;
}

static void layer_text(const double *point, const char *text, fr_color color, double size, void *user) {
    fr_layer *layer = user;
    fr_wire_label label = {color, (float)size, {point[0], point[1], point[2]}, NULL};
    label.text = copy_of(layer, text, strlen(text) + 1, 1);
    if (label.text == NULL) { return; }
    fr_wire_label *added = wire_label_array_push(&layer->labels, 1);
    if (added == NULL) {
        note(layer, FR_ERROR_MEMORY);
    } else {
        *added = label;
    }
}

fr_draw fr_layer_draw(fr_layer *layer) {
    return (fr_draw){layer_lines, layer_triangles, layer_points, layer_text, layer};
}

void fr_layer_box(fr_layer *layer, const fr_wire_box *box) {
    fr_wire_box *added = wire_box_array_push(&layer->boxes, 1);
    if (added == NULL) {
        note(layer, FR_ERROR_MEMORY);
    } else {
        *added = *box;
    }
}

void fr_layer_image(fr_layer *layer, const fr_wire_image *image) {
    fr_wire_image kept = *image;
    const char *id = image->id != NULL ? image->id : "";
    kept.id = copy_of(layer, id, strlen(id) + 1, 1);
    kept.rgba = copy_of(layer, image->rgba, image->rgba_count, 1);
    if (kept.id == NULL || kept.rgba == NULL) { return; }
    fr_wire_image *added = wire_image_array_push(&layer->images, 1);
    if (added == NULL) {
        note(layer, FR_ERROR_MEMORY);
    } else {
        *added = kept;
    }
}

void fr_layer_face_colors(fr_layer *layer, const fr_wire_face_colors *face_colors) {
    fr_wire_face_colors kept = *face_colors;
    kept.triangles = copy_of(layer, face_colors->triangles, face_colors->triangle_count, sizeof(uint32_t));
    if (kept.triangles == NULL) { return; }
    fr_wire_face_colors *added = wire_face_colors_array_push(&layer->face_colors, 1);
    if (added == NULL) {
        note(layer, FR_ERROR_MEMORY);
    } else {
        *added = kept;
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Writing

// Items of a message, made of strokes; their pointers hold as long as nothing more is drawn.
static bool make_strokes(fr_layer *layer, fr_message_draw *draw) {
    size_t line_count = layer->lines.strokes.count, triangle_count = layer->triangles.strokes.count;
    size_t point_count = layer->points.strokes.count;
    fr_wire_lines *lines = fr_arena_alloc(layer->arena, line_count, sizeof *lines, 16);
    fr_wire_triangles *triangles = fr_arena_alloc(layer->arena, triangle_count, sizeof *triangles, 16);
    fr_wire_points *points = fr_arena_alloc(layer->arena, point_count, sizeof *points, 16);
    if (lines == NULL || triangles == NULL || points == NULL) { return false; }

    const stroke *strokes = layer->lines.strokes.data;
    const double *coordinates = layer->lines.coordinates.data;
    for (size_t i = 0; i < line_count; i++) {
        lines[i] = (fr_wire_lines){strokes[i].color, strokes[i].size, coordinates + strokes[i].first,
                                   (uint32_t)strokes[i].count};
    }
    strokes = layer->triangles.strokes.data;
    coordinates = layer->triangles.coordinates.data;
    for (size_t i = 0; i < triangle_count; i++) {
        triangles[i] =
            (fr_wire_triangles){strokes[i].color, coordinates + strokes[i].first, (uint32_t)strokes[i].count};
    }
    strokes = layer->points.strokes.data;
    coordinates = layer->points.coordinates.data;
    for (size_t i = 0; i < point_count; i++) {
        points[i] = (fr_wire_points){strokes[i].color, strokes[i].size, coordinates + strokes[i].first,
                                     (uint32_t)strokes[i].count};
    }
    draw->lines = lines;
    draw->line_count = (uint32_t)line_count;
    draw->triangles = triangles;
    draw->triangle_count = (uint32_t)triangle_count;
    draw->points = points;
    draw->point_count = (uint32_t)point_count;
    return true;
}

fr_status fr_layer_write(fr_layer *layer, uint32_t number, const char *name, fr_array *out, fr_error *error) {
    if (layer->status != FR_OK) {
        return fr_error_set(error, layer->status, "a layer could not be drawn: %s", fr_status_text(layer->status));
    }
    fr_arena_mark mark = fr_arena_get_mark(layer->arena);
    fr_message message = {.type = FR_MESSAGE_DRAW};
    fr_message_draw *draw = &message.as.draw;
    draw->layer = number;
    draw->name = name;
    draw->object = layer->object;
    draw->boxes = layer->boxes.data;
    draw->box_count = (uint32_t)layer->boxes.count;
    draw->labels = layer->labels.data;
    draw->label_count = (uint32_t)layer->labels.count;
    draw->images = layer->images.data;
    draw->image_count = (uint32_t)layer->images.count;
    draw->face_colors = layer->face_colors.data;
    draw->face_color_count = (uint32_t)layer->face_colors.count;

    fr_status status = FR_ERROR_MEMORY;
    if (make_strokes(layer, draw)) {
        status = fr_protocol_write(&message, out, error);
    } else {
        fr_error_set(error, FR_ERROR_MEMORY, "no memory for a layer");
    }
    fr_arena_rewind(layer->arena, mark);
    return status;
}
