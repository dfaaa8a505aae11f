// A crowd in a square: 1,000 bodies whose vertices all move, and 15,000 rigid links of 1,000 bodies; and 1,000 bodies
// with skins that walk through a hall, of which about 50 pairs touch. A sample is the update of the space and the
// query, after everything was given a new place.
#include "stage.h"

#include <math.h>
#include <time.h>

enum { BODIES = 1000, LINKS = 15, BONES = 20, INFLUENCES = 4 };

typedef enum body_kind { DEFORMED, LINKED, SKINNED } body_kind;

// Metres of the side of the square; of a body the half width and the half height.
#define SQUARE 32.0
#define HALL 96.0
#define WIDTH 0.25
#define HEIGHT 0.9

// Where a body stands, and how it goes: about the place, and turned.
typedef struct walker {
    fr_vec3 place;
    double phase;
    double radius; // of the circle of one that walks
} walker;

// Within cells of a grid: some stand shoulder to shoulder, and few touch.
static walker walker_of(fr_random *r, uint32_t body) {
    enum { COLUMNS = 32 };
    double cell = SQUARE / COLUMNS, x = (double)(body % COLUMNS), z = (double)(body / COLUMNS);
    fr_vec3 place = {cell * (x + fr_random_between(r, 0.0, 0.8)), HEIGHT, cell * (z + fr_random_between(r, 0.0, 0.8))};
    return (walker){place, fr_random_between(r, 0.0, 6.28), 0.0};
}

// One in a cell of 3 m, and 50 couples shoulder to shoulder: the second of a couple goes beside the first.
static walker walker_in_hall(fr_random *r, const walker *others, uint32_t body) {
    enum { COLUMNS = 32, COUPLES = 50 };
    if (body % 2 == 1 && body < 2 * COUPLES) {
        walker beside = others[body - 1];
        beside.radius += 2.0 * WIDTH - 0.03;
        return beside;
    }
    double cell = HALL / COLUMNS, x = (double)(body % COLUMNS), z = (double)(body / COLUMNS);
    fr_vec3 place = {cell * (x + 0.5), HEIGHT, cell * (z + 0.5)};
    return (walker){place, fr_random_between(r, 0.0, 6.28), fr_random_between(r, 0.2, 0.6)};
}

