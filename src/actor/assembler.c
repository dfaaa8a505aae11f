// An assembler: a simulated hand that takes parts, carries them and lets them go, frame by frame.
#include "actor/assembler.h"

#include "fureai/collide.h"

#include <math.h>
#include <string.h>

#define ASSEMBLER_COOKIE 0x41534d42u
#define TREMOR_RATE 3.0           // Hz, of its corner
#define TREMOR_TURN (0.35 / 0.45) // degrees a millimetre
#define SPEED 0.3                 // metres a second
#define TURN_SPEED 2.0            // radians a second
#define SET_OUT 0.3               // seconds that any motion takes besides

// ---------------------------------------------------------------------------------------------------------------
// Making

fr_assembler_def fr_default_assembler_def(void) {
    fr_assembler_def def;
    memset(&def, 0, sizeof def);
    def.seed = 1;
    def.cookie = ASSEMBLER_COOKIE;
    return def;
}

static fr_status make_tables(fr_assembler *a, const fr_assembly *assembly, fr_error *error) {
    uint32_t count = fr_assembly_count(assembly);
    fr_assembler_record *records = fr__assembler_record_array_push(&a->records, count);
    if (records == NULL || !fr_uint32_array_reserve(&a->order, count)) {
        return fr_error_set(error, FR_ERROR_MEMORY, "no memory for the parts of the assembly");
    }
    for (uint32_t i = 0; i < count; i++) {
        memset(&records[i], 0, sizeof records[i]);
        records[i].taken = records[i].fitted = FR_UNKNOWN;
        records[i].missing = records[i].held_by = FR_NONE;
    }
    return FR_OK;
}

// Pegs and edges snap too: a pin has to find its hole.
static fr_status make_aid(fr_assembler *a, fr_error *error) {
    fr_aid_def def = fr_default_aid_def();
    def.edge_reach = 0.003;
    def.axis_reach = 0.005;
    def.allocator = a->allocator;
    return fr_aid_create(&def, &a->aid, error);
}

fr_status fr_assembler_create(const fr_assembler_def *def, fr_assembler **out, fr_error *error) {
    FR_ASSERT(def != NULL && out != NULL);
    *out = NULL;
    if (def->cookie != ASSEMBLER_COOKIE) { return fr_error_set_cookie(error, "fr_default_assembler_def"); }
    bool is_right = def->space != NULL && def->assembly != NULL;
    if (!is_right || !(def->tremor >= 0.0)) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "an assembler needs a space, an assembly and a tremor >= 0");
    }
    fr_allocator allocator = fr_allocator_or_default(&def->allocator);
    fr_assembler *a = fr_allocate(&allocator, 1, sizeof *a, _Alignof(fr_assembler));
    if (a == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for an assembler"); }
    memset(a, 0, sizeof *a);
    a->allocator = allocator;
    a->space = def->space;
    a->names = def->names;
    a->control = def->control;
    a->held = FR_NONE;
    a->tremor = def->tremor;
    a->random = fr_random_seed(def->seed);
    a->records = fr__assembler_record_array_make(&allocator);
    a->order = fr_uint32_array_make(&allocator);
    a->events = fr__hand_event_array_make(&allocator);
    fr_status status = fr_space_update(a->space, NULL, error);
    if (status == FR_OK) { status = make_tables(a, def->assembly, error); }
    if (status == FR_OK && def->has_aid) { status = make_aid(a, error); }
    if (status != FR_OK) {
        fr_assembler_destroy(a);
        return status;
    }
    a->assembly = def->assembly;
    *out = a;
    return FR_OK;
}

void fr_assembler_destroy(fr_assembler *a) {
    if (a == NULL) { return; }
    fr__retained_parts_release(&a->body);
    fr__assembler_record_array_destroy(&a->records);
    fr_uint32_array_destroy(&a->order);
    fr__hand_event_array_destroy(&a->events);
    fr_aid_destroy(a->aid);
    fr_assembly_destroy(a->assembly);
    fr_allocator allocator = a->allocator;
    fr_deallocate(&allocator, a, 1, sizeof *a);
}

// ---------------------------------------------------------------------------------------------------------------
// What it is

fr_assembler_record *fr__assembler_record(const fr_assembler *a, uint32_t part) { return a->records.data + part; }

fr_assembler_output fr_assembler_get(const fr_assembler *a) {
    FR_ASSERT(a != NULL);
    return (fr_assembler_output){.assembly = a->assembly,
                                 .records = a->records.data,
                                 .part_count = (uint32_t)a->records.count,
                                 .order = a->order.data,
                                 .order_count = (uint32_t)a->order.count,
                                 .events = a->events.data,
                                 .event_count = a->events.count,
                                 .seconds = a->time,
                                 .misses = a->misses,
                                 .held = a->held,
                                 .has_aid = a->aid != NULL};
}

const char *fr_assembler_name(const fr_assembler *a, uint32_t part) {
    FR_ASSERT(a != NULL && part < fr_assembly_count(a->assembly));
    return a->names != NULL ? a->names[part] : fr_assembly_get(a->assembly, part)->name;
}

