// A crowd in a square: 1,000 bodies whose vertices all move, and 15,000 rigid links of 1,000 bodies. A sample is the
// update of the space and the query, after everything was given a new place.
#include "stage.h"

#include <math.h>
#include <time.h>

enum { BODIES = 1000, LINKS = 15 };

// Metres of the side of the square; of a body the half width and the half height.
#define SQUARE 32.0
#define WIDTH 0.25
#define HEIGHT 0.9

// Where a body stands, and how it goes: about the place, and turned.
typedef struct walker {
    fr_vec3 place;
    double phase;
} walker;

// Within cells of a grid: some stand shoulder to shoulder, and few touch.
static walker walker_of(fr_random *r, uint32_t body) {
    enum { COLUMNS = 32 };
    double cell = SQUARE / COLUMNS, x = (double)(body % COLUMNS), z = (double)(body / COLUMNS);
    fr_vec3 place = {cell * (x + fr_random_between(r, 0.0, 0.8)), HEIGHT, cell * (z + fr_random_between(r, 0.0, 0.8))};
    return (walker){place, fr_random_between(r, 0.0, 6.28)};
}

// Everything of a crowd at time t, in steps.
typedef struct crowd {
    stage stage;
    uint32_t body_count, link_count; // of links a body; 0: bodies deform
    walker walkers[BODIES];
    fr_object_id ids[BODIES * LINKS];
    fr_mesh *mesh;
    fr_vec3 *rest, *moved; // of the mesh
    uint32_t vertex_count;
} crowd;

static fr_vec3 sway(const walker *w, double t, double height) {
    double angle = 0.25 * t + w->phase;
    fr_vec3 to = {0.02 * (height + HEIGHT) * fr_sin(angle), 0.0, 0.02 * (height + HEIGHT) * fr_cos(angle)};
    return fr_vec3_add(w->place, to);
}

// A body as thick as it breathes, bent by its swaying.
static const fr_vec3 *vertices_at(crowd *c, uint32_t body, double t) {
    const walker *w = &c->walkers[body];
    double breath = 1.0 + 0.03 * fr_sin(0.4 * t + w->phase);
    for (uint32_t i = 0; i < c->vertex_count; i++) {
        fr_vec3 v = c->rest[i], at = sway(w, t, HEIGHT * v.y);
        c->moved[i] = fr_vec3_make(at.x + breath * WIDTH * v.x, at.y + HEIGHT * v.y, at.z + breath * WIDTH * v.z);
    }
    return c->moved;
}

static fr_pose link_at(const crowd *c, uint32_t body, uint32_t link, double t) {
    double height = HEIGHT * ((2.0 * link + 1.0) / LINKS - 1.0);
    fr_vec3 at = sway(&c->walkers[body], t, height);
    at.y += height;
    fr_quat turn = fr_quat_from_vector(fr_vec3_make(0.1 * fr_sin(0.3 * t), 0.05 * t + c->walkers[body].phase, 0.0));
    return fr_pose_make(at, turn);
}

static void give_places(crowd *c, double t, bool is_next) {
    fr_error error;
    for (uint32_t body = 0; body < c->body_count; body++) {
        if (c->link_count == 0) {
            const fr_vec3 *at = vertices_at(c, body, t);
            require((is_next ? fr_object_set_next_vertices : fr_object_set_vertices)(c->stage.space, c->ids[body], at,
                                                                                     c->vertex_count, &error),
                    &error);
        }
        for (uint32_t k = 0; k < c->link_count; k++) {
            fr_pose pose = link_at(c, body, k, t);
            require((is_next ? fr_object_set_next : fr_object_set_pose)(c->stage.space, c->ids[body * LINKS + k], &pose,
                                                                        &error),
                    &error);
        }
    }
}

