// Sectors and what the source measures them against (Yamamoto's tables 3.2 to 3.6), our own forms beside the source's,
// one sector against many balls, and a frame of turning boxes. One sample of a table's case is 100,000 calls; ratios of
// cases in one run are the result.
#include "stage.h"

#include "fureai/sector.h"
#include "sector/faithful/rivals.h"
#include "sector/faithful/thesis.h"
#include "sector/plane.h"

#include <stdlib.h>
#include <string.h>

#define SHAPES 4096
#define CALLS 20000
#define CROWD 100000

// Shapes of every kind, drawn as the source does: sizes up to 25, places within 50.
typedef struct shapes {
    fr_sector canonical[SHAPES], turned[SHAPES];
    fr_swing swings[SHAPES];
    fr_sweep sweeps[SHAPES];
    fr_bounds sccd[SHAPES];
    fr_vec3 points[SHAPES], segments[SHAPES][2];
    fr_vec2 flat_points[SHAPES], flat_segments[SHAPES][2], rectangles[SHAPES][4];
    fr_bounds boxes[SHAPES];
    fr_oriented_box oriented[SHAPES];
    double radii[SHAPES];
} shapes;

static fr_vec3 random_point(fr_random *random, double reach) {
    double x = fr_random_between(random, -reach, reach), y = fr_random_between(random, -reach, reach);
    return fr_vec3_make(x, y, fr_random_between(random, -reach, reach));
}

static fr_swing random_swing(fr_random *random) {
    fr_swing swing = {.distance = fr_random_between(random, 12.5, 25.0),
                      .half = {fr_random_between(random, 0, 12.5), fr_random_between(random, 0, 12.5),
                               fr_random_between(random, 0, 12.5)},
                      .angle = fr_random_between(random, 0, 2.0 * FR_PI)};
    do {
        swing.axis = random_point(random, 1.0);
        swing.arm = random_point(random, 1.0);
    } while (fr_swing_check(&swing, NULL) != FR_OK);
    return swing;
}

static fr_sector random_canonical(fr_random *random) {
    double inner = fr_random_between(random, 0, 12.5);
    fr_sector s = {.axis = {0, 0, 1},
                   .bisector = {1, 0, 0},
                   .inner = inner,
                   .outer = inner + fr_random_between(random, 0, 25.0),
                   .half_angle = fr_random_between(random, 0, FR_PI),
                   .half_thickness = fr_random_between(random, 0, 12.5)};
    fr_sector_check(&s, NULL);
    return s;
}

static void fill(shapes *s, fr_random *random, size_t i) {
    s->canonical[i] = random_canonical(random);
    s->swings[i] = random_swing(random);
    s->turned[i] = fr_sector_of_swing(&s->swings[i]);
    s->sweeps[i] = fr_sweep_of_swing(&s->swings[i]);
    s->sccd[i] = fr_sccd_bounds(&s->swings[i], FR_SCCD_ENDS);
    s->radii[i] = fr_random_between(random, 0, 12.5);
    s->points[i] = random_point(random, 50.0);
    double reach = 1.5 * s->canonical[i].outer, height = s->canonical[i].half_thickness + 10.0;
    for (int k = 0; k < 2; k++) {
        s->segments[i][k] =
            fr_vec3_make(fr_random_between(random, -reach, reach), fr_random_between(random, -reach, reach),
                         fr_random_between(random, -height, height));
        s->flat_segments[i][k] = (fr_vec2){s->segments[i][k].x, s->segments[i][k].y};
    }
    s->flat_points[i] = (fr_vec2){fr_random_between(random, -50, 50), fr_random_between(random, -50, 50)};
    fr_vec3 half = random_point(random, 12.5), center = random_point(random, 30.0);
    half = fr_vec3_make(fabs(half.x), fabs(half.y), fabs(half.z));
    s->boxes[i] = (fr_bounds){fr_vec3_sub(center, half), fr_vec3_add(center, half)};
    s->oriented[i] = (fr_oriented_box){center, fr_quat_to_mat3(fr_quat_from_vector(random_point(random, 2.0))), half};
    double sine, cosine;
    fr_sincos(fr_random_between(random, 0, 6), &sine, &cosine);
    for (int k = 0; k < 4; k++) {
        double u = (k == 1 || k == 2) ? half.x : -half.x, v = k >= 2 ? half.y : -half.y;
        s->rectangles[i][k] = (fr_vec2){center.x + u * cosine - v * sine, center.y + u * sine + v * cosine};
    }
}

