// Puts captured steps into a set of walks: figures of their postures, contacts of their feet, one print a contact.
#include "human/walk_cells.h"

#include <math.h>

static const double FLAT = 0.05; // radians of a sole that stands, from which on its pitch is as captured

// ---------------------------------------------------------------------------------------------------------------
// Figures

// The figure of a captured posture at a time, as large as the set's body, without any alignment.
static void read_figure(const fr_walk_set *set, const fr_walk_cells *cells, const fr_clip *clip, double seconds,
                        fr__walk_figure *figure) {
    fr_quat turns[FR_MAX_LINKS];
    fr_posture posture = {.turns = turns, .count = fr_skeleton_get(set->view.skeleton)->link_count};
    double ground;
    (void)fr_clip_sample(clip, seconds, &posture, NULL); // links were checked
    posture.place = fr_vec3_scale(set->body.leg / cells->leg, posture.place);
    fr__walk_read(set->view.skeleton, &set->body, &posture, figure, &ground);
}

static fr_vec2 ankles_middle(const fr__walk_figure *f) {
    return (fr_vec2){0.5 * (f->legs[0].ankle.x + f->legs[1].ankle.x), 0.5 * (f->legs[0].ankle.z + f->legs[1].ankle.z)};
}

static bool begins_standing(fr_clip_class c) { return c != FR_CLIP_STRAIGHT && c != FR_CLIP_END; }
static bool ends_standing(fr_clip_class c) { return c != FR_CLIP_STRAIGHT && c != FR_CLIP_START; }

// The point by which a figure is put in its place: between the feet where it stands, else between the hips.
static fr_vec2 anchor_of(const fr__walk_figure *f, bool stands) {
    return stands ? ankles_middle(f) : (fr_vec2){f->middle.x, f->middle.z};
}

static void move_figure(fr__walk_figure *figure, double x, double z) {
    fr_vec3 *points[3] = {&figure->middle, &figure->legs[0].ankle, &figure->legs[1].ankle};
    for (int i = 0; i < 3; i++) {
        points[i]->x += x;
        points[i]->z += z;
    }
}

// The straight step of the set at its first frame; while that is captured itself, as it is captured.
static void straight_figure(const fr_walk_set *set, fr__walk_figure *figure) {
    uint32_t index = fr__walk_clip_index(FR_CLIP_STRAIGHT, 0, 0, FR_STRIDE_NONE, FR__LEFT);
    fr__walk_set_figure(set, &set->clips[index], 0.0, figure);
}

// Where the anchor of the first frame belongs.
static fr_vec2 wanted_anchor(const fr_walk_set *set, const fr__walk_clip *clip, const fr__walk_figure *first) {
    fr__walk_figure straight;
    if (begins_standing(clip->clip_class)) { return anchor_of(&set->stand, true); }
    if (clip->clip_class == FR_CLIP_STRAIGHT) {
        return (fr_vec2){first->middle.x, fr__walk_steady_middle(&set->gait, 0.0).z};
    }
    straight_figure(set, &straight);
    if (clip->joined == FR__LEFT) { fr__walk_mirror(&straight); }
    return anchor_of(&straight, false);
}

void fr__walk_cell_figure(const fr_walk_set *set, const fr_walk_cells *cells, uint32_t index, double frame,
                          fr__walk_figure *figure) {
    const fr__walk_clip *clip = &set->clips[index];
    double duration = fr_clip_get(cells->clips[index])->duration;
    fr__walk_figure first;
    read_figure(set, cells, cells->clips[index], 0.0, &first);
    read_figure(set, cells, cells->clips[index], duration * frame / (double)(clip->frame_count - 1), figure);
    fr_vec2 wanted = wanted_anchor(set, clip, &first), is = anchor_of(&first, begins_standing(clip->clip_class));
    move_figure(figure, wanted.x - is.x, wanted.y - is.y);
}

// ---------------------------------------------------------------------------------------------------------------
// What the clip is

