// What readers fill: the meshes of a model one after another, in arrays that all share, and the nodes that place them.
#ifndef FUREAI_MODEL_BUILDER_H
#define FUREAI_MODEL_BUILDER_H

#include "budget.h"
#include "cursor.h"
#include "work_meter.h"

#include "fureai/model.h"

#include <string.h>

// One part, which becomes a mesh: where its slices of the shared arrays begin. They end where the next part's begin.
typedef struct fr__builder_part {
    const char *name;
    const fr_model_primitive *primitive; // NULL where it was none
    size_t first_vertex;
    size_t first_face;
    size_t first_corner;
    uint32_t first_id; // number in the file of its first polygon
    bool two_sided;
    bool has_normals, has_uvs, has_colors; // at its corners
    bool has_face_colors;
    fr_model_deform *deform; // NULL where it neither follows bones nor has other shapes
} fr__builder_part;

// FR_ARRAY_TYPE, and NAME_add: a copy of an element at the end; its index, FR_NONE when there is no memory.
#define FR__LIST_TYPE(name, type)                                                                                      \
    FR_ARRAY_TYPE(name, type);                                                                                         \
    static inline uint32_t name##_add(name *list, type const *element) {                                               \
        type *place = name##_push(list, 1);                                                                            \
        if (place == NULL) { return FR_NONE; }                                                                         \
        *place = *element;                                                                                             \
        return (uint32_t)(list->count - 1);                                                                            \
    }                                                                                                                  \
    typedef name name

FR_ARRAY_TYPE(fr__point_array, fr_vec3);

FR__LIST_TYPE(fr__builder_part_array, fr__builder_part);
FR__LIST_TYPE(fr__model_node_array, fr_model_node);
FR__LIST_TYPE(fr__model_material_array, fr_model_material);
FR__LIST_TYPE(fr__model_placement_array, fr_model_placement);
FR__LIST_TYPE(fr__model_skin_array, fr_model_skin);
FR__LIST_TYPE(fr__model_texture_array, fr_model_texture);
FR__LIST_TYPE(fr__model_clock_array, fr_model_clock);
FR__LIST_TYPE(fr__model_track_array, fr_model_track);
FR__LIST_TYPE(fr__model_sound_array, fr_model_sound);
FR__LIST_TYPE(fr__model_note_array, fr_model_note);
FR__LIST_TYPE(fr__model_warning_array, fr_model_warning);

// FR_ARRAY_TYPE, and NAME_extend for lists beside the corners: appends elements until there are `count`, with zeros
// before `first`; returns element `first`, NULL when there is no memory.
#define FR__CORNER_LIST_TYPE(name, type)                                                                               \
    FR_ARRAY_TYPE(name, type);                                                                                         \
    static inline type *name##_extend(name *list, size_t first, size_t count) {                                        \
        size_t before = list->count;                                                                                   \
        type *place = name##_push(list, count - before);                                                               \
        if (place == NULL) { return NULL; }                                                                            \
        memset(place, 0, (first - before) * sizeof(type));                                                             \
        return place + (first - before);                                                                               \
    }                                                                                                                  \
    typedef name name

typedef float fr__float2[2];
typedef float fr__float3[3];
FR__CORNER_LIST_TYPE(fr__float2_array, fr__float2);
FR__CORNER_LIST_TYPE(fr__float3_array, fr__float3);
FR__CORNER_LIST_TYPE(fr__color_array, fr_color);