static fr_object_id add_member(crowd *c, uint32_t body) {
    fr_part_def part = fr_default_part_def();
    part.mesh = c->mesh;
    part.pose.scale = c->link_count > 0 ? 0.2 : 1.0;
    fr_object_def def = fr_default_object_def();
    def.parts = &part;
    def.part_count = 1;
    def.filter.group = -(int32_t)body - 1; // the links of one body overlap
    fr_object_id id;
    fr_error error;
    require(fr_object_add(c->stage.space, &def, &id, &error), &error);
    return id;
}

static void make_crowd(const bench *b, uint32_t link_count, crowd *c) {
    c->stage = make_stage(b);
    use_tasks(&c->stage, b);
    c->body_count = (uint32_t)bench_size(b, 20, BODIES);
    c->link_count = link_count;
    fr_error error;
    require(fr_mesh_create_named(link_count > 0 ? "sphere_24" : "sphere_960", NULL, &c->mesh, &error), &error);
    const fr_mesh_view *view = fr_mesh_get(c->mesh);
    c->vertex_count = view->vertex_count;
    c->rest = malloc(2 * c->vertex_count * sizeof *c->rest);
    if (c->rest == NULL) { abort(); }
    c->moved = c->rest + c->vertex_count;
    for (uint32_t i = 0; i < c->vertex_count; i++) {
        const float *p = view->positions_float + 3 * (size_t)i;
        c->rest[i] = fr_vec3_make((double)p[0], (double)p[1], (double)p[2]);
    }
    fr_random r = fr_random_seed(1);
    for (uint32_t body = 0; body < c->body_count; body++) {
        c->walkers[body] = walker_of(&r, body);
        for (uint32_t k = 0; k < (link_count > 0 ? link_count : 1); k++) {
            c->ids[body * (link_count > 0 ? LINKS : 1) + k] = add_member(c, body);
        }
    }
    give_places(c, 0.0, false);
}

static double cpu_ms(void) { return 1e3 * (double)clock() / CLOCKS_PER_SEC; }

static void run(bench *b, uint32_t link_count, bool is_over_step) {
    static crowd c;
    fr_error error;
    make_crowd(b, link_count, &c);
    double t = 0.0, update = (double)INFINITY, all = (double)INFINITY;
    give_places(&c, t, is_over_step);
    fr_collide_output out;
    while (bench_repeat(b)) {
        double begin = cpu_ms();
        require(fr_space_update(c.stage.space, c.stage.input.tasks, &error), &error);
        double updated = cpu_ms();
        require(
            (is_over_step ? fr_collide_continuous : fr_collide_static)(c.stage.collide, &c.stage.input, &out, &error),
            &error);
        double end = cpu_ms();
        bench_pause(b);
        update = fmin(update, updated - begin);
        all = fmin(all, end - begin);
        if (is_over_step) { require(fr_space_commit(c.stage.space, &error), &error); }
        give_places(&c, t += 1.0, is_over_step);
    }
    bench_count(b, "cpu_ms", all);
    bench_count(b, "update_ms", update);
    bench_count(b, "object_pairs", (double)out.stats.object_pairs);
    bench_count(b, "tested", (double)out.stats.tested);
    bench_count(b, "pairs", (double)out.pair_count);
    end_stage(&c.stage);
    fr_mesh_release(c.mesh);
    free(c.rest);
}

static void bodies_static(bench *b) { run(b, 0, false); }
static void bodies_step(bench *b) { run(b, 0, true); }
static void links_static(bench *b) { run(b, LINKS, false); }
static void links_step(bench *b) { run(b, LINKS, true); }

int main(int argc, char **argv) {
    static const bench_case cases[] = {
        {"1000 deforming bodies, at an instant", bodies_static},
        {"1000 deforming bodies, over the step", bodies_step},
        {"15000 rigid links, at an instant", links_static},
        {"15000 rigid links, over the step", links_step},
    };
    return bench_main(argc, argv, "fureai", "crowd", cases, sizeof cases / sizeof cases[0]);
}
