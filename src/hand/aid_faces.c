// The planar faces of what meets: found once a mesh, put where their objects are.
#include "aid.h"

#include "shape/mesh.h"

bool fr__aid_same(const fr_aid_pair *a, const fr_aid_pair *b) {
    return a->part == b->part && a->face == b->face && fr_object_id_equal(a->other, b->other) &&
           a->other_part == b->other_part && a->other_face == b->other_face;
}

static const fr__aid_shape *find(const fr_aid *aid, const fr_mesh *mesh) {
    const fr__aid_shape *shapes = aid->shapes.data;
    for (size_t i = 0; i < aid->shapes.count; i++) {
        if (shapes[i].mesh == mesh) { return &shapes[i]; }
    }
    return NULL;
}

// Room for the corners and edges of the largest face, so that frames need none.
static bool make_room(fr_aid *aid, const fr_planar_faces *planar) {
    size_t most = 0, edges = 0;
    for (uint32_t i = 0; i < planar->face_count; i++) {
        const fr_planar_face *f = &planar->faces[i];
        size_t border = planar->loop_begin[f->first_loop + f->loop_count] - planar->loop_begin[f->first_loop];
        if (f->triangle_count > most) { most = f->triangle_count; }
        if (border > edges) { edges = border; }
    }
    bool is_made = true;
    for (int k = 0; k < 2; k++) {
        is_made = is_made && fr_array_reserve(&aid->corners[k], 3 * most) && fr_array_reserve(&aid->edges[k], edges) &&
                  fr_array_reserve(&aid->live[k], edges);
    }
    return is_made;
}

fr_status fr__aid_planar(fr_aid *aid, const fr_mesh *mesh, const fr_planar_faces **out, fr_error *error) {
    const fr__aid_shape *known = find(aid, mesh);
    if (known != NULL) {
        *out = known->planar;
        return FR_OK;
    }
    fr_topology *topology = NULL;
    fr_planar_faces *planar = NULL;
    fr_topology_def topology_def = fr_default_topology_def();
    topology_def.is_welded = true;
    topology_def.allocator = aid->def.allocator;
    fr_status status = fr_topology_create(mesh, &topology_def, &topology, error);
    if (status != FR_OK) { return status; }
    fr_planar_def def = fr_default_planar_def();
    def.topology = topology;
    def.allocator = aid->def.allocator;
    status = fr_planar_create(mesh, &def, &planar, error);
    fr_topology_destroy(topology);
    if (status != FR_OK) { return status; }
    fr__aid_shape *shape = make_room(aid, planar) ? fr_array_push(&aid->shapes, 1) : NULL;
    if (shape == NULL) {
        fr_planar_destroy(planar);
        return fr_error_set(error, FR_ERROR_MEMORY, "no memory for the planar faces of a mesh");
    }
    shape->mesh = fr_mesh_retain(mesh);
    shape->planar = planar;
    *out = planar;
    return FR_OK;
}

void fr__aid_shapes_free(fr_aid *aid) {
    fr__aid_shape *shapes = aid->shapes.data;
    for (size_t i = 0; i < aid->shapes.count; i++) {
        fr_planar_destroy(shapes[i].planar);
        fr_mesh_release(shapes[i].mesh);
    }
    fr_array_destroy(&aid->shapes);
    for (int k = 0; k < 2; k++) {
        fr_array_destroy(&aid->corners[k]);
        fr_array_destroy(&aid->edges[k]);
        fr_array_destroy(&aid->live[k]);
    }
}

// A face of a part of an object at a pose.
static bool place(const fr_aid *aid, const fr_mesh *mesh, const fr_pose *part, const fr_pose *pose, uint32_t face,
                  fr__aid_face *out) {
    const fr__aid_shape *shape = find(aid, mesh);
    if (shape == NULL || face >= shape->planar->face_count) { return false; }
    const fr_planar_face *f = &shape->planar->faces[face];
    *out = (fr__aid_face){.mesh = mesh, .planar = shape->planar, .face = face, .part = *part, .pose = *pose};
    out->normal = fr_pose_turn(pose, fr_pose_turn(part, f->normal));
    out->centroid = fr_pose_apply(pose, fr_pose_apply(part, f->centroid));
    double scale = part->scale * pose->scale;
    out->area = f->area * (scale * scale);
    return true;
}

