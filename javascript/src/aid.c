// The aid of one hand: what it holds stops at faces, slides along them and snaps to them.
#include "module.h"

#include "fureai/hand.h"

#include <stdlib.h>

typedef struct module_aid {
    fr_aid *aid;
    module_space *space;
    uint32_t object; // that is held; FR_NONE: none
    fr_aid_output found;
} module_aid;

EXPORT(fureai_aid_destroy) void fureai_aid_destroy(module_aid *a) {
    fr_aid_destroy(a->aid);
    free(a);
}

// `settings`: magnet, blend, edge_reach, axis_reach. The space must outlive the aid.
EXPORT(fureai_aid_create) module_aid *fureai_aid_create(module_space *space, const double *settings) {
    fr_aid_def def = fr_default_aid_def();
    def.magnet = settings[0];
    def.blend = settings[1];
    def.edge_reach = settings[2];
    def.axis_reach = settings[3];
    module_aid *a = calloc(1, sizeof *a);
    fr_status status = a != NULL ? fr_aid_create(&def, &a->aid, &module_error)
                                 : fr_error_set(&module_error, FR_ERROR_MEMORY, "no memory for an aid");
    if (status == FR_OK) {
        a->space = space;
        a->object = FR_NONE;
        return a;
    }
    free(a);
    return NULL;
}

// The space must be current, here and below.
EXPORT(fureai_aid_grasp) int fureai_aid_grasp(module_aid *a, uint32_t object) {
    const fr_space *space = module_space_get(a->space);
    fr_status status = fr_aid_grasp(a->aid, space, fr_space_object_at(space, object), &module_error);
    a->object = status == FR_OK ? object : FR_NONE;
    return status == FR_OK;
}

// One frame; the object is put where it is shown, and the space is to be updated. `out`: how many hold it, the degrees
// of freedom left, and whether something else stops it.
EXPORT(fureai_aid_frame)
int fureai_aid_frame(module_aid *a, const double *raw, double time, uint32_t out[3]) {
    fr_space *space = module_space_get(a->space);
    fr_pose pose = module_pose(raw);
    fr_status status = a->object != FR_NONE ? fr_aid_frame(a->aid, space, &pose, time, &a->found, &module_error)
                                            : fr_error_set(&module_error, FR_ERROR_ARGUMENT, "nothing is held");
    if (status == FR_OK) {
        status = fr_object_set_pose(space, fr_space_object_at(space, a->object), &a->found.shown, &module_error);
    }
    out[0] = a->found.held_count;
    out[1] = a->found.freedom;
    out[2] = a->found.is_blocked;
    return status == FR_OK;
}
