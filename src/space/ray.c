// Ray queries of a space. Each part's tree is walked in the part's frame, with a margin that loses no hit (part.c).
// Each triangle is tested in the world, by the test that does not leak through the edges of a closed surface
// (mesh_ray.h).
#include "space/query.h"

#include "shape/mesh_ray.h"
#include "space/shortlist.h"
#include "space/walk.h"

#include <string.h>

typedef enum ray_want { RAY_NEAREST, RAY_ANY, RAY_ALL } ray_want;

static bool hit_is_before(const fr_space_hit *x, const fr_space_hit *y) {
    if (x->distance != y->distance) { return x->distance < y->distance; }
    return fr__comes_before(x->object.index1, x->triangle, y->object.index1, y->triangle);
}

FR__SHORTLIST_TYPE(hit_list, fr_space_hit, hit_is_before);

typedef struct ray_search {
    const fr_space *space;
    const fr_query_filter *filter;
    ray_want want;
    const fr__space_walk_table *walk;
    fr__ray_query world_ray; // the ray in the world; its limit and hits in the scaled direction
    fr_vec3 origin;
    fr_vec3 direction; // scaled by 2^-exponent
    int exponent;

    const fr__proxy_set *set; // that is being searched
    fr__line line;            // about the space's origin
    fr__visit visit;          // part that is being searched
    fr__line line_local;      // in the part

    double bound;      // up to which hits are still wanted, in the scaled direction
    fr_space_hit best; // the nearest so far, its distance scaled
    hit_list *list;    // of RAY_ALL
} ray_search;

static bool prepare(const fr_space *space, const fr_ray *ray, const fr_query_filter *filter, ray_want want,
                    ray_search *out) {
    static const fr_mesh_view nothing; // the ray is tested against corners in the world, not against a mesh
    memset(out, 0, sizeof *out);
    if (!fr__is_place(ray->origin) || !fr__ray_prepare(&nothing, ray, &out->world_ray)) { return false; }
    frexp(fr_vec3_largest(ray->direction), &out->exponent);
    out->space = space;
    out->filter = filter;
    out->want = want;
    out->walk = fr__space_walk_kernel();
    out->origin = ray->origin;
    out->direction = fr_vec3_make(ldexp(ray->direction.x, -out->exponent), ldexp(ray->direction.y, -out->exponent),
                                  ldexp(ray->direction.z, -out->exponent));
    out->bound = out->world_ray.limit;
    return true;
}

static fr_space_hit make_hit(const ray_search *s, const fr_vec3 corners[3], uint32_t triangle) {
    const fr_ray_hit *hit = &s->world_ray.hit;
    fr_space_hit out;
    memset(&out, 0, sizeof out);
    out.object = fr__space_object_id(s->space, s->visit.object_index);
    out.part = s->visit.part_index;
    out.triangle = triangle;
    out.distance = hit->distance;
    fr_vec3 point = fr_vec3_scale((1.0 - hit->u) - hit->v, corners[0]);
    out.point = fr_vec3_add_scaled(fr_vec3_add_scaled(point, hit->u, corners[1]), hit->v, corners[2]);
    out.normal = fr__triangle_normal(corners);
    return out;
}

static float visit_triangle(uint32_t item, float bound, void *context) {
    ray_search *s = context;
    fr_vec3 corners[3];
    fr__part_corners(s->visit.object, s->visit.part, item, corners);
    s->world_ray.hit.triangle = FR_NONE;
    s->world_ray.hit.distance = s->bound;
    fr__ray_corners(&s->world_ray, corners, item);
    if (s->world_ray.hit.triangle == FR_NONE) { return bound; }

    uint32_t triangle = s->visit.part->first_triangle + item;
    if (s->want == RAY_ALL) {
        fr_space_hit hit = make_hit(s, corners, triangle);
        hit.distance = ldexp(hit.distance, -s->exponent);
        hit_list_offer(s->list, &hit);
        return bound;
    }
    bool is_first = s->best.object.index1 == 0 || s->world_ray.hit.distance < s->best.distance;
    uint32_t best_object = s->best.object.index1 - 1;
    if (!is_first && !fr__comes_before(s->visit.object_index, triangle, best_object, s->best.triangle)) {
        return bound;
    }
    s->best = make_hit(s, corners, triangle);
    s->bound = s->best.distance;
    return s->want == RAY_ANY ? -1.0f : fr__line_bound(&s->line_local, s->bound);
}

static float visit_part(uint32_t item, float bound, void *context) {
    ray_search *s = context;
    const fr__proxy *proxy = &fr__set_proxies(s->set)[item];
    if (!fr__query_accepts(s->space, s->filter, proxy)) { return bound; }
    s->visit = fr__visit_proxy(s->space, proxy);
    fr__to_part to = fr__to_part_make(s->visit.object, s->visit.part);
    s->line_local = fr__line_make(fr__to_part_point(&to, s->origin), fr__to_part_direction(&to, s->direction),
                                  fr__to_part_margin(&to, fr_vec3_largest(s->origin)));
    s->walk->along(s->visit.part->tree, &s->line_local, fr__line_bound(&s->line_local, s->bound), visit_triangle, s);
    if (s->want == RAY_ANY && s->best.object.index1 != 0) { return -1.0f; }
    float left = fr__line_bound(&s->line, s->bound);
    return left < bound ? left : bound;
}

