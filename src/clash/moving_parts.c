// The parts of a world's objects in a space of their own: which is inside which, and where their meshes are.
#include "clash/moving_parts.h"

#include "clash/finder.h"
#include "world/pose_compare.h"

static const fr_motion_part *part_at(const fr__moving_parts *parts, uint32_t i) { return parts->list.data + i; }

static fr__moving_part *place_at(const fr__moving_parts *parts, uint32_t i) { return parts->places.data + i; }

fr_object_id fr__moving_parts_owner(const fr__moving_parts *parts, uint32_t part) {
    return part_at(parts, part)->owner;
}

// ---------------------------------------------------------------------------------------------------------------
// The list

fr__moving_parts fr__moving_parts_make(const fr_allocator *allocator) {
    return (fr__moving_parts){.list = fr__motion_part_array_make(allocator),
                              .places = fr__moving_part_array_make(allocator),
                              .first = fr_uint32_array_make(allocator)};
}

static fr_status add_part(fr__moving_parts *parts, const fr_space *objects, fr_object_id id, uint32_t number,
                          fr_error *error) {
    const fr_object_view *owner = fr_object_get(objects, id);
    fr_part_view view = fr_object_part(objects, id, number);
    fr_motion_part *part = fr__motion_part_array_push(&parts->list, 1);
    fr__moving_part *place = part != NULL ? fr__moving_part_array_push(&parts->places, 1) : NULL;
    if (place == NULL) { return fr__clash_no_memory(error); }
    *part = (fr_motion_part){id, number};
    *place = (fr__moving_part){0};
    fr_part_def def = fr_default_part_def();
    def.mesh = view.mesh;
    def.pose = view.pose;
    fr_object_def object = fr_default_object_def();
    object.parts = &def;
    object.part_count = 1;
    object.pose = owner->pose;
    object.filter = owner->filter;
    object.flags = owner->flags & ~(uint32_t)FR_OBJECT_SELF;
    return fr_object_add(parts->space, &object, &place->own, error);
}

fr_status fr__moving_parts_list(fr__moving_parts *parts, const fr_space *objects, fr_error *error) {
    uint32_t places = fr_space_object_places(objects);
    fr_space_def def = fr_default_space_def();
    def.allocator = parts->list.allocator;
    fr_status status = fr_space_create(&def, &parts->space, error);
    if (status == FR_OK) { status = fr_collide_create(&parts->list.allocator, &parts->collide, error); }
    if (status != FR_OK) { return status; }
    uint32_t *first = fr_uint32_array_push(&parts->first, places);
    if (first == NULL) { return fr__clash_no_memory(error); }
    for (uint32_t i = 0; i < places && status == FR_OK; i++) {
        fr_object_id id = fr_space_object_at(objects, i);
        first[i] = (uint32_t)parts->list.count;
        const fr_object_view *view = fr_object_get(objects, id);
        uint32_t count = view != NULL ? view->part_count : 0;
        for (uint32_t k = 0; k < count && status == FR_OK; k++) {
            status = add_part(parts, objects, id, k, error);
        }
    }
    return status;
}

void fr__moving_parts_clear(fr__moving_parts *parts) {
    for (uint32_t i = 0; i < parts->places.count; i++) {
        fr_mesh_release(place_at(parts, i)->placed);
    }
    fr__motion_part_array_destroy(&parts->list);
    fr__moving_part_array_destroy(&parts->places);
    fr_uint32_array_destroy(&parts->first);
    fr_collide_destroy(parts->collide);
    fr_space_destroy(parts->space);
    parts->collide = NULL;
    parts->space = NULL;
}

uint32_t fr__moving_parts_of_triangle(const fr__moving_parts *parts, const fr_space *objects, fr_object_id owner,
                                      uint32_t triangle) {
    const uint32_t *first = parts->first.data;
    return first[owner.index1 - 1] + fr_object_part_of_triangle(objects, owner, triangle);
}

// ---------------------------------------------------------------------------------------------------------------
// One inside the other

