// A world with hands, driven by inputs, in which nothing may ever be in anything.
#ifndef FUREAI_TEST_ACTOR_HANDS_ROOM_H
#define FUREAI_TEST_ACTOR_HANDS_ROOM_H

#include "demo.h"

#include "fureai/actor.h"

typedef struct hands_room {
    fr_scene *scene;
    fr_world *world;
    fr_cast *cast;
    fr_hands *hands;             // NULL: the scene gives none
    fr_object_id table, a, b, c; // by these names; all zeros where there is none
    uint64_t hash;               // of all ticks so far
} hands_room;

// A room of a scene, which becomes the room's; its models are in the folder.
static inline void open_scene_room(hands_room *r, fr_scene *scene, const char *folder) {
    memset(r, 0, sizeof *r);
    r->scene = scene;
    r->world = demo_world(scene, folder, FR_SENSE_STATIC);
    assert_int_equal(fr_scene_cast(r->scene, r->world, NULL, &r->cast, NULL), FR_OK);
    const fr_actor *hands = fr_cast_find(r->cast, "hands");
    r->hands = hands != NULL ? hands->user : NULL;
    r->table = fr_world_find(r->world, "table");
    r->a = fr_world_find(r->world, "a");
    r->b = fr_world_find(r->world, "b");
    r->c = fr_world_find(r->world, "c");
}

static inline void open_room(hands_room *r, const char *text) {
    fr_scene *scene;
    fr_error error = {0};
    if (fr_scene_read(text, strlen(text), NULL, &scene, &error) != FR_OK) { fail_msg("%s", error.message); }
    open_scene_room(r, scene, NULL);
}

// A scene of the demos, with its models.
static inline void open_demo(hands_room *r, const char *folder, const char *name) {
    open_scene_room(r, demo_read(folder, name), folder);
}

static inline void close_room(hands_room *r) {
    fr_cast_destroy(r->cast);
    fr_world_destroy(r->world);
    fr_scene_destroy(r->scene);
}

static inline fr_pose pose_of(const hands_room *r, fr_object_id object) {
    return fr_object_get(fr_world_space(r->world), object)->pose;
}

// A person grabs an object.
static inline fr_status grab(hands_room *r, fr_object_id object, fr_error *error) {
    const fr_claim claim = {.object = object, .rank = FR_RANK_PERSON, .holder = 1};
    return fr_cast_grab(r->cast, &claim, error);
}

static inline size_t events_of(const hands_room *r, fr_event_kind kind, fr_event *last) {
    const fr_snapshot *snapshot = fr_world_snapshot(r->world);
    size_t count = 0;
    for (size_t i = 0; i < snapshot->event_count; i++) {
        if (snapshot->events[i].kind != kind) { continue; }
        count++;
        if (last != NULL) { *last = snapshot->events[i]; }
    }
    fr_snapshot_release(snapshot);
    return count;
}

// One tick, after which nothing is in anything.
static inline void tick(hands_room *r) {
    fr_error error = {0};
    if (fr_world_tick(r->world, NULL, &error) != FR_OK) { fail_msg("%s", error.message); }
    const fr_snapshot *snapshot = fr_world_snapshot(r->world);
    uint64_t hash = fr_snapshot_hash(snapshot);
    r->hash = fr_hash(&hash, sizeof hash, r->hash);
    for (size_t i = 0; i < snapshot->touch_count; i++) {
        if (snapshot->touches[i].relation > FR_RELATION_TOUCHING) {
            fail_msg("tick %u: %u is in %u", (unsigned)snapshot->tick, snapshot->touches[i].a.index1,
                     snapshot->touches[i].b.index1);
        }
    }
    fr_snapshot_release(snapshot);
}

static inline void hold(const hands_room *r, fr_object_id object, fr_vec3 place, fr_quat turn) {
    fr_pose raw = pose_of(r, object);
    raw.position = place;
    raw.rotation = turn;
    assert_int_equal(fr_world_drag(r->world, object, &raw, NULL), FR_OK);
}

// Leads an object from where it is to a place in so many ticks; how many events of a kind there were.
static inline size_t lead(hands_room *r, fr_object_id object, fr_vec3 to, int ticks, fr_event_kind kind) {
    fr_pose from = pose_of(r, object);
    size_t count = 0;
    for (int i = 1; i <= ticks; i++) {
        double t = (double)i / ticks;
        hold(r, object, fr_vec3_add_scaled(fr_vec3_scale(1.0 - t, from.position), t, to), from.rotation);
        tick(r);
        count += events_of(r, kind, NULL);
    }
    return count;
}

static inline void rest(hands_room *r, int ticks_max) {
    for (int i = 0; i < ticks_max && fr_hands_count(r->hands) > 0; i++) {
        tick(r);
    }
    assert_int_equal(fr_hands_count(r->hands), 0);
}

#endif
