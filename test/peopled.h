// A world with one body, its skin and its rigid pieces, and a ball, for tests of those who move it.
#ifndef FUREAI_TEST_PEOPLED_H
#define FUREAI_TEST_PEOPLED_H

#include "frame.h"

#include "fureai/actor_person.h"

#include <string.h>

#include <cmocka.h>

#define STEP (1.0 / 60.0)

typedef struct peopled {
    fr_world *world;
    fr_cast *cast;
    fr_skeleton *skeleton;
    fr_walk_set *set;
    fr_figure *figure;
    fr_object_id skin, proxies[FR_FIGURE_PROXY_COUNT], thing;
} peopled;

static inline fr_object_id add_mesh(fr_world *world, const fr_mesh *mesh, fr_vec3 place, uint32_t flags) {
    fr_part_def part = fr_default_part_def();
    part.mesh = mesh;
    fr_object_def def = fr_default_object_def();
    def.parts = &part;
    def.part_count = 1;
    def.pose.position = place;
    def.flags = flags;
    def.filter.group = (flags & FR_OBJECT_PROXY) != 0 ? -7 : 0;
    fr_object_id id;
    assert_int_equal(fr_object_add(fr_world_space(world), &def, &id, NULL), FR_OK);
    return id;
}

static peopled shared; // skeleton, walk set and figure of all worlds

static inline int make_body(void **state) {
    (void)state;
    peopled *w = &shared;
    fr_body_def body = fr_default_body_def();
    assert_int_equal(fr_skeleton_create_body(&body, &w->skeleton, NULL), FR_OK);
    fr_walk_set_def set = fr_default_walk_set_def();
    set.skeleton = w->skeleton;
    assert_int_equal(fr_walk_set_create(&set, &w->set, NULL), FR_OK);
    fr_figure_def figure = fr_default_figure_def();
    figure.skeleton = w->skeleton;
    figure.detail = FR_FIGURE_COARSE;
    assert_int_equal(fr_figure_create(&figure, &w->figure, NULL), FR_OK);
    return 0;
}

static inline int release_body(void **state) {
    (void)state;
    fr_figure_release(shared.figure);
    fr_walk_set_release(shared.set);
    fr_skeleton_release(shared.skeleton);
    return 0;
}

// The body with its skin and pieces in a world, and a ball that it may look at.
static inline void open_world(peopled *w) {
    *w = shared;
    fr_world_def def = fr_default_world_def();
    def.step = STEP;
    assert_int_equal(fr_world_create(&def, &w->world, NULL), FR_OK);
    const fr_figure_view *view = fr_figure_get(w->figure);
    const fr_vec3 zero = {0.0, 0.0, 0.0};
    w->skin = add_mesh(w->world, view->mesh, zero, FR_OBJECT_GHOST);
    fr_space *space = fr_world_space(w->world);
    assert_int_equal(fr_object_set_skin(space, w->skin, 0, view->skin, FR_SKIN_LINEAR, NULL), FR_OK);
    for (uint32_t i = 0; i < FR_FIGURE_PROXY_COUNT; i++) {
        w->proxies[i] = add_mesh(w->world, view->proxies[i].mesh, zero, FR_OBJECT_PROXY);
    }
    fr_mesh *ball;
    assert_int_equal(fr_mesh_create_named("sphere_168", NULL, &ball, NULL), FR_OK);
    w->thing = add_mesh(w->world, ball, fr_vec3_make(0.0, 1.0, 9.0), 0);
    fr_mesh_release(ball);
    fr_cast_def cast = fr_default_cast_def();
    cast.world = w->world;
    assert_int_equal(fr_cast_create(&cast, &w->cast, NULL), FR_OK);
}

static inline fr_person_def person_def(const peopled *w) {
    fr_person_def def = fr_default_person_def();
    def.world = w->world;
    def.name = "Hana";
    def.skeleton = w->skeleton;
    def.walk_set = w->set;
    def.figure = w->figure;
    def.skin = w->skin;
    def.proxies = w->proxies;
    def.place = fr_vec3_make(1.0, 0.0, 2.0);
    def.heading = 0.5;
    return def;
}

static inline void close_world(peopled *w) {
    fr_cast_destroy(w->cast);
    fr_world_destroy(w->world);
}

static inline void tick(const peopled *w) {
    fr_error error = {0};
    if (fr_cast_tick(w->cast, NULL, &error) != FR_OK) { fail_msg("%s", error.message); }
}

// Where the skin's bones are in the world.
static inline fr_vec3 bone_place(const peopled *w, uint32_t bone) {
    const fr_object_view *view = fr_object_get(fr_world_space(w->world), w->skin);
    return fr_pose_apply(&view->pose, view->bones[bone].position);
}

#endif