static bool is_inside(fr_relation relation) {
    return relation == FR_RELATION_A_INSIDE || relation == FR_RELATION_B_INSIDE;
}

static fr_collide_input inside_query(const fr__moving_parts *parts) {
    fr_collide_input input = fr_default_collide_input();
    input.space = parts->space;
    input.want = FR_WANT_PAIRS;
    input.is_containment_wanted = true;
    return input;
}

// Parts of one object do not move against each other.
static bool may_meet(const fr_space *space, fr_object_id a, fr_object_id b, void *context) {
    (void)space;
    const fr__moving_parts *parts = context;
    return !fr_object_id_equal(part_at(parts, a.index1 - 1)->owner, part_at(parts, b.index1 - 1)->owner);
}

fr_status fr__moving_parts_find_inside(fr__moving_parts *parts, fr__inside_fn *found, void *context, fr_error *error) {
    fr_collide_input input = inside_query(parts);
    input.filter = may_meet;
    input.filter_context = parts;
    fr_collide_output output;
    fr_status status = fr_space_update(parts->space, NULL, error);
    if (status == FR_OK) { status = fr_collide_static(parts->collide, &input, &output, error); }
    for (size_t i = 0; status == FR_OK && i < output.object_pair_count; i++) {
        const fr_object_pair *pair = &output.object_pairs[i];
        if (is_inside(pair->relation)) { status = found(pair->a, pair->b, context, error); }
    }
    return status;
}

static fr_status put(fr__moving_parts *parts, uint32_t a, uint32_t b, const fr_pose poses[2], fr_error *error) {
    fr_status status = fr_object_set_pose(parts->space, place_at(parts, a)->own, &poses[0], error);
    return status == FR_OK ? fr_object_set_pose(parts->space, place_at(parts, b)->own, &poses[1], error) : status;
}

fr_status fr__moving_parts_is_inside(fr__moving_parts *parts, uint32_t a, uint32_t b, const fr_pose poses[2], bool *out,
                                     fr_error *error) {
    fr_collide_input input = inside_query(parts);
    fr_collide_output output;
    *out = false;
    fr_status status = put(parts, a, b, poses, error);
    fr_object_id own_a = place_at(parts, a)->own, own_b = place_at(parts, b)->own;
    if (status == FR_OK) { status = fr_collide_static_pair(parts->collide, &input, own_a, own_b, &output, error); }
    if (status == FR_OK) { *out = output.object_pair_count > 0 && is_inside(output.object_pairs[0].relation); }
    return status;
}

// ---------------------------------------------------------------------------------------------------------------
// Meshes in the world

// The mesh of a part that stands still is made once.
static fr_status place_mesh(const fr__moving_parts *parts, fr__moving_part *part, const fr_pose *pose,
                            fr_error *error) {
    if (part->placed != NULL && fr__pose_equal(&part->place, pose)) { return FR_OK; }
    fr_part_view view = fr_object_part(parts->space, part->own, 0);
    const fr_pose *outer = &fr_object_get(parts->space, part->own)->pose;
    fr_mesh *mesh = NULL;
    fr_status status = fr__placed_mesh(view.mesh, &view.pose, outer, &parts->list.allocator, &mesh, error);
    if (status != FR_OK) { return status; }
    fr_mesh_release(part->placed);
    part->placed = mesh;
    part->place = *pose;
    return FR_OK;
}

fr_status fr__moving_parts_place(fr__moving_parts *parts, uint32_t a, uint32_t b, const fr_pose poses[2],
                                 fr_mesh *meshes[2], fr_error *error) {
    const uint32_t numbers[2] = {a, b};
    fr_status status = put(parts, a, b, poses, error);
    for (int i = 0; i < 2 && status == FR_OK; i++) {
        fr__moving_part *part = place_at(parts, numbers[i]);
        status = place_mesh(parts, part, &poses[i], error);
        meshes[i] = part->placed;
    }
    return status;
}