// The corners of a triangle of a face in the world.
static void put_triangle(const fr__aid_face *face, uint32_t index, fr_vec3 corners[3]) {
    const fr_mesh_view *view = fr_mesh_get(face->mesh);
    uint32_t first = face->planar->faces[face->face].first_triangle;
    const uint32_t *t = view->triangles + 3 * (size_t)face->planar->triangles[first + index];
    for (int k = 0; k < 3; k++) {
        fr_vec3 v = face->vertices != NULL ? face->vertices[t[k]] : fr__mesh_position(view, t[k]);
        corners[k] = fr_pose_apply(&face->pose, fr_pose_apply(&face->part, v));
    }
}

// What the corners of a deformed face come to: its normal and its centroid by area.
static bool fit(fr__aid_face *face) {
    const fr_planar_face *f = &face->planar->faces[face->face];
    fr_vec3 normal = {0.0, 0.0, 0.0}, center = {0.0, 0.0, 0.0}, corners[3];
    double area = 0.0;
    for (uint32_t i = 0; i < f->triangle_count; i++) {
        put_triangle(face, i, corners);
        fr_vec3 cross = fr_vec3_cross(fr_vec3_sub(corners[1], corners[0]), fr_vec3_sub(corners[2], corners[0]));
        double twice = fr_vec3_length(cross);
        fr_vec3 sum = fr_vec3_add(fr_vec3_add(corners[0], corners[1]), corners[2]);
        center = fr_vec3_add_scaled(center, twice / 3.0, sum);
        normal = fr_vec3_add(normal, cross);
        area += twice;
    }
    if (!(area > 0.0)) { return false; }
    face->normal = fr_vec3_unit(normal, face->normal);
    face->centroid = fr_vec3_scale(1.0 / area, center);
    face->area = 0.5 * area;
    return true;
}

// The plane of a deformed face where it is now; false where it is not flat.
static bool refit(const fr_aid *aid, fr__aid_face *face) {
    const fr_planar_face *f = &face->planar->faces[face->face];
    if (!fit(face)) { return false; }
    for (uint32_t i = 0; i < f->triangle_count; i++) {
        fr_vec3 corners[3];
        put_triangle(face, i, corners);
        for (int k = 0; k < 3; k++) {
            double height = fr_vec3_dot(face->normal, fr_vec3_sub(corners[k], face->centroid));
            if (fabs(height) > aid->def.flat) { return false; }
            face->height = fmax(face->height, height);
        }
    }
    return true;
}

bool fr__aid_faces_of(fr_aid *aid, const fr_space *space, const fr_aid_pair *pair, const fr_pose *pose,
                      fr__aid_face *held, fr__aid_face *other) {
    const fr_object_view *view = fr_object_get(space, pair->other);
    if (view == NULL || pair->part >= aid->part_count) { return false; }
    if ((view->flags & FR_OBJECT_SENSOR) != 0) { return false; }
    const fr_part_def *own = &aid->parts[pair->part];
    if (!place(aid, own->mesh, &own->pose, pose, pair->face, held)) { return false; }
    fr_part_view part = fr_object_part(space, pair->other, pair->other_part);
    if (part.mesh == NULL || !place(aid, part.mesh, &part.pose, &view->pose, pair->other_face, other)) { return false; }
    if (view->vertices == NULL) { return true; }
    other->vertices = view->vertices + part.first_vertex;
    return refit(aid, other);
}

fr_vec3 fr__aid_centroid_local(const fr_aid *aid, const fr_aid_pair *pair) {
    const fr_part_def *own = &aid->parts[pair->part];
    return fr_pose_apply(&own->pose, find(aid, own->mesh)->planar->faces[pair->face].centroid);
}

fr_aid_plane fr__aid_plane_of(fr_aid *aid, const fr_aid_pair *pair, const fr__aid_face *other) {
    const fr_part_def *own = &aid->parts[pair->part];
    const fr_planar_face *face = &find(aid, own->mesh)->planar->faces[pair->face];
    fr_aid_plane plane;
    plane.normal_local = fr_pose_turn(&own->pose, face->normal);
    plane.centroid_local = fr__aid_centroid_local(aid, pair);
    plane.normal = other->normal;
    plane.offset = fr_vec3_dot(other->normal, other->centroid) + other->height + aid->def.skin;
    return plane;
}

