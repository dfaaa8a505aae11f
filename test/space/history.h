// Random histories of a space: every operation of the table, and a hash of all a space holds.
#ifndef FUREAI_TEST_HISTORY_H
#define FUREAI_TEST_HISTORY_H

#include "scene_sets.h"
#include "space/operation.h"

static inline fr_joint_id history_any_joint(scene *s) {
    fr_joint_id none = {0, 0, 0};
    uint32_t places = fr_space_joint_places(s->space);
    for (int i = 0; i < 8 && places > 0; i++) {
        fr_joint_id id = fr_space_joint_at(s->space, scene_below(s, places));
        if (id.index1 != 0) { return id; }
    }
    return none;
}

static inline fr_joint history_joint(scene *s) {
    fr_joint joint;
    memset(&joint, 0, sizeof joint);
    joint.kind = (fr_joint_kind)scene_below(s, 5);
    joint.child = scene_any(s);
    if (scene_below(s, 3) != 0) { joint.parent = scene_any(s); }
    joint.frame_parent = scene_pose(s);
    joint.frame_child = scene_pose(s);
    joint.low = scene_between(s, -2, 0);
    joint.high = scene_below(s, 2) == 0 ? INFINITY : 1;
    joint.pitch = scene_between(s, 0, 1);
    joint.value = scene_between(s, -1, 1);
    return joint;
}

// Does one operation of a kind; those that only a recording's beginning has do nothing.
static inline void history_do(scene *s, fr__operation_kind kind) {
    fr_object_id id = scene_any(s);
    fr_joint_id joint_id = history_any_joint(s);
    fr_pose pose = scene_pose(s);
    if (kind == FR__OPERATION_OBJECT_ADD) {
        (void)scene_add(s, scene_below(s, 2) == 0);
    } else if (kind == FR__OPERATION_COMMIT) {
        assert_int_equal(fr_space_commit(s->space, NULL), FR_OK);
    } else if (kind == FR__OPERATION_UPDATE) {
        scene_update(s);
    }
    if (id.index1 == 0) { return; }

    fr_joint joint = history_joint(s);
    fr_motion motion = fr_motion_still(&fr_object_get(s->space, id)->pose);
    motion.travel = scene_direction(s);
    motion.turn = scene_direction(s);
    fr_pose bones[SCENE_BONES];
    scene_bones(s, bones);
    uint32_t bone_count = fr_object_get(s->space, id)->bone_count;
    switch (kind) {
    case FR__OPERATION_OBJECT_REMOVE: assert_int_equal(fr_object_remove(s->space, id, NULL), FR_OK); break;
    case FR__OPERATION_SET_POSE: assert_int_equal(fr_object_set_pose(s->space, id, &pose, NULL), FR_OK); break;
    case FR__OPERATION_SET_NEXT: assert_int_equal(fr_object_set_next(s->space, id, &pose, NULL), FR_OK); break;
    case FR__OPERATION_SET_MOTION:
        assert_int_equal(fr_object_set_motion(s->space, id, &motion, &pose, NULL), FR_OK);
        break;
    case FR__OPERATION_SET_FILTER:
        assert_int_equal(fr_object_set_filter(s->space, id, scene_filter(s), NULL), FR_OK);
        break;
    case FR__OPERATION_SET_FLAGS:
        assert_int_equal(fr_object_set_flags(s->space, id, scene_flags(s), NULL), FR_OK);
        break;
    case FR__OPERATION_SET_VERTICES:
        if (bone_count == 0) { scene_deform(s, id); }
        break;
    case FR__OPERATION_SET_NEXT_VERTICES:
        if (bone_count == 0) { scene_deform_by(s, id, fr_object_set_next_vertices); }
        break;
    case FR__OPERATION_SKIN:
    case FR__OPERATION_SET_SKIN: scene_dress(s, id); break;
    case FR__OPERATION_SET_BONES: (void)fr_object_set_bones(s->space, id, bones, bone_count, NULL); break;
    case FR__OPERATION_SET_NEXT_BONES: (void)fr_object_set_next_bones(s->space, id, bones, bone_count, NULL); break;
    case FR__OPERATION_JOINT_ADD: (void)fr_joint_add(s->space, &joint, &joint_id, NULL); break;
    case FR__OPERATION_JOINT_REMOVE: (void)fr_joint_remove(s->space, joint_id, NULL); break;
    case FR__OPERATION_JOINT_SET: (void)fr_joint_set(s->space, joint_id, &joint, NULL); break;
    default: break;
    }
}