static shapes *make_shapes(bench *b) {
    shapes *s = malloc(sizeof *s);
    if (s == NULL) {
        bench_skip(b, "out of memory");
        return NULL;
    }
    fr_random random = fr_random_seed(3);
    for (size_t i = 0; i < SHAPES; i++) {
        fill(s, &random, i);
    }
    return s;
}

// Calls `expression` with shape i and another shape k.
#define CASE(name, expression)                                                                                         \
    static void name(bench *b) {                                                                                       \
        shapes *s = make_shapes(b);                                                                                    \
        if (s == NULL) { return; }                                                                                     \
        size_t calls = bench_size(b, 100, CALLS), hits = 0;                                                            \
        while (bench_repeat(b)) {                                                                                      \
            hits = 0;                                                                                                  \
            for (size_t n = 0; n < calls; n++) {                                                                       \
                size_t i = n % SHAPES, k = (n * 1237 + n / SHAPES) % SHAPES;                                           \
                (void)k;                                                                                               \
                hits += (expression) ? 1 : 0;                                                                          \
            }                                                                                                          \
            bench_keep(&hits);                                                                                         \
        }                                                                                                              \
        bench_items(b, (double)calls);                                                                                 \
        bench_count(b, "hit_percent", 100.0 * (double)hits / (double)calls);                                           \
        free(s);                                                                                                       \
    }

// Table 3.2, in the plane
CASE(flat_circle_circle, fr_rival_circles(s->flat_points[i], s->radii[i], s->flat_points[k], s->radii[k]))
CASE(flat_capsule_capsule, fr_rival_flat_capsules(s->flat_segments[i], s->radii[i], s->flat_segments[k], s->radii[k]))
CASE(flat_aabb, fr_rival_flat_boxes(&s->boxes[i], &s->boxes[k]))
CASE(flat_obb, fr_rival_rectangles(s->rectangles[i], s->rectangles[k]))
CASE(flat_sector_circle_thesis, fr_thesis_circle(&s->canonical[i], s->flat_points[k], s->radii[k], FR_THESIS_CORRECTED))
CASE(flat_sector_circle, fr_sector_plane_overlap_circle(&s->canonical[i], s->flat_points[k], s->radii[k]))
CASE(flat_sector_rectangle_thesis, fr_thesis_rectangle(&s->canonical[i], s->rectangles[k], FR_THESIS_CORRECTED))
CASE(flat_sector_rectangle, fr_sector_plane_overlap_polygon(&s->canonical[i], s->rectangles[k], 4))
CASE(flat_sector_capsule_thesis,
     fr_thesis_flat_capsule(&s->canonical[i], s->flat_segments[i], s->radii[k], FR_THESIS_CORRECTED))
CASE(flat_sector_capsule, fr_sector_plane_overlap_capsule(&s->canonical[i], s->flat_segments[i], s->radii[k]))

// Table 3.3, in space; the sector's own frame, no transform
CASE(sphere_sphere, fr_rival_spheres(s->points[i], s->radii[i], s->points[k], s->radii[k]))
CASE(capsule_capsule, fr_rival_capsules(s->segments[i], s->radii[i], s->segments[k], s->radii[k]))
CASE(aabb, fr_bounds_overlap(&s->boxes[i], &s->boxes[k]))
CASE(obb, fr_oriented_box_overlap(&s->oriented[i], &s->oriented[k]))
CASE(sector_point_thesis, fr_thesis_point(&s->canonical[i], s->points[k], FR_THESIS_CORRECTED))
CASE(sector_point, fr_sector_contains(&s->canonical[i], s->points[k]))
CASE(sector_sphere_thesis, fr_thesis_sphere(&s->canonical[i], s->points[k], s->radii[k], FR_THESIS_CORRECTED))
CASE(sector_sphere, fr__local_distance2(&s->canonical[i], s->points[k]) <= s->radii[k] * s->radii[k])
CASE(sector_capsule_thesis, fr_thesis_capsule(&s->canonical[i], s->segments[i], s->radii[k], FR_THESIS_CORRECTED))
CASE(sector_capsule, fr_sector_overlap_capsule(&s->canonical[i], s->segments[i], s->radii[k]))
CASE(sector_capsule_unfiltered, fr_sector_segment_distance(&s->canonical[i], s->segments[i]) <= s->radii[k])
CASE(sector_obb, fr_sector_overlap_box(&s->canonical[i], &s->oriented[k]))
CASE(sector_triangle, fr_sector_overlap_triangle(&s->canonical[i], &s->points[k < SHAPES - 3 ? k : 0]))
CASE(sector_sector, fr_sector_overlap_sector(&s->canonical[i], &s->turned[k], 1e-3) != FR_SECTORS_APART)

