// A scene: its memory, and the poses that its joints give.
#include "scene/scene.h"

#include <stdalign.h>

fr_scene *fr__scene_make(const fr_allocator *allocator) {
    fr_scene *scene = fr_allocate(allocator, 1, sizeof *scene, alignof(fr_scene));
    if (scene == NULL) { return NULL; }
    *scene = (fr_scene){.allocator = fr_allocator_or_default(allocator)};
    scene->objects = fr__scene_object_array_make(&scene->allocator);
    scene->samples = fr__scene_sample_array_make(&scene->allocator);
    scene->states = fr__scene_state_array_make(&scene->allocator);
    scene->joints = fr__scene_joint_array_make(&scene->allocator);
    scene->boxes = fr__scene_box_array_make(&scene->allocator);
    scene->plans = fr__scene_plan_array_make(&scene->allocator);
    scene->seeks = fr__scene_seek_array_make(&scene->allocator);
    scene->tasks = fr__scene_task_array_make(&scene->allocator);
    scene->people = fr__scene_person_array_make(&scene->allocator);
    scene->fits = fr__scene_fit_array_make(&scene->allocator);
    scene->after = fr_uint32_array_make(&scene->allocator);
    scene->framed = fr_uint32_array_make(&scene->allocator);
    if (fr_arena_create(0, &scene->allocator, &scene->strings, NULL) != FR_OK) {
        fr_scene_destroy(scene);
        return NULL;
    }
    return scene;
}

void fr_scene_destroy(fr_scene *scene) {
    if (scene == NULL) { return; }
    fr_allocator allocator = scene->allocator;
    fr__scene_sample_array_destroy(&scene->samples);
    fr__scene_state_array_destroy(&scene->states);
    fr__scene_joint_array_destroy(&scene->joints);
    fr__scene_box_array_destroy(&scene->boxes);
    fr__scene_plan_array_destroy(&scene->plans);
    fr__scene_seek_array_destroy(&scene->seeks);
    fr__scene_task_array_destroy(&scene->tasks);
    fr__scene_person_array_destroy(&scene->people);
    fr__scene_fit_array_destroy(&scene->fits);
    fr_uint32_array_destroy(&scene->after);
    fr_uint32_array_destroy(&scene->framed);
    fr__scene_object_array_destroy(&scene->objects);
    if (scene->strings != NULL) { fr_arena_destroy(scene->strings); }
    fr_deallocate(&allocator, scene, 1, sizeof *scene);
}

const fr_scene_view *fr_scene_get(const fr_scene *scene) { return &scene->view; }

double fr_scene_time(const fr_scene *scene, uint32_t k) { return scene->view.step * (double)k; }

// ---------------------------------------------------------------------------------------------------------------
// Where objects are

static fr_pose sample_pose(const fr_scene_object *object, uint32_t i) {
    return (fr_pose){object->path[i].rotation, object->path[i].position, object->pose.scale};
}

