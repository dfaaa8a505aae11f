#include "sample.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <math.h>
#include <string.h>

typedef struct sampler {
    fr_random *random;
    fr_arena *arena;
} sampler;

static uint64_t below(sampler *s, uint64_t count) { return fr_random_below(s->random, count); }

static void *take(sampler *s, size_t count, size_t size) {
    void *memory = fr_arena_alloc(s->arena, count, size, 16);
    assert_non_null(memory);
    memset(memory, 0, count * size);
    return memory;
}

static double sample_double(sampler *s) {
    static const double edges[] = {0.0, -0.0, 1.0, -1.5, 0x1p-1074, 0x1.fffffffffffffp+1023, 1e-7, -123456.789};
    if (below(s, 2) == 0) { return edges[below(s, sizeof edges / sizeof edges[0])]; }
    return fr_random_between(s->random, -1000.0, 1000.0);
}

static float sample_float(sampler *s) {
    static const float edges[] = {0.0f, -0.0f, 1.0f, 0x1p-149f, 0x1.fffffep+127f, -0.1f};
    if (below(s, 2) == 0) { return edges[below(s, sizeof edges / sizeof edges[0])]; }
    return (float)fr_random_between(s->random, -1000.0, 1000.0);
}

static const char *sample_text(sampler *s) {
    static const char *texts[] = {"", "a", "left", "ふれあい", "é\t\"\\\n", "\xF0\x9F\x90\x99 tako", "\x7F\x01"};
    return texts[below(s, sizeof texts / sizeof texts[0])];
}

static uint64_t sample_whole(sampler *s, uint64_t last) {
    switch (below(s, 4)) {
    case 0: return 0;
    case 1: return last;
    default: return last == UINT64_MAX ? fr_random_bits(s->random) : below(s, last + 1);
    }
}

static void fill_number(sampler *s, const fr_protocol_field *field, void *place) {
    switch (field->kind) {
    case FR_KIND_U8: *(uint8_t *)place = (uint8_t)sample_whole(s, field->is_limited ? field->last : UINT8_MAX); break;
    case FR_KIND_U32:
        *(uint32_t *)place = (uint32_t)sample_whole(s, field->is_limited ? field->last : UINT32_MAX);
        break;
    case FR_KIND_U64: *(uint64_t *)place = sample_whole(s, UINT64_MAX); break;
    case FR_KIND_U53: *(uint64_t *)place = sample_whole(s, (UINT64_C(1) << 53) - 1); break;
    case FR_KIND_F32: *(float *)place = sample_float(s); break;
    case FR_KIND_F64: *(double *)place = sample_double(s); break;
    default: *(const char **)place = sample_text(s); break;
    }
}

static fr_pose sample_pose(sampler *s) {
    fr_vec3 turn = {fr_random_between(s->random, -3, 3), fr_random_between(s->random, -3, 3), 0.5};
    fr_pose pose = {fr_quat_from_vector(turn), {sample_float(s), sample_float(s), sample_float(s)}, 1.0};
    if (below(s, 2) == 0) { pose.scale = below(s, 2) == 0 ? FR_SCALE_MIN : 2.5; }
    if (below(s, 4) == 0) { pose.position.x = FR_LENGTH_MAX; }
    if (below(s, 4) == 0) { pose.rotation.w *= 1.005; }
    return pose;
}

static void fill_struct(sampler *s, const fr_protocol_struct *layout, void *thing);

static void fill_array(sampler *s, const fr_protocol_field *field, void *place, uint32_t *count) {
    static const size_t sizes[] = {1, 4, 8, 8, 4, 8, sizeof(char *)};
    const fr_protocol_struct *inner = fr_protocol_struct_of(field->kind);
    size_t size = inner != NULL ? inner->c_bytes : sizes[field->kind];
    *count = (uint32_t)below(s, 4) * field->multiple;
    unsigned char *items = take(s, *count, size);
    for (uint32_t i = 0; i < *count; i++) {
        if (inner != NULL) {
            fill_struct(s, inner, items + i * size);
        } else {
            fill_number(s, field, items + i * size);
        }
    }
    memcpy(place, &items, sizeof items);
}

static void fill_struct(sampler *s, const fr_protocol_struct *layout, void *thing) {
    if (layout == fr_protocol_struct_of(FR_KIND_POSE)) {
        *(fr_pose *)thing = sample_pose(s);
        return;
    }
    for (uint32_t i = 0; i < layout->field_count; i++) {
        const fr_protocol_field *field = &layout->fields[i];
        unsigned char *place = (unsigned char *)thing + field->offset;
        const fr_protocol_struct *inner = fr_protocol_struct_of(field->kind);
        if (field->is_array) {
            fill_array(s, field, place, (uint32_t *)(void *)((unsigned char *)thing + field->count_offset));
        } else if (inner != NULL) {
            fill_struct(s, inner, place);
        } else {
            fill_number(s, field, place);
        }
    }
    if (layout == fr_protocol_struct_of(FR_KIND_IMAGE)) {
        fr_wire_image *image = thing;
        image->width = image->rgba_count / 4;
        image->height = 1;
    }
}

fr_message sample_message(const fr_protocol_message *described, fr_random *random, fr_arena *arena) {
    sampler s = {random, arena};
    fr_message message;
    memset(&message, 0, sizeof message);
    message.type = described->type;
    fill_struct(&s, &described->layout, &message.as);
    if (message.type == FR_MESSAGE_HELLO) { message.as.hello.version = FR_PROTOCOL_VERSION; }
    if (message.type == FR_MESSAGE_WELCOME) { message.as.welcome.version = FR_PROTOCOL_VERSION; }
    return message;
}

void sample_write(const fr_message *message, fr_array *out) {
    fr_error error;
    fr_status status = fr_protocol_write(message, out, &error);
    if (status != FR_OK) { print_message("%s\n", error.message); }
    assert_int_equal(status, FR_OK);
}
