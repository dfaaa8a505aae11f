#include "sweep_layer.h"

#include "fureai/sector.h"

enum { MOST_SECTORS = 64 };

#define LEAST_TURN 0.1 // radians over the time ahead; what turns less is not drawn

typedef struct sector_list {
    fr_sector sectors[MOST_SECTORS];
    int count;
} sector_list;

// The corners of the parts' boxes, in the world; as many parts as fit.
static size_t corners_of(const fr_space *space, fr_object_id id, const fr_object_view *object, fr_vec3 *corners) {
    size_t count = 0;
    for (uint32_t p = 0; p < object->part_count && count + 8 <= FR_HULL_MAX_POINTS; p++) {
        fr_part_view part = fr_object_part(space, id, p);
        const fr_bounds *box = &fr_mesh_get(part.mesh)->bounds;
        for (int i = 0; i < 8; i++) {
            fr_vec3 v = {i & 1 ? box->max.x : box->min.x, i & 2 ? box->max.y : box->min.y,
                         i & 4 ? box->max.z : box->min.z};
            corners[count++] = fr_pose_apply(&object->pose, fr_pose_apply(&part.pose, v));
        }
    }
    return count;
}

// What an object sweeps when it goes on as in this step, `steps` of them.
static bool sector_of(const fr_space *space, fr_object_id id, double steps, fr_sector *out) {
    const fr_object_view *object = fr_object_get(space, id);
    if (object == NULL || !object->moving) { return false; }
    fr_motion motion = object->motion;
    motion.turn = fr_vec3_scale(steps, motion.turn);
    motion.travel = fr_vec3_scale(steps, motion.travel);
    if (fr_vec3_length(motion.turn) < LEAST_TURN) { return false; }
    fr_vec3 corners[FR_HULL_MAX_POINTS];
    fr_convex body = {corners, corners_of(space, id, object, corners), 0.0};
    return fr_sector_of_motion(&body, &motion, out, NULL) == FR_OK;
}

static void paint(const fr_draw *draw, void *user) {
    const sector_list *list = user;
    const fr_color fill = {240, 190, 90, 60}, line = {200, 140, 40, 200};
    for (int i = 0; i < list->count; i++) {
        fr_sector_draw(&list->sectors[i], draw, fill, line);
    }
}

// A corrector that corrects nothing: it only looks.
static fr_status propose(const fr_proposal *proposal, fr_wishes *wishes, void *user, fr_error *error) {
    (void)wishes;
    const sweep_layer *layer = user;
    if (layer->server == NULL) { return FR_OK; }
    sector_list list = {.count = 0};
    uint32_t places = fr_space_object_places(proposal->space);
    for (uint32_t i = 0; i < places && list.count < MOST_SECTORS; i++) {
        fr_object_id id = fr_space_object_at(proposal->space, i);
        list.count += sector_of(proposal->space, id, layer->ahead / proposal->step, &list.sectors[list.count]);
    }
    return fr_server_draw(layer->server, "sweeps", paint, &list, error);
}

fr_status sweep_layer_join(sweep_layer *layer, fr_world *world) {
    if (!(layer->ahead > 0.0)) { return FR_OK; }
    const fr_corrector looker = {.name = "sweeps", .propose = propose, .user = layer};
    return fr_world_add_corrector(world, &looker);
}
