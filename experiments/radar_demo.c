// What all demonstrations of the radar share: their space, the samples of their objects, and their figures.
#include "radar_demo.h"

#include <math.h>
#include <string.h>

fr_status radar_demo_open(radar_demo *demo, const char *title, const char *about, fr_error *error) {
    *demo = (radar_demo){.title = title, .about = about, .objects = fr_array_make(sizeof(demo_object), NULL)};
    fr_space_def def = fr_default_space_def();
    fr_status status = fr_space_create(&def, &demo->space, error);
    return status == FR_OK ? fr_radar_create(NULL, &demo->radar, error) : status;
}

static demo_object *object_at(const radar_demo *demo, size_t i) { return (demo_object *)demo->objects.data + i; }

void radar_demo_close(radar_demo *demo) {
    for (size_t i = 0; i < demo->objects.count; i++) {
        fr_array_destroy(&object_at(demo, i)->samples);
    }
    fr_array_destroy(&demo->objects);
    fr_radar_destroy(demo->radar);
    fr_space_destroy(demo->space);
    *demo = (radar_demo){0};
}

static fr_status add_sample(radar_demo *demo, demo_object *object, const fr_pose *pose, fr_error *error) {
    demo_sample *last = object->samples.data;
    size_t count = object->samples.count;
    demo_sample *place =
        count > 0 && last[count - 1].time == demo->time ? &last[count - 1] : fr_array_push(&object->samples, 1);
    if (place == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for a demonstration"); }
    *place = (demo_sample){demo->time, *pose};
    return FR_OK;
}

fr_status radar_demo_add(radar_demo *demo, const fr_mesh *mesh, const demo_object *like, const fr_pose *pose,
                         fr_object_id *id, fr_error *error) {
    fr_part_def part = fr_default_part_def();
    part.mesh = mesh;
    fr_object_def def = fr_default_object_def();
    def.parts = &part;
    def.part_count = 1;
    def.pose = *pose;
    if (like->is_static) { def.flags |= FR_OBJECT_STATIC; }
    fr_status status = fr_object_add(demo->space, &def, id, error);
    if (status != FR_OK) { return status; }
    demo_object *object = fr_array_push(&demo->objects, 1);
    if (object == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for a demonstration"); }
    *object = *like;
    object->id = *id;
    object->samples = fr_array_make(sizeof(demo_sample), NULL);
    return add_sample(demo, object, pose, error);
}

const demo_object *radar_demo_object(const radar_demo *demo, fr_object_id id) {
    for (size_t i = 0; i < demo->objects.count; i++) {
        if (fr_object_id_equal(object_at(demo, i)->id, id)) { return object_at(demo, i); }
    }
    return NULL;
}

fr_status radar_demo_put(radar_demo *demo, fr_object_id id, const fr_pose *pose, fr_error *error) {
    fr_status status = fr_object_set_pose(demo->space, id, pose, error);
    if (status == FR_OK) { status = add_sample(demo, (demo_object *)radar_demo_object(demo, id), pose, error); }
    return status;
}

void radar_demo_add_figure(radar_demo *demo, const char *name, double value) {
    FR_ASSERT(demo->figure_count < DEMO_MAX_FIGURES);
    demo->figures[demo->figure_count++] = (demo_figure){name, value};
}

double radar_demo_figure(const radar_demo *demo, const char *name) {
    for (int i = 0; i < demo->figure_count; i++) {
        if (strcmp(demo->figures[i].name, name) == 0) { return demo->figures[i].value; }
    }
    return (double)NAN;
}