// The contacts of a foot: runs of frames with a contact. A foot stands at both ends, or lands there.
static fr_status set_contacts(const fr_clip *captured, int foot, fr__walk_clip *clip, fr_error *error) {
    uint32_t frames = fr_clip_get(captured)->frame_count, count = 0;
    double scale = (double)(clip->frame_count - 1) / (double)(frames - 1);
    fr_quat turns[FR_MAX_LINKS];
    fr_posture posture = {.turns = turns, .count = fr_clip_get(captured)->link_count};
    bool stands = false;
    for (uint32_t i = 0; i < frames; i++) {
        (void)fr_clip_frame(captured, i, &posture, NULL);
        bool is_down = (foot == FR__LEFT ? posture.contact_left : posture.contact_right) != 0;
        is_down = is_down || i == 0 || i + 1 == frames;
        if (is_down && !stands) {
            if (count == FR__MAX_CONTACTS) {
                return fr_error_set(error, FR_ERROR_ARGUMENT, "a foot of a captured step lands too often");
            }
            clip->contacts[foot][count++].begin = scale * i;
        }
        if (is_down) { clip->contacts[foot][count - 1].end = scale * i; }
        stands = is_down;
    }
    // What only lifts or lands at an end has no length.
    clip->contact_counts[foot] = count;
    return FR_OK;
}

fr_status fr__walk_set_take_cell(fr_walk_set *set, const fr_walk_cells *cells, uint32_t index, fr_error *error) {
    const fr_clip_view *view = fr_clip_get(cells->clips[index]);
    fr__walk_clip *clip = &set->clips[index];
    uint32_t links = fr_skeleton_get(set->view.skeleton)->link_count;
    double frames = floor(view->duration * set->view.frame_rate + 0.5);
    if (view->link_count > links || !(frames >= 3.0 && frames <= FR__CELL_MAX_FRAMES)) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "a captured step has too many links, or too few or many frames");
    }
    clip->frame_count = 1 + (uint32_t)frames;
    fr_status status = set_contacts(cells->clips[index], FR__LEFT, clip, error);
    if (status == FR_OK) { status = set_contacts(cells->clips[index], FR__RIGHT, clip, error); }
    if (status != FR_OK) { return status; }
    switch (clip->clip_class) {
    case FR_CLIP_STRAIGHT: clip->heading = 0.0; break;
    case FR_CLIP_START: clip->heading = view->direction; break;
    case FR_CLIP_END: clip->heading = view->facing; break;
    default: clip->heading = fr__wrap(view->direction + view->facing); break;
    }
    return FR_OK;
}

fr_status fr__walk_set_cell_travel(fr_walk_set *set, const fr_walk_cells *cells, uint32_t index, fr_error *error) {
    fr__walk_clip *clip = &set->clips[index];
    fr__walk_figure first, last, next;
    bool stands = ends_standing(clip->clip_class);
    fr__walk_cell_figure(set, cells, index, 0.0, &first);
    fr__walk_cell_figure(set, cells, index, (double)(clip->frame_count - 1), &last);
    fr_vec2 at = anchor_of(&last, stands);
    if (clip->clip_class == FR_CLIP_STRAIGHT) {
        clip->travel = (fr_vec2){0.0, at.y - first.middle.z};
    } else {
        // Where the figure that follows has its anchor, turned.
        if (!stands) { straight_figure(set, &next); }
        fr_vec2 own = anchor_of(stands ? &set->stand : &next, stands);
        double sine, cosine;
        fr_sincos(clip->heading, &sine, &cosine);
        clip->travel = (fr_vec2){at.x - (own.x * cosine + own.y * sine), at.y - (own.y * cosine - own.x * sine)};
    }
    double length = sqrt(clip->travel.x * clip->travel.x + clip->travel.y * clip->travel.y);
    if (length >= 0.02 * set->body.leg && length <= 10.0 * set->body.leg) { return FR_OK; }
    return fr_error_set(error, FR_ERROR_ARGUMENT, "a captured step goes %g metres", length);
}

