// Joints that carry their children, in order from the roots.
#include "world/joint_tree.h"

#include "math/points.h"
#include "world/joint_fit.h"
#include "world/pose_compare.h"
#include "world/world.h"

#include <string.h>

void fr__joint_tree_make(fr__joint_tree *tree, const fr_allocator *allocator) {
    tree->turns = fr__joint_turn_array_make(allocator);
    tree->marks = fr_byte_array_make(allocator);
}

void fr__joint_tree_free(fr__joint_tree *tree) {
    fr__joint_turn_array_destroy(&tree->turns);
    fr_byte_array_destroy(&tree->marks);
}

// ---------------------------------------------------------------------------------------------------------------
// The order

static bool has_parent(const fr_joint *joint) { return joint->parent.index1 != 0; }

// index1 of the joint that carries this one's parent; 0: none does.
static uint32_t joint_above(const fr_space *space, uint32_t index1) {
    const fr_joint *joint = &fr__space_joints(space)[index1 - 1].joint;
    return has_parent(joint) ? fr__space_object(space, joint->parent.index1 - 1)->joint_up : 0;
}

// Lists a joint behind those that carry its parent. The chain is walked up twice: the first time to count it.
static void list_chain(fr_world *world, uint32_t index1) {
    fr__joint_tree *tree = &world->joints;
    unsigned char *marks = tree->marks.data;
    size_t length = 0;
    for (uint32_t at = index1; at != 0 && marks[at - 1] == 0; at = joint_above(world->space, at)) {
        marks[at - 1] = 1;
        length++;
    }
    fr__joint_turn *turns = fr__joint_turn_array_push(&tree->turns, length);
    FR_ASSERT(turns != NULL);
    uint32_t at = index1;
    for (size_t i = length; i > 0; i--) {
        turns[i - 1] = (fr__joint_turn){.index = at - 1};
        at = joint_above(world->space, at);
    }
}

bool fr__joints_begin(fr_world *world) {
    fr__joint_tree *tree = &world->joints;
    uint32_t places = fr_space_joint_places(world->space);
    tree->turns.count = tree->marks.count = 0;
    if (!fr__joint_turn_array_reserve(&tree->turns, places) || !fr_byte_array_reserve(&tree->marks, places)) {
        return false;
    }
    if (places == 0) { return true; }
    memset(fr_byte_array_push(&tree->marks, places), 0, places);
    for (uint32_t i = 0; i < places; i++) {
        if (fr__places_is_used(&world->space->joint_places, i)) { list_chain(world, i + 1); }
    }
    return true;
}

// ---------------------------------------------------------------------------------------------------------------
// One child

// What is needed to move a child.
typedef struct child {
    const fr_joint *joint; // as the space has it
    uint32_t index;        // place of the child
    uint32_t parent;       // place of the parent; FR_NONE: the world
    fr_pose from;          // the parent's pose before the step
    fr_pose to;            // and after it
    fr_motion carried;     // the parent's motion
    bool jumps;            // the parent jumps
} child;

static child child_of(const fr_world *world, const fr_joint *joint) {
    child c = {.joint = joint, .index = joint->child.index1 - 1, .parent = FR_NONE};
    c.from = c.to = fr_pose_identity();
    c.carried = fr_motion_still(&c.from);
    if (!has_parent(joint)) { return c; }
    c.parent = joint->parent.index1 - 1;
    const fr_object_view *view = &fr__space_object(world->space, c.parent)->view;
    c.from = view->pose;
    c.to = view->next;
    c.carried = view->motion;
    c.jumps = fr__step_jumps(world, c.parent);
    return c;
}

// The vertices of a deformed part may be newer than its trees.
static fr_bounds local_bounds(const fr__part *part) {
    if (part->vertices == NULL) { return part->bounds_local; }
    return fr__points_bounds(part->vertices, part->mesh->view.vertex_count);
}

