// What stands beside the held faces in one plane with them: it takes no freedom away, but its area holds too.
//
// Faces a skin apart do not meet, so no contact reports them. They are looked for among the planar faces of the
// objects that are near: those in the plane of a held face, against the faces of the held object in that plane.
#include "aid.h"

#define MOST_NEAR 16
#define MATCH_COSINE 0.99996192306417131 // of 0.5 degrees

// A direction in the axes of a part of an object at a pose.
static fr_vec3 to_part(const fr_pose *part, const fr_pose *pose, fr_vec3 direction) {
    fr_quat turn = fr_quat_multiply(pose->rotation, part->rotation);
    return fr_mat3_apply(fr_mat3_transpose(fr_quat_to_mat3(turn)), direction);
}

// The area that a pair adds to a held face; 0 where it is not in its plane.
static double added(fr__aid_frame *f, const fr_pose *pose, const fr_aid_held *h, const fr_aid_pair *pair) {
    fr__aid_face held, other;
    if (fr__aid_same(&h->pair, pair) || !fr__aid_faces_of(f->aid, f->space, pair, pose, &held, &other)) { return 0.0; }
    double skin = f->aid->def.skin, plane = h->plane.offset - skin;
    bool is_in_it = fabs(fr_vec3_dot(h->plane.normal, other.centroid) - plane) <= skin &&
                    fabs(fr_vec3_dot(h->plane.normal, held.centroid) - plane) <= 2.0 * skin;
    if (!is_in_it) { return 0.0; }
    return fr__aid_shared_area(f->aid, &held, &other);
}

// Of one standing face: all faces of the held object that look against it.
static double added_by_face(fr__aid_frame *f, const fr_pose *pose, const fr_aid_held *h, fr_aid_pair pair) {
    fr_aid *aid = f->aid;
    fr_vec3 against = fr_vec3_negate(h->plane.normal);
    double area = 0.0;
    for (pair.part = 0; pair.part < aid->part_count; pair.part++) {
        const fr_planar_faces *own;
        const fr_part_def *part = &aid->parts[pair.part];
        if (fr__aid_planar(aid, part->mesh, &own, NULL) != FR_OK) { continue; }
        fr_vec3 normal = to_part(&part->pose, pose, against);
        for (pair.face = 0; pair.face < own->face_count; pair.face++) {
            bool is_against = fr_vec3_dot(own->faces[pair.face].normal, normal) > MATCH_COSINE;
            if (is_against) { area += added(f, pose, h, &pair); }
        }
    }
    return area;
}

static fr_status added_by_object(fr__aid_frame *f, const fr_pose *pose, fr_aid_held *h, fr_object_id id,
                                 fr_error *error) {
    const fr_object_view *view = fr_object_get(f->space, id);
    if (view == NULL || view->vertices != NULL) { return FR_OK; }
    fr_aid_pair pair = {.other = id};
    for (; pair.other_part < view->part_count; pair.other_part++) {
        fr_part_view part = fr_object_part(f->space, id, pair.other_part);
        const fr_planar_faces *faces;
        fr_status status = fr__aid_planar(f->aid, part.mesh, &faces, error);
        if (status != FR_OK) { return status; }
        fr_vec3 normal = to_part(&part.pose, &view->pose, h->plane.normal);
        for (pair.other_face = 0; pair.other_face < faces->face_count; pair.other_face++) {
            if (fr_vec3_dot(faces->faces[pair.other_face].normal, normal) <= MATCH_COSINE) { continue; }
            h->support += added_by_face(f, pose, h, pair);
        }
    }
    return FR_OK;
}

fr_status fr__aid_support(fr__aid_frame *f, const fr_pose *pose, fr_error *error) {
    fr_aid *aid = f->aid;
    if (aid->face_count == 0) { return FR_OK; }
    fr_object_id near[MOST_NEAR];
    uint32_t count = 0;
    fr_status status = fr__aid_near(f, pose, 0.0, near, MOST_NEAR, &count, error);
    for (uint32_t i = 0; status == FR_OK && i < aid->face_count; i++) {
        fr_aid_held *h = &aid->faces[i];
        h->support = 0.0;
        for (uint32_t k = 0; status == FR_OK && k < count; k++) {
            status = added_by_object(f, pose, h, near[k], error);
        }
        h->area = fr__aid_area(aid, f->space, &h->pair, pose, &h->ratio) + h->support;
        h->threshold = fr__aid_threshold(aid, h->area);
    }
    return status;
}
