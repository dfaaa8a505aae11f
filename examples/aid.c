// A hand brings a block down on a table, tilted and trembling. The aid shows it flat on the table, and lets it go when
// the hand pulls far enough.
#include "fureai/fureai.h"

#include <stdio.h>

#define FRAMES 90
#define RATE 30.0

static fr_object_id add(fr_space *space, double size, double y, bool is_static) {
    fr_mesh *mesh = NULL;
    fr_object_id id = {0};
    if (fr_mesh_create_named("box", NULL, &mesh, NULL) != FR_OK) { return id; }
    fr_part_def part = fr_default_part_def();
    part.mesh = mesh;
    fr_object_def def = fr_default_object_def();
    def.parts = &part;
    def.part_count = 1;
    def.pose.scale = size;
    def.pose.position = fr_vec3_make(0.0, y, 0.0);
    def.flags = is_static ? FR_OBJECT_STATIC : 0;
    (void)fr_object_add(space, &def, &id, NULL);
    fr_mesh_release(mesh);
    return id;
}

// Down to 5 mm within the table in a second, held for one, then up.
static fr_pose hand_at(int frame) {
    double seconds = frame / RATE, height = seconds < 1.0   ? 0.13 - 0.1 * seconds
                                            : seconds < 2.0 ? 0.03
                                                            : 0.03 + 0.2 * (seconds - 2.0);
    fr_pose raw = fr_pose_identity();
    raw.rotation = fr_quat_from_axis_angle(fr_vec3_make(0.6, 0.0, 0.8), fr_radians(4.0));
    raw.position = fr_vec3_make(0.001 * (frame % 3), height, 0.0);
    raw.scale = 0.07;
    return raw;
}

int main(void) {
    fr_error error = {0};
    fr_space *space = NULL;
    fr_aid *aid = NULL;
    fr_space_def space_def = fr_default_space_def();
    fr_aid_def def = fr_default_aid_def();
    if (fr_space_create(&space_def, &space, &error) != FR_OK || fr_aid_create(&def, &aid, &error) != FR_OK) {
        return 1;
    }
    (void)add(space, 1.0, -0.5, true);
    fr_object_id block = add(space, 0.07, 0.13, false);
    bool is_right = fr_space_update(space, NULL, &error) == FR_OK && fr_aid_grasp(aid, space, block, &error) == FR_OK;
    int snaps = 0, releases = 0;
    for (int frame = 0; frame < FRAMES && is_right; frame++) {
        fr_pose raw = hand_at(frame);
        fr_aid_output out;
        is_right = fr_aid_frame(aid, space, &raw, frame / RATE, &out, &error) == FR_OK &&
                   fr_object_set_pose(space, block, &out.shown, &error) == FR_OK &&
                   fr_space_update(space, NULL, &error) == FR_OK;
        for (uint32_t i = 0; i < out.event_count && is_right; i++) {
            snaps += out.events[i].kind == FR_HAND_SNAP;
            releases += out.events[i].kind == FR_HAND_RELEASE;
            if (out.events[i].kind != FR_HAND_SNAP && out.events[i].kind != FR_HAND_RELEASE) { continue; }
            printf("%.2f s: %s, %u degrees of freedom\n", out.events[i].time, fr_hand_kind_name(out.events[i].kind),
                   out.freedom);
        }
    }
    if (!is_right) { fprintf(stderr, "%s\n", error.message); }
    fr_aid_destroy(aid);
    fr_space_destroy(space);
    return is_right && snaps == 1 && releases == 1 ? 0 : 1;
}
