// Skins: the checks of a definition, the weights made to sum to 1, and references.
#include "shape/skin.h"

#include <string.h>

#define SKIN_DEF_COOKIE 0x534b494eu
#define WEIGHT_UNIT 0x1p-24 // weights are multiples of this: each is a float, and every sum of them is exact

fr_skin_def fr_default_skin_def(void) {
    fr_skin_def def;
    memset(&def, 0, sizeof def);
    def.cookie = SKIN_DEF_COOKIE;
    return def;
}

// ---------------------------------------------------------------------------------------------------------------
// Checks

static fr_status check_counts(const fr_skin_def *def, fr_error *error) {
    if (def->cookie != SKIN_DEF_COOKIE) { return fr_error_set_cookie(error, "fr_default_skin_def"); }
    if (def->bone_count > FR_SKIN_MAX_BONES) {
        return fr_error_set(error, FR_ERROR_LIMIT, "%u bones; the limit is %u", def->bone_count, FR_SKIN_MAX_BONES);
    }
    if (def->influence_count > FR_SKIN_MAX_INFLUENCES) {
        return fr_error_set(error, FR_ERROR_LIMIT, "%u bones a vertex; the limit is %u", def->influence_count,
                            FR_SKIN_MAX_INFLUENCES);
    }
    if (def->bone_count == 0 || def->influence_count == 0 || def->bones == NULL || def->weights == NULL) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "a skin has bones, and each vertex follows one or more of them");
    }
    if (def->vertex_count == 0 || def->vertex_count > FR_MESH_MAX_VERTICES) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "a skin of %u vertices; 1 to %u may be", def->vertex_count,
                            FR_MESH_MAX_VERTICES);
    }
    if (def->mesh != NULL && fr_mesh_get(def->mesh)->vertex_count != def->vertex_count) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "a skin of %u vertices for a mesh of %u", def->vertex_count,
                            fr_mesh_get(def->mesh)->vertex_count);
    }
    return FR_OK;
}

// The determinant of the first three columns, of rows made about 1 long: below 1e-12 no digit of an inverse is sure.
static bool is_singular(const double m[12]) {
    fr_mat3 rows;
    for (int i = 0; i < 3; i++) {
        rows.row[i] = fr_vec3_unit(fr_vec3_make(m[4 * i], m[4 * i + 1], m[4 * i + 2]), fr_vec3_make(0.0, 0.0, 0.0));
    }
    return !(fabs(fr_mat3_determinant(rows)) > 1e-12);
}

static fr_status check_binds(const double *binds, uint32_t bone_count, fr_error *error) {
    for (uint32_t b = 0; b < bone_count; b++) {
        const double *m = binds + (size_t)12 * b;
        for (int i = 0; i < 12; i++) {
            // Written so that NaN is caught as well.
            if (fabs(m[i]) <= FR_LENGTH_MAX) { continue; }
            return fr_error_set(error, FR_ERROR_NOT_FINITE, "the inverse bind of bone %u has the number %g", b, m[i]);
        }
        if (is_singular(m)) {
            return fr_error_set(error, FR_ERROR_ARGUMENT, "the inverse bind of bone %u is singular", b);
        }
    }
    return FR_OK;
}

// No bone is below itself. `visits` has one number a bone: from which bone on it was met.
static fr_status check_parents(const uint32_t *parents, uint32_t bone_count, uint32_t *visits, fr_error *error) {
    for (uint32_t b = 0; b < bone_count; b++) {
        visits[b] = FR_NONE;
        if (parents[b] == FR_NONE || parents[b] < bone_count) { continue; }
        return fr_error_set(error, FR_ERROR_ARGUMENT, "bone %u has the parent %u of only %u", b, parents[b],
                            bone_count);
    }
    for (uint32_t b = 0; b < bone_count; b++) {
        uint32_t at = b;
        for (; at != FR_NONE && visits[at] == FR_NONE; at = parents[at]) {
            visits[at] = b;
        }
        if (at != FR_NONE && visits[at] == b) {
            return fr_error_set(error, FR_ERROR_ARGUMENT, "bone %u is below itself", at);
        }
    }
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// Weights

// The bones of one vertex, by falling weight.
typedef struct influences {
    uint32_t count;
    uint32_t bones[FR_SKIN_MAX_INFLUENCES];
    double weights[FR_SKIN_MAX_INFLUENCES];
} influences;

// One more bone; the same bone twice is one bone with the sum of the weights.
static void add_influence(influences *own, uint32_t bone, double weight) {
    if (weight == 0.0) { return; }
    uint32_t k = 0;
    while (k < own->count && own->bones[k] != bone) {
        k++;
    }
    if (k == own->count) { own->weights[own->count++] = 0.0; }
    weight += own->weights[k];
    for (; k > 0 && own->weights[k - 1] < weight; k--) {
        own->bones[k] = own->bones[k - 1];
        own->weights[k] = own->weights[k - 1];
    }
    own->bones[k] = bone;
    own->weights[k] = weight;
}

static fr_status gather_vertex(const fr_skin_def *def, uint32_t vertex, influences *own, fr_error *error) {
    size_t first = (size_t)vertex * def->influence_count;
    double sum = 0.0;
    own->count = 0;
    for (uint32_t k = 0; k < def->influence_count; k++) {
        uint32_t bone = def->bones[first + k];
        double weight = (double)def->weights[first + k];
        if (!isfinite(weight)) {
            return fr_error_set(error, FR_ERROR_NOT_FINITE, "vertex %u: weight %u is not finite", vertex, k);
        }
        if (weight < 0.0) {
            return fr_error_set(error, FR_ERROR_ARGUMENT, "vertex %u: weight %u is %g, below 0", vertex, k, weight);
        }
        if (bone >= def->bone_count) {
            return fr_error_set(error, FR_ERROR_ARGUMENT, "vertex %u follows bone %u of only %u", vertex, bone,
                                def->bone_count);
        }
        sum += weight;
        add_influence(own, bone, weight);
    }
    if (!(fabs(sum - 1.0) <= FR_SKIN_WEIGHT_TOLERANCE)) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "vertex %u: the sum of its weights is %g, not 1", vertex, sum);
    }
    return FR_OK;
}

