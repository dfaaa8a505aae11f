// A world that lives: a door on a hinge is pushed by a person, comes to its limit and touches a box that goes by.
#include "fureai/fureai.h"

#include <stdio.h>

static fr_object_id add_box(fr_world *world, const fr_mesh *mesh, double x, const char *name) {
    fr_part_def part = fr_default_part_def();
    part.mesh = mesh;
    fr_object_def def = fr_default_object_def();
    def.parts = &part;
    def.part_count = 1;
    def.pose.position.x = x;
    fr_object_id id = {0, 0, 0};
    fr_label label = fr_default_label();
    label.name = name;
    fr_object_add(fr_world_space(world), &def, &id, NULL);
    fr_world_set_label(world, id, &label, NULL);
    return id;
}

// What moves by itself: the box goes along x.
static fr_status go(const fr_proposal *proposal, fr_wishes *wishes, void *user, fr_error *error) {
    fr_wish wish = {.object = *(fr_object_id *)user, .kind = FR_WISH_NEXT};
    wish.pose = fr_object_get(proposal->space, wish.object)->pose;
    wish.pose.position.x -= 25.0 * proposal->step;
    return fr_wishes_add(wishes, &wish, error);
}

int main(void) {
    fr_world_def def = fr_default_world_def();
    fr_mesh *mesh;
    fr_world *world;
    if (fr_world_create(&def, &world, NULL) != FR_OK) { return 1; }
    if (fr_mesh_create_named("box", NULL, &mesh, NULL) != FR_OK) { return 1; }
    fr_object_id door = add_box(world, mesh, 0.0, "door"), box = add_box(world, mesh, 3.0, "box");
    fr_joint hinge = {.kind = FR_JOINT_HINGE, .child = door, .low = 0.0, .high = fr_radians(45.0)};
    hinge.frame_parent = hinge.frame_child = fr_pose_make(fr_vec3_make(-0.5, 0, 0), fr_quat_identity());
    if (fr_joint_add(fr_world_space(world), &hinge, &(fr_joint_id){0}, NULL) != FR_OK) { return 1; }
    fr_world_add_mover(world, &(fr_corrector){"go", go, &box}, NULL);

    int printed = 0;
    for (int i = 0; i < 12; i++) {
        fr_pose hand = fr_pose_make(fr_vec3_make(0, 0.2 * i, 0), fr_quat_identity());
        if (fr_world_drag(world, door, &hand, NULL) != FR_OK || fr_world_tick(world, NULL, NULL) != FR_OK) { return 1; }
        const fr_snapshot *snapshot = fr_world_snapshot(world);
        for (size_t k = 0; k < snapshot->event_count; k++) {
            const fr_event *event = &snapshot->events[k];
            const char *what = event->kind == FR_EVENT_TOUCH_BEGIN ? "touches the box" : "is at its limit";
            if (event->kind != FR_EVENT_TOUCH_BEGIN && event->kind != FR_EVENT_LIMIT) { continue; }
            printed += printf("%.2f s: the %s %s\n", event->time, fr_world_label(world, event->a).name, what) > 0;
        }
        fr_snapshot_release(snapshot);
    }
    fr_world_destroy(world);
    fr_mesh_release(mesh);
    return printed == 2 ? 0 : 1;
}
