// Spaces of objects, and the queries about them: colliding faces, rays, closest points, clashes.
#include "module.h"

#include "fureai/collide.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// A space with what its queries need.
struct module_space {
    fr_space *space;
    fr_collide *collide;
    fr_collide_output found;
    double *numbers; // of contacts: CONTACT_NUMBERS each
    size_t number_count;
};

// point, normal, distance, time, time_sure (NaN: not proven), face a, face b
enum { CONTACT_NUMBERS = 11 };

EXPORT(fureai_space_destroy) void fureai_space_destroy(module_space *s) {
    fr_collide_destroy(s->collide);
    fr_space_destroy(s->space);
    free(s->numbers);
    free(s);
}

EXPORT(fureai_space_create) module_space *fureai_space_create(void) {
    fr_space_def def = fr_default_space_def();
    module_space *s = calloc(1, sizeof *s);
    fr_status status = s != NULL ? fr_space_create(&def, &s->space, &module_error)
                                 : fr_error_set(&module_error, FR_ERROR_MEMORY, "no memory for a space");
    if (status == FR_OK) { status = fr_collide_create(NULL, &s->collide, &module_error); }
    if (status == FR_OK) { return s; }
    if (s != NULL) { fureai_space_destroy(s); }
    return NULL;
}

fr_space *module_space_get(module_space *s) { return s->space; }

// ---------------------------------------------------------------------------------------------------------------
// Objects

static fr_object_id id_of(const module_space *s, uint32_t index) { return fr_space_object_at(s->space, index); }

// Adds an object of parts, whose poses are 8 numbers each; its index, or FR_NONE.
EXPORT(fureai_object_add)
uint32_t fureai_object_add(module_space *s, fr_mesh *const *meshes, const double *poses, uint32_t count,
                           const double *pose, const double *pivot, uint32_t flags) {
    fr_part_def *parts = calloc(count + 1, sizeof *parts);
    if (parts == NULL) {
        fr_error_set(&module_error, FR_ERROR_MEMORY, "no memory for an object");
        return FR_NONE;
    }
    for (uint32_t i = 0; i < count; i++) {
        parts[i] = (fr_part_def){meshes[i], module_pose(poses + 8 * (size_t)i)};
    }
    fr_object_def def = fr_default_object_def();
    fr_object_id id = {0, 0, 0};
    def.parts = parts;
    def.part_count = count;
    def.pose = module_pose(pose);
    def.pivot_local = module_vec3(pivot);
    def.flags = flags;
    fr_status status = fr_object_add(s->space, &def, &id, &module_error);
    free(parts);
    return status == FR_OK ? id.index1 - 1 : FR_NONE;
}

EXPORT(fureai_object_remove) int fureai_object_remove(module_space *s, uint32_t index) {
    return fr_object_remove(s->space, id_of(s, index), &module_error) == FR_OK;
}

EXPORT(fureai_object_set_pose) int fureai_object_set_pose(module_space *s, uint32_t index, const double *numbers) {
    fr_pose pose = module_pose(numbers);
    return fr_object_set_pose(s->space, id_of(s, index), &pose, &module_error) == FR_OK;
}

EXPORT(fureai_object_set_next) int fureai_object_set_next(module_space *s, uint32_t index, const double *numbers) {
    fr_pose pose = module_pose(numbers);
    return fr_object_set_next(s->space, id_of(s, index), &pose, &module_error) == FR_OK;
}

// From its pose, by a travel and a turn (axis times angle) about its pivot.
EXPORT(fureai_object_set_motion)
int fureai_object_set_motion(module_space *s, uint32_t index, const double *travel, const double *turn) {
    fr_object_id id = id_of(s, index);
    const fr_object_view *view = fr_object_get(s->space, id);
    if (view == NULL) { return fr_error_set(&module_error, FR_ERROR_STALE_ID, "there is no such object") == FR_OK; }
    fr_motion motion = {view->pose, view->pivot_local, module_vec3(travel), module_vec3(turn)};
    fr_pose end = fr_motion_pose(&motion, 1.0);
    return fr_object_set_motion(s->space, id, &motion, &end, &module_error) == FR_OK;
}