// The last sample that is not later than `time`, which lies behind the first.
static uint32_t sample_before(const fr_scene_object *object, double time) {
    uint32_t low = 0, high = object->path_count;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (object->path[middle].time <= time) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

static fr_pose path_pose(const fr_scene_object *object, double time) {
    uint32_t last = object->path_count - 1;
    if (time <= object->path[0].time) { return sample_pose(object, 0); }
    if (time >= object->path[last].time) { return sample_pose(object, last); }

    uint32_t i = sample_before(object, time);
    fr_pose from = sample_pose(object, i), to = sample_pose(object, i + 1);
    double begin = object->path[i].time;
    double fraction = (time - begin) / (object->path[i + 1].time - begin);
    fr_motion motion = fr_motion_between(&from, &to, object->pivot_local);
    return fr_motion_pose(&motion, fraction);
}

// Whether its velocities move an object; one that stays is where the file puts it, to the last bit.
static bool has_velocity(const fr_scene_object *object) {
    fr_vec3 zero = {0.0, 0.0, 0.0};
    return !fr_vec3_equal(object->velocity, zero) || !fr_vec3_equal(object->angular_velocity, zero);
}

fr_pose fr_scene_pose(const fr_scene *scene, uint32_t object, uint32_t k) {
    FR_ASSERT(object < scene->view.object_count && k <= scene->view.steps);
    const fr_scene_object *o = &scene->view.objects[object];
    double time = fr_scene_time(scene, k);
    if (o->path != NULL) { return path_pose(o, time); }
    if (k == 0 || !has_velocity(o)) { return o->pose; }
    fr_motion motion = fr_motion_from_velocity(&o->pose, o->pivot_local, o->velocity, o->angular_velocity, time);
    return fr_motion_pose(&motion, 1.0);
}

fr_motion fr_scene_motion(const fr_scene *scene, uint32_t object, uint32_t k) {
    FR_ASSERT(k < scene->view.steps);
    const fr_scene_object *o = &scene->view.objects[object];
    fr_pose start = fr_scene_pose(scene, object, k);
    if (o->path != NULL) {
        fr_pose end = fr_scene_pose(scene, object, k + 1);
        return fr_motion_between(&start, &end, o->pivot_local);
    }
    if (!has_velocity(o)) { return fr_motion_still(&start); }
    return fr_motion_from_velocity(&start, o->pivot_local, o->velocity, o->angular_velocity, scene->view.step);
}

// ---------------------------------------------------------------------------------------------------------------
// Joints

// The joint's frame in the world at time 0: its z is the axis.
static fr_pose joint_frame(const fr_scene_joint *joint) {
    return fr_pose_make(joint->position, fr_quat_between(fr_vec3_make(0.0, 0.0, 1.0), joint->axis));
}

// How far the joint has gone at time 0.
static fr_pose joint_motion(const fr_scene_joint *joint) {
    const fr_vec3 z = {0.0, 0.0, 1.0};
    fr_pose motion = fr_pose_identity();
    bool turns = joint->kind == FR_JOINT_HINGE || joint->kind == FR_JOINT_SCREW;
    if (turns) { motion.rotation = fr_quat_from_axis_angle(z, joint->value); }
    if (joint->kind == FR_JOINT_SLIDER) { motion.position.z = joint->value; }
    if (joint->kind == FR_JOINT_SCREW) { motion.position.z = joint->pitch * joint->value; }
    return motion;
}

fr_joint fr__scene_joint(const fr_scene *scene, uint32_t joint, fr_object_id parent, fr_object_id child) {
    const fr_scene_joint *j = &scene->view.joints[joint];
    fr_pose of_parent = fr_pose_identity(), of_child = fr_scene_pose(scene, j->child, 0);
    if (j->parent != FR_NONE) { of_parent = fr_scene_pose(scene, j->parent, 0); }
    fr_pose frame = joint_frame(j), motion = joint_motion(j);
    fr_pose moved = fr_pose_compose(&frame, &motion);
    fr_pose to_parent = fr_pose_inverse(&of_parent), to_child = fr_pose_inverse(&of_child);
    fr_joint made = {.kind = j->kind, .parent = parent, .child = child};
    made.frame_parent = fr_pose_compose(&to_parent, &frame);
    made.frame_child = fr_pose_compose(&to_child, &moved);
    made.low = j->low;
    made.high = j->high;
    made.pitch = j->pitch;
    made.value = j->value;
    return made;
}

uint32_t fr__scene_object_of(const fr_scene *scene, const void *user) {
    uintptr_t at = (uintptr_t)user, first = (uintptr_t)scene->view.objects;
    size_t offset = at - first;
    bool is_ours = user != NULL && at >= first && offset < scene->view.object_count * sizeof(fr_scene_object);
    return is_ours ? (uint32_t)(offset / sizeof(fr_scene_object)) : FR_NONE;
}
