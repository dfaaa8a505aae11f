// Skins in records: their bytes, and back.
#include "space/skin_record.h"

#include "space/codec.h"

#include <string.h>

#define NAME_MAX_BYTES 65535u

// What stands in the bytes of a skin, in this order; names come last, each with its length before it.
typedef struct skin_fields {
    uint32_t vertex_count, influence_count, bone_count;
    uint32_t *bones;   // influence_count a vertex
    float *weights;    // likewise
    double *inverses;  // 12 a bone
    uint32_t *parents; // one a bone
} skin_fields;

// ---------------------------------------------------------------------------------------------------------------
// Writing

typedef struct byte_sink {
    fr_byte_array *bytes;
    bool has_failed;
} byte_sink;

static void keep_bytes(const void *bytes, size_t size, void *context) {
    byte_sink *sink = context;
    unsigned char *place = sink->has_failed ? NULL : fr_byte_array_push(sink->bytes, size);
    sink->has_failed = place == NULL;
    if (place != NULL) { memcpy(place, bytes, size); }
}

static void code_float(fr__codec *codec, float *value) {
    uint32_t bits;
    memcpy(&bits, value, sizeof bits);
    fr__code_u32(codec, &bits);
    memcpy(value, &bits, sizeof bits);
}

static void write_skin(fr__codec *codec, const fr_skin_view *view) {
    uint32_t counts[3] = {view->vertex_count, view->influence_count, view->bone_count};
    for (int i = 0; i < 3; i++) {
        fr__code_u32(codec, &counts[i]);
    }
    size_t influences = (size_t)view->vertex_count * view->influence_count;
    for (size_t i = 0; i < influences; i++) {
        uint32_t bone = view->bones[i];
        float weight = view->weights[i];
        fr__code_u32(codec, &bone);
        code_float(codec, &weight);
    }
    for (size_t i = 0; i < 12 * (size_t)view->bone_count; i++) {
        double number = view->inverse_binds[i];
        fr__code_double(codec, &number);
    }
    for (uint32_t i = 0; i < view->bone_count; i++) {
        uint32_t parent = view->parents[i];
        fr__code_u32(codec, &parent);
    }
    for (uint32_t i = 0; i < view->bone_count; i++) {
        const void *name = view->names[i];
        size_t length = strlen(view->names[i]);
        uint32_t bytes = length < NAME_MAX_BYTES ? (uint32_t)length : NAME_MAX_BYTES;
        fr__code_u32(codec, &bytes);
        fr__code_bytes(codec, &name, bytes);
    }
}

bool fr__skin_to_bytes(const fr_skin *skin, fr_byte_array *out) {
    fr__codec codec;
    byte_sink sink = {.bytes = out};
    fr__codec_make_writer(&codec, keep_bytes, &sink);
    write_skin(&codec, fr_skin_get(skin));
    fr__codec_flush(&codec);
    fr__codec_free(&codec);
    return !sink.has_failed;
}

// ---------------------------------------------------------------------------------------------------------------
// Reading

// Takes the arrays from an arena; the bytes that are there must be enough for them.
static fr_status take_fields(const fr__codec *codec, fr_arena *arena, skin_fields *f) {
    uint64_t influences = (uint64_t)f->vertex_count * f->influence_count, left = codec->size - codec->at;
    bool is_small = f->influence_count <= FR_SKIN_MAX_INFLUENCES && f->bone_count <= FR_SKIN_MAX_BONES;
    if (!is_small || influences > left / 8 || 104 * (uint64_t)f->bone_count > left - 8 * influences) {
        return FR_ERROR_CORRUPT;
    }
    size_t count = (size_t)influences;
    f->bones = fr_arena_alloc(arena, count, sizeof *f->bones, _Alignof(uint32_t));
    f->weights = fr_arena_alloc(arena, count, sizeof *f->weights, _Alignof(float));
    f->inverses = fr_arena_alloc(arena, 12 * (size_t)f->bone_count, sizeof *f->inverses, _Alignof(double));
    f->parents = fr_arena_alloc(arena, f->bone_count, sizeof *f->parents, _Alignof(uint32_t));
    bool has_all = f->bones != NULL && f->weights != NULL && f->inverses != NULL && f->parents != NULL;
    return has_all || count == 0 || f->bone_count == 0 ? FR_OK : FR_ERROR_MEMORY;
}

static fr_status read_names(fr__codec *codec, fr_arena *arena, uint32_t count, const char ***out) {
    const char **names = fr_arena_alloc(arena, count, sizeof *names, _Alignof(char *));
    *out = names;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t bytes = 0;
        const void *text = NULL;
        fr__code_u32(codec, &bytes);
        if (codec->status == FR_OK) { fr__code_bytes(codec, &text, bytes); }
        if (codec->status != FR_OK) { return FR_ERROR_CORRUPT; }
        char *name = names != NULL ? fr_arena_alloc(arena, (size_t)bytes + 1, 1, 1) : NULL;
        if (name == NULL) { return FR_ERROR_MEMORY; }
        memcpy(name, text, bytes);
        name[bytes] = '\0';
        names[i] = name;
    }
    return FR_OK;
}

static fr_status read_skin(fr__codec *codec, fr_arena *arena, fr_skin_def *def) {
    skin_fields f = {0};
    fr__code_u32(codec, &f.vertex_count);
    fr__code_u32(codec, &f.influence_count);
    fr__code_u32(codec, &f.bone_count);
    if (codec->status != FR_OK) { return FR_ERROR_CORRUPT; }
    fr_status status = take_fields(codec, arena, &f);
    if (status != FR_OK) { return status; }
    size_t influences = (size_t)f.vertex_count * f.influence_count;
    for (size_t i = 0; i < influences; i++) {
        fr__code_u32(codec, &f.bones[i]);
        code_float(codec, &f.weights[i]);
    }
    for (size_t i = 0; i < 12 * (size_t)f.bone_count; i++) {
        fr__code_double(codec, &f.inverses[i]);
    }
    for (uint32_t i = 0; i < f.bone_count; i++) {
        fr__code_u32(codec, &f.parents[i]);
    }
    const char **names = NULL;
    status = codec->status != FR_OK ? FR_ERROR_CORRUPT : read_names(codec, arena, f.bone_count, &names);
    def->vertex_count = f.vertex_count;
    def->influence_count = f.influence_count;
    def->bone_count = f.bone_count;
    def->bones = f.bones;
    def->weights = f.weights;
    def->inverse_binds = f.inverses;
    def->parents = f.parents;
    def->names = (const char *const *)names;
    return status == FR_OK && codec->at != codec->size ? FR_ERROR_CORRUPT : status;
}

fr_status fr__skin_from_bytes(const void *bytes, size_t size, const fr_allocator *allocator, fr_skin **out,
                              fr_error *error) {
    *out = NULL;
    fr_arena *arena = NULL;
    fr_status status = fr_arena_create(0, allocator, &arena, error);
    if (status != FR_OK) { return status; }
    fr__codec codec;
    fr__codec_make_reader(&codec, bytes, size, allocator);
    fr_skin_def def = fr_default_skin_def();
    def.allocator = *allocator;
    status = read_skin(&codec, arena, &def);
    if (status == FR_OK) {
        status = fr_skin_create(&def, out, error);
    } else {
        (void)fr_error_set(error, status, "%s", status == FR_ERROR_MEMORY ? "out of memory" : "a skin is cut off");
    }
    fr__codec_free(&codec);
    fr_arena_destroy(arena);
    return status;
}
