// Brings the surfaces of a space up to date: which objects changed, which faces to look at, and what they offer.
#include "human/surface_store.h"

#include <math.h>
#include <string.h>

#define BATCH 256u    // sources that are looked at before their results are stored
#define DIRTY_MAX 64u // boxes of what changed; more of them: all is looked at again

// A source to look at.
typedef struct surface_source {
    uint32_t object, part, index;
    bool is_back;    // of an open mesh: the other side of the face
    fr_bounds box;   // of what is looked at
    fr__opening gap; // where index is FR__GAP_SOURCE
} surface_source;

FR_ARRAY_TYPE(surface_source_array, surface_source);
FR_ARRAY_TYPE(bounds_array, fr_bounds);
FR_ARRAY_TYPE(offer_array, fr__offer);

// One update.
typedef struct surface_run {
    fr_surfaces *surfaces;
    const fr_surfaces_input *input;
    fr__placed_part_array parts;
    fr__placed_object_array objects;
    fr__result_array results;
    surface_source_array sources;
    bounds_array dirty;
    bool is_all; // everything is looked at
    fr__post_array posts;
    fr__wall_array walls;
    fr__opening_array gaps;
    offer_array offers;
    const surface_source *batch;
    fr_status worker_status[FR_MAX_WORKERS];
} surface_run;

static fr_status no_memory(fr_error *error) {
    return fr_error_set(error, FR_ERROR_MEMORY, "out of memory for the surfaces of a space");
}

// ---------------------------------------------------------------------------------------------------------------
// Stage 1: what objects there are, and which of them changed

static bool is_accepted(const fr_surfaces_input *input, fr_object_id id, const fr_object_view *view) {
    const fr_query_filter *filter = input->filter;
    if ((view->flags & FR_OBJECT_GHOST) != 0) { return false; }
    if (filter == NULL) { return true; }
    if ((view->filter.layers & filter->mask) == 0 || fr_object_id_equal(id, filter->ignore)) { return false; }
    return filter->accept == NULL || filter->accept(input->space, id, (fr_object_id){0}, filter->context);
}

// The entry of a mesh at a scale, which is made where there is none; FR_NONE without memory.
static uint32_t mesh_at(fr_surfaces *surfaces, const fr_mesh *mesh, double scale) {
    uint32_t unused = FR_NONE;
    for (uint32_t i = 0; i < surfaces->meshes.count; i++) {
        const fr__surface_mesh *other = &surfaces->meshes.data[i];
        if (other->mesh == mesh && fabs(other->scale - scale) <= 1e-9 * scale) { return i; }
        if (other->mesh == NULL) { unused = i; }
    }
    if (unused == FR_NONE) {
        if (fr__surface_mesh_array_push(&surfaces->meshes, 1) == NULL) { return FR_NONE; }
        unused = (uint32_t)surfaces->meshes.count - 1;
    }
    fr__surface_mesh *entry = &surfaces->meshes.data[unused];
    *entry = (fr__surface_mesh){.mesh = fr_mesh_retain(mesh), .scale = scale};
    return fr__surface_mesh_fill(entry, &surfaces->allocator) ? unused : FR_NONE;
}

static bool has_moved(const fr_versions *a, const fr_versions *b) {
    return a->shape != b->shape || a->vertices != b->vertices || a->pose != b->pose || a->filter != b->filter;
}

