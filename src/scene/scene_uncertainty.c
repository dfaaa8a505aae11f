// The errors of the poses of a scene's objects, as room collide takes them.
#include "fureai/scene.h"

static bool has_errors(const fr_scene_object *object) {
    return object->position_error > 0.0 || object->rotation_error > 0.0 || object->latency > 0.0;
}

uint32_t fr_scene_uncertainties(const fr_scene *scene, const fr_object_id *ids, uint32_t k,
                                fr_object_uncertainty *out) {
    const fr_scene_view *view = fr_scene_get(scene);
    uint32_t count = 0;
    for (uint32_t i = 0; i < view->object_count; i++) {
        const fr_scene_object *object = &view->objects[i];
        if (!has_errors(object)) { continue; }
        fr_object_uncertainty *error = &out[count++];
        *error = (fr_object_uncertainty){.id = ids[i]};
        error->uncertainty.position_error = object->position_error;
        error->uncertainty.rotation_error = object->rotation_error;
        error->uncertainty.latency = object->latency;
        fr_motion motion = fr_scene_motion(scene, i, k < view->steps ? k : view->steps - 1);
        if (object->latency > 0.0) { fr_uncertainty_set_speeds(&error->uncertainty, &motion, view->step); }
    }
    return count;
}
