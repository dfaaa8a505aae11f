#include "assembler.h"

#include "fureai/collide.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define TREMOR_RATE 3.0           // Hz, of its corner
#define TREMOR_TURN (0.35 / 0.45) // degrees a millimetre
#define SPEED 0.3                 // metres a second
#define TURN_SPEED 2.0            // radians a second
#define SET_OUT 0.3               // seconds that any motion takes besides

// ---------------------------------------------------------------------------------------------------------------
// Opening

static fr_status make_tables(assembler *a, fr_error *error) {
    uint32_t count = fr_assembly_count(a->assembly);
    a->records = calloc(count, sizeof *a->records);
    a->order = calloc(count, sizeof *a->order);
    if (a->records == NULL || a->order == NULL) {
        return fr_error_set(error, FR_ERROR_MEMORY, "no memory for the parts of the assembly");
    }
    for (uint32_t i = 0; i < count; i++) {
        a->records[i] = (assembler_record){.taken = FR_UNKNOWN, .fitted = FR_UNKNOWN};
        a->records[i].missing = a->records[i].held_by = FR_NONE;
    }
    return FR_OK;
}

// Pegs and edges snap too: a pin has to find its hole.
static fr_status make_aid(assembler *a, fr_error *error) {
    fr_aid_def def = fr_default_aid_def();
    def.edge_reach = 0.003;
    def.axis_reach = 0.005;
    return fr_aid_create(&def, &a->aid, error);
}

exit_status assembler_open(tool *t, const char *path, const assembler_def *def, assembler *out) {
    memset(out, 0, sizeof *out);
    exit_status done = scene_file_read(t, path, 0, &out->file);
    if (done != EXIT_STATUS_DONE) { return done; }
    out->control = &t->control;
    out->held = FR_NONE;
    out->tremor = def->tremor;
    out->random = fr_random_seed(def->seed);
    out->events = fr_array_make(sizeof(fr_hand_event), NULL);
    fr_error error = {0};
    fr_status status = fr_space_update(out->file.space, NULL, &error);
    if (status == FR_OK && fr_scene_get(out->file.scene)->fit_count == 0) {
        status =
            fr_error_set(&error, FR_ERROR_ARGUMENT, "the scene has no 'assembly': nothing says what belongs where");
        fr_error_locate(&error, path, 1, 1);
    }
    if (status == FR_OK) {
        status = fr_scene_build_assembly(out->file.scene, out->file.space, out->file.ids, NULL, &out->assembly, &error);
    }
    if (status == FR_OK) { status = make_tables(out, &error); }
    if (status == FR_OK && def->has_aid) { status = make_aid(out, &error); }
    if (status == FR_OK) { return EXIT_STATUS_DONE; }
    assembler_close(out);
    return tool_bad_input(t, &error);
}

static void forget(assembler *a) {
    free(a->parts);
    a->parts = NULL;
    a->part_count = 0;
    a->held = FR_NONE;
}

void assembler_close(assembler *a) {
    forget(a);
    free(a->records);
    free(a->order);
    fr_array_free(&a->events);
    fr_aid_destroy(a->aid);
    fr_assembly_destroy(a->assembly);
    scene_file_release(&a->file);
}

uint32_t assembler_part(const assembler *a, const char *name) {
    const fr_scene_view *view = fr_scene_get(a->file.scene);
    for (uint32_t i = 0; i < view->fit_count; i++) {
        if (strcmp(view->fits[i].part.name, name) == 0) { return i; }
    }
    return FR_NONE;
}

const char *assembler_name(const assembler *a, uint32_t part) {
    return fr_scene_get(a->file.scene)->fits[part].part.name;
}

static fr_object_id object_of(const assembler *a, uint32_t part) { return fr_assembly_get(a->assembly, part)->object; }

// ---------------------------------------------------------------------------------------------------------------
// Taking and letting go

static fr_status put(assembler *a, const fr_pose *pose, fr_error *error) {
    fr_status status = fr_object_set_pose(a->file.space, object_of(a, a->held), pose, error);
    return status == FR_OK ? fr_space_update(a->file.space, NULL, error) : status;
}

// Sensors stay sensors.
static fr_status set_static(assembler *a, fr_object_id id, bool is_static) {
    uint32_t others = fr_object_get(a->file.space, id)->flags & ~(uint32_t)FR_OBJECT_STATIC;
    return fr_object_set_flags(a->file.space, id, others | (is_static ? (uint32_t)FR_OBJECT_STATIC : 0u));
}