// Places the parts of an object; those of a deformed one offer nothing.
static bool place_parts(surface_run *u, fr__placed_object *object, const fr_object_view *view,
                        const fr__placed_object *old) {
    fr_surfaces *surfaces = u->surfaces;
    bool is_still = old != NULL && !object->is_changed;
    bool is_rigid =
        view->vertices == NULL && view->bone_count == 0 && (view->flags & (FR_OBJECT_PROXY | FR_OBJECT_SENSOR)) == 0;
    object->first_part = (uint32_t)u->parts.count;
    object->part_count = view->part_count;
    fr__placed_part *parts = fr__placed_part_array_push(&u->parts, view->part_count);
    if (parts == NULL) { return false; }
    if (is_still) {
        memcpy(parts, surfaces->parts.data + old->first_part, view->part_count * sizeof *parts);
        return true;
    }
    for (uint32_t i = 0; i < view->part_count; i++) {
        fr_part_view part = fr_object_part(u->input->space, object->id, i);
        parts[i] = (fr__placed_part){fr_pose_compose(&view->pose, &part.pose), FR_NONE};
        if (!is_rigid) { continue; }
        parts[i].mesh = mesh_at(surfaces, part.mesh, parts[i].pose.scale);
        if (parts[i].mesh == FR_NONE) { return false; }
    }
    return true;
}

static void mark_dirty(surface_run *u, const fr_bounds *bounds) {
    if (u->is_all || fr_bounds_is_empty(bounds)) { return; }
    fr_bounds *dirty = u->dirty.count < DIRTY_MAX ? bounds_array_push(&u->dirty, 1) : NULL;
    if (dirty == NULL) {
        u->is_all = true;
    } else {
        *dirty = *bounds;
    }
}

static fr_status place_objects(surface_run *u, fr_error *error) {
    const fr_space *space = u->input->space;
    const fr__placed_object_array *before = &u->surfaces->objects;
    uint32_t places = fr_space_object_places(space);
    uint32_t count = places > before->count ? places : (uint32_t)before->count;
    u->surfaces->stats.triangles = 0;
    for (uint32_t i = 0; i < count; i++) {
        const fr__placed_object *old = i < before->count && before->data[i].id.index1 != 0 ? &before->data[i] : NULL;
        fr_object_id id = i < places ? fr_space_object_at(space, i) : (fr_object_id){0};
        const fr_object_view *view = id.index1 != 0 ? fr_object_get(space, id) : NULL;
        bool is_there = view != NULL && is_accepted(u->input, id, view);
        fr__placed_object *object = fr__placed_object_array_push(&u->objects, 1);
        if (object == NULL) { return no_memory(error); }
        *object = (fr__placed_object){.bounds = fr_bounds_empty()};
        if (is_there) {
            *object = (fr__placed_object){.id = id, .versions = fr_object_versions(space, id), .flags = view->flags};
            object->is_changed =
                old == NULL || !fr_object_id_equal(old->id, id) || has_moved(&old->versions, &object->versions);
            u->surfaces->stats.triangles += view->triangle_count;
            fr_status status = fr_object_bounds(space, id, &object->bounds, error);
            if (status != FR_OK) { return status; }
            if (!place_parts(u, object, view, old)) { return no_memory(error); }
            if (object->is_changed) { mark_dirty(u, &object->bounds); }
        }
        if (old != NULL && (!is_there || object->is_changed)) { mark_dirty(u, &old->bounds); }
    }
    return FR_OK;
}

// Lets go of meshes that no part has any more.
static bool sweep_meshes(surface_run *u) {
    fr__surface_mesh_array *meshes = &u->surfaces->meshes;
    fr_byte_array used = fr_byte_array_make(&u->surfaces->allocator);
    if (meshes->count == 0) { return true; }
    if (fr_byte_array_push(&used, meshes->count) == NULL) { return false; }
    memset(used.data, 0, used.count);
    for (size_t i = 0; i < u->parts.count; i++) {
        if (u->parts.data[i].mesh != FR_NONE) { used.data[u->parts.data[i].mesh] = 1; }
    }
    for (size_t i = 0; i < meshes->count; i++) {
        if (used.data[i] != 0 || meshes->data[i].mesh == NULL) { continue; }
        fr__surface_mesh_release(&meshes->data[i]);
        meshes->data[i] = (fr__surface_mesh){0};
    }
    fr_byte_array_destroy(&used);
    return true;
}

// ---------------------------------------------------------------------------------------------------------------
// Stage 2: which faces and pieces to look at