typedef struct fr__builder {
    fr_allocator allocator;
    fr_model_limits limits;
    bool is_double;
    bool plain;                      // every polygon so far is a triangle without colour or material, numbered in order
    uint32_t next_id;                // number in the file of the next polygon
    size_t face_count;               // of all parts
    fr_array positions;              // of 3 floats or doubles
    fr_uint32_array corners;         // from the part's first vertex
    fr_uint32_array starts;          // for each part a 0 and the end of each polygon; empty while all are triangles
    fr_uint32_array ids;             // one a polygon; empty while each part's are in order
    fr__color_array colors;          // one a polygon; empty while none has one
    fr_uint32_array materials;       // one a polygon; empty while none has one
    fr__float3_array corner_normals; // one a corner, up to the last one that has one, as the following
    fr__float2_array corner_uvs;
    fr__color_array corner_colors;
    fr__builder_part_array parts;
    fr__model_node_array nodes; // empty: one a part
    fr__model_material_array material_list;
    fr__model_placement_array placements;
    fr__model_skin_array skins;
    fr__model_texture_array textures;
    fr__model_clock_array clocks;
    fr__model_track_array tracks;
    fr__model_sound_array sounds;
    fr__model_note_array notes;
    fr_arena *arena; // texts and numbers that the above point to; NULL while there are none
    uint64_t line_count, point_count;
    double unit;
    fr_model_up up;
    bool is_unit_guessed, is_up_guessed;
    fr__model_warning_array warnings;
    uint64_t warning_count;
    fr__work_meter meter;  // of the reading
    const char *over_what; // the limit that was met, NULL while none was
    uint64_t over_limit;
} fr__builder;

// What a reader works with.
typedef struct fr__reader {
    fr__cursor cursor;
    fr__builder builder;
    fr_model_precision precision;     // wanted
    const fr_model_read_input *input; // the caller's
    fr__budget *budget;               // of all memory that the reading takes
} fr__reader;

fr__builder fr__builder_make(const fr_model_limits *limits, const fr_allocator *allocator);
void fr__builder_free(fr__builder *builder);

// Sets the kind of positions, before the first one.
void fr__builder_set_double(fr__builder *builder, bool is_double);

// An element of an array whose type depends on the file: positions, floats or doubles.
static inline void *fr__array_at(const fr_array *array, size_t index) {
    return (char *)array->data + index * array->element_bytes;
}

// Appends `count` elements to such an array; NULL when there is no memory.
static inline void *fr__push(fr_array *array, size_t count) {
    if (array->capacity - array->count < count) { return fr_array_push(array, count); }
    array->count += count;
    return fr__array_at(array, array->count - count);
}

static inline bool fr__push_index(fr_uint32_array *array, uint32_t value) {
    uint32_t *place = fr_uint32_array_push(array, 1);
    if (place == NULL) { return false; }
    *place = value;
    return true;
}

// The following return false or NULL when there is no memory, a limit is met or the caller wants the reading to end;
// fr__reader_fail_building distinguishes these.

// Notes the limit that was met; returns NULL.
void *fr__builder_over(fr__builder *builder, const char *what, uint64_t limit);

// Begins a part. Vertices, corners and polygons that follow are its own.
bool fr__builder_begin_part(fr__builder *builder, fr__span name);

// Gives the last part another name.
bool fr__builder_rename_part(fr__builder *builder, fr__span name);

// The part that was begun last, to set what it has beside its slices.
static inline fr__builder_part *fr__builder_last_part(fr__builder *builder) {
    FR_ASSERT(builder->parts.count > 0);
    return builder->parts.data + builder->parts.count - 1;
}

// How the last part is deformed, made when it is first needed; NULL when there is no memory.
fr_model_deform *fr__builder_deform(fr__builder *builder);

// Counts work; false when the caller wants the reading to end.
static inline bool fr__builder_goes_on(fr__builder *builder, size_t work) {
    return fr__meter_on(&builder->meter, work);
}

// Memory that lives as long as the model.
void *fr__builder_alloc(fr__builder *builder, size_t count, size_t size, size_t align);

// A copy of a text that lives as long as the model.
const char *fr__builder_text(fr__builder *builder, fr__span text);

// One more material with this name; polygons name it by its index.
bool fr__builder_add_material(fr__builder *builder, fr__span name);

// One more node; what it points to lives as long as the model, and its parent is there already. Its index, FR_NONE on
// failure. Once there is one node, parts are placed by nodes alone.
uint32_t fr__builder_add_node(fr__builder *builder, const fr_model_node *node);

