// Skeletons: the checks of a definition, what follows from it, and references.
#include "human/skeleton.h"

#include "human/limit.h"
#include "human/partners.h"

#include <string.h>

#define SKELETON_DEF_COOKIE 0x534b454cu

fr_skeleton_def fr_default_skeleton_def(void) {
    fr_skeleton_def def;
    memset(&def, 0, sizeof def);
    def.cookie = SKELETON_DEF_COOKIE;
    return def;
}

// ---------------------------------------------------------------------------------------------------------------
// Checks

// Written so that NaN is outside as well.
static bool is_length(fr_vec3 v) { return fr_vec3_largest(v) <= FR_LENGTH_MAX && fr_vec3_is_finite(v); }

static fr_status check_counts(const fr_skeleton_def *def, fr_error *error) {
    if (def->cookie != SKELETON_DEF_COOKIE) { return fr_error_set_cookie(error, "fr_default_skeleton_def"); }
    if (def->link_count > FR_MAX_LINKS) {
        return fr_error_set(error, FR_ERROR_LIMIT, "%u links; the limit is %u", def->link_count, FR_MAX_LINKS);
    }
    if (def->link_count == 0 || def->parents == NULL || def->names == NULL || def->offsets == NULL) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "a skeleton has links with parents, names and offsets");
    }
    return FR_OK;
}

static fr_status check_parents(const fr_skeleton_def *def, fr_error *error) {
    if (def->parents[0] != FR_NO_LINK) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "link 0 is the root and has no parent");
    }
    for (uint32_t i = 1; i < def->link_count; i++) {
        if (def->parents[i] < i) { continue; }
        return fr_error_set(error, FR_ERROR_ARGUMENT, "link %u has the parent %u, which does not come before it", i,
                            def->parents[i]);
    }
    return FR_OK;
}

// Names are compared one by one: a skeleton has 256 of them at most.
static fr_status check_names(const fr_skeleton_def *def, fr_error *error) {
    for (uint32_t i = 0; i < def->link_count; i++) {
        const char *name = def->names[i];
        if (name == NULL || name[0] == '\0') {
            return fr_error_set(error, FR_ERROR_ARGUMENT, "link %u has no name", i);
        }
        if (memchr(name, '\0', FR_MAX_LINK_NAME + 1) == NULL) {
            return fr_error_set(error, FR_ERROR_LIMIT, "the name of link %u has more than %u bytes", i,
                                FR_MAX_LINK_NAME);
        }
        for (uint32_t k = 0; k < i; k++) {
            if (strcmp(name, def->names[k]) != 0) { continue; }
            return fr_error_set(error, FR_ERROR_ARGUMENT, "links %u and %u have the name '%s'", k, i, name);
        }
    }
    return FR_OK;
}

static fr_status check_numbers(const fr_skeleton_def *def, fr_error *error) {
    for (uint32_t i = 0; i < def->link_count; i++) {
        if (!is_length(def->offsets[i]) || (def->tips != NULL && !is_length(def->tips[i]))) {
            return fr_error_set(error, FR_ERROR_NOT_FINITE, "link %u: its offset or tip is not finite", i);
        }
        double mass = def->masses != NULL ? def->masses[i] : 0.0;
        if (!(mass <= FR_LENGTH_MAX)) {
            return fr_error_set(error, FR_ERROR_NOT_FINITE, "link %u: its mass is not finite", i);
        }
        if (mass < 0.0) { return fr_error_set(error, FR_ERROR_ARGUMENT, "link %u: its mass is %g", i, mass); }
    }
    return FR_OK;
}