static bool is_touched(const fr_bounds *box, const void *context) {
    const surface_run *u = context;
    if (u->is_all) { return true; }
    const fr__surface_rules *r = &u->surfaces->rules;
    fr_bounds around = {{box->min.x - r->aside, box->min.y - r->below, box->min.z - r->aside},
                        {box->max.x + r->aside, box->max.y + r->above, box->max.z + r->aside}};
    for (size_t i = 0; i < u->dirty.count; i++) {
        if (fr_bounds_overlap(&around, &u->dirty.data[i])) { return true; }
    }
    return false;
}

static fr__face face_of(const fr__patch *patch, const fr_pose *pose, bool is_back) {
    fr__face face = {.center = fr_pose_apply(pose, fr_vec3_from_floats(patch->center))};
    face.axis = fr_vec3_unit(fr_pose_turn(pose, fr_vec3_from_floats(patch->axis)), fr_vec3_make(1.0, 0.0, 0.0));
    face.normal = fr_vec3_unit(fr_pose_turn(pose, fr_vec3_from_floats(patch->normal)), fr_vec3_make(0.0, 1.0, 0.0));
    if (is_back) { face.normal = fr_vec3_negate(face.normal); }
    face.across = fr_vec3_cross(face.normal, face.axis);
    face.half[0] = pose->scale * (double)patch->half[0];
    face.half[1] = pose->scale * (double)patch->half[1];
    face.is_distinct = patch->is_distinct;
    return face;
}

static fr_bounds face_bounds(const fr__face *f) {
    fr_vec3 half = {fabs(f->axis.x) * f->half[0] + fabs(f->across.x) * f->half[1],
                    fabs(f->axis.y) * f->half[0] + fabs(f->across.y) * f->half[1],
                    fabs(f->axis.z) * f->half[0] + fabs(f->across.z) * f->half[1]};
    return (fr_bounds){fr_vec3_sub(f->center, half), fr_vec3_add(f->center, half)};
}

static bool is_small(const fr__face *face) { return 2.0 * face->half[0] <= FR__SURFACE_PRESS_MAX; }

// Whether a face may offer anything at all.
static bool is_of_use(const fr__surface_rules *rules, const fr__face *face) {
    if (is_small(face)) { return face->is_distinct && face->normal.y >= -0.5; }
    if (face->normal.y >= FR__SURFACE_LEVEL) { return 2.0 * face->half[1] >= 0.05; }
    if (face->normal.y <= -FR__SURFACE_LEVEL) { return 2.0 * face->half[0] >= 0.5 * rules->body.shoulder_width; }
    return fabs(face->normal.y) <= FR__SURFACE_UPRIGHT && 2.0 * face->half[0] >= rules->lean_high - rules->lean_low;
}

static bool add_source(surface_run *u, surface_source s) {
    surface_source *slot = surface_source_array_push(&u->sources, 1);
    if (slot != NULL) { *slot = s; }
    return slot != NULL;
}

static bool list_faces(surface_run *u, uint32_t o, uint32_t p, const fr__placed_part *part, bool is_changed,
                       bool has_walls) {
    const fr__surface_mesh *mesh = &u->surfaces->meshes.data[part->mesh];
    const fr__surface_rules *rules = &u->surfaces->rules;
    uint32_t faces = (uint32_t)mesh->patches.count;
    u->surfaces->stats.faces += faces;
    for (uint32_t i = 0; i < faces; i++) {
        for (int side = 0; side < (mesh->is_open ? 2 : 1); side++) {
            fr__face face = face_of(&mesh->patches.data[i], &part->pose, side == 1);
            if (has_walls && side == 0 && fabs(face.normal.y) <= FR__SURFACE_UPRIGHT && 2.0 * face.half[0] >= 0.3) {
                fr__wall *wall = fr__wall_array_push(&u->walls, 1);
                if (wall == NULL) { return false; }
                *wall = (fr__wall){face, o};
            }
            if (!is_of_use(rules, &face)) { continue; }
            fr_bounds box = face_bounds(&face);
            if (!is_changed && !is_touched(&box, u)) { continue; }
            if (!add_source(u,
                            (surface_source){.object = o, .part = p, .index = i, .is_back = side == 1, .box = box})) {
                return false;
            }
        }
    }
    for (uint32_t i = 0; i < mesh->pieces.count; i++) {
        fr_vec3 center = fr_pose_apply(&part->pose, fr_vec3_from_floats(mesh->pieces.data[i].center));
        fr_bounds box = {center, center};
        if (!is_changed && !is_touched(&box, u)) { continue; }
        if (!add_source(u, (surface_source){.object = o, .part = p, .index = faces + i, .box = box})) { return false; }
    }
    return true;
}

