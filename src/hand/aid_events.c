// Events of a frame of the aid. The caller says which event and which pair; where it happened and how near all of it is
// to coming off is known only when the frame has ended, and filled in then.
#include "aid.h"

#include <string.h>

#define MAX_CONTACTS 16   // contacts a frame, so that what holds and comes off always finds room
#define SLIDE_SPEED 0.002 // metres a second: slower is standing
#define PULL_REPORTED 0.5 // of the pull at which it comes off

fr_hand_event *fr__aid_add_event(fr_aid_output *output, fr_hand_kind kind, const fr_aid_pair *pair, double speed,
                                 double area) {
    if (output->event_count < FR_AID_EVENTS) { output->event_count++; }
    fr_hand_event *e = &output->events[output->event_count - 1];
    *e = (fr_hand_event){.kind = kind, .speed = speed, .area = area};
    if (pair != NULL) { e->pair = *pair; }
    return e;
}

static double seconds_of(const fr__aid_frame *f) { return f->aid->has_time ? f->time - f->aid->time : 0.0; }

static bool was_reported(const fr_aid *aid, const fr_aid_pair *pair) {
    for (uint32_t i = 0; i < aid->reported_count; i++) {
        if (fr__aid_same(&aid->reported[i], pair)) { return true; }
    }
    return false;
}

void fr__aid_report_contacts(fr__aid_frame *f) {
    const fr_aid *aid = f->aid;
    double dt = seconds_of(f);
    for (uint32_t i = 0; i < aid->pair_count && f->output->event_count < MAX_CONTACTS; i++) {
        fr__aid_face held, other;
        if (was_reported(aid, &aid->pairs[i])) { continue; }
        if (!fr__aid_faces_of(f->aid, f->space, &aid->pairs[i], &f->from, &held, &other)) { continue; }
        fr_vec3 from = held.centroid;
        (void)fr__aid_faces_of(f->aid, f->space, &aid->pairs[i], &f->to, &held, &other);
        double displacement = fr_vec3_dot(other.normal, fr_vec3_sub(from, held.centroid));
        fr__aid_add_event(f->output, FR_HAND_CONTACT, &aid->pairs[i], dt > 0.0 ? fmax(displacement, 0.0) / dt : 0.0,
                          0.0);
    }
    memcpy(f->aid->reported, aid->pairs, aid->pair_count * sizeof *aid->pairs);
    f->aid->reported_count = aid->pair_count;
}

void fr__aid_report_slide(fr__aid_frame *f, const fr_pose *reached) {
    const fr_aid *aid = f->aid;
    double dt = seconds_of(f);
    if (aid->face_count == 0 || !(dt > 0.0)) { return; }
    const fr_aid_held *h = &aid->faces[0];
    fr_vec3 displacement =
        fr_vec3_sub(fr_pose_apply(reached, h->plane.centroid_local), fr_pose_apply(&f->from, h->plane.centroid_local));
    displacement = fr_vec3_add_scaled(displacement, -fr_vec3_dot(displacement, h->plane.normal), h->plane.normal);
    double speed = fr_vec3_length(displacement) / dt;
    if (speed < SLIDE_SPEED) { return; }
    fr_hand_event *e = fr__aid_add_event(f->output, FR_HAND_SLIDE, NULL, speed, h->area);
    e->count = aid->face_count + aid->snap_count;
    e->point = fr_pose_apply(reached, h->plane.centroid_local);
}

// ---------------------------------------------------------------------------------------------------------------
// At the end of a frame

// The held face that is nearest to coming off; FR_NONE where none is pulled.
static uint32_t most_pulled(const fr_aid *aid, double *pull) {
    uint32_t index = FR_NONE;
    *pull = 0.0;
    for (uint32_t i = 0; i < aid->face_count + aid->snap_count; i++) {
        const fr_aid_held *h = fr__aid_held_at(aid, i);
        double share = h->distance > 0.0 ? fmin(h->distance / h->threshold, 1.0) : 0.0;
        if (share > *pull) {
            *pull = share;
            index = i;
        }
    }
    return index;
}

static fr_vec3 point_of(const fr_aid *aid, const fr_hand_event *e) {
    bool is_of_face = e->kind == FR_HAND_CONTACT || e->kind == FR_HAND_SNAP;
    fr_vec3 local = aid->center_local;
    if (is_of_face) { local = fr__aid_centroid_local(aid, &e->pair); }
    return fr_pose_apply(&aid->shown, local);
}

void fr__aid_report_pull(fr__aid_frame *f, const fr_pose *reached) {
    double pull;
    uint32_t index = most_pulled(f->aid, &pull);
    if (!(pull > PULL_REPORTED)) { return; }
    const fr_aid_held *h = fr__aid_held_at(f->aid, index);
    fr_hand_event *e = fr__aid_add_event(f->output, FR_HAND_PULL, NULL, 0.0, h->area);
    e->count = f->aid->face_count + f->aid->snap_count;
    e->point = fr_pose_apply(reached, h->plane.centroid_local);
}

void fr__aid_fill_events(const fr_aid *aid, fr_aid_output *output) {
    double pull;
    (void)most_pulled(aid, &pull);
    for (uint32_t i = 0; i < output->event_count; i++) {
        fr_hand_event *e = &output->events[i];
        bool has_point =
            e->kind == FR_HAND_SLIDE || e->kind == FR_HAND_PULL || e->kind == FR_HAND_RELEASE || e->held != FR_AID_FACE;
        e->object = aid->held;
        e->time = aid->time;
        e->pull = fmax(e->pull, pull);
        if (!has_point) { e->point = point_of(aid, e); }
    }
}