// Room for one more vertex: 3 floats or doubles, to be filled.
static inline void *fr__builder_vertex(fr__builder *builder) {
    if (builder->positions.count >= builder->limits.vertices) {
        return fr__builder_over(builder, "vertices", builder->limits.vertices);
    }
    return fr__push(&builder->positions, 1);
}

// Room for `count` more vertices: 3 floats or doubles each, to be filled.
void *fr__builder_vertices(fr__builder *builder, size_t count);

// Appends a corner of the next polygon, by its vertex counted from the part's first.
static inline bool fr__builder_corner(fr__builder *builder, uint32_t vertex) {
    if (builder->corners.count >= builder->limits.corners) {
        return fr__builder_over(builder, "corners", builder->limits.corners) != NULL;
    }
    return fr__push_index(&builder->corners, vertex);
}

// Gives the corner that was appended last a normal, a texture's coordinates, a colour.
bool fr__builder_normal_corner(fr__builder *builder, const float normal[3]);
bool fr__builder_uv_corner(fr__builder *builder, const float uv[2]);
bool fr__builder_color_corner(fr__builder *builder, fr_color color);

bool fr__builder_end_polygon(fr__builder *builder, size_t corner_count);

// Ends a polygon of the last `corner_count` corners.
static inline bool fr__builder_end_face(fr__builder *builder, size_t corner_count) {
    if (!builder->plain || corner_count != 3 || builder->face_count >= builder->limits.faces) {
        return fr__builder_end_polygon(builder, corner_count);
    }
    builder->face_count++;
    builder->next_id++;
    return true;
}

// Appends `count` triangles, by the vertices of their corners counted from the part's first.
bool fr__builder_triangles(fr__builder *builder, const uint32_t *vertices, size_t count);

// Gives the polygon that was ended last a colour, a material.
bool fr__builder_color_face(fr__builder *builder, fr_color color);
bool fr__builder_material_face(fr__builder *builder, uint32_t material);

// Says that the next polygon has number `id` in the file: one was left out, or they come in another order.
bool fr__builder_set_id(fr__builder *builder, uint32_t id);

// Makes the model, with one node a part where no node was added; there is at least one node or part. The builder is
// empty afterwards, whatever the result.
fr_status fr__builder_finish(fr__builder *builder, fr_model_format format, fr_model **out);

// Notes what was passed over at `at`, NULL for no place.
void fr__reader_warn(fr__reader *reader, const char *at, const char *format, ...) FR_PRINTF(3, 4);

// Fails because the builder did: a stop, a limit that was met, or memory.
fr_status fr__reader_fail_building(fr__reader *reader, const char *at);

// What is said, and with which status, when there is no memory: the budget refused it, or the caller's allocator did.
fr_status fr__reader_memory_status(const fr__reader *reader);
const char *fr__reader_memory_text(const fr__reader *reader, char text[FR_ERROR_MESSAGE_BYTES]);

// Fails unless `count` things of at least `min_bytes` each can stand in the bytes that are left, so that a number in
// a header never decides how much memory is taken.
fr_status fr__reader_check_promise(fr__reader *reader, const char *at, uint64_t count, size_t min_bytes,
                                   const char *what);

#define FR__TRY(call)                                                                                                  \
    do {                                                                                                               \
        fr_status fr__tried = (call);                                                                                  \
        if (fr__tried != FR_OK) { return fr__tried; }                                                                  \
    } while (0)

// The readers, one a format; each fills the reader's builder.
fr_status fr__read_obj(fr__reader *reader);
fr_status fr__read_stl_ascii(fr__reader *reader);
fr_status fr__read_stl_binary(fr__reader *reader);
fr_status fr__read_ply(fr__reader *reader);
fr_status fr__read_off(fr__reader *reader);
fr_status fr__read_vrml(fr__reader *reader); // and X3D
fr_status fr__read_dxf(fr__reader *reader);
fr_status fr__read_gltf(fr__reader *reader);
fr_status fr__read_glb(fr__reader *reader);
fr_status fr__read_collada(fr__reader *reader);

#endif