static bool list_posts(surface_run *u, uint32_t o, uint32_t p, const fr__placed_part *part) {
    const fr__surface_mesh *mesh = &u->surfaces->meshes.data[part->mesh];
    for (size_t i = 0; i < mesh->ridges.count; i++) {
        fr_vec3 a = fr_pose_apply(&part->pose, fr_vec3_from_floats(mesh->ridges.data[i].ends[0]));
        fr_vec3 b = fr_pose_apply(&part->pose, fr_vec3_from_floats(mesh->ridges.data[i].ends[1]));
        if (fabs(a.y - b.y) < FR__SURFACE_LEVEL * fr_vec3_distance(a, b)) { continue; }
        fr__post *post = fr__post_array_push(&u->posts, 1);
        if (post == NULL) { return false; }
        fr_vec3 foot = a.y < b.y ? a : b;
        *post = (fr__post){foot, fmax(a.y, b.y), o, p};
    }
    return true;
}

// Whether posts and walls of an object may be beside a gap that may have changed, or in the circle over one. The ends
// of such a gap, and so the circle, are within its width of what was changed and what is looked at about it.
static bool is_near_dirty(const surface_run *u, const fr_bounds *bounds) {
    if (u->is_all) { return true; }
    double reach = u->surfaces->rules.aside + u->surfaces->rules.gap + FR__GAP_SAME;
    fr_bounds around = {{bounds->min.x - reach, -INFINITY, bounds->min.z - reach},
                        {bounds->max.x + reach, INFINITY, bounds->max.z + reach}};
    for (size_t i = 0; i < u->dirty.count; i++) {
        if (fr_bounds_overlap(&around, &u->dirty.data[i])) { return true; }
    }
    return false;
}

// Lists the sources, and takes over the results of those that stay. `before` are sorted by source.
static fr_status list_sources(surface_run *u, fr_error *error) {
    u->surfaces->stats.faces = 0;
    for (uint32_t o = 0; o < u->objects.count; o++) {
        const fr__placed_object *object = &u->objects.data[o];
        bool is_near = object->id.index1 != 0 && is_near_dirty(u, &object->bounds);
        for (uint32_t p = 0; object->id.index1 != 0 && p < object->part_count; p++) {
            const fr__placed_part *part = &u->parts.data[object->first_part + p];
            if (part->mesh == FR_NONE) { continue; }
            bool is_listed = list_faces(u, o, p, part, object->is_changed, is_near);
            if (is_listed && is_near) { is_listed = list_posts(u, o, p, part); }
            if (!is_listed) { return no_memory(error); }
        }
    }
    return FR_OK;
}

static bool is_gone(const surface_run *u, const fr__result *r) {
    const fr__placed_object *object = &u->objects.data[r->object];
    if (r->source != FR__GAP_SOURCE && (object->id.index1 == 0 || object->is_changed)) { return true; }
    return is_touched(&r->box, u);
}

static bool take_over(surface_run *u) {
    const fr__result_array *before = &u->surfaces->results;
    for (size_t i = 0; i < before->count; i++) {
        if (is_gone(u, &before->data[i])) { continue; }
        fr__result *kept = fr__result_array_push(&u->results, 1);
        if (kept == NULL) { return false; }
        *kept = before->data[i];
    }
    return true;
}

