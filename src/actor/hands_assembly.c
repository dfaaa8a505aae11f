// Parts in hands: they are fitted when they come to their places, and cannot be taken while others stand on them.
#include "actor/hands.h"

uint32_t fr__hands_part(const fr_hands *h, fr_object_id object) {
    return h->assembly != NULL ? fr_assembly_part_of(h->assembly, object) : FR_NONE;
}

fr_status fr__hands_take_part(fr_hands *h, fr_object_id object, fr_error *error) {
    uint32_t part = fr__hands_part(h, object);
    return part != FR_NONE ? fr_assembly_take(h->assembly, part, error) : FR_OK;
}

bool fr__hands_fit(fr_hands *h, fr__hand *hand, const fr_proposal *proposal, bool is_let_go, fr_assembly_output *out) {
    uint32_t part = fr__hands_part(h, hand->object);
    if (part == FR_NONE) { return false; }
    double time = (double)h->calls * proposal->step;
    fr_status status = is_let_go ? fr_assembly_let_go(h->assembly, proposal->space, part, &hand->shown, time, out, NULL)
                                 : fr_assembly_frame(h->assembly, proposal->space, part, &hand->shown, time, out, NULL);
    if (status != FR_OK) { return false; }
    hand->result = out->result;
    hand->target = out->target;
    hand->place = out->place;
    return out->result == FR_ASSEMBLY_FITTED;
}

fr_pose fr__hands_fit_at(fr_hands *h, const fr_space *space, fr_object_id object, const fr_pose *pose, double time) {
    uint32_t part = fr__hands_part(h, object);
    fr_assembly_output out;
    if (part == FR_NONE) { return *pose; }
    fr_status status = fr_assembly_let_go(h->assembly, space, part, pose, time, &out, NULL);
    return status == FR_OK && out.result == FR_ASSEMBLY_FITTED ? out.pose : *pose;
}

// ---------------------------------------------------------------------------------------------------------------
// Where parts belong

bool fr__hands_place(const fr_hands *h, uint32_t place, fr_pose *out) {
    fr_pose pose = fr_assembly_get(h->assembly, place)->place;
    uint32_t before = fr_assembly_get(h->assembly, place)->relative_to;
    pose.scale = 1.0;
    while (before != FR_NONE) {
        fr_pose base = fr_assembly_get(h->assembly, before)->place;
        base.scale = 1.0;
        pose = fr_pose_compose(&base, &pose);
        before = fr_assembly_get(h->assembly, before)->relative_to;
    }
    const fr_object_view *view = fr_object_get(fr_world_space(h->world), fr_assembly_get(h->assembly, place)->object);
    if (view == NULL) { return false; }
    pose.scale = view->pose.scale;
    *out = pose;
    return true;
}

bool fr__hands_is_next(const fr_hands *h, uint32_t place) {
    const fr_assembly_part *part = fr_assembly_get(h->assembly, place);
    if (fr_assembly_in_place(h->assembly, place) != FR_NONE) { return false; }
    if (part->relative_to != FR_NONE && fr_assembly_in_place(h->assembly, part->relative_to) == FR_NONE) {
        return false;
    }
    for (uint32_t i = 0; i < part->after_count; i++) {
        if (fr_assembly_in_place(h->assembly, part->after[i]) == FR_NONE) { return false; }
    }
    return true;
}