EXPORT(fureai_object_pose) int fureai_object_pose(const module_space *s, uint32_t index, double out[8]) {
    const fr_object_view *view = fr_object_get(s->space, id_of(s, index));
    if (view == NULL) { return fr_error_set(&module_error, FR_ERROR_STALE_ID, "there is no such object") == FR_OK; }
    memcpy(out, &view->pose.position, 3 * sizeof *out);
    memcpy(out + 3, &view->pose.rotation, 4 * sizeof *out);
    out[7] = view->pose.scale;
    return 1;
}

EXPORT(fureai_object_corners)
int fureai_object_corners(const module_space *s, uint32_t index, uint32_t triangle, double out[9]) {
    fr_vec3 corners[3];
    if (fr_object_corners(s->space, id_of(s, index), triangle, corners, &module_error) != FR_OK) { return 0; }
    memcpy(out, corners, sizeof corners);
    return 1;
}

EXPORT(fureai_space_update) int fureai_space_update(module_space *s) {
    return fr_space_update(s->space, NULL, &module_error) == FR_OK;
}

EXPORT(fureai_space_commit) int fureai_space_commit(module_space *s) {
    return fr_space_commit(s->space, &module_error) == FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// Colliding faces

static bool flatten(module_space *s) {
    size_t count = s->found.contacts != NULL ? s->found.pair_count : 0;
    if (count > s->number_count) {
        double *numbers = realloc(s->numbers, count * CONTACT_NUMBERS * sizeof *numbers);
        if (numbers == NULL) { return false; }
        s->numbers = numbers;
        s->number_count = count;
    }
    for (size_t i = 0; i < count; i++) {
        const fr_contact *contact = &s->found.contacts[i];
        double *out = s->numbers + i * CONTACT_NUMBERS;
        memcpy(out, &contact->point, 3 * sizeof *out);
        memcpy(out + 3, &contact->normal, 3 * sizeof *out);
        out[6] = contact->distance;
        out[7] = contact->time;
        out[8] = fr_is_unknown(contact->time_sure) ? (double)NAN : contact->time_sure;
        out[9] = contact->face_a;
        out[10] = contact->face_b;
    }
    return true;
}

EXPORT(fureai_collide)
int fureai_collide(module_space *s, int is_over_step, int want, double margin, double tolerance, int is_first,
                   double budget) {
    fr_collide_input input = fr_default_collide_input();
    input.space = s->space;
    input.want = (fr_want)want;
    input.margin = margin;
    input.tolerance = tolerance;
    input.set = is_first != 0 ? FR_SET_FIRST : FR_SET_ALL;
    input.budget = (uint64_t)budget;
    input.is_containment_wanted = true;
    fr_status status = is_over_step != 0 ? fr_collide_continuous(s->collide, &input, &s->found, &module_error)
                                         : fr_collide_static(s->collide, &input, &s->found, &module_error);
    if (status == FR_OK && !flatten(s)) {
        s->found = (fr_collide_output){0};
        status = fr_error_set(&module_error, FR_ERROR_MEMORY, "no memory for contacts");
    }
    return status == FR_OK;
}

// Records of 24 bytes: object a, b, triangle a, b, time (float), flags.
EXPORT(fureai_found_pairs) const void *fureai_found_pairs(const module_space *s) { return s->found.pairs; }
EXPORT(fureai_found_count) size_t fureai_found_count(const module_space *s) { return s->found.pair_count; }
EXPORT(fureai_found_contacts) const double *fureai_found_contacts(const module_space *s) {
    return s->found.contacts != NULL ? s->numbers : NULL;
}
EXPORT(fureai_found_free_time) double fureai_found_free_time(const module_space *s) { return s->found.free_time; }
EXPORT(fureai_found_is_partial) int fureai_found_is_partial(const module_space *s) { return s->found.is_partial; }
EXPORT(fureai_found_object_count) size_t fureai_found_object_count(const module_space *s) {
    return s->found.object_pair_count;
}

// Of a pair of objects: a, b, relation, first, count.
EXPORT(fureai_found_objects) void fureai_found_objects(const module_space *s, size_t i, uint32_t out[5]) {
    const fr_object_pair *pair = &s->found.object_pairs[i];
    const uint32_t numbers[] = {pair->a, pair->b, (uint32_t)pair->relation, (uint32_t)pair->first,
                                (uint32_t)pair->count};
    memcpy(out, numbers, sizeof numbers);
}

// ---------------------------------------------------------------------------------------------------------------
// Rays and points. Each writes object, triangle and seven numbers; object FR_NONE: nothing.

EXPORT(fureai_ray)
int fureai_ray(const module_space *s, const double *origin, const double *direction, double limit, uint32_t ids[2],
               double numbers[7]) {
    fr_ray ray = {module_vec3(origin), module_vec3(direction), limit};
    fr_space_hit hit;
    if (fr_space_ray(s->space, &ray, NULL, &hit, &module_error) != FR_OK) { return 0; }
    ids[0] = hit.object.index1 - 1;
    ids[1] = hit.triangle;
    numbers[0] = hit.distance;
    memcpy(numbers + 1, &hit.point, 3 * sizeof *numbers);
    memcpy(numbers + 4, &hit.normal, 3 * sizeof *numbers);
    return 1;
}

EXPORT(fureai_closest)
int fureai_closest(const module_space *s, const double *point, double limit, int is_signed, uint32_t ids[2],
                   double numbers[7]) {
    fr_space_closest closest;
    fr_status status =
        fr_space_closest_point(s->space, module_vec3(point), limit, is_signed != 0, NULL, &closest, &module_error);
    if (status != FR_OK) { return 0; }
    ids[0] = closest.object.index1 - 1;
    ids[1] = closest.triangle;
    numbers[0] = closest.distance;
    memcpy(numbers + 1, &closest.point, 3 * sizeof *numbers);
    return 1;
}

EXPORT(fureai_distance)
int fureai_distance(const module_space *s, uint32_t a, uint32_t b, double limit, uint32_t ids[2], double numbers[7]) {
    fr_object_distance distance;
    if (fr_space_distance(s->space, id_of(s, a), id_of(s, b), limit, &distance, &module_error) != FR_OK) { return 0; }
    ids[0] = distance.triangle_a;
    ids[1] = distance.triangle_b;
    numbers[0] = distance.distance;
    memcpy(numbers + 1, &distance.on_a, 3 * sizeof *numbers);
    memcpy(numbers + 4, &distance.on_b, 3 * sizeof *numbers);
    return 1;
}

// ---------------------------------------------------------------------------------------------------------------
// Clashes

typedef struct module_clash {
    fr_clash_finder *finder;
    fr_clash_output found;
} module_clash;

EXPORT(fureai_clash_destroy) void fureai_clash_destroy(module_clash *c) {
    fr_clash_finder_destroy(c->finder);
    free(c);
}

// Rules: of each its kind, two patterns and a clearance, in arrays of their own.
static fr_status take_rules(const char *const *kinds, const char *const *patterns, const double *clearances,
                            uint32_t count, fr_clash_rule *rules) {
    static const char *const names[] = {
        [FR_CLASH_RULE_IGNORE] = "ignore", [FR_CLASH_RULE_ONLY] = "only", [FR_CLASH_RULE_CLEARANCE] = "clearance"};
    if (count > FR_CLASH_MAX_RULES) {
        return fr_error_set(&module_error, FR_ERROR_ARGUMENT, "more than %u rules", FR_CLASH_MAX_RULES);
    }
    for (uint32_t i = 0; i < count; i++) {
        size_t kind = 0;
        while (kind < sizeof names / sizeof names[0] && strcmp(names[kind], kinds[i]) != 0) {
            kind++;
        }
        if (kind == sizeof names / sizeof names[0]) {
            return fr_error_set(&module_error, FR_ERROR_ARGUMENT,
                                "the kind of a rule is 'ignore', 'only' or 'clearance', not '%.40s'", kinds[i]);
        }
        rules[i] = (fr_clash_rule){(fr_clash_rule_kind)kind, patterns[2 * (size_t)i], patterns[2 * (size_t)i + 1],
                                   clearances[i]};
    }
    return FR_OK;
}

// `names` of the parts may be NULL.
EXPORT(fureai_clash)
module_clash *fureai_clash(fr_mesh *const *meshes, const double *poses, const char *const *names, uint32_t count,
                           const char *const *rule_kinds, const char *const *rule_patterns,
                           const double *rule_clearances, uint32_t rule_count, double tolerance, double clearance) {
    fr_clash_rule rules[FR_CLASH_MAX_RULES];
    module_clash *c = calloc(1, sizeof *c);
    fr_clash_part *parts = calloc(count + 1, sizeof *parts);
    fr_status status = c != NULL && parts != NULL
                           ? fr_clash_finder_create(NULL, &c->finder, &module_error)
                           : fr_error_set(&module_error, FR_ERROR_MEMORY, "no memory for a query of clashes");
    for (uint32_t i = 0; i < count && status == FR_OK; i++) {
        parts[i] = (fr_clash_part){meshes[i], module_pose(poses + 8 * (size_t)i)};
    }
    if (status == FR_OK) { status = take_rules(rule_kinds, rule_patterns, rule_clearances, rule_count, rules); }
    fr_clash_input input = fr_default_clash_input();
    input.parts = parts;
    input.part_count = count;
    input.names = names;
    input.rules = rules;
    input.rule_count = rule_count;
    input.tolerance = tolerance;
    input.clearance = clearance;
    if (status == FR_OK) { status = fr_clash_find(c->finder, &input, &c->found, &module_error); }
    free(parts);
    if (status == FR_OK) { return c; }
    if (c != NULL) { fureai_clash_destroy(c); }
    return NULL;
}

// The name of a kind of clash.
EXPORT(fureai_clash_kind_name) const char *fureai_clash_kind_name(uint32_t kind) {
    return fr_clash_kind_name((fr_clash_kind)kind);
}

EXPORT(fureai_clash_count) size_t fureai_clash_count(const module_clash *c) { return c->found.count; }
EXPORT(fureai_clash_pairs) const void *fureai_clash_pairs(const module_clash *c) { return c->found.pairs; }

// a, b, kind, pairs that share a point, first, count, lines, group; depth and distance (NaN: not known).
EXPORT(fureai_clash_get)
void fureai_clash_get(const module_clash *c, size_t i, uint32_t out[8], double lengths[2]) {
    const fr_clash *clash = &c->found.clashes[i];
    const uint32_t numbers[] = {clash->a,
                                clash->b,
                                (uint32_t)clash->kind,
                                (uint32_t)clash->shared_count,
                                (uint32_t)clash->first,
                                (uint32_t)clash->count,
                                (uint32_t)clash->region.line_count,
                                clash->group};
    memcpy(out, numbers, sizeof numbers);
    lengths[0] = fr_is_unknown(clash->depth) ? (double)NAN : clash->depth;
    lengths[1] = fr_is_unknown(clash->distance) ? (double)NAN : clash->distance;
}

// The points of a line of a clash, three numbers each; how many goes to `count`.
EXPORT(fureai_clash_line)
const double *fureai_clash_line(const module_clash *c, size_t i, size_t line, size_t *count) {
    const fr_contact_region *region = &c->found.clashes[i].region;
    *count = region->lines[line].count;
    return &region->points[region->lines[line].first].x;
}