static fr_status list_gaps(surface_run *u, fr_error *error) {
    fr__gap_input input = {&u->posts, &u->walls, &u->surfaces->rules, is_touched, u, u->surfaces->allocator};
    fr_status status = fr__gaps_find(&input, &u->gaps, error);
    for (size_t i = 0; status == FR_OK && i < u->gaps.count; i++) {
        const fr__opening *gap = &u->gaps.data[i];
        fr_vec3 ends[2] = {gap->a, gap->b};
        surface_source s = {.object = gap->object, .part = gap->part, .index = FR__GAP_SOURCE, .gap = *gap};
        s.box = fr_bounds_of_points(ends, 2);
        if (!add_source(u, s)) { status = no_memory(error); }
    }
    return status;
}

// ---------------------------------------------------------------------------------------------------------------
// Stage 3: looking

static void look_at_face(fr__surface_look *look, const fr__face *face, fr__offer *out) {
    if (is_small(face)) {
        fr__offer_small(look, face, out);
    } else if (face->normal.y >= FR__SURFACE_LEVEL) {
        fr__offer_level(look, face, out);
    } else if (face->normal.y <= -FR__SURFACE_LEVEL) {
        fr__offer_below(look, face, out);
    } else {
        fr__offer_upright(look, face, out);
    }
}

// A thing stands fast where it is static or longer than a body is tall by half.
static bool is_fast(const surface_run *u, const fr__placed_object *object) {
    double size = fr_vec3_distance(object->bounds.min, object->bounds.max);
    return (object->flags & FR_OBJECT_STATIC) != 0 || size > 0.5 * u->surfaces->rules.body.stature;
}

static void look_at(const surface_run *u, fr__surface_look *look, const surface_source *s, fr__offer *out) {
    out->kinds = 0;
    if (s->index == FR__GAP_SOURCE) {
        fr__offer_gap(look, s->gap.a, s->gap.b, out);
        return;
    }
    const fr__placed_object *object = &u->objects.data[s->object];
    const fr__placed_part *part = &u->parts.data[object->first_part + s->part];
    const fr__surface_mesh *mesh = &u->surfaces->meshes.data[part->mesh];
    if (s->index < mesh->patches.count) {
        fr__face face = face_of(&mesh->patches.data[s->index], &part->pose, s->is_back);
        look_at_face(look, &face, out);
    } else {
        const fr__piece *piece = &mesh->pieces.data[s->index - mesh->patches.count];
        fr__offer_piece(look, piece, &part->pose, is_fast(u, object), out);
    }
}

static void look_at_range(size_t begin, size_t end, int worker, void *context) {
    surface_run *u = context;
    fr__surface_look look = {&u->surfaces->rules, u->input->space, u->input->filter, u->surfaces->ground, FR_OK};
    for (size_t i = begin; i < end; i++) {
        look_at(u, &look, &u->batch[i], &u->offers.data[i]);
    }
    if (u->worker_status[worker] == FR_OK) { u->worker_status[worker] = look.status; }
}

// The frame of a target: z as given, y up where it can be.
static fr_pose target_pose(fr_vec3 at, fr_vec3 z) {
    fr_vec3 up = fabs(z.y) > 0.9 ? fr_vec3_make(0.0, 0.0, -1.0) : fr_vec3_make(0.0, 1.0, 0.0);
    fr_vec3 x = fr_vec3_unit(fr_vec3_cross(up, z), fr_vec3_make(1.0, 0.0, 0.0));
    fr_mat3 rows = {{x, fr_vec3_cross(z, x), z}};
    return fr_pose_make(at, fr_quat_from_mat3(fr_mat3_transpose(rows)));
}