uint32_t fr_assembler_find(const fr_assembler *a, const char *name) {
    FR_ASSERT(a != NULL && name != NULL);
    for (uint32_t i = 0; i < fr_assembly_count(a->assembly); i++) {
        if (strcmp(fr_assembler_name(a, i), name) == 0) { return i; }
    }
    return FR_NONE;
}

static fr_object_id object_of(const fr_assembler *a, uint32_t part) {
    return fr_assembly_get(a->assembly, part)->object;
}

// ---------------------------------------------------------------------------------------------------------------
// Taking and letting go

static fr_status put(fr_assembler *a, const fr_pose *pose, fr_error *error) {
    fr_status status = fr_object_set_pose(a->space, object_of(a, a->held), pose, error);
    return status == FR_OK ? fr_space_update(a->space, NULL, error) : status;
}

// Sensors stay sensors.
static fr_status set_static(fr_assembler *a, fr_object_id id, bool is_static) {
    uint32_t others = fr_object_get(a->space, id)->flags & ~(uint32_t)FR_OBJECT_STATIC;
    return fr_object_set_flags(a->space, id, others | (is_static ? (uint32_t)FR_OBJECT_STATIC : 0u), NULL);
}

static fr_status add_event(fr_assembler *a, const fr_hand_event *event, fr_error *error) {
    fr_hand_event *place = fr__hand_event_array_push(&a->events, 1);
    if (place == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for what happens"); }
    *place = *event;
    return FR_OK;
}

static fr_status add_events(fr_assembler *a, const fr_aid_output *out, fr_error *error) {
    fr_status status = FR_OK;
    for (uint32_t i = 0; i < out->event_count && status == FR_OK; i++) {
        status = add_event(a, &out->events[i], error);
        if (out->events[i].kind == FR_HAND_CONTACT) { fr__assembler_record(a, a->held)->contacts++; }
    }
    return status;
}

static void forget(fr_assembler *a) {
    fr__retained_parts_release(&a->body);
    a->held = FR_NONE;
}

// The parts of what is held, and the middle of its box.
static fr_status learn(fr_assembler *a, fr_object_id id, fr_error *error) {
    if (!fr__retained_parts_take(&a->body, &a->allocator, a->space, id)) {
        return fr_error_set(error, FR_ERROR_MEMORY, "no memory for a part");
    }
    fr_bounds box = fr_bounds_empty();
    for (uint32_t i = 0; i < a->body.part_count; i++) {
        fr_bounds own = fr_mesh_get(a->body.parts[i].mesh)->bounds;
        fr_motion still = fr_motion_still(&a->body.parts[i].pose);
        own = fr_motion_box_bounds(&still, &own, 0.0, 0.0);
        box = fr_bounds_union(&box, &own);
    }
    a->middle = fr_bounds_center(&box);
    a->wish = a->shown = fr_object_get(a->space, id)->pose;
    return FR_OK;
}

fr_status fr_assembler_take(fr_assembler *a, uint32_t part, fr_error *error) {
    FR_ASSERT(a != NULL && part < fr_assembly_count(a->assembly));
    fr_status status = fr_assembler_let_go(a, error);
    if (status != FR_OK) { return status; }
    fr_assembler_record *record = fr__assembler_record(a, part);
    fr_object_id id = object_of(a, part);
    status = fr_assembly_take(a->assembly, part, error);
    if (status == FR_ERROR_BUSY) {
        record->refused++;
        record->held_by = fr_assembly_held_by(a->assembly, part);
        return FR_OK;
    }
    if (status == FR_OK) { status = set_static(a, id, false); }
    if (status == FR_OK) { status = fr_space_update(a->space, NULL, error); }
    if (status == FR_OK) { status = learn(a, id, error); }
    if (status == FR_OK && a->aid != NULL) { status = fr_aid_grasp(a->aid, a->space, id, error); }
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
static fr_status settle(fr_assembler *a, fr_error *error) {
    fr_assembler_record *record = fr__assembler_record(a, a->held);
    fr_object_id id = object_of(a, a->held);
    fr_status status = put(a, &a->last.pose, error);
    if (status == FR_OK && a->last.has_event) { status = add_event(a, &a->last.event, error); }
    if (status == FR_OK) { status = set_static(a, id, true); }
    if (status == FR_OK) { status = fr_space_update(a->space, NULL, error); }
    if (status != FR_OK) { return status; }
    record->fitted = a->time;
    // One that only went back was fitted before
    if (a->last.has_event) {
        record->distance = a->last.distance;
        record->angle = a->last.turn;
    }
    // Fitted once more after it was taken out, it comes last
    uint32_t *order = a->order.data;
    size_t kept = 0;
    for (size_t i = 0; i < a->order.count; i++) {
        if (order[i] != a->held) { order[kept++] = order[i]; }
    }
    order[kept] = a->held;
    a->order.count = kept + 1;
    if (a->aid != NULL) { fr_aid_let_go(a->aid, NULL); }
    forget(a);
    return FR_OK;
}

fr_status fr_assembler_let_go(fr_assembler *a, fr_error *error) {
    if (a->held == FR_NONE) { return FR_OK; }
    fr_status status = fr_assembly_let_go(a->assembly, a->space, a->held, &a->shown, a->time, &a->last, error);
    if (status != FR_OK) { return status; }
    if (a->last.result == FR_ASSEMBLY_FITTED) { return settle(a, error); }
    fr_aid_output out = {0};
    if (a->aid != NULL) {
        fr_aid_let_go(a->aid, &out);
        status = add_events(a, &out, error);
    }
    forget(a);
    return status;
}

// ---------------------------------------------------------------------------------------------------------------
// A frame

// Noise of the first order, whose deviation is that of the definition.
static fr_pose shaken(fr_assembler *a) {
    const double k = 2.0 * FR_PI * TREMOR_RATE * FR_ASSEMBLER_FRAME, share = k / (1.0 + k);
    const double more = sqrt((2.0 - share) / share);
    const double sizes[2] = {a->tremor, fr_radians(TREMOR_TURN) * 1e3 * a->tremor};
    for (int i = 0; i < 2; i++) {
        fr_vec3 noise;
        noise.x = fr_random_normal(&a->random);
        noise.y = fr_random_normal(&a->random);
        noise.z = fr_random_normal(&a->random);
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

// Without the aid nothing stops the hand: what it goes into is reported, and no more.
static fr_status go_free(fr_assembler *a, const fr_pose *raw, fr_error *error) {
    fr_query_filter filter = fr_default_query_filter();
    filter.ignore = object_of(a, a->held);
    fr_move_input q = fr_default_move_input();
    q.space = a->space;
    q.parts = a->body.parts;
    q.part_count = a->body.part_count;
    q.motion = fr_motion_between(&a->shown, raw, a->middle);
    q.filter = &filter;
    fr_move_output move;
    fr_status status = fr_collide_move(&q, &move, error);
    if (status == FR_OK && move.is_hit && !a->is_touching) {
        fr_hand_event event = {.kind = FR_HAND_CONTACT, .object = filter.ignore, .time = a->time};
        event.pair.other = move.first.b;
        event.point = move.first.point;
        event.speed = fr_vec3_length(q.motion.travel) / FR_ASSEMBLER_FRAME;
        fr__assembler_record(a, a->held)->contacts++;
        status = add_event(a, &event, error);
    }
    a->is_touching = status == FR_OK && move.is_hit;
    a->shown = *raw;
    return status;
}

static fr_status go_with_aid(fr_assembler *a, const fr_pose *raw, fr_error *error) {
    fr_aid_output out;
    fr_status status = fr_aid_frame(a->aid, a->space, raw, a->time, &out, error);
    if (status != FR_OK) { return status; }
    a->shown = out.shown;
    return add_events(a, &out, error);
}

static void note_result(fr_assembler *a, fr_assembly_result before) {
    fr_assembler_record *record = fr__assembler_record(a, a->held);
    if (a->last.result == before) { return; }
    if (a->last.result == FR_ASSEMBLY_BLOCKED) {
        record->blocked++;
        record->blocker = a->last.blocker;
    }
    if (a->last.result == FR_ASSEMBLY_EARLY) {
        record->early++;
        record->missing = a->last.missing;
    }
}

static fr_status step(fr_assembler *a, fr_error *error) {
    if (fr_control_is_stopped(a->control)) { return fr_error_set(error, FR_ERROR_STOPPED, "stopped"); }
    a->time += FR_ASSEMBLER_FRAME;
    if (a->time > FR_ASSEMBLER_SECONDS_MAX) {
        return fr_error_set(error, FR_ERROR_LIMIT, "the hand has been at work for an hour: something never ends");
    }
    if (a->held == FR_NONE) { return FR_OK; }
    fr_pose raw = shaken(a);
    fr_status status = a->aid != NULL ? go_with_aid(a, &raw, error) : go_free(a, &raw, error);
    if (status != FR_OK) { return status; }
    fr_assembly_result before = a->last.result;
    status = put(a, &a->shown, error);
    if (status == FR_OK) {
        status = fr_assembly_frame(a->assembly, a->space, a->held, &a->shown, a->time, &a->last, error);
    }
    if (status != FR_OK) { return status; }
    note_result(a, before);
    return a->last.result == FR_ASSEMBLY_FITTED ? settle(a, error) : FR_OK;
}

fr_status fr_assembler_go(fr_assembler *a, const fr_pose *to, double seconds, fr_error *error) {
    fr_motion motion = fr_motion_between(&a->wish, to, a->middle);
    if (!(seconds > 0.0)) {
        seconds = SET_OUT + fr_vec3_length(motion.travel) / SPEED + fr_vec3_length(motion.turn) / TURN_SPEED;
    }
    uint32_t part = a->held;
    double frames = ceil(seconds / FR_ASSEMBLER_FRAME);
    for (double i = 1.0; i <= frames; i += 1.0) {
        // Least jerk (Flash and Hogan)
        double u = i / frames, s = u * u * u * (10.0 + u * (6.0 * u - 15.0));
        a->wish = i < frames ? fr_motion_pose(&motion, s) : *to;
        fr_status status = step(a, error);
        if (status != FR_OK || a->held != part) { return status; }
    }
    return FR_OK;
}