// Bounds of all parts in the object's axes.
static fr_bounds box_of(const fr_world *world, uint32_t index) {
    const fr__object *object = fr__space_object(world->space, index);
    fr_bounds box = fr_bounds_empty();
    for (uint32_t i = 0; i < object->view.part_count; i++) {
        fr_bounds part = local_bounds(&object->parts[i]);
        for (int k = 0; k < 8; k++) {
            fr_vec3 corner =
                fr_vec3_make((k & 1) != 0 ? part.max.x : part.min.x, (k & 2) != 0 ? part.max.y : part.min.y,
                             (k & 4) != 0 ? part.max.z : part.min.z);
            box = fr_bounds_with_point(&box, fr_pose_apply(&object->parts[i].pose, corner));
        }
    }
    return box;
}

static fr_pose wished_pose(const fr_world *world, const child *c, const fr_wish *wish) {
    return wish->kind == FR_WISH_STAY ? fr__space_object(world->space, c->index)->view.pose : wish->pose;
}

// A motion about the same centre as the parent's, where the joint's value stays: the child goes with it as one body.
static fr_motion carried_motion(const child *c, const fr_pose *pose) {
    fr_vec3 centre = fr_pose_apply(&c->carried.start, c->carried.pivot_local);
    fr_pose to_child = fr_pose_inverse(pose);
    fr_motion motion = {*pose, fr_pose_apply(&to_child, centre), c->carried.travel, c->carried.turn};
    return motion;
}

// A motion about the joint's axis, where the parent does not turn.
static fr_motion joint_motion(const child *c, const fr_pose *pose, const fr_pose *next, double change) {
    fr_vec3 pivot = c->joint->frame_child.position;
    fr_vec3 travel = fr_vec3_sub(fr_pose_apply(next, pivot), fr_pose_apply(pose, pivot));
    double angle = fr__joint_turns(c->joint->kind) ? change : 0.0;
    fr_motion motion = {*pose, pivot, travel, fr_vec3_scale(angle, fr__joint_axis(c->joint, &c->from))};
    return motion;
}

// The value at which the child stands before the step: the joint's own, or the one that its owner changed. False where
// it stands at none: it was put off its joint.
static bool find_start(const fr_world *world, const child *c, double *value) {
    const fr_pose *pose = &fr__space_object(world->space, c->index)->view.pose;
    double reach = fr_vec3_largest(c->from.position);
    fr_pose at = fr__joint_pose(c->joint, &c->from, c->joint->value);
    *value = c->joint->value;
    if (fr__pose_near(&at, pose, reach)) { return true; }
    if (!fr__joint_has_value(c->joint->kind)) { return false; }
    fr_joint unlimited = *c->joint;
    unlimited.low = -INFINITY;
    unlimited.high = INFINITY;
    fr_bounds box = box_of(world, c->index);
    *value = fr__joint_fit(&unlimited, &c->from, &box, pose, false);
    at = fr__joint_pose(c->joint, &c->from, *value);
    return fr__pose_near(&at, pose, reach);
}

static bool is_zero(fr_vec3 v) { return v.x == 0.0 && v.y == 0.0 && v.z == 0.0; }