static void describe_face(const surface_run *u, const surface_source *s, fr_surface *out) {
    const fr__placed_object *object = &u->objects.data[s->object];
    const fr__placed_part *part = &u->parts.data[object->first_part + s->part];
    const fr__surface_mesh *mesh = &u->surfaces->meshes.data[part->mesh];
    uint32_t first = fr_object_part(u->input->space, object->id, s->part).first_triangle;
    if (s->index < mesh->patches.count) {
        const fr__patch *patch = &mesh->patches.data[s->index];
        fr__face face = face_of(patch, &part->pose, s->is_back);
        out->center = face.center;
        out->axis = face.axis;
        out->normal = face.normal;
        out->half[0] = face.half[0];
        out->half[1] = face.half[1];
        out->triangle = first + patch->triangle;
        return;
    }
    const fr__piece *piece = &mesh->pieces.data[s->index - mesh->patches.count];
    out->center = fr_pose_apply(&part->pose, fr_vec3_from_floats(piece->center));
    out->axis = fr_pose_turn(&part->pose, fr_vec3_from_floats(piece->axes[2]));
    out->normal = fr_pose_turn(&part->pose, fr_vec3_from_floats(piece->axes[0]));
    out->half[0] = part->pose.scale * (double)piece->half[2];
    out->half[1] = part->pose.scale * (double)piece->half[1];
    out->triangle = first + piece->triangle;
}

static void describe_gap(const fr__opening *gap, const struct fr__found *found, double height, fr_surface *out) {
    out->center = fr_vec3_lerp(gap->a, gap->b, 0.5);
    out->axis = fr_vec3_unit(fr_vec3_sub(gap->b, gap->a), fr_vec3_make(1.0, 0.0, 0.0));
    out->normal = found->through;
    out->half[0] = 0.5 * found->width;
    out->half[1] = 0.5 * height;
    out->triangle = FR_NONE;
}

static fr__result describe(const surface_run *u, const surface_source *s, fr_surface_kind kind,
                           const struct fr__found *found) {
    const fr__surface_rules *rules = &u->surfaces->rules;
    fr__result r = {.box = s->box, .object = s->object, .part = s->part, .source = s->index, .is_back = s->is_back};
    fr_surface *out = &r.surface;
    out->kind = kind;
    out->object = u->objects.data[s->object].id;
    out->part = s->part;
    if (s->index == FR__GAP_SOURCE) {
        describe_gap(&s->gap, found, kind == FR_SURFACE_DUCK ? rules->duck : rules->headroom, out);
        if (kind == FR_SURFACE_DUCK) { out->height = rules->duck; }
    } else {
        describe_face(u, s, out);
        out->height = found->height;
    }
    if (kind == FR_SURFACE_FEET) {
        out->object = found->on.object;
        out->part = found->on.part;
        out->triangle = found->on.triangle;
        out->center = found->target;
        out->normal = fr_vec3_make(0.0, 1.0, 0.0);
        out->axis = fr_vec3_make(1.0, 0.0, 0.0);
        out->half[0] = out->half[1] = 0.5 * rules->put;
    }
    out->clearance = found->clearance;
    out->width = found->width;
    out->place = found->place;
    out->heading = found->heading;
    out->target = target_pose(found->target, found->facing);
    return r;
}