// The boxes hold the world's doubles. Moving the ray's origin to the space's, and the triangle test, are off by less
// than 2^-40 of the largest coordinate.
static void search(ray_search *s) {
    for (int i = 0; i < FR__SET_COUNT; i++) {
        s->set = &s->space->sets[i];
        fr_vec3 start = fr_vec3_sub(s->origin, s->space->origin);
        double reach = fr__set_reach(s->set) + fr_vec3_largest(s->origin) + fr_vec3_largest(s->space->origin);
        s->line = fr__line_make(start, s->direction, 0x1p-39 * reach);
        s->walk->along(s->set->tree, &s->line, fr__line_bound(&s->line, s->bound), visit_part, s);
        if (s->want == RAY_ANY && s->best.object.index1 != 0) { return; }
    }
}

// ---------------------------------------------------------------------------------------------------------------
// The calls

static fr_status cast_one(const fr_space *space, const fr_ray *ray, const fr_query_filter *filter, ray_want want,
                          fr_space_hit *out, fr_error *error) {
    ray_search s;
    memset(out, 0, sizeof *out);
    if (!prepare(space, ray, filter, want, &s)) {
        return fr_error_set(error, FR_ERROR_ARGUMENT,
                            "the ray has no direction, is not finite, or begins too far away");
    }
    search(&s);
    *out = s.best;
    out->distance = ldexp(out->distance, -s.exponent);
    return FR_OK;
}

fr_status fr_space_ray(const fr_space *space, const fr_ray *ray, const fr_query_filter *filter, fr_space_hit *out,
                       fr_error *error) {
    FR_ASSERT(space != NULL && ray != NULL && out != NULL);
    memset(out, 0, sizeof *out);
    fr_status status = fr__query_begin(space, filter, error);
    if (status != FR_OK) { return status; }
    status = cast_one(space, ray, filter, RAY_NEAREST, out, error);
    fr__query_end(space, filter);
    return status;
}

fr_status fr_space_ray_any(const fr_space *space, const fr_ray *ray, const fr_query_filter *filter, bool *is_hit,
                           fr_error *error) {
    FR_ASSERT(space != NULL && ray != NULL && is_hit != NULL);
    *is_hit = false;
    fr_space_hit hit;
    fr_status status = fr__query_begin(space, filter, error);
    if (status != FR_OK) { return status; }
    status = cast_one(space, ray, filter, RAY_ANY, &hit, error);
    fr__query_end(space, filter);
    *is_hit = status == FR_OK && hit.object.index1 != 0;
    return status;
}

fr_status fr_space_ray_all(const fr_space *space, const fr_ray *ray, const fr_query_filter *filter, fr_space_hit *hits,
                           uint32_t capacity, uint32_t *count, fr_error *error) {
    FR_ASSERT(space != NULL && ray != NULL && count != NULL && (hits != NULL || capacity == 0));
    *count = 0;
    fr_status status = fr__query_begin(space, filter, error);
    if (status != FR_OK) { return status; }
    ray_search s;
    hit_list list = {.items = hits, .capacity = capacity};
    bool is_ray = prepare(space, ray, filter, RAY_ALL, &s);
    status = is_ray ? FR_OK
                    : fr_error_set(error, FR_ERROR_ARGUMENT,
                                   "the ray has no direction, is not finite, or begins too far away");
    if (status == FR_OK) {
        s.list = &list;
        search(&s);
        hit_list_finish(&list);
        *count = list.offered;
    }
    fr__query_end(space, filter);
    return status;
}

typedef struct ray_batch {
    const fr_space *space;
    const fr_ray *rays;
    const fr_query_filter *filter;
    fr_space_hit *out;
    atomic_int failed;
} ray_batch;

static void cast_batch(size_t begin, size_t end, int worker, void *context) {
    ray_batch *b = context;
    (void)worker;
    for (size_t i = begin; i < end; i++) {
        fr_status status = cast_one(b->space, &b->rays[i], b->filter, RAY_NEAREST, &b->out[i], NULL);
        if (status != FR_OK) { atomic_store(&b->failed, (int)status); }
    }
}

fr_status fr_space_ray_many(const fr_space *space, const fr_ray *rays, size_t count, const fr_query_filter *filter,
                            const fr_tasks *tasks, fr_space_hit *out, fr_error *error) {
    FR_ASSERT(space != NULL && ((rays != NULL && out != NULL) || count == 0));
    fr_status status = fr__query_begin(space, filter, error);
    if (status != FR_OK) { return status; }
    ray_batch b = {.space = space, .rays = rays, .filter = filter, .out = out};
    atomic_init(&b.failed, FR_OK);
    bool is_inline = filter != NULL && filter->accept != NULL;
    fr_tasks_run(is_inline ? NULL : tasks, FR_SCHEDULE_DYNAMIC, count, 64, cast_batch, &b);
    fr__query_end(space, filter);
    status = (fr_status)atomic_load(&b.failed);
    if (status != FR_OK) {
        fr_error_set(error, status, "one of the rays has no direction, is not finite, or begins too far away");
    }
    return status;
}
