// The changes of a tick to the space before the commit.
#include "world/step.h"

#include "space/object.h"
#include "world/pose_compare.h"
#include "world/world.h"

#include <string.h>

void fr__step_make(fr__step_changes *step, const fr_allocator *allocator) {
    step->touched = fr_uint32_array_make(allocator);
    step->before = fr__before_array_make(allocator);
    step->rest = fr__step_rest_array_make(allocator);
    step->marks = fr_byte_array_make(allocator);
}

void fr__step_free(fr__step_changes *step) {
    fr_uint32_array_destroy(&step->touched);
    fr__before_array_destroy(&step->before);
    fr__step_rest_array_destroy(&step->rest);
    fr_byte_array_destroy(&step->marks);
}

static unsigned char *mark_of(const fr_world *world, uint32_t index) { return world->steps.marks.data + index; }

static void forget(fr_world *world) {
    const uint32_t *touched = world->steps.touched.data;
    bool are_many = world->steps.touched.count > world->steps.marks.count / 64;
    if (are_many) { memset(world->steps.marks.data, 0, world->steps.marks.count); }
    for (size_t i = 0; !are_many && i < world->steps.touched.count; i++) {
        *mark_of(world, touched[i]) = 0;
    }
    world->steps.touched.count = 0;
}

bool fr__step_begin(fr_world *world) {
    forget(world);
    size_t places = fr_space_object_places(world->space), known = world->steps.marks.count;
    if (places > known) {
        unsigned char *marks = fr_byte_array_push(&world->steps.marks, places - known);
        if (marks == NULL) { return false; }
        memset(marks, 0, places - known);
    }
    size_t count = world->steps.marks.count;
    return fr_uint32_array_reserve(&world->steps.touched, count) &&
           fr__before_array_reserve(&world->steps.before, count) &&
           fr__step_rest_array_reserve(&world->steps.rest, count);
}

// ---------------------------------------------------------------------------------------------------------------
// One object

static void list_touched(fr_world *world, uint32_t index) {
    FR_ASSERT(world->steps.touched.count < world->steps.touched.capacity);
    world->steps.touched.data[world->steps.touched.count++] = index;
}

// Notes how an object is; false where that was done before. The caller lists it.
static bool note_before(const fr_world *world, uint32_t index, const fr_object_view *view) {
    unsigned char *mark = mark_of(world, index);
    if (*mark != 0) { return false; }
    *mark = FR__STEP_TOUCHED;
    fr__before *before = world->steps.before.data + index;
    before->moving = view->is_moving;
    before->pose = view->pose;
    if (view->is_moving) {
        before->next = view->next;
        before->motion = view->motion;
    }
    return true;
}

static void touch(fr_world *world, uint32_t index, const fr_object_view *view) {
    if (note_before(world, index, view)) { list_touched(world, index); }
}

static const fr_object_view *view_at(const fr_world *world, uint32_t index) {
    return &fr__space_object(world->space, index)->view;
}

static fr_object_id id_at(const fr_world *world, uint32_t index) { return fr__space_object_id(world->space, index); }

// Asserts that the space accepted a checked value.
static void done(fr_status status) {
    FR_ASSERT(status == FR_OK);
    (void)status;
}

void fr__step_stay(fr_world *world, uint32_t index) {
    const fr_object_view *view = view_at(world, index);
    if (!view->is_moving) { return; }
    touch(world, index, view);
    fr_pose pose = view->pose;
    done(fr_object_set_pose(world->space, id_at(world, index), &pose, NULL));
}

void fr__step_jump(fr_world *world, uint32_t index, const fr_pose *pose) {
    const fr_object_view *view = view_at(world, index);
    if (fr__pose_equal(&view->pose, pose)) {
        fr__step_stay(world, index);
        return;
    }
    touch(world, index, view);
    *mark_of(world, index) |= FR__STEP_JUMPED;
    done(fr_object_set_pose(world->space, id_at(world, index), pose, NULL));
}

void fr__step_next(fr_world *world, uint32_t index, const fr_pose *next) {
    const fr_object_view *view = view_at(world, index);
    if (fr__pose_equal(&view->pose, next)) {
        fr__step_stay(world, index);
        return;
    }
    touch(world, index, view);
    done(fr_object_set_next(world->space, id_at(world, index), next, NULL));
}