// Tables 3.4 to 3.6: a swung box against balls; transform and test, construction, both
CASE(sccd_test, fr_rival_box_sphere(&s->sccd[i], s->points[k], s->radii[k]))
CASE(sector_test_thesis,
     fr_thesis_sphere(&s->turned[i], fr_sector_local(&s->turned[i], s->points[k]), s->radii[k], FR_THESIS_CORRECTED))
CASE(sector_test, fr_sector_overlap_sphere(&s->turned[i], s->points[k], s->radii[k]))
CASE(sweep_test, fr_sweep_overlap_sphere(&s->sweeps[i], s->points[k], s->radii[k]))
CASE(sccd_build, fr_sccd_bounds(&s->swings[i], FR_SCCD_ENDS).min.x > 0.0)
CASE(sccd_build_by_axes, fr_sccd_bounds_by_axes(&s->swings[i]).min.x > 0.0)
CASE(sector_build_thesis, fr_thesis_sector(&s->swings[i]).bisector.x > 0.0)
CASE(sector_build, fr_sector_of_swing(&s->swings[i]).bisector.x > 0.0)
CASE(sweep_build, fr_sweep_of_swing(&s->swings[i]).parts[0].frame.bisector.x > 0.0)

static bool sccd_both(const shapes *s, size_t i, size_t k) {
    fr_bounds box = fr_sccd_bounds(&s->swings[i], FR_SCCD_ENDS);
    return fr_rival_box_sphere(&box, s->points[k], s->radii[k]);
}

static bool thesis_both(const shapes *s, size_t i, size_t k) {
    fr_sector sector = fr_thesis_sector(&s->swings[i]);
    return fr_thesis_sphere(&sector, fr_sector_local(&sector, s->points[k]), s->radii[k], FR_THESIS_CORRECTED);
}

static bool sector_both(const shapes *s, size_t i, size_t k) {
    fr_sector sector = fr_sector_of_swing(&s->swings[i]);
    return fr_sector_overlap_sphere(&sector, s->points[k], s->radii[k]);
}

CASE(sccd_build_and_test, sccd_both(s, i, k))
CASE(sector_build_and_test_thesis, thesis_both(s, i, k))
CASE(sector_build_and_test, sector_both(s, i, k))

// ---------------------------------------------------------------------------------------------------------------
// One shape against many balls

typedef struct crowd {
    float *lanes;
    fr_spheres spheres;
    uint8_t *bits;
    fr_sector sector;
    fr_bounds bounds;
    fr_task_pool *pool;
    fr_tasks tasks;
} crowd;

static bool make_crowd(bench *b, size_t count, double radius, crowd *c) {
    memset(c, 0, sizeof *c);
    c->lanes = malloc(4 * count * sizeof *c->lanes);
    c->bits = malloc(count / 8 + 1);
    if (c->lanes == NULL || c->bits == NULL) {
        bench_skip(b, "out of memory");
        free(c->lanes);
        free(c->bits);
        return false;
    }
    fr_random random = fr_random_seed(5);
    for (size_t i = 0; i < 3 * count; i++) {
        c->lanes[i] = (float)fr_random_between(&random, -50, 50);
    }
    for (size_t i = 0; i < count; i++) {
        c->lanes[3 * count + i] = (float)fr_random_between(&random, 0, radius);
    }
    c->spheres = (fr_spheres){c->lanes, c->lanes + count, c->lanes + 2 * count, c->lanes + 3 * count, count};
    fr_swing swing = random_swing(&random);
    swing.angle = 1.5;
    c->sector = fr_sector_of_swing(&swing);
    c->bounds = fr_sector_bounds(&c->sector);
    fr_task_pool_def def = fr_default_task_pool_def();
    def.worker_count = bench_threads(b);
    if (def.worker_count > 1 && fr_task_pool_create(&def, &c->pool, NULL) == FR_OK) {
        c->tasks = fr_task_pool_tasks(c->pool);
    }
    return true;
}

