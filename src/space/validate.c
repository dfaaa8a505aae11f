// The check of a space's structure.
#include "space/broad_phase.h"
#include "space/object.h"
#include "space/part.h"
#include "space/skin.h"

#include <string.h>

static bool wrong(fr_error *error, const char *what, uint32_t index) {
    (void)fr_error_set(error, FR_ERROR_CORRUPT, "space: %s (%u)", what, index);
    return false;
}

// Checks that each object in the list is marked, and each marked object is in it once.
static bool check_list(const fr_space *space, const fr_uint32_array *list, bool is_moving, fr_error *error) {
    const uint32_t *entries = list->data;
    uint32_t marked = 0;
    for (uint32_t i = 0; i < fr__places_count(&space->object_places); i++) {
        const fr__object *object = &fr__space_objects(space)[i];
        marked += is_moving ? object->is_listed_moving : fr__object_is_changed(space, object);
    }
    if (marked != list->count) { return wrong(error, "a list and its marks differ", marked); }
    for (size_t i = 0; i < list->count; i++) {
        const fr__object *object = &fr__space_objects(space)[entries[i]];
        if (!(is_moving ? object->is_listed_moving : fr__object_is_changed(space, object))) {
            return wrong(error, "an object is listed and not marked", entries[i]);
        }
    }
    return true;
}

static bool check_joints(const fr_space *space, fr_error *error) {
    for (uint32_t i = 0; i < fr__places_count(&space->joint_places); i++) {
        if (!fr__places_is_used(&space->joint_places, i)) { continue; }
        const fr__joint *joint = &fr__space_joints(space)[i];
        const fr__object *child = fr__space_find(space, joint->joint.child);
        if (child == NULL || child->joint_up != i + 1) { return wrong(error, "a joint and its child differ", i); }
        if (joint->joint.parent.index1 == 0) { continue; }
        const fr__object *parent = fr__space_find(space, joint->joint.parent);
        if (parent == NULL) { return wrong(error, "a joint has lost its parent", i); }
        uint32_t at = parent->joint_down;
        while (at != 0 && at != i + 1) {
            at = fr__space_joints(space)[at - 1].next;
        }
        if (at == 0) { return wrong(error, "a joint is not among its parent's", i); }
    }
    return true;
}

static bool check_object(const fr_space *space, uint32_t index, fr_error *error) {
    const fr__object *object = fr__space_object(space, index);
    const fr_object_view *view = &object->view;
    uint64_t triangles = 0, vertices = 0;
    for (uint32_t i = 0; i < view->part_count; i++) {
        const fr__part *part = &object->parts[i];
        if (part->first_triangle != triangles || part->first_vertex != vertices) {
            return wrong(error, "the parts do not follow one another", index);
        }
        triangles += part->mesh->view.triangle_count;
        vertices += part->mesh->view.vertex_count;
    }
    if (triangles != view->triangle_count || vertices != view->vertex_count) {
        return wrong(error, "the counts of an object are not its parts'", index);
    }
    fr__frame frame = fr__frame_make(&view->pose);
    if (memcmp(&frame, &object->frame, sizeof frame) != 0) { return wrong(error, "a frame is not its pose's", index); }
    if (view->is_moving && !object->is_listed_moving) { return wrong(error, "a moving object is not listed", index); }
    if ((view->vertices != NULL) != (object->vertices != NULL) && !fr__object_is_unskinned(object)) {
        return wrong(error, "vertices are half set", index);
    }
    return true;
}

// Checks that after an update the proxies, boxes and trees belong to the objects.
static bool check_derived(const fr_space *space, uint32_t index, fr_error *error) {
    const fr__object *object = fr__space_object(space, index);
    const fr__proxy_set *set = &space->sets[fr__set_of(object->view.flags)];
    double path_size = fr__object_path_size(object);
    if (space->path_sizes.data[index] != path_size || !(path_size <= space->path_size)) {
        return wrong(error, "the size of a path is old", index);
    }
    for (uint32_t i = 0; i < object->view.part_count; i++) {
        const fr__part *part = &object->parts[i];
        if (part->proxy >= set->proxies.count) { return wrong(error, "a part has no proxy", index); }
        fr__proxy proxy = fr__set_proxies(set)[part->proxy];
        fr_box box = fr_box_of_bounds(&part->bounds_world, space->origin);
        bool is_own = proxy.object == index && proxy.part == i && proxy.flags == object->view.flags &&
                      memcmp(&proxy.filter, &object->view.filter, sizeof proxy.filter) == 0;
        if (!is_own) { return wrong(error, "a proxy is another's", index); }
        if (memcmp(&box, &fr__set_boxes(set)[part->proxy], sizeof box) != 0) {
            return wrong(error, "a box is old", index);
        }
        if (part->vertices != NULL && part->tree != part->own_tree) { return wrong(error, "a tree is old", index); }
        bool has_local = part->vertices != NULL && fr__object_is_fresh(object);
        bool is_unskinned = fr__object_is_unskinned(object) && object->view.bones != NULL;
        for (uint32_t t = 0; t < part->mesh->view.triangle_count && !is_unskinned; t++) {
            fr_vec3 corners[3];
            fr__part_corners(object, part, t, corners);
            for (int k = 0; k < 3; k++) {
                if (!fr_bounds_contain_point(&part->bounds_world, corners[k])) {
                    return wrong(error, "a corner is outside its part's box", index);
                }
            }
            fr__part_corners_local(part, t, corners);
            for (int k = 0; k < 3 && has_local; k++) {
                if (!fr_bounds_contain_point(&part->bounds_local, corners[k])) {
                    return wrong(error, "a corner is outside its part's tree", index);
                }
            }
        }
    }
    return true;
}

static size_t count_boxes(const fr_space *space) {
    size_t count = 0;
    for (int i = 0; i < FR__SET_ALL; i++) {
        count += space->sets[i].boxes.count;
    }
    return count;
}

bool fr_space_validate(const fr_space *space, fr_error *error) {
    FR_ASSERT(space != NULL);
    uint32_t used = 0, parts = 0;
    for (uint32_t i = 0; i < fr__places_count(&space->object_places); i++) {
        if (!fr__places_is_used(&space->object_places, i)) { continue; }
        used++;
        parts += fr__space_object(space, i)->view.part_count;
        if (!check_object(space, i, error)) { return false; }
        if (space->is_current && !check_derived(space, i, error)) { return false; }
    }
    if (used != space->object_places.used_count) { return wrong(error, "the objects are miscounted", used); }
    if (parts != space->part_count) { return wrong(error, "the parts are miscounted", parts); }
    if (!check_list(space, &space->changed, false, error) || !check_list(space, &space->moving, true, error)) {
        return false;
    }
    for (int i = 0; i < FR__SET_COUNT && space->is_current; i++) {
        const fr__proxy_set *set = &space->sets[i];
        if (set->tree == NULL || fr_tree_get_stats(set->tree).item_count != set->boxes.count) {
            return wrong(error, "a tree is over other boxes", (uint32_t)i);
        }
        if (!fr_tree_validate(set->tree, error)) { return false; }
    }
    if (space->is_current && count_boxes(space) != parts) { return wrong(error, "a part has no proxy", parts); }
    return check_joints(space, error);
}