// Where the motion was made for an object that had jumped, and the jump is no longer wished, it jumps to the beginning.
void fr__step_move(fr_world *world, uint32_t index, const fr_motion *motion, const fr_pose *end) {
    const fr_object_view *view = view_at(world, index);
    if (!fr__pose_equal(&view->pose, &motion->start)) { fr__step_jump(world, index, &motion->start); }
    touch(world, index, view);
    fr_motion from_here = *motion;
    from_here.start = view->pose;
    done(fr_object_set_motion(world->space, id_at(world, index), &from_here, end, NULL));
}

bool fr__step_jumps(const fr_world *world, uint32_t index) { return (*mark_of(world, index) & FR__STEP_JUMPED) != 0; }

// ---------------------------------------------------------------------------------------------------------------
// All of them

static fr_status deform(fr_world *world, fr_error *error) {
    const fr__deform *deforms = world->wishes.deforms.data;
    for (size_t i = 0; i < world->wishes.deforms.count; i++) {
        const fr__deform *wish = &deforms[i];
        uint32_t index = wish->object.index1 - 1;
        touch(world, index, view_at(world, index));
        fr_status status =
            wish->vertices != NULL
                ? fr_object_set_next_vertices(world->space, wish->object, wish->vertices, wish->count, error)
                : fr_object_set_next_bones(world->space, wish->object, wish->bones, wish->count, error);
        if (status != FR_OK) { return status; }
    }
    return FR_OK;
}

// Carries out a wish, one after another.
static void apply_wish(fr_world *world, const fr_wish *wish) {
    uint32_t index = wish->object.index1 - 1;
    if (fr__space_object(world->space, index)->joint_up != 0) { return; }
    switch (wish->kind) {
    case FR_WISH_NEXT: fr__step_next(world, index, &wish->pose); break;
    case FR_WISH_MOTION: fr__step_move(world, index, &wish->motion, &wish->pose); break;
    case FR_WISH_JUMP: fr__step_jump(world, index, &wish->pose); break;
    default: fr__step_stay(world, index); break;
    }
}

// Wishes for one task.
#define WISH_GRAIN 128

// The most frequent wish, the next pose of an object without joints or skin, is carried out side by side with others:
// each concerns an object of its own. What concerns lists, and all other wishes, is left to one thread, which goes
// through them in their order, so that lists are the same with any number of threads.
static void apply_alone(size_t begin, size_t end, int worker, void *context) {
    fr_world *world = context;
    (void)worker;
    for (size_t i = begin; i < end; i++) {
        const fr_wish *wish = &world->wishes.list.data[i];
        fr__step_rest *rest = &world->steps.rest.data[i];
        *rest = (fr__step_rest){.index = wish->object.index1 - 1, .lists = FR__LIST_REFUSED};
        const fr__object *object = fr__space_object(world->space, rest->index);
        const fr_object_view *view = &object->view;
        if (wish->kind != FR_WISH_NEXT || object->joint_up != 0) { continue; }
        if (fr__pose_equal(&view->pose, &wish->pose)) {
            if (!view->is_moving) { rest->lists = 0; }
            continue;
        }
        if (!fr__object_may_set_alone(world->space, object)) { continue; }
        rest->is_touched = note_before(world, rest->index, view);
        rest->lists = fr__object_set_next_alone(world->space, rest->index, &wish->pose);
    }
}

fr_status fr__step_apply(fr_world *world, const fr_tasks *tasks, fr_error *error) {
    const fr_wish *wishes = world->wishes.list.data;
    size_t count = world->wishes.list.count;
    FR_ASSERT(count <= world->steps.rest.capacity);
    fr_tasks_run(tasks, FR_SCHEDULE_DYNAMIC, count, WISH_GRAIN, apply_alone, world);
    for (size_t i = 0; i < count; i++) {
        const fr__step_rest *rest = &world->steps.rest.data[i];
        if (rest->lists == FR__LIST_REFUSED) {
            apply_wish(world, &wishes[i]);
            continue;
        }
        if (rest->is_touched) { list_touched(world, rest->index); }
        fr__object_list(world->space, rest->index, rest->lists);
    }
    fr__joints_solve(world);
    return deform(world, error);
}

void fr__step_revert(fr_world *world) {
    const uint32_t *touched = world->steps.touched.data;
    for (size_t i = 0; i < world->steps.touched.count; i++) {
        const fr__before *before = &world->steps.before.data[touched[i]];
        fr_object_id id = id_at(world, touched[i]);
        done(fr_object_set_pose(world->space, id, &before->pose, NULL));
        if (before->moving) { done(fr_object_set_motion(world->space, id, &before->motion, &before->next, NULL)); }
    }
    forget(world);
}