static fr_status check_roles(const fr_skeleton_def *def, fr_error *error) {
    bool has_role[FR_MAX_LINKS] = {false};
    for (uint32_t r = 0; def->roles != NULL && r < FR_LINK_COUNT; r++) {
        uint32_t link = def->roles[r];
        if (link == FR_NO_LINK) { continue; }
        if (link >= def->link_count) {
            return fr_error_set(error, FR_ERROR_ARGUMENT, "role %u has the link %u of only %u", r, link,
                                def->link_count);
        }
        if (has_role[link]) { return fr_error_set(error, FR_ERROR_ARGUMENT, "link %u has two roles", link); }
        has_role[link] = true;
    }
    for (uint32_t p = 0; def->points != NULL && p < FR_POINT_COUNT; p++) {
        const fr_link_point *point = &def->points[p];
        if (point->link == FR_NO_LINK) { continue; }
        if (point->link >= def->link_count) {
            return fr_error_set(error, FR_ERROR_ARGUMENT, "point %u is on link %u of only %u", p, point->link,
                                def->link_count);
        }
        if (!is_length(point->offset)) { return fr_error_set(error, FR_ERROR_NOT_FINITE, "point %u is not finite", p); }
    }
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// What follows from a definition

// The largest component decides which of the eight quaternion units this is, where it is one within 1e-12: a product
// with such a factor is exact.
static fr_quat snap_to_unit(fr_quat q) {
    double numbers[4] = {q.w, q.x, q.y, q.z};
    for (int i = 0; i < 4; i++) {
        if (fabs(fabs(numbers[i]) - 1.0) > 1e-12) { continue; }
        double sign = numbers[i] < 0.0 ? -1.0 : 1.0;
        memset(numbers, 0, sizeof numbers);
        numbers[i] = sign;
        return (fr_quat){numbers[0], numbers[1], numbers[2], numbers[3]};
    }
    return q;
}

static fr_quat mirror_in_x(fr_quat q) { return (fr_quat){q.w, q.x, -q.y, -q.z}; }

// A link that is turned by S away from upright U is mirrored to the mirrored turn of its partner, away from its own
// upright: mirror(S_p) U = mirror(W_p) (mirror(conjugate(U_p)) U). The bracket is the constant factor.
static void fill_mirrors(const fr_skeleton_view *view, fr_quat *mirrors) {
    for (uint32_t i = 0; i < view->link_count; i++) {
        mirrors[i] = fr_quat_identity();
        if (view->partners[i] == FR_NO_LINK) { continue; }
        fr_quat other = mirror_in_x(fr_quat_conjugate(view->uprights[view->partners[i]]));
        mirrors[i] = snap_to_unit(fr_quat_multiply(other, view->uprights[i]));
    }
}

// Where the coordinates of a link at rest are away from those of the link's parent, product by product.
static void fill_uprights(const fr_skeleton_view *view, fr_quat *uprights) {
    for (uint32_t i = 0; i < view->link_count; i++) {
        uint32_t parent = view->parents[i];
        uprights[i] = parent == FR_NO_LINK ? view->rests[i] : fr_quat_multiply(uprights[parent], view->rests[i]);
        (void)fr_quat_normalize(&uprights[i], NULL);
    }
}

// Links depth first, of the children of a link the one with the most links below it last.
static void fill_steps(const fr_skeleton_view *view, fr__link_step *steps) {
    uint16_t sizes[FR_MAX_LINKS], heaviest[FR_MAX_LINKS], stack[FR_MAX_LINKS];
    uint8_t slots[FR_MAX_LINKS];
    for (uint32_t i = 0; i < view->link_count; i++) {
        sizes[i] = 1;
        heaviest[i] = 0; // the root is no link's child
    }
    for (uint32_t i = view->link_count - 1; i > 0; i--) {
        uint32_t parent = view->parents[i];
        sizes[parent] = (uint16_t)(sizes[parent] + sizes[i]);
        if (heaviest[parent] == 0 || sizes[i] > sizes[heaviest[parent]]) { heaviest[parent] = (uint16_t)i; }
    }

    // What is pushed last is taken first, with all below it.
    uint32_t waiting = 1, count = 0;
    stack[0] = 0;
    slots[0] = 0;
    while (waiting > 0) {
        uint32_t link = stack[--waiting], heavy = heaviest[link];
        if (link != 0) {
            uint8_t parent_slot = slots[view->parents[link]];
            bool is_heavy = heaviest[view->parents[link]] == link;
            slots[link] = (uint8_t)(parent_slot + (is_heavy ? 0 : 1));
            steps[count++] = (fr__link_step){(uint16_t)link, parent_slot, slots[link]};
        }
        if (heavy != 0) { stack[waiting++] = (uint16_t)heavy; }
        for (uint32_t i = view->link_count - 1; i > link; i--) {
            if (view->parents[i] == link && i != heavy) { stack[waiting++] = (uint16_t)i; }
        }
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Making

static fr_status no_memory(fr_error *error) {
    return fr_error_set(error, FR_ERROR_MEMORY, "out of memory for a skeleton");
}

static bool copy_names(const fr_skeleton_def *def, fr_skeleton *skeleton) {
    uint32_t count = def->link_count;
    const char **names = fr_arena_alloc(skeleton->arena, count, sizeof *names, _Alignof(const char *));
    for (uint32_t i = 0; names != NULL && i < count; i++) {
        size_t bytes = strlen(def->names[i]) + 1;
        char *copy = fr_arena_alloc(skeleton->arena, bytes, 1, 1);
        if (copy == NULL) { return false; }
        memcpy(copy, def->names[i], bytes);
        names[i] = copy;
    }
    skeleton->view.names = names;
    return names != NULL;
}

// A copy of an array, or zeros in its place.
static void *copy_array(fr_arena *arena, const void *from, size_t count, size_t size) {
    void *copy = fr_arena_alloc(arena, count, size, 16);
    if (copy != NULL && from != NULL) { memcpy(copy, from, count * size); }
    if (copy != NULL && from == NULL) { memset(copy, 0, count * size); }
    return copy;
}

static fr_status copy_rests(const fr_skeleton_def *def, fr_skeleton *skeleton, fr_error *error) {
    uint32_t count = def->link_count;
    fr_quat *rests = copy_array(skeleton->arena, def->rests, count, sizeof *rests);
    fr_quat *uprights = copy_array(skeleton->arena, NULL, count, sizeof *uprights);
    if (rests == NULL || uprights == NULL) { return no_memory(error); }
    for (uint32_t i = 0; i < count; i++) {
        fr_error inner = {0};
        if (def->rests == NULL) { rests[i] = fr_quat_identity(); }
        fr_status status = fr_quat_normalize(&rests[i], &inner);
        if (status != FR_OK) { return fr_error_set(error, status, "link %u at rest: %s", i, inner.message); }
    }
    skeleton->view.rests = rests;
    fill_uprights(&skeleton->view, uprights);
    skeleton->view.uprights = uprights;
    return FR_OK;
}

static fr_status copy_limits(const fr_skeleton_def *def, fr_skeleton *skeleton, fr_error *error) {
    fr_limit *limits = copy_array(skeleton->arena, def->limits, def->link_count, sizeof *limits);
    if (limits == NULL) { return no_memory(error); }
    for (uint32_t i = 0; i < def->link_count; i++) {
        fr_error inner = {0};
        fr_status status = fr__limit_check(&limits[i], &inner);
        if (status != FR_OK) { return fr_error_set(error, status, "the limit of link %u: %s", i, inner.message); }
    }
    skeleton->view.limits = limits;
    fr__limit_bounds *bounds = copy_array(skeleton->arena, NULL, def->link_count, sizeof *bounds);
    if (bounds == NULL) { return no_memory(error); }
    for (uint32_t i = 0; i < def->link_count; i++) {
        bounds[i] = fr__limit_bounds_of(&limits[i]);
    }
    skeleton->bounds = bounds;
    return FR_OK;
}

static fr_status copy_sides(const fr_skeleton_def *def, fr_skeleton *skeleton, fr_error *error) {
    uint32_t count = def->link_count;
    uint32_t *roles = copy_array(skeleton->arena, def->roles, FR_LINK_COUNT, sizeof *roles);
    fr_link_point *points = copy_array(skeleton->arena, def->points, FR_POINT_COUNT, sizeof *points);
    uint32_t *partners = copy_array(skeleton->arena, def->partners, count, sizeof *partners);
    fr_quat *mirrors = copy_array(skeleton->arena, NULL, count, sizeof *mirrors);
    if (roles == NULL || points == NULL || partners == NULL || mirrors == NULL) { return no_memory(error); }
    for (uint32_t r = 0; def->roles == NULL && r < FR_LINK_COUNT; r++) {
        roles[r] = FR_NO_LINK;
    }
    for (uint32_t p = 0; def->points == NULL && p < FR_POINT_COUNT; p++) {
        points[p].link = FR_NO_LINK;
    }
    if (def->partners == NULL) { fr__partners_find(def, partners); }
    skeleton->view.roles = roles;
    skeleton->view.points = points;
    skeleton->view.partners = partners;
    fill_mirrors(&skeleton->view, mirrors);
    skeleton->mirrors = mirrors;
    return FR_OK;
}

static fr_status copy_arrays(const fr_skeleton_def *def, fr_skeleton *skeleton, fr_error *error) {
    uint32_t count = def->link_count;
    fr_skeleton_view *view = &skeleton->view;
    view->link_count = count;
    view->parents = copy_array(skeleton->arena, def->parents, count, sizeof *def->parents);
    view->offsets = copy_array(skeleton->arena, def->offsets, count, sizeof *def->offsets);
    view->tips = copy_array(skeleton->arena, def->tips, count, sizeof *def->tips);
    view->masses = copy_array(skeleton->arena, def->masses, count, sizeof *def->masses);
    bool is_whole = view->parents != NULL && view->offsets != NULL && view->tips != NULL && view->masses != NULL;
    if (!is_whole || !copy_names(def, skeleton)) { return no_memory(error); }
    for (uint32_t i = 0; i < count; i++) {
        view->mass += view->masses[i];
    }
    fr__link_step *steps = copy_array(skeleton->arena, NULL, count, sizeof *steps);
    if (steps == NULL) { return no_memory(error); }
    fill_steps(view, steps);
    skeleton->steps = steps;
    fr_status status = copy_rests(def, skeleton, error);
    if (status == FR_OK) { status = copy_limits(def, skeleton, error); }
    if (status == FR_OK) { status = copy_sides(def, skeleton, error); }
    return status;
}

fr_status fr_skeleton_create(const fr_skeleton_def *def, fr_skeleton **out, fr_error *error) {
    FR_ASSERT(def != NULL && out != NULL);
    *out = NULL;
    fr_status status = check_counts(def, error);
    if (status == FR_OK) { status = check_parents(def, error); }
    if (status == FR_OK) { status = check_names(def, error); }
    if (status == FR_OK) { status = check_numbers(def, error); }
    if (status == FR_OK) { status = check_roles(def, error); }
    if (status == FR_OK) { status = fr__partners_check(def, error); }
    if (status != FR_OK) { return status; }

    fr_allocator allocator = fr_allocator_or_default(&def->allocator);
    fr_skeleton *skeleton = fr_allocate(&allocator, 1, sizeof *skeleton, _Alignof(fr_skeleton));
    if (skeleton == NULL) { return no_memory(error); }
    memset(skeleton, 0, sizeof *skeleton);
    skeleton->allocator = allocator;
    atomic_init(&skeleton->references, 1u);
    status = fr_arena_create(0, &allocator, &skeleton->arena, error);
    if (status == FR_OK) { status = copy_arrays(def, skeleton, error); }
    if (status != FR_OK) {
        fr_skeleton_release(skeleton);
        return status;
    }
    *out = skeleton;
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// References and reading

// A shared skeleton is const; only its reference count changes.
static fr_skeleton *counted(const fr_skeleton *skeleton) {
    union {
        const fr_skeleton *shared;
        fr_skeleton *counted;
    } same = {skeleton};
    return same.counted;
}

fr_skeleton *fr_skeleton_retain(const fr_skeleton *skeleton) {
    FR_ASSERT(skeleton != NULL);
    fr_skeleton *mine = counted(skeleton);
    atomic_fetch_add_explicit(&mine->references, 1u, memory_order_relaxed);
    return mine;
}

void fr_skeleton_release(const fr_skeleton *skeleton) {
    if (skeleton == NULL) { return; }
    fr_skeleton *mine = counted(skeleton);
    if (atomic_fetch_sub_explicit(&mine->references, 1u, memory_order_acq_rel) != 1u) { return; }
    fr_allocator allocator = mine->allocator;
    if (mine->arena != NULL) { fr_arena_destroy(mine->arena); }
    fr_deallocate(&allocator, mine, 1, sizeof *mine);
}

const fr_skeleton_view *fr_skeleton_get(const fr_skeleton *skeleton) {
    FR_ASSERT(skeleton != NULL);
    return &skeleton->view;
}

uint32_t fr_skeleton_find(const fr_skeleton *skeleton, const char *name, size_t bytes) {
    FR_ASSERT(skeleton != NULL && name != NULL);
    for (uint32_t i = 0; i < skeleton->view.link_count; i++) {
        const char *own = skeleton->view.names[i];
        if (strlen(own) == bytes && memcmp(own, name, bytes) == 0) { return i; }
    }
    return FR_NO_LINK;
}

// With upright U and turns W = S U in the world, the turn in the parent's frame is conjugate(U_parent) T U, where T =
// conjugate(S_parent) S is the turn away from upright.
fr_quat fr_skeleton_turn_from_upright(const fr_skeleton *skeleton, uint32_t link, fr_quat away) {
    const fr_skeleton_view *view = fr_skeleton_get(skeleton);
    FR_ASSERT(link < view->link_count);
    fr_quat turn = fr_quat_multiply(away, view->uprights[link]);
    uint32_t parent = view->parents[link];
    return parent == FR_NO_LINK ? turn : fr_quat_multiply(fr_quat_conjugate(view->uprights[parent]), turn);
}

fr_quat fr_skeleton_turn_to_upright(const fr_skeleton *skeleton, uint32_t link, fr_quat turn) {
    const fr_skeleton_view *view = fr_skeleton_get(skeleton);
    FR_ASSERT(link < view->link_count);
    fr_quat away = fr_quat_multiply(turn, fr_quat_conjugate(view->uprights[link]));
    uint32_t parent = view->parents[link];
    return parent == FR_NO_LINK ? away : fr_quat_multiply(view->uprights[parent], away);
}
