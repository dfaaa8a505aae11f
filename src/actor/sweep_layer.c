// An actor that only draws: what turning objects are about to sweep.
#include "fureai/actor.h"
#include "fureai/sector.h"

#include <string.h>

enum { SECTORS_MAX = 64 };

#define SWEEP_COOKIE 0x53574550u
#define TURN_MIN 0.1 // radians over the time ahead; what turns less is not drawn

typedef struct fr__sweep_layer {
    fr_allocator allocator;
    double seconds; // ahead
} fr__sweep_layer;

typedef struct sector_list {
    fr_sector sectors[SECTORS_MAX];
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
    if (object == NULL || !object->is_moving) { return false; }
    fr_motion motion = object->motion;
    motion.turn = fr_vec3_scale(steps, motion.turn);
    motion.travel = fr_vec3_scale(steps, motion.travel);
    if (fr_vec3_length(motion.turn) < TURN_MIN) { return false; }
    fr_vec3 corners[FR_HULL_MAX_POINTS];
    fr_convex body = {corners, corners_of(space, id, object, corners), 0.0};
    return fr_sector_of_motion(&body, &motion, out, NULL) == FR_OK;
}

static void paint_sectors(const fr_draw *draw, void *user) {
    const sector_list *list = user;
    const fr_color fill = {240, 190, 90, 60}, line = {200, 140, 40, 200};
    for (int i = 0; i < list->count; i++) {
        fr_sector_draw(&list->sectors[i], draw, fill, line);
    }
}

static void paint(fr_painter *painter, const fr_proposal *proposal, void *user) {
    const fr__sweep_layer *sweeps = user;
    sector_list list = {.count = 0};
    uint32_t places = fr_space_object_places(proposal->space);
    for (uint32_t i = 0; i < places && list.count < SECTORS_MAX; i++) {
        fr_object_id id = fr_space_object_at(proposal->space, i);
        list.count += sector_of(proposal->space, id, sweeps->seconds / proposal->step, &list.sectors[list.count]);
    }
    const fr_cast_layer layer = {.name = "sweeps", .paint = paint_sectors, .user = &list};
    (void)fr_painter_draw(painter, &layer, NULL);
}

static void leave(void *user) {
    fr__sweep_layer *sweeps = user;
    fr_allocator allocator = sweeps->allocator;
    fr_deallocate(&allocator, sweeps, 1, sizeof *sweeps);
}

fr_sweep_layer_def fr_default_sweep_layer_def(void) {
    fr_sweep_layer_def def;
    memset(&def, 0, sizeof def);
    def.seconds = 1.0;
    def.cookie = SWEEP_COOKIE;
    return def;
}

fr_status fr_sweep_layer_create(const fr_sweep_layer_def *def, fr_actor *out, fr_error *error) {
    FR_ASSERT(def != NULL && out != NULL);
    if (def->cookie != SWEEP_COOKIE) { return fr_error_set_cookie(error, "fr_default_sweep_layer_def"); }
    if (!(def->seconds > 0.0)) { return fr_error_set(error, FR_ERROR_ARGUMENT, "sweeps need a time ahead"); }
    fr_allocator allocator = fr_allocator_or_default(&def->allocator);
    fr__sweep_layer *sweeps = fr_allocate(&allocator, 1, sizeof *sweeps, _Alignof(fr__sweep_layer));
    if (sweeps == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for a layer"); }
    *sweeps = (fr__sweep_layer){allocator, def->seconds};
    *out = (fr_actor){.name = "sweeps", .paint = paint, .leave = leave, .user = sweeps};
    return FR_OK;
}
