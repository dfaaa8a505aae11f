// One object in a hand: its parts, the ball about it, and where it could stand.
#include "actor/hands.h"

#include "collide/solid_faces.h"
#include "shape/mesh.h"

#include <string.h>

#define CONTACTS_MAX 64 // of one query about a place
#define NEARER 1e-8     // metres: the tolerance of the aid, which leaves less than a micrometre at times

fr__hand *fr__hands_find(const fr_hands *h, fr_object_id object) {
    fr__hand *const *list = h->list.data;
    for (size_t i = 0; i < h->list.count; i++) {
        if (fr_object_id_equal(list[i]->object, object)) { return list[i]; }
    }
    return NULL;
}

fr_vec3 fr__hand_center(const fr__hand *hand, const fr_pose *pose) { return fr_pose_apply(pose, hand->center_local); }

void fr__hand_free(const fr_hands *h, fr__hand *hand) {
    fr__retained_parts_release(&hand->body);
    fr_aid_destroy(hand->aid);
    fr_deallocate(&h->allocator, hand, 1, sizeof *hand);
}

fr_status fr__hands_make_aid(const fr_hands *h, fr_aid **out, fr_error *error) {
    fr_aid_def def = fr_default_aid_def();
    def.magnet = h->settings.magnet;
    def.blend = h->settings.blend;
    def.edge_reach = h->settings.edges;
    def.axis_reach = h->settings.axes;
    def.allocator = h->allocator;
    return fr_aid_create(&def, out, error);
}

fr__hand *fr__hands_make(fr_hands *h, const fr_space *space, fr_object_id object) {
    fr__hand *made = fr_allocate(&h->allocator, 1, sizeof *made, _Alignof(fr__hand));
    if (made == NULL) { return NULL; }
    memset(made, 0, sizeof *made);
    bool is_whole = fr__retained_parts_take(&made->body, &h->allocator, space, object) &&
                    fr__hands_make_aid(h, &made->aid, NULL) == FR_OK && fr__hand_array_reserve_more(&h->list, 1);
    if (!is_whole) {
        fr__hand_free(h, made);
        return NULL;
    }
    fr_pose own = fr_pose_identity();
    fr_bounds bounds = fr__retained_parts_bounds(&made->body, &own);
    fr_pose pose = fr_object_get(space, object)->pose;
    made->object = object;
    made->before = made->raw = made->shown = pose;
    made->center_local = fr_bounds_center(&bounds);
    made->radius = 0.5 * fr_vec3_distance(bounds.min, bounds.max) * pose.scale;
    *fr__hand_array_push(&h->list, 1) = made;
    return made;
}

bool fr__hands_may_handle(const fr_space *space, fr_object_id object) {
    const fr_object_view *view = fr_object_get(space, object);
    if (view == NULL || view->vertices != NULL || view->part_count == 0) { return false; }
    for (uint32_t i = 0; i < fr_space_joint_places(space); i++) {
        const fr_joint *joint = fr_joint_get(space, fr_space_joint_at(space, i));
        bool is_joined =
            joint != NULL && (fr_object_id_equal(joint->parent, object) || fr_object_id_equal(joint->child, object));
        if (is_joined) { return false; }
    }
    return true;
}

// Turns the corners of a face of a closed mesh counter-clockwise seen from outside; false for an open one.
static bool turn_outwards(const fr_mesh *mesh, fr_vec3 corners[3]) {
    if (mesh->facing < 0.0) {
        fr_vec3 first = corners[0];
        corners[0] = corners[1];
        corners[1] = first;
    }
    return mesh->facing != 0.0;
}

// Whether two faces that only touch show that the solids are in one another: boxes whose edges run in faces.
static bool enters(const fr_space *space, const fr_part_def *parts, const fr_pose *pose, const fr_contact *c) {
    uint32_t first = 0;
    for (uint32_t i = 0; i < c->part_a; i++) {
        first += fr_mesh_get(parts[i].mesh)->triangle_count;
    }
    const fr_part_def *part = &parts[c->part_a];
    fr_vec3 a[3], b[3];
    fr_mesh_corners(part->mesh, c->triangle_a - first, a);
    for (int k = 0; k < 3; k++) {
        a[k] = fr_pose_apply(pose, fr_pose_apply(&part->pose, a[k]));
    }
    if (fr_object_get(space, c->b)->vertices != NULL) { return false; }
    if (fr_object_corners(space, c->b, c->triangle_b, b, NULL) != FR_OK) { return false; }
    return turn_outwards(part->mesh, a) && turn_outwards(fr_object_part(space, c->b, c->part_b).mesh, b) &&
           fr__faces_meet(a, b) == FR__FACES_INSIDE;
}

bool fr__hands_is_free(const fr_space *space, const fr_query_filter *filter, const fr_part_def *parts,
                       uint32_t part_count, const fr_pose *pose) {
    fr_contact contacts[CONTACTS_MAX];
    fr_move_input input = fr_default_move_input();
    input.space = space;
    input.parts = parts;
    input.part_count = part_count;
    input.motion = fr_motion_still(pose);
    input.tolerance = NEARER; // the faces about a corner that is just before another are not to fill the contacts
    input.filter = filter;
    input.contacts = contacts;
    input.capacity = CONTACTS_MAX;
    fr_move_output output;
    if (fr_collide_move(&input, &output, NULL) != FR_OK || output.has_more) { return false; }
    for (uint32_t i = 0; i < output.contact_count; i++) {
        if ((contacts[i].flags & (FR_CONTACT_TOUCHING | FR_CONTACT_COPLANAR | FR_CONTACT_NEAR)) == 0) { return false; }
        bool is_touching = (contacts[i].flags & FR_CONTACT_NEAR) == 0;
        if (is_touching && enters(space, parts, pose, &contacts[i])) { return false; }
    }
    return true;
}
