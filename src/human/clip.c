// Clips: the checks of a definition, and references.
#include "human/clip.h"

#include <string.h>

#define CLIP_DEF_COOKIE 0x434c4950u
#define CLIP_MAX_RATE 100000.0

fr_clip_def fr_default_clip_def(void) {
    fr_clip_def def;
    memset(&def, 0, sizeof def);
    def.name = "";
    def.frame_rate = 60.0;
    def.cookie = CLIP_DEF_COOKIE;
    return def;
}

// ---------------------------------------------------------------------------------------------------------------
// Checks

static fr_status check_counts(const fr_clip_def *def, fr_error *error) {
    if (def->cookie != CLIP_DEF_COOKIE) { return fr_error_set_cookie(error, "fr_default_clip_def"); }
    if (def->frame_count > FR_MAX_CLIP_FRAMES) {
        return fr_error_set(error, FR_ERROR_LIMIT, "%u frames; the limit is %u", def->frame_count, FR_MAX_CLIP_FRAMES);
    }
    if (def->link_count > FR_MAX_LINKS) {
        return fr_error_set(error, FR_ERROR_LIMIT, "%u links; the limit is %u", def->link_count, FR_MAX_LINKS);
    }
    if (def->weight_key_count > FR_MAX_WEIGHT_KEYS) {
        return fr_error_set(error, FR_ERROR_LIMIT, "%u keys of weights; the limit is %u", def->weight_key_count,
                            FR_MAX_WEIGHT_KEYS);
    }
    if (def->name == NULL || memchr(def->name, '\0', FR_MAX_CLIP_NAME + 1) == NULL) {
        return fr_error_set(error, FR_ERROR_LIMIT, "the name of a clip has at most %u bytes", FR_MAX_CLIP_NAME);
    }
    if (def->frame_count == 0 || def->link_count == 0 || def->places == NULL || def->turns == NULL) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "a clip has frames with places and turns of links");
    }
    if (def->weight_key_count > 0 && (def->weight_times == NULL || def->weights == NULL)) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "keys of weights have times and weights");
    }
    return FR_OK;
}

// Ranges are written so that NaN is refused as well.
static fr_status check_header(const fr_clip_def *def, fr_error *error) {
    if ((unsigned)def->clip_class >= FR_CLIP_CLASS_COUNT || (unsigned)def->stride > FR_STRIDE_SMALL ||
        (unsigned)def->last_foot > FR_FOOT_RIGHT) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "there is no such class, stride or foot");
    }
    if (!(def->frame_rate > 0.0 && def->frame_rate <= CLIP_MAX_RATE && 1.0 / def->frame_rate <= FR_LENGTH_MAX)) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "a clip has %g frames a second", def->frame_rate);
    }
    if (!(fabs(def->direction) <= FR_TURN_MAX && fabs(def->facing) <= FR_TURN_MAX && def->length <= FR_LENGTH_MAX)) {
        return fr_error_set(error, FR_ERROR_NOT_FINITE, "direction, facing or length of a clip is not finite");
    }
    if (def->length < 0.0) { return fr_error_set(error, FR_ERROR_ARGUMENT, "a clip has the length %g", def->length); }
    return FR_OK;
}