static void end_crowd(crowd *c) {
    fr_task_pool_destroy(c->pool);
    free(c->lanes);
    free(c->bits);
}

typedef size_t crowd_fn(crowd *c);

static size_t one_sector_batch(crowd *c) {
    return fr_sector_spheres(&c->sector, &c->spheres, c->pool != NULL ? &c->tasks : NULL, c->bits);
}

static size_t one_box_batch(crowd *c) {
    return fr_bounds_spheres(&c->bounds, &c->spheres, c->pool != NULL ? &c->tasks : NULL, c->bits);
}

static fr_vec3 ball(const crowd *c, size_t i) {
    return fr_vec3_make((double)c->spheres.x[i], (double)c->spheres.y[i], (double)c->spheres.z[i]);
}

static size_t one_sector_scalar(crowd *c) {
    size_t hits = 0;
    for (size_t i = 0; i < c->spheres.count; i++) {
        hits += fr_sector_overlap_sphere(&c->sector, ball(c, i), (double)c->spheres.radius[i]);
    }
    return hits;
}

static size_t one_sector_scalar_thesis(crowd *c) {
    size_t hits = 0;
    for (size_t i = 0; i < c->spheres.count; i++) {
        fr_vec3 p = fr_sector_local(&c->sector, ball(c, i));
        hits += fr_thesis_sphere(&c->sector, p, (double)c->spheres.radius[i], FR_THESIS_CORRECTED);
    }
    return hits;
}

static void run_crowd(bench *b, size_t smallest, size_t full, crowd_fn *run) {
    crowd c;
    size_t count = bench_size(b, smallest, full), hits = 0;
    if (!make_crowd(b, count, 3.0, &c)) { return; }
    while (bench_repeat(b)) {
        hits = run(&c);
        bench_keep(&hits);
    }
    bench_items(b, (double)count);
    bench_count(b, "hits", (double)hits);
    end_crowd(&c);
}

static void many_sector(bench *b) { run_crowd(b, 100, CROWD, one_sector_batch); }
static void many_box(bench *b) { run_crowd(b, 100, CROWD, one_box_batch); }
static void many_sector_scalar(bench *b) { run_crowd(b, 100, CROWD, one_sector_scalar); }
static void many_sector_scalar_thesis(bench *b) { run_crowd(b, 100, CROWD, one_sector_scalar_thesis); }

// ---------------------------------------------------------------------------------------------------------------
// A frame: 1,000 turning boxes among 10,000 balls. Each method bounds what a box sweeps, tests every ball against it,
// and asks the exact sweep about those that pass.

typedef enum frame_method { FRAME_SECTOR, FRAME_TIGHT, FRAME_SCCD } frame_method;

static size_t pass_of(crowd *c, const fr_swing *swing, frame_method method) {
    if (method == FRAME_SECTOR) {
        fr_sector sector = fr_sector_of_swing(swing);
        return fr_sector_spheres(&sector, &c->spheres, NULL, c->bits);
    }
    fr_bounds box = fr_sccd_bounds(swing, method == FRAME_TIGHT ? FR_SCCD_TIGHT : FR_SCCD_ENDS);
    return fr_bounds_spheres(&box, &c->spheres, NULL, c->bits);
}

static size_t hits_of(const crowd *c, const fr_swing *swing) {
    fr_sweep sweep = fr_sweep_of_swing(swing);
    size_t hits = 0;
    for (size_t i = 0; i < (c->spheres.count + 7) / 8; i++) {
        for (unsigned bits = c->bits[i]; bits != 0; bits &= bits - 1) {
            size_t k = 8 * i + (size_t)__builtin_ctz(bits);
            hits += fr_sweep_overlap_sphere(&sweep, ball(c, k), (double)c->spheres.radius[k]);
        }
    }
    return hits;
}

