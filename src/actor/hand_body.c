// One object in a hand: its parts, the ball about it, and where it could stand.
#include "actor/hands.h"

#include "fureai/collide.h"

#include <string.h>

#define CONTACTS_MAX 64 // of one query about a place

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
                    fr__hands_make_aid(h, &made->aid, NULL) == FR_OK &&
                    fr__hand_array_reserve(&h->list, h->list.count + 1);
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

bool fr__hands_is_free(const fr_space *space, const fr_query_filter *filter, const fr_part_def *parts,
                       uint32_t part_count, const fr_pose *pose) {
    fr_contact contacts[CONTACTS_MAX];
    fr_move_input input = fr_default_move_input();
    input.space = space;
    input.parts = parts;
    input.part_count = part_count;
    input.motion = fr_motion_still(pose);
    input.filter = filter;
    input.contacts = contacts;
    input.capacity = CONTACTS_MAX;
    fr_move_output output;
    if (fr_collide_move(&input, &output, NULL) != FR_OK || output.has_more) { return false; }
    for (uint32_t i = 0; i < output.contact_count; i++) {
        if ((contacts[i].flags & (FR_CONTACT_TOUCHING | FR_CONTACT_COPLANAR | FR_CONTACT_NEAR)) == 0) { return false; }
    }
    return true;
}