// Weights as multiples of the unit whose sum is 1; those that round to 0 are left out. The largest takes what is left.
static void normalize(influences *own) {
    double sum = 0.0, rest = 1.0;
    for (uint32_t k = 0; k < own->count; k++) {
        sum += own->weights[k];
    }
    uint32_t count = 1;
    for (uint32_t k = 1; k < own->count; k++) {
        double weight = floor(own->weights[k] / sum / WEIGHT_UNIT + 0.5) * WEIGHT_UNIT;
        if (weight == 0.0) { continue; }
        own->bones[count] = own->bones[k];
        own->weights[count++] = weight;
        rest -= weight;
    }
    own->weights[0] = rest;
    own->count = count;
}

// How many bones the vertex with the most of them follows.
static fr_status count_influences(const fr_skin_def *def, uint32_t *count, fr_error *error) {
    *count = 1;
    for (uint32_t v = 0; v < def->vertex_count; v++) {
        influences own;
        fr_status status = gather_vertex(def, v, &own, error);
        if (status != FR_OK) { return status; }
        normalize(&own);
        *count = own.count > *count ? own.count : *count;
    }
    return FR_OK;
}

static void fill_influences(const fr_skin_def *def, uint32_t count, uint16_t *bones, float *weights) {
    for (uint32_t v = 0; v < def->vertex_count; v++) {
        influences own;
        (void)gather_vertex(def, v, &own, NULL);
        normalize(&own);
        for (uint32_t k = 0; k < count; k++) {
            bool is_there = k < own.count;
            *bones++ = (uint16_t)own.bones[is_there ? k : 0];
            *weights++ = is_there ? (float)own.weights[k] : 0.0f;
        }
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Making

static fr_status no_memory(fr_error *error) { return fr_error_set(error, FR_ERROR_MEMORY, "out of memory for a skin"); }

static const char *copy_text(fr_arena *arena, const char *text) {
    size_t bytes = text != NULL ? strlen(text) + 1 : 1;
    char *copy = fr_arena_alloc(arena, bytes, 1, 1);
    if (copy != NULL) { memcpy(copy, text != NULL ? text : "", bytes); }
    return copy;
}

static bool copy_names(const fr_skin_def *def, fr_skin *skin) {
    const char **names = fr_arena_alloc(skin->arena, def->bone_count, sizeof *names, _Alignof(const char *));
    for (uint32_t b = 0; names != NULL && b < def->bone_count; b++) {
        names[b] = copy_text(skin->arena, def->names != NULL ? def->names[b] : NULL);
        if (names[b] == NULL) { return false; }
    }
    skin->view.names = names;
    return names != NULL;
}

static fr_status copy_bones(const fr_skin_def *def, fr_skin *skin, fr_error *error) {
    static const double identity[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
    uint32_t count = def->bone_count;
    double *binds = fr_arena_alloc(skin->arena, count, sizeof identity, _Alignof(double));
    uint32_t *parents = fr_arena_alloc(skin->arena, count, sizeof *parents, _Alignof(uint32_t));
    uint32_t *visits = fr_allocate(&skin->allocator, count, sizeof *visits, _Alignof(uint32_t));
    fr_status status = binds != NULL && parents != NULL && visits != NULL ? FR_OK : no_memory(error);
    for (uint32_t b = 0; status == FR_OK && b < count; b++) {
        memcpy(binds + (size_t)12 * b, def->inverse_binds != NULL ? def->inverse_binds + (size_t)12 * b : identity,
               sizeof identity);
        parents[b] = def->parents != NULL ? def->parents[b] : FR_NONE;
    }
    if (status == FR_OK) { status = check_binds(binds, count, error); }
    if (status == FR_OK) { status = check_parents(parents, count, visits, error); }
    fr_deallocate(&skin->allocator, visits, count, sizeof *visits);
    skin->view.bone_count = count;
    skin->view.inverse_binds = binds;
    skin->view.parents = parents;
    return status;
}

static fr_status copy_weights(const fr_skin_def *def, fr_skin *skin, fr_error *error) {
    uint32_t count;
    fr_status status = count_influences(def, &count, error);
    if (status != FR_OK) { return status; }
    size_t all = (size_t)count * def->vertex_count;
    uint16_t *bones = fr_arena_alloc(skin->arena, all, sizeof *bones, _Alignof(uint16_t));
    float *weights = fr_arena_alloc(skin->arena, all, sizeof *weights, _Alignof(float));
    if (bones == NULL || weights == NULL) { return no_memory(error); }
    fill_influences(def, count, bones, weights);
    skin->view.vertex_count = def->vertex_count;
    skin->view.influence_count = count;
    skin->view.bones = bones;
    skin->view.weights = weights;
    return FR_OK;
}

fr_status fr_skin_create(const fr_skin_def *def, fr_skin **out, fr_error *error) {
    FR_ASSERT(def != NULL && out != NULL);
    *out = NULL;
    fr_status status = check_counts(def, error);
    if (status != FR_OK) { return status; }

    fr_allocator allocator = fr_allocator_or_default(&def->allocator);
    fr_skin *skin = fr_allocate(&allocator, 1, sizeof *skin, _Alignof(fr_skin));
    if (skin == NULL) { return no_memory(error); }
    memset(skin, 0, sizeof *skin);
    skin->allocator = allocator;
    atomic_init(&skin->references, 1u);
    status = fr_arena_create(0, &allocator, &skin->arena, error);
    if (status == FR_OK) { status = copy_bones(def, skin, error); }
    if (status == FR_OK) { status = copy_weights(def, skin, error); }
    if (status == FR_OK && !copy_names(def, skin)) { status = no_memory(error); }
    if (status != FR_OK) {
        fr_skin_release(skin);
        return status;
    }
    if (def->mesh != NULL) { skin->view.mesh = fr_mesh_retain(def->mesh); }
    *out = skin;
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// References and reading

// A shared skin is const; only its reference count changes.
static fr_skin *counted(const fr_skin *skin) {
    union {
        const fr_skin *shared;
        fr_skin *counted;
    } same = {skin};
    return same.counted;
}

fr_skin *fr_skin_retain(const fr_skin *skin) {
    FR_ASSERT(skin != NULL);
    fr_skin *mine = counted(skin);
    atomic_fetch_add_explicit(&mine->references, 1u, memory_order_relaxed);
    return mine;
}

void fr_skin_release(const fr_skin *skin) {
    if (skin == NULL) { return; }
    fr_skin *mine = counted(skin);
    if (atomic_fetch_sub_explicit(&mine->references, 1u, memory_order_acq_rel) != 1u) { return; }
    fr_allocator allocator = mine->allocator;
    fr_mesh_release(mine->view.mesh);
    if (mine->arena != NULL) { fr_arena_destroy(mine->arena); }
    fr_deallocate(&allocator, mine, 1, sizeof *mine);
}

const fr_skin_view *fr_skin_get(const fr_skin *skin) {
    FR_ASSERT(skin != NULL);
    return &skin->view;
}

static bool is_vertex_valid(const fr_skin_view *view, uint32_t vertex) {
    size_t first = (size_t)vertex * view->influence_count;
    double sum = 0.0;
    for (uint32_t k = 0; k < view->influence_count; k++) {
        double weight = (double)view->weights[first + k];
        if (view->bones[first + k] >= view->bone_count || !(weight >= 0.0)) { return false; }
        if (k > 1 && weight > (double)view->weights[first + k - 1]) { return false; }
        sum += weight;
    }
    return sum == 1.0;
}

bool fr_skin_validate(const fr_skin *skin, fr_error *error) {
    const fr_skin_view *view = fr_skin_get(skin);
    for (uint32_t v = 0; v < view->vertex_count; v++) {
        if (is_vertex_valid(view, v)) { continue; }
        fr_error_set(error, FR_ERROR_CORRUPT, "vertex %u of a skin has a wrong bone or weight", v);
        return false;
    }
    return check_binds(view->inverse_binds, view->bone_count, error) == FR_OK &&
           (view->mesh == NULL || fr_mesh_get(view->mesh)->vertex_count == view->vertex_count);
}