static void run_frame(bench *b, frame_method method) {
    crowd c;
    size_t boxes = bench_size(b, 10, 1000), passed = 0, hits = 0;
    if (!make_crowd(b, bench_size(b, 100, 10000), 0.5, &c)) { return; }
    fr_swing *swings = malloc(boxes * sizeof *swings);
    if (swings == NULL) {
        bench_skip(b, "out of memory");
        end_crowd(&c);
        return;
    }
    fr_random random = fr_random_seed(6);
    for (size_t i = 0; i < boxes; i++) {
        swings[i] = random_swing(&random);
        swings[i].pivot = random_point(&random, 40.0);
        swings[i].distance = fr_random_between(&random, 3.0, 6.0);
        swings[i].half = fr_vec3_make(0.25, 3.0, 0.25);
        swings[i].angle = fr_random_between(&random, 0.1, 1.5);
    }
    while (bench_repeat(b)) {
        passed = hits = 0;
        for (size_t i = 0; i < boxes; i++) {
            passed += pass_of(&c, &swings[i], method);
            hits += hits_of(&c, &swings[i]);
        }
        bench_keep(&hits);
    }
    bench_count(b, "passed", (double)passed);
    bench_count(b, "hits", (double)hits);
    free(swings);
    end_crowd(&c);
}

static void frame_sector(bench *b) { run_frame(b, FRAME_SECTOR); }
static void frame_tight(bench *b) { run_frame(b, FRAME_TIGHT); }
static void frame_sccd(bench *b) { run_frame(b, FRAME_SCCD); }

// ---------------------------------------------------------------------------------------------------------------
// The same in a space: 1,000 bats of 12 faces that turn, 10,000 boxes that stand. The broad phase has upright boxes
// over the step; would a sector of each bat, asked about the pairs that pass, spare more than it costs?

enum { BATS = 1000, STANDING = 10000 };

typedef struct swing_stage {
    stage s;
    fr_sector sectors[BATS];
    uint32_t bats;
    uint64_t asked, refused;
} swing_stage;

static fr_sector sector_of_bat(const fr_motion *motion) {
    fr_vec3 corners[8];
    for (int i = 0; i < 8; i++) {
        corners[i] =
            fr_pose_apply(&motion->start, fr_vec3_make(i & 1 ? 0.25 : -0.25, i & 2 ? 3.0 : -3.0, i & 4 ? 0.25 : -0.25));
    }
    fr_convex body = {corners, 8, 0.0};
    fr_sector sector = {.outer = 0.0};
    fr_error error;
    require(fr_sector_of_motion(&body, motion, &sector, &error), &error);
    return sector;
}

static fr_mesh *make_box(double x, double y, double z) {
    fr_mesh *mesh;
    fr_error error;
    require(fr_mesh_create_box(fr_vec3_make(x, y, z), NULL, &mesh, &error), &error);
    return mesh;
}

// Bats are the first objects; each turns about a point beyond its lower end.
static void fill_stage(bench *b, swing_stage *w, bool with_sectors) {
    fr_random random = fr_random_seed(8);
    fr_mesh *bat = make_box(0.5, 6.0, 0.5), *still = make_box(1.0, 1.0, 1.0);
    fr_error error;
    size_t bats = w->bats = (uint32_t)bench_size(b, 10, BATS), standing = bench_size(b, 100, STANDING);
    for (size_t i = 0; i < bats + standing; i++) {
        fr_pose pose = fr_pose_make(random_point(&random, 50.0), fr_quat_from_vector(random_point(&random, 2.0)));
        fr_object_id id = add_object(&w->s, i < bats ? bat : still, pose);
        if (i >= bats) { continue; }
        fr_motion motion = {.start = pose, .pivot_local = {0.0, -4.0, 0.0}};
        motion.turn = fr_vec3_scale(fr_random_between(&random, 0.1, 1.5), fr_pose_turn(&pose, fr_vec3_make(0, 0, 1)));
        fr_pose end = fr_motion_pose(&motion, 1.0);
        require(fr_object_set_motion(w->s.space, id, &motion, &end, &error), &error);
        if (with_sectors) { w->sectors[i] = sector_of_bat(&motion); }
    }
    fr_mesh_release(bat);
    fr_mesh_release(still);
    require(fr_space_update(w->s.space, NULL, &error), &error);
}