// ---------------------------------------------------------------------------------------------------------------
// What two faces share

// The corners of a face's triangles, into memory that was made large enough; how many triangles.
static uint32_t put_corners(const fr__aid_face *face, fr_vec3 *corners) {
    uint32_t count = face->planar->faces[face->face].triangle_count;
    for (uint32_t i = 0; i < count; i++) {
        put_triangle(face, i, corners + 3 * (size_t)i);
    }
    return count;
}

double fr__aid_shared_area(fr_aid *aid, const fr__aid_face *a, const fr__aid_face *b) {
    double area;
    if (fr__aid_outline_overlap(aid, a, b, &area)) { return area; }
    fr_vec3 *corners[2] = {aid->corners[0].data, aid->corners[1].data};
    uint32_t a_count = put_corners(a, corners[0]), b_count = put_corners(b, corners[1]);
    return fr__aid_overlap(corners[0], a_count, corners[1], b_count, b->normal);
}

bool fr__aid_same_pose(const fr_pose *a, const fr_pose *b) {
    fr_quat p = a->rotation, q = b->rotation;
    return fr_vec3_equal(a->position, b->position) && p.w == q.w && p.x == q.x && p.y == q.y && p.z == q.z;
}

static const fr__aid_shared *remembered(const fr_aid *aid, const fr_aid_pair *pair, const fr_pose *pose) {
    for (uint32_t i = 0; i < FR__AID_SHARED && i < aid->shared_count; i++) {
        const fr__aid_shared *s = &aid->shared[i];
        if (fr__aid_same(&s->pair, pair) && fr__aid_same_pose(&s->pose, pose)) { return s; }
    }
    return NULL;
}

double fr__aid_area(fr_aid *aid, const fr_space *space, const fr_aid_pair *pair, const fr_pose *pose, double *ratio) {
    fr__aid_face held, other;
    *ratio = 0.0;
    const fr__aid_shared *known = remembered(aid, pair, pose);
    if (known != NULL) {
        *ratio = known->ratio;
        return known->area;
    }
    if (!fr__aid_faces_of(aid, space, pair, pose, &held, &other)) { return 0.0; }
    double area = fr__aid_shared_area(aid, &held, &other);
    double smaller = fmin(held.area, other.area);
    if (smaller > 0.0) { *ratio = area / smaller; }
    aid->shared[aid->shared_count++ % FR__AID_SHARED] =
        (fr__aid_shared){.pair = *pair, .pose = *pose, .area = area, .ratio = *ratio};
    return area;
}

static void add_pair(fr_aid *aid, const fr_aid_pair *pair) {
    for (uint32_t i = 0; i < aid->pair_count; i++) {
        if (fr__aid_same(&aid->pairs[i], pair)) { return; }
    }
    if (aid->pair_count < FR__AID_PAIRS) { aid->pairs[aid->pair_count++] = *pair; }
}

fr_status fr__aid_collect(fr_aid *aid, const fr_space *space, fr_error *error) {
    for (uint32_t i = 0; i < aid->contact_count && !aid->is_follower_stopped; i++) {
        const fr_contact *c = &aid->contacts[i];
        const fr_object_view *view = fr_object_get(space, c->b);
        if (view == NULL) { continue; }
        fr_part_view own = fr_object_part(space, aid->held, c->part_a);
        fr_part_view part = fr_object_part(space, c->b, c->part_b);
        const fr_planar_faces *own_faces, *faces;
        fr_status status = fr__aid_planar(aid, aid->parts[c->part_a].mesh, &own_faces, error);
        if (status == FR_OK) { status = fr__aid_planar(aid, part.mesh, &faces, error); }
        if (status != FR_OK) { return status; }
        fr_aid_pair pair = {.part = c->part_a, .other = c->b, .other_part = c->part_b};
        pair.face = own_faces->face_of[c->triangle_a - own.first_triangle];
        pair.other_face = faces->face_of[c->triangle_b - part.first_triangle];
        add_pair(aid, &pair);
    }
    return FR_OK;
}