// Any operation; adding more often while there are few.
static inline void history_step(scene *s, uint32_t wanted) {
    bool few = fr_space_object_count(s->space) < wanted;
    fr__operation_kind kind = (fr__operation_kind)scene_below(s, FR__OPERATION_COUNT);
    if (few && scene_below(s, 3) == 0) { kind = FR__OPERATION_OBJECT_ADD; }
    if (!few && kind == FR__OPERATION_OBJECT_ADD) { kind = FR__OPERATION_OBJECT_REMOVE; }
    history_do(s, kind);
}

// ---------------------------------------------------------------------------------------------------------------
// The state

static inline uint64_t history_hash_object(const fr_space *space, fr_object_id id, uint64_t hash) {
    fr_object_view view = *fr_object_get(space, id);
    fr_versions versions = fr_object_versions(space, id);
    bool is_known = view.bone_count == 0 || (fr_space_is_current(space) && (view.flags & FR_OBJECT_GHOST) == 0);
    // A body whose bones were never set, or whose next bones were taken back, may have the meshes' own vertices or a
    // copy of them, by when it was updated: its corners are compared below.
    const fr_vec3 *vertices = view.bone_count == 0 || view.bones != NULL ? view.vertices : NULL;
    const fr_vec3 *next = is_known ? view.next_vertices : NULL;
    vertices = is_known ? vertices : NULL;
    hash = fr_hash(&id.generation, sizeof id.generation, hash);
    hash = fr_hash(&view.pose, sizeof view.pose, hash);
    hash = fr_hash(&view.next, sizeof view.next, hash);
    hash = fr_hash(&view.motion, sizeof view.motion, hash);
    hash = fr_hash(&view.pivot_local, sizeof view.pivot_local, hash);
    hash = fr_hash(&view.filter, sizeof view.filter, hash + view.is_moving);
    hash = fr_hash(&view.flags, 4 * sizeof view.flags, hash + view.bone_count); // flags and the three counts
    hash = fr_hash(&versions, sizeof versions, hash);
    if (vertices != NULL) { hash = fr_hash(vertices, view.vertex_count * sizeof *vertices, hash); }
    if (next != NULL) { hash = fr_hash(next, view.vertex_count * sizeof *next, hash); }
    if (view.bones != NULL) { hash = fr_hash(view.bones, view.bone_count * sizeof *view.bones, hash); }
    if (view.next_bones != NULL) { hash = fr_hash(view.next_bones, view.bone_count * sizeof *view.bones, hash + 1); }
    for (uint32_t t = 0; t < view.triangle_count && is_known; t++) {
        fr_vec3 corners[3];
        assert_int_equal(fr_object_corners(space, id, t, corners, NULL), FR_OK);
        hash = fr_hash(corners, sizeof corners, hash + fr_object_face(space, id, t));
    }
    return hash;
}

static inline uint64_t history_hash(const fr_space *space) {
    uint64_t hash = fr_space_object_places(space) + fr_space_is_current(space);
    for (uint32_t i = 0; i < fr_space_object_places(space); i++) {
        fr_object_id id = fr_space_object_at(space, i);
        hash = fr_hash(&id.index1, sizeof id.index1, hash);
        if (id.index1 != 0) { hash = history_hash_object(space, id, hash); }
    }
    for (uint32_t i = 0; i < fr_space_joint_places(space); i++) {
        fr_joint_id id = fr_space_joint_at(space, i);
        hash = fr_hash(&id, 2 * sizeof id.index1, hash);
        if (id.index1 == 0) { continue; }
        fr_joint joint = *fr_joint_get(space, id);
        joint.parent.space = joint.child.space = 0;
        uint32_t kind = (uint32_t)joint.kind;
        hash = fr_hash(&kind, sizeof kind, hash);
        hash = fr_hash(&joint.parent, sizeof joint - offsetof(fr_joint, parent), hash);
    }
    return hash;
}

#endif