// Everything of a crowd at time t, in steps.
typedef struct crowd {
    stage stage;
    body_kind kind;
    uint32_t body_count, member_count; // of objects a body
    walker walkers[BODIES];
    fr_object_id ids[BODIES * LINKS];
    fr_mesh *mesh;
    fr_skin *skin;         // of a body whose bones stand one above the other
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

static double bone_height(uint32_t bone) { return HEIGHT * ((2.0 * bone + 1.0) / BONES - 1.0); }

// Who walks goes round a circle, about 1 m a second at 60 steps a second, and swings its bones: those at the height of
// the legs and of the shoulders most.
static fr_pose walk_at(const walker *w, double t) {
    double angle = t / 30.0 + w->phase;
    fr_vec3 at = {w->place.x + w->radius * fr_cos(angle), w->place.y, w->place.z + w->radius * fr_sin(angle)};
    return fr_pose_make(at, fr_quat_from_vector(fr_vec3_make(0.0, -angle, 0.0)));
}

static void bones_at(const walker *w, double t, fr_pose bones[BONES]) {
    for (uint32_t i = 0; i < BONES; i++) {
        double height = bone_height(i), swing = 0.3 * height * fr_sin(0.1 * t + w->phase + 0.3 * i);
        fr_vec3 at = {0.05 * swing, height, 0.2 * swing};
        bones[i] = fr_pose_make(at, fr_quat_from_vector(fr_vec3_make(swing, 0.2 * swing, 0.0)));
    }
}

static fr_status give_vertices(crowd *c, uint32_t body, double t, bool is_next, fr_error *error) {
    const fr_vec3 *at = vertices_at(c, body, t);
    return (is_next ? fr_object_set_next_vertices : fr_object_set_vertices)(c->stage.space, c->ids[body], at,
                                                                            c->vertex_count, error);
}

static fr_status give_pose(crowd *c, uint32_t member, fr_pose pose, bool is_next, fr_error *error) {
    return (is_next ? fr_object_set_next : fr_object_set_pose)(c->stage.space, c->ids[member], &pose, error);
}

static fr_status give_bones(crowd *c, uint32_t body, double t, bool is_next, fr_error *error) {
    fr_pose bones[BONES];
    bones_at(&c->walkers[body], t, bones);
    fr_status status = give_pose(c, body, walk_at(&c->walkers[body], t), is_next, error);
    if (status != FR_OK) { return status; }
    return (is_next ? fr_object_set_next_bones : fr_object_set_bones)(c->stage.space, c->ids[body], bones, BONES,
                                                                      error);
}

static void give_places(crowd *c, double t, bool is_next) {
    fr_error error;
    for (uint32_t body = 0; body < c->body_count; body++) {
        if (c->kind == DEFORMED) { require(give_vertices(c, body, t, is_next, &error), &error); }
        if (c->kind == SKINNED) { require(give_bones(c, body, t, is_next, &error), &error); }
        for (uint32_t k = 0; c->kind == LINKED && k < LINKS; k++) {
            require(give_pose(c, body * LINKS + k, link_at(c, body, k, t), is_next, &error), &error);
        }
    }
}

static fr_object_id add_member(crowd *c, uint32_t body) {
    fr_part_def part = fr_default_part_def();
    part.mesh = c->mesh;
    part.pose.scale = c->kind == LINKED ? 0.2 : 1.0;
    fr_object_def def = fr_default_object_def();
    def.parts = &part;
    def.part_count = 1;
    def.filter.group = -(int32_t)body - 1; // the links of one body overlap
    fr_object_id id;
    fr_error error;
    require(fr_object_add(c->stage.space, &def, &id, &error), &error);
    if (c->kind == SKINNED) {
        require(fr_object_set_skin(c->stage.space, id, 0, c->skin, FR_SKIN_LINEAR, &error), &error);
    }
    return id;
}

// Each vertex follows the four bones that are nearest in height. The bind poses make a body of the round mesh.
static void make_skin(crowd *c) {
    uint32_t *bones = malloc(INFLUENCES * c->vertex_count * sizeof *bones);
    float *weights = malloc(INFLUENCES * c->vertex_count * sizeof *weights);
    if (bones == NULL || weights == NULL) { abort(); }
    for (uint32_t v = 0; v < c->vertex_count; v++) {
        double at = fmin(fmax(0.5 * (c->rest[v].y + 1.0) * BONES - 2.0, 0.0), (double)(BONES - INFLUENCES));
        uint32_t first = (uint32_t)at;
        double share = at - (double)first;
        const double parts[INFLUENCES] = {0.4 * (1.0 - share), 0.4, 0.2, 0.4 * share};
        for (uint32_t k = 0; k < INFLUENCES; k++) {
            bones[INFLUENCES * v + k] = first + k;
            weights[INFLUENCES * v + k] = (float)parts[k];
        }
    }
    double inverse[12 * BONES] = {0};
    for (uint32_t i = 0; i < BONES; i++) {
        inverse[12 * i] = inverse[12 * i + 10] = WIDTH;
        inverse[12 * i + 5] = HEIGHT;
        inverse[12 * i + 7] = -bone_height(i);
    }
    fr_skin_def def = fr_default_skin_def();
    def.mesh = c->mesh;
    def.vertex_count = c->vertex_count;
    def.bones = bones;
    def.weights = weights;
    def.influence_count = INFLUENCES;
    def.bone_count = BONES;
    def.inverse_binds = inverse;
    fr_error error;
    require(fr_skin_create(&def, &c->skin, &error), &error);
    free(bones);
    free(weights);
}

static void make_crowd(const bench *b, body_kind kind, crowd *c) {
    c->stage = make_stage(b);
    use_tasks(&c->stage, b);
    c->body_count = (uint32_t)bench_size(b, 20, BODIES);
    c->kind = kind;
    c->member_count = kind == LINKED ? LINKS : 1;
    fr_error error;
    require(fr_mesh_create_named(kind == LINKED ? "sphere_24" : "sphere_960", NULL, &c->mesh, &error), &error);
    const fr_mesh_view *view = fr_mesh_get(c->mesh);
    c->vertex_count = view->vertex_count;
    c->rest = malloc(2 * c->vertex_count * sizeof *c->rest);
    if (c->rest == NULL) { abort(); }
    c->moved = c->rest + c->vertex_count;
    for (uint32_t i = 0; i < c->vertex_count; i++) {
        const float *p = view->positions_float + 3 * (size_t)i;
        c->rest[i] = fr_vec3_make((double)p[0], (double)p[1], (double)p[2]);
    }
    c->skin = NULL;
    if (kind == SKINNED) { make_skin(c); }
    fr_random r = fr_random_seed(1);
    for (uint32_t body = 0; body < c->body_count; body++) {
        c->walkers[body] = kind == SKINNED ? walker_in_hall(&r, c->walkers, body) : walker_of(&r, body);
        for (uint32_t k = 0; k < c->member_count; k++) {
            c->ids[body * c->member_count + k] = add_member(c, body);
        }
    }
    give_places(c, 0.0, false);
}

static double cpu_ms(void) { return 1e3 * (double)clock() / CLOCKS_PER_SEC; }

static void run(bench *b, body_kind kind, bool is_over_step) {
    static crowd c;
    fr_error error;
    make_crowd(b, kind, &c);
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
    bench_count(b, "touching", (double)out.object_pair_count);
    bench_count(b, "pairs", (double)out.pair_count);
    end_stage(&c.stage);
    fr_mesh_release(c.mesh);
    fr_skin_release(c.skin);
    free(c.rest);
}

static void bodies_static(bench *b) { run(b, DEFORMED, false); }
static void bodies_step(bench *b) { run(b, DEFORMED, true); }
static void links_static(bench *b) { run(b, LINKED, false); }
static void links_step(bench *b) { run(b, LINKED, true); }
static void skins_static(bench *b) { run(b, SKINNED, false); }
static void skins_step(bench *b) { run(b, SKINNED, true); }

int main(int argc, char **argv) {
    static const bench_case cases[] = {
        {"1000 deforming bodies, at an instant", bodies_static}, {"1000 deforming bodies, over the step", bodies_step},
        {"15000 rigid links, at an instant", links_static},      {"15000 rigid links, over the step", links_step},
        {"1000 skins in a hall, at an instant", skins_static},   {"1000 skins in a hall, over the step", skins_step},
    };
    return bench_main(argc, argv, "fureai", "crowd", cases, sizeof cases / sizeof cases[0]);
}
