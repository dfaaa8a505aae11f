// The encoder of messages: a snapshot of 1,000 walking bodies of 43 bones as STATE and BONES, when 15 joints turn, when
// all do, complete, and for one receiver that wants fewer states of what is far.
#include "bench.h"

#include "walking_body.h"

#include "fureai/protocol.h"

#include <stdlib.h>
#include <time.h>

enum { BODIES = 1000, STATES = 9 }; // the first begins, 8 are timed

typedef struct crowd {
    fr_world *world;
    fr_object_id ids[BODIES];
    uint32_t count, moving;
    fr_pose bones[BODIES][WALKER_BONES];
    const fr_snapshot *states[STATES];
} crowd;

static fr_status walk(const fr_proposal *proposal, fr_wishes *wishes, void *user, fr_error *error) {
    crowd *c = user;
    fr_status status = FR_OK;
    for (uint32_t i = 0; i < c->count && status == FR_OK; i++) {
        fr_wish wish = {.object = c->ids[i], .kind = FR_WISH_NEXT, .pose = walker_place(i, proposal->tick + 1)};
        status = fr_wishes_add(wishes, &wish, error);
        walker_bones(i, proposal->tick + 1, c->moving, c->bones[i]);
        if (status == FR_OK) { status = fr_wishes_bones(wishes, c->ids[i], c->bones[i], WALKER_BONES, error); }
    }
    return status;
}

static bool add_bodies(crowd *c) {
    fr_mesh *mesh = NULL;
    fr_space *space = fr_world_space(c->world);
    bool good = fr_mesh_create_named("sphere_168", NULL, &mesh, NULL) == FR_OK;
    fr_skin *skin = good ? walker_skin(mesh) : NULL;
    good = skin != NULL;
    for (uint32_t i = 0; i < c->count && good; i++) {
        fr_part_def part = fr_default_part_def();
        part.mesh = mesh;
        fr_object_def object = fr_default_object_def();
        object.parts = &part;
        object.part_count = 1;
        object.flags = FR_OBJECT_GHOST;
        object.pose = walker_place(i, 0);
        good = fr_object_add(space, &object, &c->ids[i], NULL) == FR_OK &&
               fr_object_set_skin(space, c->ids[i], 0, skin, FR_SKIN_LINEAR, NULL) == FR_OK;
    }
    fr_skin_release(skin);
    fr_mesh_release(mesh);
    return good;
}

static crowd *open_crowd(const bench *b, uint32_t moving) {
    crowd *c = calloc(1, sizeof *c);
    fr_world_def def = fr_default_world_def();
    if (c == NULL || fr_world_create(&def, &c->world, NULL) != FR_OK) { return c; }
    c->count = (uint32_t)bench_size(b, 10, BODIES);
    c->moving = moving;
    fr_corrector mover = {"walk", walk, c};
    bool good = add_bodies(c) && fr_world_add_mover(c->world, &mover, NULL) == FR_OK;
    for (int i = 0; i < STATES && good; i++) {
        good = fr_world_tick(c->world, NULL, NULL) == FR_OK;
        c->states[i] = good ? fr_world_snapshot(c->world) : NULL;
    }
    return c;
}

static void close_crowd(crowd *c) {
    for (int i = 0; i < STATES; i++) {
        fr_snapshot_release(c->states[i]);
    }
    fr_world_destroy(c->world);
    free(c);
}

typedef enum receiver { OF_CHANGES, OF_ALL, OF_FEWER } receiver;

static fr_status encode(const crowd *c, fr_encoder *encoder, receiver kind, fr_backlog *backlog, int state,
                        fr_array *out) {
    const fr_snapshot *now = c->states[state], *before = kind == OF_ALL ? NULL : c->states[state - 1];
    const fr_space *space = fr_world_space(c->world);
    if (kind == OF_FEWER) {
        fr_near_input input = {backlog, space, now, before, {0.0, 0.0, 0.0}, 10.0};
        return fr_protocol_encode_near(encoder, &input, out, NULL);
    }
    fr_status status = fr_protocol_encode_state(encoder, now, before, out, NULL);
    return status == FR_OK ? fr_protocol_encode_bones(encoder, space, now, before, out, NULL) : status;
}

// The encoder and the receiver have the first state.
static void begin_states(const crowd *c, fr_encoder *encoder, fr_backlog *backlog, fr_array *out) {
    (void)encode(c, encoder, OF_ALL, backlog, 0, out);
    fr_backlog_begin(backlog, c->states[0]->sequence);
    out->count = 0;
}

// A sample is 8 states, one after another; `cpu_ms` is of one.
static void run(bench *b, uint32_t moving, receiver kind) {
    crowd *c = open_crowd(b, moving);
    fr_encoder *encoder = NULL;
    fr_backlog *backlog = NULL;
    fr_array out = fr_array_make(1, NULL);
    bool good = c != NULL && c->states[STATES - 1] != NULL && fr_encoder_create(NULL, &encoder, NULL) == FR_OK &&
                fr_backlog_create(NULL, &backlog, NULL) == FR_OK;
    if (!good) { bench_skip(b, "no memory"); }
    double bytes = 0.0, best = 1e9;
    if (good) { begin_states(c, encoder, backlog, &out); }
    while (good && bench_repeat(b)) {
        clock_t begin = clock();
        for (int i = 1; i < STATES; i++) {
            good = encode(c, encoder, kind, backlog, i, &out) == FR_OK;
        }
        double ms = 1e3 * (double)(clock() - begin) / CLOCKS_PER_SEC / (STATES - 1);
        bench_pause(b);
        best = ms < best ? ms : best;
        bytes = (double)out.count / (STATES - 1) / c->count;
        begin_states(c, encoder, backlog, &out);
    }
    bench_count(b, "cpu_ms", best);
    bench_count(b, "bytes_a_body", bytes);
    fr_array_destroy(&out);
    fr_backlog_destroy(backlog);
    fr_encoder_destroy(encoder);
    if (c != NULL) { close_crowd(c); }
}

static void fifteen_joints(bench *b) { run(b, WALKER_JOINTS, OF_CHANGES); }
static void all_joints(bench *b) { run(b, WALKER_BONES, OF_CHANGES); }
static void complete(bench *b) { run(b, WALKER_JOINTS, OF_ALL); }
static void fewer(bench *b) { run(b, WALKER_JOINTS, OF_FEWER); }

int main(int argc, char **argv) {
    static const bench_case cases[] = {{"1000 bodies, 15 of 43 joints turn", fifteen_joints},
                                       {"1000 bodies, 43 of 43 joints turn", all_joints},
                                       {"1000 bodies, complete", complete},
                                       {"1000 bodies, fewer states beyond 10 m", fewer}};
    return bench_main(argc, argv, "fureai", "protocol", cases, sizeof cases / sizeof cases[0]);
}