static fr_status look_at_all(surface_run *u, fr_error *error) {
    if (offer_array_push(&u->offers, BATCH) == NULL) { return no_memory(error); }
    for (size_t first = 0; first < u->sources.count; first += BATCH) {
        if (fr_control_is_stopped(u->input->control)) {
            return fr_error_set(error, FR_ERROR_STOPPED, "stopped while looking at surfaces");
        }
        size_t count = u->sources.count - first < BATCH ? u->sources.count - first : BATCH;
        u->batch = u->sources.data + first;
        const fr_query_filter *filter = u->input->filter;
        bool is_inline = filter != NULL && filter->accept != NULL; // such a filter is called from one thread at a time
        fr_tasks_run(is_inline ? NULL : u->input->tasks, FR_SCHEDULE_DYNAMIC, count, 4, look_at_range, u);
        for (int i = 0; i < FR_MAX_WORKERS; i++) {
            if (u->worker_status[i] != FR_OK) {
                return fr_error_set(error, u->worker_status[i], "the space refuses queries: %s",
                                    fr_status_text(u->worker_status[i]));
            }
        }
        for (size_t i = 0; i < count; i++) {
            for (uint32_t kind = 0; kind < FR_SURFACE_KIND_COUNT; kind++) {
                if ((u->offers.data[i].kinds & 1u << kind) == 0) { continue; }
                fr__result *r = fr__result_array_push(&u->results, 1);
                if (r == NULL) { return no_memory(error); }
                *r = describe(u, &u->batch[i], (fr_surface_kind)kind, &u->offers.data[i].found[kind]);
            }
        }
        fr_control_progress(u->input->control, (double)(first + count) / (double)u->sources.count, "surfaces");
    }
    u->surfaces->stats.looked_at = (uint32_t)u->sources.count;
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// The whole

static void release(surface_run *u) {
    fr__placed_part_array_destroy(&u->parts);
    fr__placed_object_array_destroy(&u->objects);
    fr__result_array_destroy(&u->results);
    surface_source_array_destroy(&u->sources);
    bounds_array_destroy(&u->dirty);
    fr__post_array_destroy(&u->posts);
    fr__wall_array_destroy(&u->walls);
    fr__opening_array_destroy(&u->gaps);
    offer_array_destroy(&u->offers);
}

// Exchanges what was kept for what is new; release() then frees the old.
static void exchange(surface_run *u) {
    fr_surfaces *s = u->surfaces;
    fr__placed_part_array parts = s->parts;
    fr__placed_object_array objects = s->objects;
    fr__result_array results = s->results;
    s->parts = u->parts;
    s->objects = u->objects;
    s->results = u->results;
    u->parts = parts;
    u->objects = objects;
    u->results = results;
}

fr_status fr_surfaces_update(fr_surfaces *surfaces, const fr_surfaces_input *input, fr_error *error) {
    FR_ASSERT(surfaces != NULL && input != NULL && input->space != NULL);
    if (input->cookie != FR__SURFACES_INPUT_COOKIE) { return fr_error_set_cookie(error, "fr_default_surfaces_input"); }
    const fr_allocator *allocator = &surfaces->allocator;
    surface_run u = {.surfaces = surfaces,
                     .input = input,
                     .parts = fr__placed_part_array_make(allocator),
                     .objects = fr__placed_object_array_make(allocator),
                     .results = fr__result_array_make(allocator),
                     .sources = surface_source_array_make(allocator),
                     .dirty = bounds_array_make(allocator),
                     .posts = fr__post_array_make(allocator),
                     .walls = fr__wall_array_make(allocator),
                     .gaps = fr__opening_array_make(allocator),
                     .offers = offer_array_make(allocator)};
    fr_status status = FR_OK;
    if (!fr_space_is_current(input->space)) {
        status = fr_error_set(error, FR_ERROR_STALE_DATA, "the space was changed after its last update");
    }
    surfaces->stats.looked_at = 0;
    if (status == FR_OK) { status = place_objects(&u, error); }
    bool is_dirty = u.is_all || u.dirty.count > 0;
    if (status == FR_OK && is_dirty) {
        status = list_sources(&u, error);
        if (status == FR_OK) { status = list_gaps(&u, error); }
        if (status == FR_OK && !take_over(&u)) { status = no_memory(error); }
        if (status == FR_OK) { status = look_at_all(&u, error); }
        if (status == FR_OK && !sweep_meshes(&u)) { status = no_memory(error); }
        if (status == FR_OK) {
            exchange(&u);
            if (!fr__surfaces_order(surfaces)) { status = no_memory(error); }
        }
    }
    if (status != FR_OK) { fr__surfaces_clear(surfaces); }
    release(&u);
    return status;
}