static fr_status check_weights(const fr_clip_def *def, fr_error *error) {
    for (uint32_t k = 0; k < def->weight_key_count; k++) {
        double time = def->weight_times[k], before = k > 0 ? def->weight_times[k - 1] : 0.0;
        if (!(time >= before && time <= 1.0)) {
            return fr_error_set(error, FR_ERROR_ARGUMENT, "key %u of the weights is at %g, after %g", k, time, before);
        }
        for (uint32_t i = 0; i <= def->link_count; i++) {
            float weight = def->weights[(size_t)k * (def->link_count + 1) + i];
            if (weight >= 0.0f && isfinite(weight)) { continue; }
            return fr_error_set(error, FR_ERROR_ARGUMENT, "key %u: weight %u is %g", k, i, (double)weight);
        }
    }
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// Making

static fr_status no_memory(fr_error *error) { return fr_error_set(error, FR_ERROR_MEMORY, "out of memory for a clip"); }

// Places as floats from the first one on. A travel beyond the floats' range is refused.
static fr_status fill_travels(const fr_clip_def *def, float *travels, fr_error *error) {
    for (uint32_t f = 0; f < def->frame_count; f++) {
        fr_vec3 travel = fr_vec3_sub(def->places[f], def->places[0]);
        if (!(fr_vec3_is_finite(def->places[f]) && fr_vec3_largest(def->places[0]) <= FR_LENGTH_MAX &&
              fr_vec3_largest(travel) <= 1e30)) {
            return fr_error_set(error, FR_ERROR_NOT_FINITE, "frame %u: its place is not finite", f);
        }
        travels[3 * (size_t)f] = (float)travel.x;
        travels[3 * (size_t)f + 1] = (float)travel.y;
        travels[3 * (size_t)f + 2] = (float)travel.z;
    }
    return FR_OK;
}

static fr_status fill_turns(const fr_clip_def *def, float *turns, fr_error *error) {
    size_t count = (size_t)def->frame_count * def->link_count;
    for (size_t i = 0; i < count; i++) {
        fr_quat turn = def->turns[i];
        if (fr_quat_normalize(&turn, NULL) != FR_OK) {
            fr_error inner = {0}; // an error is large, and made for what is wrong alone
            fr_status status = fr_quat_normalize(&turn, &inner);
            return fr_error_set(error, status, "frame %zu, link %zu: %s", i / def->link_count, i % def->link_count,
                                inner.message);
        }
        const float numbers[4] = {(float)turn.w, (float)turn.x, (float)turn.y, (float)turn.z};
        memcpy(turns + 4 * i, numbers, sizeof numbers);
    }
    return FR_OK;
}

static fr_status fill_contacts(const fr_clip_def *def, uint8_t *contacts, fr_error *error) {
    size_t count = 2 * (size_t)def->frame_count;
    for (size_t i = 0; i < count; i++) {
        contacts[i] = def->contacts != NULL ? def->contacts[i] : 0;
        if (contacts[i] <= (FR_CONTACT_HEEL | FR_CONTACT_TOE)) { continue; }
        return fr_error_set(error, FR_ERROR_ARGUMENT, "frame %zu has the contact %u", i / 2, contacts[i]);
    }
    return FR_OK;
}

static fr_status copy_weights(const fr_clip_def *def, fr_clip *clip, fr_error *error) {
    size_t keys = def->weight_key_count, all = keys * (def->link_count + 1);
    double *times = fr_arena_alloc(clip->arena, keys, sizeof *times, _Alignof(double));
    float *weights = fr_arena_alloc(clip->arena, all, sizeof *weights, _Alignof(float));
    if (times == NULL || weights == NULL) { return no_memory(error); }
    if (keys > 0) {
        memcpy(times, def->weight_times, keys * sizeof *times);
        memcpy(weights, def->weights, all * sizeof *weights);
    }
    clip->view.weight_times = times;
    clip->view.weights = weights;
    return FR_OK;
}

static fr_status copy_frames(const fr_clip_def *def, fr_clip *clip, fr_error *error) {
    size_t frames = def->frame_count;
    float *travels = fr_arena_alloc(clip->arena, frames, 3 * sizeof *travels, _Alignof(float));
    float *turns = fr_arena_alloc(clip->arena, frames * def->link_count, 4 * sizeof *turns, 16);
    uint8_t *contacts = fr_arena_alloc(clip->arena, frames, 2, 1);
    size_t name_bytes = strlen(def->name) + 1;
    char *name = fr_arena_alloc(clip->arena, name_bytes, 1, 1);
    if (travels == NULL || turns == NULL || contacts == NULL || name == NULL) { return no_memory(error); }
    memcpy(name, def->name, name_bytes);
    clip->origin = def->places[0];
    clip->travels = travels;
    clip->turns = turns;
    clip->contacts = contacts;
    clip->view.name = name;
    fr_status status = fill_travels(def, travels, error);
    if (status == FR_OK) { status = fill_turns(def, turns, error); }
    if (status == FR_OK) { status = fill_contacts(def, contacts, error); }
    return status;
}

static void copy_header(const fr_clip_def *def, fr_clip_view *view) {
    view->clip_class = def->clip_class;
    view->direction = def->direction;
    view->facing = def->facing;
    view->stride = def->stride;
    view->last_foot = def->last_foot;
    view->frame_rate = def->frame_rate;
    view->length = def->length;
    view->duration = (double)(def->frame_count - 1) / def->frame_rate;
    view->frame_count = def->frame_count;
    view->link_count = def->link_count;
    view->weight_key_count = def->weight_key_count;
}

// What all arrays take, so that the arena has one block.
static size_t arrays_bytes(const fr_clip_def *def) {
    size_t frame = 3 * sizeof(float) + 4 * sizeof(float) * def->link_count + 2;
    size_t key = sizeof(double) + sizeof(float) * (def->link_count + 1);
    return def->frame_count * frame + def->weight_key_count * key + FR_MAX_CLIP_NAME + 8 * 16;
}

fr_status fr_clip_create(const fr_clip_def *def, fr_clip **out, fr_error *error) {
    FR_ASSERT(def != NULL && out != NULL);
    *out = NULL;
    fr_status status = check_counts(def, error);
    if (status == FR_OK) { status = check_header(def, error); }
    if (status == FR_OK) { status = check_weights(def, error); }
    if (status != FR_OK) { return status; }

    fr_allocator allocator = fr_allocator_or_default(&def->allocator);
    fr_clip *clip = fr_allocate(&allocator, 1, sizeof *clip, _Alignof(fr_clip));
    if (clip == NULL) { return no_memory(error); }
    memset(clip, 0, sizeof *clip);
    clip->allocator = allocator;
    atomic_init(&clip->references, 1u);
    copy_header(def, &clip->view);
    status = fr_arena_create(arrays_bytes(def), &allocator, &clip->arena, error);
    if (status == FR_OK) { status = copy_frames(def, clip, error); }
    if (status == FR_OK) { status = copy_weights(def, clip, error); }
    if (status != FR_OK) {
        fr_clip_release(clip);
        return status;
    }
    clip->view.bytes = sizeof *clip + fr_arena_used(clip->arena);
    *out = clip;
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// References and reading

// A shared clip is const; only its reference count changes.
static fr_clip *counted(const fr_clip *clip) {
    union {
        const fr_clip *shared;
        fr_clip *counted;
    } same = {clip};
    return same.counted;
}

fr_clip *fr_clip_retain(const fr_clip *clip) {
    FR_ASSERT(clip != NULL);
    fr_clip *mine = counted(clip);
    atomic_fetch_add_explicit(&mine->references, 1u, memory_order_relaxed);
    return mine;
}

void fr_clip_release(const fr_clip *clip) {
    if (clip == NULL) { return; }
    fr_clip *mine = counted(clip);
    if (atomic_fetch_sub_explicit(&mine->references, 1u, memory_order_acq_rel) != 1u) { return; }
    fr_allocator allocator = mine->allocator;
    if (mine->arena != NULL) { fr_arena_destroy(mine->arena); }
    fr_deallocate(&allocator, mine, 1, sizeof *mine);
}

const fr_clip_view *fr_clip_get(const fr_clip *clip) {
    FR_ASSERT(clip != NULL);
    return &clip->view;
}