// The child goes to `next`, its joint's value changing by `change`.
static void move_child(fr_world *world, const child *c, const fr_pose *next, double change) {
    const fr_object_view *view = &fr__space_object(world->space, c->index)->view;
    fr_pose pose = view->pose;
    bool is_still = is_zero(c->carried.turn) && is_zero(c->carried.travel) && change == 0.0;
    double reach = fr_vec3_largest(c->from.position) + fr_vec3_largest(c->to.position);
    if (is_still && fr__pose_near(&pose, next, reach)) {
        fr__step_stay(world, c->index);
        return;
    }

    fr_motion motion;
    if (is_zero(c->carried.turn)) {
        motion = joint_motion(c, &pose, next, change);
    } else if (change == 0.0) {
        motion = carried_motion(c, &pose);
    } else {
        motion = fr_motion_between(&pose, next, c->joint->frame_child.position);
    }
    fr_pose end = fr_motion_pose(&motion, 1.0);
    double size = reach + fr_vec3_largest(c->joint->frame_child.position) * pose.scale;
    if (fr_motion_check(&motion, NULL) == FR_OK && fr__pose_near(&end, next, size)) {
        fr__step_move(world, c->index, &motion, next);
    } else {
        fr__step_next(world, c->index, next);
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Kinds of joints

// An attached child is carried at its place on the parent, and a wish moves it to another place there.
static bool solve_attached(fr_world *world, const child *c, const fr_wish *wish, fr__joint_turn *turn) {
    if (c->joint->kind != FR_JOINT_ATTACHED || wish == NULL) { return false; }
    fr_pose goal = wished_pose(world, c, wish), to_parent = fr_pose_inverse(&c->to);
    fr_pose on_parent = fr_pose_compose(&to_parent, &goal);
    fr_pose frame = fr_pose_compose(&on_parent, &c->joint->frame_child);
    if (fr_pose_check(&frame, NULL) != FR_OK) { return false; }
    if (!fr__pose_equal(&frame, &c->joint->frame_parent)) {
        turn->joint.frame_parent = frame;
        turn->is_changed = true;
    }
    switch (wish->kind) {
    case FR_WISH_NEXT: fr__step_next(world, c->index, &goal); break;
    case FR_WISH_MOTION: fr__step_move(world, c->index, &wish->motion, &goal); break;
    case FR_WISH_JUMP: fr__step_jump(world, c->index, &goal); break;
    default: fr__step_stay(world, c->index); break;
    }
    return true;
}

static int limit_reached(const fr_joint *before, double value) {
    if (!fr__joint_has_value(before->kind) || value == before->value) { return 0; }
    if (value == before->low) { return -1; }
    return value == before->high ? 1 : 0;
}

static void solve(fr_world *world, fr__joint_turn *turn) {
    const fr_joint *joint = &fr__space_joints(world->space)[turn->index].joint;
    child c = child_of(world, joint);
    const fr_wish *wish = fr__wishes_at(&world->wishes, c.index);
    turn->joint = *joint;
    turn->is_changed = false;
    turn->limit = 0;
    if (solve_attached(world, &c, wish, turn)) { return; }

    bool jumps = c.jumps || (wish != NULL && wish->kind == FR_WISH_JUMP);
    double value = joint->value;
    if (fr__joint_has_value(joint->kind)) {
        value = fr__joint_clamp(joint, joint->value);
        if (wish != NULL) {
            fr_bounds box = box_of(world, c.index);
            fr_pose goal = wished_pose(world, &c, wish);
            value = fr__joint_fit(joint, &c.to, &box, &goal, wish->kind == FR_WISH_JUMP);
        }
    }
    fr_pose next = fr__joint_pose(joint, &c.to, value);
    if (fr_pose_check(&next, NULL) != FR_OK) {
        fr__step_stay(world, c.index);
        return;
    }
    turn->limit = limit_reached(joint, value);
    turn->is_changed = value != joint->value;
    turn->joint.value = value;
    double start;
    if (jumps || !find_start(world, &c, &start)) {
        fr__step_jump(world, c.index, &next);
    } else {
        move_child(world, &c, &next, value - start);
    }
}

void fr__joints_solve(fr_world *world) {
    fr__joint_turn *turns = world->joints.turns.data;
    for (size_t i = 0; i < world->joints.turns.count; i++) {
        solve(world, &turns[i]);
    }
}

void fr__joints_write(fr_world *world) {
    const fr__joint_turn *turns = world->joints.turns.data;
    for (size_t i = 0; i < world->joints.turns.count; i++) {
        if (!turns[i].is_changed) { continue; }
        fr_joint_id id = fr_space_joint_at(world->space, turns[i].index);
        fr_status status = fr_joint_set(world->space, id, &turns[i].joint, NULL);
        FR_ASSERT(status == FR_OK);
        (void)status;
    }
}