static fr_status keep_event(assembler *a, const fr_hand_event *event, fr_error *error) {
    fr_hand_event *place = fr_array_push(&a->events, 1);
    if (place == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for what happens"); }
    *place = *event;
    return FR_OK;
}

static fr_status keep_events(assembler *a, const fr_aid_output *out, fr_error *error) {
    fr_status status = FR_OK;
    for (uint32_t i = 0; i < out->event_count && status == FR_OK; i++) {
        status = keep_event(a, &out->events[i], error);
        if (out->events[i].kind == FR_HAND_CONTACT) { a->records[a->held].contacts++; }
    }
    return status;
}

// The parts of what is held, and the middle of its box.
static fr_status learn(assembler *a, fr_object_id id, fr_error *error) {
    const fr_object_view *view = fr_object_get(a->file.space, id);
    a->parts = calloc(view->part_count, sizeof *a->parts);
    if (a->parts == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for a part"); }
    a->part_count = view->part_count;
    fr_bounds box = fr_bounds_empty();
    for (uint32_t i = 0; i < view->part_count; i++) {
        fr_part_view part = fr_object_part(a->file.space, id, i);
        a->parts[i] = fr_default_part_def();
        a->parts[i].mesh = part.mesh;
        a->parts[i].pose = part.pose;
        fr_bounds own = fr_mesh_get(part.mesh)->bounds;
        fr_motion still = fr_motion_still(&part.pose);
        own = fr_motion_box_bounds(&still, &own, 0.0, 0.0);
        box = fr_bounds_union(&box, &own);
    }
    a->middle = fr_bounds_center(&box);
    a->wish = a->shown = view->pose;
    return FR_OK;
}

fr_status assembler_take(assembler *a, uint32_t part, fr_error *error) {
    fr_status status = assembler_let_go(a, error);
    if (status != FR_OK) { return status; }
    assembler_record *record = &a->records[part];
    fr_object_id id = object_of(a, part);
    status = fr_assembly_take(a->assembly, part, error);
    if (status == FR_ERROR_BUSY) {
        record->refused++;
        record->held_by = fr_assembly_held_by(a->assembly, part);
        return FR_OK;
    }
    if (status == FR_OK) { status = set_static(a, id, false); }
    if (status == FR_OK) { status = fr_space_update(a->file.space, NULL, error); }
    if (status == FR_OK) { status = learn(a, id, error); }
    if (status == FR_OK && a->aid != NULL) { status = fr_aid_grasp(a->aid, a->file.space, id, error); }
    if (status != FR_OK) {
        forget(a);
        return status;
    }
    a->held = part;
    a->is_touching = false;
    record->taken = a->time;
    record->fitted = FR_UNKNOWN;
    record->contacts = record->blocked = record->early = 0;
    memset(&a->last, 0, sizeof a->last);
    return FR_OK;
}

// Stands from now on, where the assembly has put it.
static fr_status settle(assembler *a, fr_error *error) {
    assembler_record *record = &a->records[a->held];
    fr_object_id id = object_of(a, a->held);
    fr_status status = put(a, &a->last.pose, error);
    if (status == FR_OK && a->last.has_event) { status = keep_event(a, &a->last.event, error); }
    if (status == FR_OK) { status = set_static(a, id, true); }
    if (status == FR_OK) { status = fr_space_update(a->file.space, NULL, error); }
    if (status != FR_OK) { return status; }
    record->fitted = a->time;
    // One that only went back was fitted before
    if (a->last.has_event) {
        record->distance = a->last.distance;
        record->angle = a->last.turn;
    }
    // Fitted once more after it was taken out, it comes last
    uint32_t kept = 0;
    for (uint32_t i = 0; i < a->order_count; i++) {
        if (a->order[i] != a->held) { a->order[kept++] = a->order[i]; }
    }
    a->order[kept] = a->held;
    a->order_count = kept + 1;
    if (a->aid != NULL) { fr_aid_release(a->aid, NULL); }
    forget(a);
    return FR_OK;
}

fr_status assembler_let_go(assembler *a, fr_error *error) {
    if (a->held == FR_NONE) { return FR_OK; }
    fr_status status = fr_assembly_release(a->assembly, a->file.space, a->held, &a->shown, a->time, &a->last, error);
    if (status != FR_OK) { return status; }
    if (a->last.answer == FR_ASSEMBLY_FITTED) { return settle(a, error); }
    fr_aid_output out = {0};
    if (a->aid != NULL) {
        fr_aid_release(a->aid, &out);
        status = keep_events(a, &out, error);
    }
    forget(a);
    return status;
}

// ---------------------------------------------------------------------------------------------------------------
// A frame

// About normal: the sum of twelve.
static double normal(fr_random *random) {
    double sum = -6.0;
    for (int i = 0; i < 12; i++) {
        sum += fr_random_unit(random);
    }
    return sum;
}

// Noise of the first order, whose deviation is that of the definition.
static fr_pose shaken(assembler *a) {
    const double k = 2.0 * FR_PI * TREMOR_RATE * ASSEMBLER_FRAME, share = k / (1.0 + k);
    const double more = sqrt((2.0 - share) / share);
    const double sizes[2] = {a->tremor, fr_radians(TREMOR_TURN) * 1e3 * a->tremor};
    for (int i = 0; i < 2; i++) {
        fr_vec3 noise;
        noise.x = normal(&a->random);
        noise.y = normal(&a->random);
        noise.z = normal(&a->random);
        fr_vec3 to = fr_vec3_scale(more * sizes[i], noise);
        a->shake[i] = fr_vec3_add_scaled(a->shake[i], share, fr_vec3_sub(to, a->shake[i]));
    }
    fr_pose raw = a->wish;
    fr_vec3 middle = fr_pose_apply(&raw, a->middle);
    raw.rotation = fr_quat_multiply(fr_quat_from_vector(a->shake[1]), raw.rotation);
    (void)fr_quat_normalize(&raw.rotation, NULL);
    fr_vec3 moved = fr_vec3_sub(middle, fr_pose_apply(&raw, a->middle));
    raw.position = fr_vec3_add(fr_vec3_add(raw.position, moved), a->shake[0]);
    return raw;
}

// Without the aid nothing stops the hand: what it goes into is told, and no more.
static fr_status go_free(assembler *a, const fr_pose *raw, fr_error *error) {
    fr_query_filter filter = fr_default_query_filter();
    filter.ignore = object_of(a, a->held);
    fr_move_input q = fr_default_move_input();
    q.space = a->file.space;
    q.parts = a->parts;
    q.part_count = a->part_count;
    q.motion = fr_motion_between(&a->shown, raw, a->middle);
    q.filter = &filter;
    fr_move_output move;
    fr_status status = fr_collide_move(&q, &move, error);
    if (status == FR_OK && move.hit && !a->is_touching) {
        fr_hand_event event = {.kind = FR_HAND_CONTACT, .object = filter.ignore, .time = a->time};
        event.pair.other = move.first.b;
        event.point = move.first.point;
        event.speed = fr_vec3_length(q.motion.travel) / ASSEMBLER_FRAME;
        a->records[a->held].contacts++;
        status = keep_event(a, &event, error);
    }
    a->is_touching = status == FR_OK && move.hit;
    a->shown = *raw;
    return status;
}

static fr_status go_with_aid(assembler *a, const fr_pose *raw, fr_error *error) {
    fr_aid_output out;
    fr_status status = fr_aid_frame(a->aid, a->file.space, raw, a->time, &out, error);
    if (status != FR_OK) { return status; }
    a->shown = out.shown;
    return keep_events(a, &out, error);
}

static void note_answer(assembler *a, fr_assembly_answer before) {
    assembler_record *record = &a->records[a->held];
    if (a->last.answer == before) { return; }
    if (a->last.answer == FR_ASSEMBLY_BLOCKED) {
        record->blocked++;
        record->blocker = a->last.blocker;
    }
    if (a->last.answer == FR_ASSEMBLY_EARLY) {
        record->early++;
        record->missing = a->last.missing;
    }
}

static fr_status step(assembler *a, fr_error *error) {
    if (fr_control_stop(a->control)) { return fr_error_set(error, FR_ERROR_STOPPED, "stopped"); }
    a->time += ASSEMBLER_FRAME;
    if (a->time > ASSEMBLER_LONGEST) {
        return fr_error_set(error, FR_ERROR_LIMIT, "the hand has been at work for an hour: something never ends");
    }
    if (a->held == FR_NONE) { return FR_OK; }
    fr_pose raw = shaken(a);
    fr_status status = a->aid != NULL ? go_with_aid(a, &raw, error) : go_free(a, &raw, error);
    if (status != FR_OK) { return status; }
    fr_assembly_answer before = a->last.answer;
    status = put(a, &a->shown, error);
    if (status == FR_OK) {
        status = fr_assembly_frame(a->assembly, a->file.space, a->held, &a->shown, a->time, &a->last, error);
    }
    if (status != FR_OK) { return status; }
    note_answer(a, before);
    return a->last.answer == FR_ASSEMBLY_FITTED ? settle(a, error) : FR_OK;
}

fr_status assembler_go(assembler *a, const fr_pose *to, double seconds, fr_error *error) {
    fr_motion motion = fr_motion_between(&a->wish, to, a->middle);
    if (!(seconds > 0.0)) {
        seconds = SET_OUT + fr_vec3_length(motion.travel) / SPEED + fr_vec3_length(motion.turn) / TURN_SPEED;
    }
    uint32_t part = a->held;
    double frames = ceil(seconds / ASSEMBLER_FRAME);
    for (double i = 1.0; i <= frames; i += 1.0) {
        // Least jerk (Flash and Hogan)
        double u = i / frames, s = u * u * u * (10.0 + u * (6.0 * u - 15.0));
        a->wish = i < frames ? fr_motion_pose(&motion, s) : *to;
        fr_status status = step(a, error);
        if (status != FR_OK || a->held != part) { return status; }
    }
    return FR_OK;
}