static bool sector_allows(const fr_space *space, fr_object_id a, fr_object_id b, void *context) {
    swing_stage *w = context;
    fr_bounds bounds;
    uint32_t bat = a.index1 - 1, other = b.index1 - 1;
    if (bat >= w->bats || other < w->bats || fr_object_bounds(space, b, &bounds, NULL) != FR_OK) { return true; }
    bool meets = fr_sector_overlap_bounds(&w->sectors[bat], &bounds);
    w->asked++;
    w->refused += !meets;
    return meets;
}

static void run_stage(bench *b, bool with_sectors) {
    swing_stage *w = calloc(1, sizeof *w);
    if (w == NULL) {
        bench_skip(b, "out of memory");
        return;
    }
    w->s = make_stage(b);
    fill_stage(b, w, with_sectors);
    fr_error error;
    fr_collide_output out;
    if (with_sectors) {
        w->s.input.filter = sector_allows;
        w->s.input.filter_context = w;
    }
    while (bench_repeat(b)) {
        fr_collide_destroy(w->s.collide); // what earlier steps proved is forgotten
        require(fr_collide_create(NULL, &w->s.collide, &error), &error);
        w->asked = w->refused = 0;
        require(fr_collide_continuous(w->s.collide, &w->s.input, &out, &error), &error);
        bench_pause(b);
    }
    bench_count(b, "object_pairs", (double)out.stats.object_pairs);
    bench_count(b, "tested", (double)out.stats.tested);
    bench_count(b, "pairs", (double)out.pair_count);
    bench_count(b, "asked", (double)w->asked);
    bench_count(b, "refused", (double)w->refused);
    end_stage(&w->s);
    free(w);
}

static void space_step(bench *b) { run_stage(b, false); }
static void space_step_sectors(bench *b) { run_stage(b, true); }

#define ENTRY(name)                                                                                                    \
    { #name, name }

int main(int argc, char **argv) {
    static const bench_case cases[] = {
        ENTRY(flat_circle_circle),
        ENTRY(flat_capsule_capsule),
        ENTRY(flat_aabb),
        ENTRY(flat_obb),
        ENTRY(flat_sector_circle_thesis),
        ENTRY(flat_sector_circle),
        ENTRY(flat_sector_rectangle_thesis),
        ENTRY(flat_sector_rectangle),
        ENTRY(flat_sector_capsule_thesis),
        ENTRY(flat_sector_capsule),
        ENTRY(sphere_sphere),
        ENTRY(capsule_capsule),
        ENTRY(aabb),
        ENTRY(obb),
        ENTRY(sector_point_thesis),
        ENTRY(sector_point),
        ENTRY(sector_sphere_thesis),
        ENTRY(sector_sphere),
        ENTRY(sector_capsule_thesis),
        ENTRY(sector_capsule),
        ENTRY(sector_capsule_unfiltered),
        ENTRY(sector_obb),
        ENTRY(sector_triangle),
        ENTRY(sector_sector),
        ENTRY(sccd_test),
        ENTRY(sector_test_thesis),
        ENTRY(sector_test),
        ENTRY(sweep_test),
        ENTRY(sccd_build),
        ENTRY(sccd_build_by_axes),
        ENTRY(sector_build_thesis),
        ENTRY(sector_build),
        ENTRY(sweep_build),
        ENTRY(sccd_build_and_test),
        ENTRY(sector_build_and_test_thesis),
        ENTRY(sector_build_and_test),
        ENTRY(many_sector_scalar_thesis),
        ENTRY(many_sector_scalar),
        ENTRY(many_sector),
        ENTRY(many_box),
        ENTRY(frame_sector),
        ENTRY(frame_tight),
        ENTRY(frame_sccd),
        ENTRY(space_step),
        ENTRY(space_step_sectors),
    };
    return bench_main(argc, argv, "fureai", "sector", cases, sizeof cases / sizeof cases[0]);
}