// ---------------------------------------------------------------------------------------------------------------
// Frames

// The print of each contact: where the wanted figures have it at the ends, else in the middle of the contact.
static void set_prints(const fr_walk_set *set, fr__walk_clip *clip, const fr__walk_figure *first,
                       const fr__walk_figure *last, int foot) {
    uint32_t count = clip->contact_counts[foot];
    for (uint32_t i = 0; i < count; i++) {
        fr__walk_contact *contact = &clip->contacts[foot][i];
        fr__walk_figure figure;
        fr__walk_set_figure(set, clip, 0.5 * (contact->begin + contact->end), &figure);
        const fr__walk_leg *leg = i == 0 ? &first->legs[foot] : i + 1 == count ? &last->legs[foot] : &figure.legs[foot];
        contact->print = fr__walk_print_of(&set->body, leg);
    }
}

// A sole that is nearly flat is flat.
static double flattened(double pitch, bool is_captured) {
    return is_captured ? pitch * fr__ease(fabs(pitch) / FLAT) : pitch;
}

// Holds the foot on its prints, and fades what that changes from contact to contact.
static void plant(fr_walk_set *set, const fr__walk_clip *clip, int foot, bool is_captured) {
    double last = (double)(clip->frame_count - 1);
    fr_vec3 errors[FR__MAX_CONTACTS][2];
    double turns[FR__MAX_CONTACTS][2];
    for (uint32_t i = 0; i < clip->contact_counts[foot]; i++) {
        const fr__walk_contact *contact = &clip->contacts[foot][i];
        for (int k = 0; k < 2; k++) {
            fr__walk_figure figure;
            fr__walk_set_figure(set, clip, k == 0 ? contact->begin : contact->end, &figure);
            const fr__walk_leg *leg = &figure.legs[foot];
            fr_vec3 wanted = fr__walk_planted(&set->body, &contact->print, contact->print.heading,
                                              flattened(leg->pitch, is_captured));
            errors[i][k] = fr_vec3_sub(wanted, leg->ankle);
            turns[i][k] = fr__wrap(contact->print.heading - leg->heading);
        }
    }
    for (uint32_t f = 0; f <= (uint32_t)last; f++) {
        fr__walk_frame *frame = &set->frames[clip->first + f];
        fr__walk_figure figure;
        fr__walk_load(frame, frame, 0.0, &figure);
        fr__walk_leg *leg = &figure.legs[foot];
        uint32_t i;
        if (fr__walk_stands(clip, foot, (double)f, &i)) {
            const fr__walk_print *print = &clip->contacts[foot][i].print;
            leg->heading += fr__wrap(print->heading - leg->heading);
            leg->pitch = flattened(leg->pitch, is_captured);
            leg->ankle = fr__walk_planted(&set->body, print, print->heading, leg->pitch);
        } else {
            const fr__walk_contact *at = &clip->contacts[foot][i];
            double u = fr__ease(((double)f - at->end) / (at[1].begin - at->end));
            leg->ankle = fr_vec3_add(leg->ankle, fr_vec3_lerp(errors[i][1], errors[i + 1][0], u));
            leg->heading += turns[i][1] + u * fr__wrap(turns[i + 1][0] - turns[i][1]);
            double low = fr__walk_sole(&set->body, leg);
            leg->ankle.y -= low < 0.0 ? low : 0.0;
        }
        fr__walk_store(&figure, frame);
    }
}

void fr__walk_set_plant(fr_walk_set *set, uint32_t index, const fr__walk_figure *first, const fr__walk_figure *last,
                        bool is_captured) {
    fr__walk_clip *clip = &set->clips[index];
    for (int foot = 0; foot < 2; foot++) {
        set_prints(set, clip, first, last, foot);
        plant(set, clip, foot, is_captured);
    }
}
