// Planar faces of a held object that meet others in a frame, reported once each.
#include "face_contacts.h"

#include <string.h>

fr_status face_contacts_open(face_contacts *f, fr_error *error) {
    memset(f, 0, sizeof *f);
    return fr_collide_create(NULL, &f->collide, error);
}

void face_contacts_close(face_contacts *f) {
    for (uint32_t i = 0; i < f->mesh_count; i++) {
        fr_planar_destroy(f->planar[i]);
    }
    fr_collide_destroy(f->collide);
    memset(f, 0, sizeof *f);
}

static fr_status planar_of(face_contacts *f, const fr_mesh *mesh, const fr_planar_faces **out, fr_error *error) {
    for (uint32_t i = 0; i < f->mesh_count; i++) {
        if (f->meshes[i] == mesh) {
            *out = f->planar[i];
            return FR_OK;
        }
    }
    if (f->mesh_count == FACE_CONTACT_MESHES) {
        return fr_error_set(error, FR_ERROR_UNSUPPORTED, "more than %d different meshes", FACE_CONTACT_MESHES);
    }
    fr_topology *topology = NULL;
    fr_topology_def topology_def = fr_default_topology_def();
    topology_def.is_welded = true;
    fr_status status = fr_topology_create(mesh, &topology_def, &topology, error);
    fr_planar_def def = fr_default_planar_def();
    def.topology = topology;
    if (status == FR_OK) { status = fr_planar_create(mesh, &def, &f->planar[f->mesh_count], error); }
    fr_topology_destroy(topology);
    if (status != FR_OK) { return status; }
    f->meshes[f->mesh_count] = mesh;
    *out = f->planar[f->mesh_count++];
    return FR_OK;
}

static bool is_same(const fr_aid_pair *a, const fr_aid_pair *b) {
    return a->part == b->part && a->face == b->face && fr_object_id_equal(a->other, b->other) &&
           a->other_part == b->other_part && a->other_face == b->other_face;
}

static bool has(const fr_aid_pair *pairs, uint32_t count, const fr_aid_pair *pair) {
    for (uint32_t i = 0; i < count; i++) {
        if (is_same(&pairs[i], pair)) { return true; }
    }
    return false;
}

// Part and planar face of a triangle of an object.
static fr_status face_at(face_contacts *f, const fr_space *space, fr_object_id id, uint32_t triangle, uint32_t *part,
                         uint32_t *face, fr_error *error) {
    *part = fr_object_part_of_triangle(space, id, triangle);
    fr_part_view view = fr_object_part(space, id, *part);
    const fr_planar_faces *planar = NULL;
    fr_status status = planar_of(f, view.mesh, &planar, error);
    if (status == FR_OK) { *face = planar->face_of[triangle - view.first_triangle]; }
    return status;
}

static fr_status report(face_contacts *f, const face_contacts_frame *frame, fr_object_id other, const fr_contact *c,
                        fr_error *error) {
    bool is_first = fr_object_id_equal(c->a, frame->held);
    fr_aid_pair pair = {.other = other};
    fr_status status =
        face_at(f, frame->space, frame->held, is_first ? c->triangle_a : c->triangle_b, &pair.part, &pair.face, error);
    if (status == FR_OK) {
        status = face_at(f, frame->space, other, is_first ? c->triangle_b : c->triangle_a, &pair.other_part,
                         &pair.other_face, error);
    }
    if (status != FR_OK || f->pair_count == FACE_CONTACTS || has(f->pairs, f->pair_count, &pair)) { return status; }
    f->pairs[f->pair_count++] = pair;
    if (frame->on_event == NULL || has(f->reported, f->reported_count, &pair)) { return FR_OK; }
    fr_hand_event event = {.kind = FR_HAND_CONTACT, .object = frame->held, .pair = pair, .time = frame->time};
    event.speed = c->approach > 0.0 ? c->approach / frame->seconds : 0.0;
    event.point = c->point;
    frame->on_event(&event, frame->context);
    return FR_OK;
}

static fr_status meet(face_contacts *f, const face_contacts_frame *frame, fr_object_id other, fr_error *error) {
    fr_collide_input input = fr_default_collide_input();
    input.space = frame->space;
    input.want = FR_WANT_CONTACTS;
    fr_collide_output output;
    fr_status status = fr_collide_continuous_pair(f->collide, &input, frame->held, other, &output, error);
    for (size_t i = 0; i < output.pair_count && status == FR_OK; i++) {
        status = report(f, frame, other, &output.contacts[i], error);
    }
    return status;
}

fr_status face_contacts_move(face_contacts *f, const face_contacts_frame *frame, fr_error *error) {
    memcpy(f->reported, f->pairs, f->pair_count * sizeof *f->pairs);
    f->reported_count = f->pair_count;
    f->pair_count = 0;
    fr_status status = fr_object_set_next(frame->space, frame->held, &frame->next, error);
    uint32_t places = fr_space_object_places(frame->space);
    for (uint32_t i = 0; i < places && status == FR_OK; i++) {
        fr_object_id other = fr_space_object_at(frame->space, i);
        if (!fr_object_exists(frame->space, other) || fr_object_id_equal(other, frame->held)) { continue; }
        status = meet(f, frame, other, error);
    }
    return status == FR_OK ? fr_object_set_pose(frame->space, frame->held, &frame->next, error) : status;
}
