#include "clash_parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static clash_part *part_at(const clash_parts *parts, uint32_t i) { return (clash_part *)parts->list.data + i; }

const clash_part *clash_parts_at(const clash_parts *parts, uint32_t i) { return part_at(parts, i); }

// ---------------------------------------------------------------------------------------------------------------
// The list

static char *name_of(const fr_world *world, fr_object_id id, uint32_t number, bool is_only) {
    const char *name = fr_world_label(world, id).name;
    size_t size = strlen(name) + 32;
    char *text = malloc(size);
    if (text == NULL) { return NULL; }
    if (is_only) {
        snprintf(text, size, "%s", name);
    } else {
        snprintf(text, size, "%s#%u", name, number);
    }
    return text;
}

static fr_status add_part(clash_parts *parts, const fr_world *world, const fr_space *objects, fr_object_id id,
                          uint32_t number, fr_error *error) {
    const fr_object_view *owner = fr_object_get(objects, id);
    fr_part_view view = fr_object_part(objects, id, number);
    clash_part *part = fr_array_push(&parts->list, 1);
    if (part == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for the parts"); }
    *part = (clash_part){.owner = id, .number = number};
    part->name = name_of(world, id, number, owner->part_count == 1);
    if (part->name == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for the parts"); }
    fr_part_def def = fr_default_part_def();
    def.mesh = view.mesh;
    def.pose = view.pose;
    fr_object_def object = fr_default_object_def();
    object.parts = &def;
    object.part_count = 1;
    object.pose = owner->pose;
    object.filter = owner->filter;
    object.flags = owner->flags & ~(uint32_t)FR_OBJECT_SELF;
    return fr_object_add(parts->space, &object, &part->own, error);
}

fr_status clash_parts_make(const fr_world *world, const fr_space *objects, clash_parts *out, fr_error *error) {
    *out = (clash_parts){.list = fr_array_make(sizeof(clash_part), NULL)};
    uint32_t places = fr_space_object_places(objects);
    fr_space_def def = fr_default_space_def();
    fr_status status = fr_space_create(&def, &out->space, error);
    if (status == FR_OK) { status = fr_collide_create(NULL, &out->asker, error); }
    if (status != FR_OK) { return status; }
    out->first = calloc((size_t)places + 1, sizeof *out->first);
    if (out->first == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for the parts"); }
    for (uint32_t i = 0; i < places && status == FR_OK; i++) {
        fr_object_id id = fr_space_object_at(objects, i);
        out->first[i] = (uint32_t)out->list.count;
        uint32_t count = fr_object_get(objects, id)->part_count;
        for (uint32_t k = 0; k < count && status == FR_OK; k++) {
            status = add_part(out, world, objects, id, k, error);
        }
    }
    return status;
}

void clash_parts_release(clash_parts *parts) {
    for (uint32_t i = 0; i < parts->list.count; i++) {
        free(part_at(parts, i)->name);
        fr_mesh_release(part_at(parts, i)->placed);
    }
    fr_array_free(&parts->list);
    free(parts->first);
    fr_collide_destroy(parts->asker);
    fr_space_destroy(parts->space);
    *parts = (clash_parts){0};
}

uint32_t clash_parts_of_triangle(const clash_parts *parts, const fr_space *objects, fr_object_id owner,
                                 uint32_t triangle) {
    return parts->first[owner.index1 - 1] + fr_object_part_of_triangle(objects, owner, triangle);
}

// ---------------------------------------------------------------------------------------------------------------
// Who is inside whom

static bool is_inside(fr_relation relation) {
    return relation == FR_RELATION_A_INSIDE || relation == FR_RELATION_B_INSIDE;
}

static fr_collide_input question(const clash_parts *parts) {
    fr_collide_input input = fr_default_collide_input();
    input.space = parts->space;
    input.want = FR_WANT_PAIRS;
    input.find_contained = true;
    return input;
}

// Parts of one object do not move against each other.
static bool may_meet(const fr_space *space, fr_object_id a, fr_object_id b, void *context) {
    (void)space;
    const clash_parts *parts = context;
    return !fr_object_id_equal(part_at(parts, a.index1 - 1)->owner, part_at(parts, b.index1 - 1)->owner);
}

fr_status clash_parts_find_inside(clash_parts *parts, clash_inside_fn *found, void *context, fr_error *error) {
    fr_collide_input input = question(parts);
    input.filter = may_meet;
    input.filter_context = parts;
    fr_collide_output output;
    fr_status status = fr_space_update(parts->space, NULL, error);
    if (status == FR_OK) { status = fr_collide_static(parts->asker, &input, &output, error); }
    for (size_t i = 0; status == FR_OK && i < output.object_pair_count; i++) {
        const fr_object_pair *pair = &output.object_pairs[i];
        if (is_inside(pair->relation)) { status = found(pair->a, pair->b, context, error); }
    }
    return status;
}

static fr_status put(clash_parts *parts, uint32_t a, uint32_t b, const fr_pose poses[2], fr_error *error) {
    fr_status status = fr_object_set_pose(parts->space, part_at(parts, a)->own, &poses[0], error);
    return status == FR_OK ? fr_object_set_pose(parts->space, part_at(parts, b)->own, &poses[1], error) : status;
}

fr_status clash_parts_is_inside(clash_parts *parts, uint32_t a, uint32_t b, const fr_pose poses[2], bool *out,
                                fr_error *error) {
    fr_collide_input input = question(parts);
    fr_collide_output output;
    *out = false;
    fr_status status = put(parts, a, b, poses, error);
    fr_object_id own_a = part_at(parts, a)->own, own_b = part_at(parts, b)->own;
    if (status == FR_OK) { status = fr_collide_static_pair(parts->asker, &input, own_a, own_b, &output, error); }
    if (status == FR_OK) { *out = output.object_pair_count > 0 && is_inside(output.object_pairs[0].relation); }
    return status;
}

// ---------------------------------------------------------------------------------------------------------------
// Two parts where they are

static bool same_pose(const fr_pose *a, const fr_pose *b) {
    return fr_vec3_equal(a->position, b->position) && a->rotation.w == b->rotation.w &&
           a->rotation.x == b->rotation.x && a->rotation.y == b->rotation.y && a->rotation.z == b->rotation.z &&
           a->scale == b->scale;
}

// The mesh of a part with its corners in the world. What stands still is made once.
static fr_status place_mesh(const clash_parts *parts, clash_part *part, const fr_pose *pose, fr_error *error) {
    if (part->placed != NULL && same_pose(&part->place, pose)) { return FR_OK; }
    fr_part_view view = fr_object_part(parts->space, part->own, 0);
    uint32_t count = fr_mesh_get(view.mesh)->triangle_count;
    fr_vec3 *corners = calloc(3 * (size_t)count, sizeof *corners);
    uint32_t *indices = calloc(3 * (size_t)count, sizeof *indices);
    fr_mesh *mesh = NULL;
    fr_status status = corners != NULL && indices != NULL
                           ? FR_OK
                           : fr_error_set(error, FR_ERROR_MEMORY, "no memory for a part of %u triangles", count);
    for (uint32_t i = 0; i < count && status == FR_OK; i++) {
        status = fr_object_corners(parts->space, part->own, i, &corners[3 * (size_t)i]);
        for (uint32_t k = 3 * i; k < 3 * i + 3; k++) {
            indices[k] = k;
        }
    }
    if (status == FR_OK) {
        fr_mesh_def def = fr_default_mesh_def();
        def.positions_double = &corners[0].x;
        def.vertex_count = 3 * count;
        def.triangles = indices;
        def.triangle_count = count;
        def.keep_double = true;
        status = fr_mesh_create(&def, &mesh, error);
    }
    free(corners);
    free(indices);
    if (status != FR_OK) { return status; }
    fr_mesh_release(part->placed);
    part->placed = mesh;
    part->place = *pose;
    return FR_OK;
}

fr_status clash_parts_examine(clash_parts *parts, uint32_t a, uint32_t b, const fr_pose poses[2], double tolerance,
                              clash_list *out, fr_error *error) {
    *out = (clash_list){0};
    const uint32_t numbers[2] = {a, b};
    fr_status status = put(parts, a, b, poses, error);
    for (int i = 0; i < 2 && status == FR_OK; i++) {
        status = place_mesh(parts, part_at(parts, numbers[i]), &poses[i], error);
    }
    if (status != FR_OK) { return status; }
    fr_mesh *meshes[2] = {part_at(parts, a)->placed, part_at(parts, b)->placed};
    assembly both;
    status = assembly_of_meshes(meshes, 2, &both, error);
    if (status == FR_OK) { status = clash_find(&both, tolerance, NULL, NULL, out, error); }
    assembly_release(&both);
    return status;
}
