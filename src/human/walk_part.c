// Deforms clips of a walk: the hips follow the path that is wanted, and each foot keeps one print while it stands.
#include "human/walk_part.h"

#include "human/walk_apart.h"

#include <string.h>

typedef struct ground_turn {
    double sine, cosine;
} ground_turn;

static ground_turn ground_turn_make(double heading) {
    ground_turn t;
    fr_sincos(heading, &t.sine, &t.cosine);
    return t;
}

static fr_vec2 ground_turned(ground_turn t, double x, double z) {
    return (fr_vec2){x * t.cosine + z * t.sine, z * t.cosine - x * t.sine};
}

// How much a clip is turned at a part 0 .. 1 of its time.
static double turned_by(const fr__walk_part *part, double time) {
    return part->turns[0] + (part->turns[1] - part->turns[0]) * fr__ease(time);
}

// The velocity of the path at an end, metres for the whole part: along its heading there.
static fr_vec2 end_velocity(const fr__walk_part *part, int end) {
    fr_vec2 travel = part->clip.travel;
    ground_turn t = ground_turn_make(end == 0 ? part->from.heading : part->to.heading);
    double speed = part->speeds[end] * sqrt(travel.x * travel.x + travel.y * travel.y);
    return (fr_vec2){speed * t.sine, speed * t.cosine};
}

// The path at `along`, 0 .. 1, of its length. Where the body walks on at an end it keeps the speed and the heading that
// are wanted there, so that parts of other lengths follow one another smoothly.
static fr_vec2 path_at(const fr__walk_part *part, double along) {
    double u = along, s = 1.0 - along, x = part->to.x - part->from.x, z = part->to.z - part->from.z, begin, end;
    switch (part->clip.clip_class) {
    case FR_CLIP_START: begin = 0.0, end = -u * s; break;
    case FR_CLIP_STRAIGHT: begin = u * s * s, end = -u * u * s; break;
    case FR_CLIP_END: begin = u * s, end = 0.0; break;
    default: begin = end = 0.0; break;
    }
    double straight = u - begin - end;
    fr_vec2 a = end_velocity(part, 0), b = end_velocity(part, 1);
    return (fr_vec2){part->from.x + straight * x + begin * a.x + end * b.x,
                     part->from.z + straight * z + begin * a.y + end * b.y};
}

// Moves a place of the hips from the clip to the world: along the path it is stretched, across it turned.
static fr_vec2 move_hips(const fr__walk_part *part, double x, double z, double turn) {
    fr_vec2 travel = part->clip.travel;
    double along = (x * travel.x + z * travel.y) / (travel.x * travel.x + travel.y * travel.y);
    fr_vec2 at = path_at(part, along);
    fr_vec2 aside = ground_turned(ground_turn_make(turn), x - along * travel.x, z - along * travel.y);
    return (fr_vec2){at.x + aside.x, at.y + aside.y};
}

// ---------------------------------------------------------------------------------------------------------------
// Prints

// The rigid motion on the ground that takes one print to another.
static fr_vec3 move_ankle(const fr__walk_print *from, const fr__walk_print *to, fr_vec3 ankle) {
    fr_vec2 aside = ground_turned(ground_turn_make(to->heading - from->heading), ankle.x - from->x, ankle.z - from->z);
    return fr_vec3_make(to->x + aside.x, ankle.y, to->z + aside.y);
}

// A print that moves with the end of the clip.
static fr__walk_print print_at_end(const fr__walk_part *part, const fr__walk_print *print) {
    double turn = part->turns[1];
    fr_vec2 travel = part->clip.travel;
    fr_vec2 aside = ground_turned(ground_turn_make(turn), print->x - travel.x, print->z - travel.y);
    return (fr__walk_print){part->to.x + aside.x, part->to.z + aside.y, print->heading + turn};
}

// A print in the middle of a part: the spot beside which the foot would stand moves with the path, and the print keeps
// its place to that spot.
static fr__walk_print print_on_path(const fr_walk_set *set, const fr__walk_part *part, int foot,
                                    const fr__walk_contact *contact) {
    double middle = 0.5 * (contact->begin + contact->end), last = (double)(part->clip.frame_count - 1);
    const fr__walk_print *print = &contact->print;
    fr__walk_print beside = fr__walk_standing_print(&set->body, foot, 0.0, 0.0, 0.0);
    fr_vec2 out = ground_turned(ground_turn_make(print->heading - beside.heading), beside.x, beside.z);
    fr_vec2 travel = part->clip.travel;
    double along =
        ((print->x - out.x) * travel.x + (print->z - out.y) * travel.y) / (travel.x * travel.x + travel.y * travel.y);
    double turn = turned_by(part, middle / last);
    fr_vec2 at = path_at(part, along);
    fr_vec2 aside = ground_turned(ground_turn_make(turn), print->x - along * travel.x, print->z - along * travel.y);
    return (fr__walk_print){at.x + aside.x, at.y + aside.y, print->heading + turn};
}

static void set_prints(const fr_walk_set *set, int foot, fr__walk_part *before, const fr__walk_print *stand,
                       bool is_committed, fr__walk_part *part) {
    double last = (double)(part->clip.frame_count - 1);
    uint32_t count = part->clip.contact_counts[foot];
    for (uint32_t i = 0; i < count; i++) {
        const fr__walk_contact *contact = &part->clip.contacts[foot][i];
        bool is_last = contact->end >= last, is_first = i == 0;
        bool lands_first = before != NULL && is_first && !is_committed &&
                           before->clip.contacts[foot][before->clip.contact_counts[foot] - 1].begin >=
                               (double)(before->clip.frame_count - 1);
        if (is_first && !lands_first) {
            part->prints[foot][i] =
                before != NULL ? before->prints[foot][before->clip.contact_counts[foot] - 1] : stand[foot];
        } else if (is_last && !lands_first) {
            part->prints[foot][i] = print_at_end(part, &contact->print);
        } else {
            part->prints[foot][i] = print_on_path(set, part, foot, contact);
        }
        if (lands_first) { before->prints[foot][before->clip.contact_counts[foot] - 1] = part->prints[foot][i]; }
    }
}

static void mirror_clip(fr__walk_clip *clip) {
    const fr__walk_clip copy = *clip;
    for (int foot = 0; foot < 2; foot++) {
        clip->contact_counts[foot] = copy.contact_counts[1 - foot];
        for (uint32_t i = 0; i < clip->contact_counts[foot]; i++) {
            fr__walk_contact contact = copy.contacts[1 - foot][i];
            contact.print.x = -contact.print.x;
            contact.print.heading = -contact.print.heading;
            clip->contacts[foot][i] = contact;
        }
    }
    clip->travel.x = -clip->travel.x;
    clip->heading = -clip->heading;
}

// ---------------------------------------------------------------------------------------------------------------
// Figures

static uint8_t move_leg(const fr_walk_set *set, const fr__walk_part *part, int foot, double frame, double turn,
                        fr__walk_leg *leg) {
    uint32_t i;
    bool stands = fr__walk_stands(&part->clip, foot, frame, &i);
    const fr__walk_contact *contacts = part->clip.contacts[foot];
    double by = part->prints[foot][i].heading - contacts[i].print.heading;
    if (stands) {
        leg->heading = part->prints[foot][i].heading;
        leg->ankle = fr__walk_planted(&set->body, &part->prints[foot][i], leg->heading, leg->pitch);
    } else {
        double u = (frame - contacts[i].end) / (contacts[i + 1].begin - contacts[i].end), eased = fr__ease(u);
        double next = part->prints[foot][i + 1].heading - contacts[i + 1].print.heading;
        fr_vec3 a = move_ankle(&contacts[i].print, &part->prints[foot][i], leg->ankle);
        fr_vec3 b = move_ankle(&contacts[i + 1].print, &part->prints[foot][i + 1], leg->ankle);
        leg->ankle = fr_vec3_lerp(a, b, eased);
        by += fr__wrap(next - by) * eased;
        leg->heading += by;
        leg->ankle.x += fr__walk_aside_part(u) * part->asides[foot][i].most.x;
        leg->ankle.z += fr__walk_aside_part(u) * part->asides[foot][i].most.y;
    }
    leg->knee += turn + 0.25 * fr__wrap(by - turn);
    return stands ? fr__walk_contact_bits(leg->pitch) : 0;
}

// Bends the leg of a foot in the air. A sole that this, or a sample between two frames, would take below the ground is
// lifted.
static void bend_leg(const fr_walk_set *set, const fr__walk_part *part, int foot, double frame,
                     fr__walk_figure *figure) {
    uint32_t i;
    (void)fr__walk_stands(&part->clip, foot, frame, &i);
    fr__walk_bend_apply(&part->leaving[foot][i], &set->body, foot, frame, figure);
    fr__walk_bend_apply(&part->landing[foot][i], &set->body, foot, frame, figure);
    double low = fr__walk_sole(&set->body, &figure->legs[foot]);
    figure->legs[foot].ankle.y -= low < 0.0 ? low : 0.0;
}

void fr__walk_part_figure(const fr_walk_set *set, const fr__walk_part *part, double frame, fr__walk_figure *figure,
                          uint8_t contacts[2]) {
    fr__walk_set_figure(set, &part->clip, frame, figure);
    if (part->is_mirrored) { fr__walk_mirror(figure); }
    double turn = turned_by(part, frame / (double)(part->clip.frame_count - 1));
    fr_vec2 hips = move_hips(part, figure->middle.x, figure->middle.z, turn);
    figure->middle.x = hips.x;
    figure->middle.z = hips.y;
    figure->turns[FR__FIGURE_HIP] = fr_quat_multiply(fr__turn_y(turn), figure->turns[FR__FIGURE_HIP]);
    for (int foot = 0; foot < 2; foot++) {
        contacts[foot] = move_leg(set, part, foot, frame, turn, &figure->legs[foot]);
        if (contacts[foot] == 0) { bend_leg(set, part, foot, frame, figure); }
    }
}

fr__walk_spot fr__walk_part_spot(const fr_walk_set *set, const fr__walk_part *part, double frame) {
    fr__walk_figure figure;
    fr__walk_set_figure(set, &part->clip, frame, &figure);
    if (part->is_mirrored) { fr__walk_mirror(&figure); }
    fr_vec2 travel = part->clip.travel;
    double along =
        (figure.middle.x * travel.x + figure.middle.z * travel.y) / (travel.x * travel.x + travel.y * travel.y);
    fr_vec2 at = path_at(part, along);
    fr_mat3 m = fr_quat_to_mat3(figure.turns[FR__FIGURE_HIP]);
    double heading = fr_atan2(m.row[0].z, m.row[2].z);
    double turn = turned_by(part, frame / (double)(part->clip.frame_count - 1));
    return (fr__walk_spot){at.x, at.y, fr__wrap(heading + turn)};
}

// ---------------------------------------------------------------------------------------------------------------
// Making

// How much a leg is bent at a frame of a part, or of the part that follows it.
static double bend_at(const fr_walk_set *set, const fr__walk_part *part, const fr__walk_part *next, int foot,
                      double frame) {
    fr__walk_figure figure;
    uint8_t contacts[2];
    bool is_after = next != NULL && frame > part->last;
    fr__walk_part_figure(set, is_after ? next : part, is_after ? frame - part->last : frame, &figure, contacts);
    return fr__walk_bend_of(&set->body, &figure, foot);
}

// The end of a curve at a frame: the bend there and its change a frame, seen from the side that `step` points to.
static void set_bend_end(const fr_walk_set *set, const fr__walk_part *part, const fr__walk_part *next, int foot,
                         double step, int end, fr__walk_bend *bend) {
    double frame = end == 0 ? bend->begin : bend->end, values[3];
    for (int i = 0; i < 3; i++) {
        values[i] = bend_at(set, part, next, foot, frame + (double)i * step);
    }
    bend->values[end] = values[0];
    bend->speeds[end] = (4.0 * values[1] - 3.0 * values[0] - values[2]) / (2.0 * step);
}

// Sets how the legs of a part bend; `next` follows it. A curve that would need frames before the part, or after it
// without a next one, is left out: the clip's own is near it.
static void set_bends(const fr_walk_set *set, fr__walk_part *part, const fr__walk_part *next) {
    const double reach = 2.0; // frames on either side of a curve that are looked at
    memset(part->leaving, 0, sizeof part->leaving);
    memset(part->landing, 0, sizeof part->landing);
    for (int foot = 0; foot < 2; foot++) {
        const fr__walk_contact *contacts = part->clip.contacts[foot];
        for (uint32_t i = 0; i + 1 < part->clip.contact_counts[foot]; i++) {
            double off = contacts[i].end, land = contacts[i + 1].begin, swing = land - off;
            fr__walk_bend leaving = {.begin = off, .end = off + FR__BEND_LEAVE * swing};
            fr__walk_bend landing = {.begin = land - FR__BEND_STRETCH * swing, .end = land};
            bool may_land = landing.begin >= reach && (next != NULL || land + reach <= part->last);
            if (off >= reach && leaving.end + reach <= part->last) {
                set_bend_end(set, part, next, foot, -1.0, 0, &leaving);
                set_bend_end(set, part, next, foot, 1.0, 1, &leaving);
                part->leaving[foot][i] = leaving;
            }
            if (may_land) {
                set_bend_end(set, part, next, foot, -1.0, 0, &landing);
                set_bend_end(set, part, next, foot, 1.0, 1, &landing);
                part->landing[foot][i] = landing;
            }
        }
    }
}

void fr__walk_part_set(const fr_walk_set *set, const fr__walk_part_input *input, fr__walk_part *part) {
    fr__walk_part *before = input->before;
    fr__walk_spot from = input->from, to = input->to;
    part->clip = set->clips[input->clip];
    part->is_mirrored = input->is_mirrored;
    if (part->is_mirrored) { mirror_clip(&part->clip); }
    part->begin = before != NULL ? before->begin + before->last : 0.0;
    part->last = (double)(part->clip.frame_count - 1);
    part->length = sqrt((to.x - from.x) * (to.x - from.x) + (to.z - from.z) * (to.z - from.z));
    part->from = from;
    part->to = to;
    part->speeds[0] = before != NULL ? before->speeds[1] : 0.0;
    part->speeds[1] = input->end_speed;
    part->turns[0] = from.heading;
    part->turns[1] = from.heading + fr__wrap(to.heading - part->clip.heading - from.heading);
    for (int foot = 0; foot < 2; foot++) {
        set_prints(set, foot, before, input->stand, input->is_committed, part);
    }
    memset(part->leaving, 0, sizeof part->leaving);
    memset(part->landing, 0, sizeof part->landing);
    part->lack = fr__walk_part_keep_apart(set, part);
    set_bends(set, part, NULL);

    // What a body that walks on lands on is known now.
    if (before != NULL && before->speeds[1] > 0.0 && !input->is_committed) { set_bends(set, before, part); }
}

// ---------------------------------------------------------------------------------------------------------------
// Parts that are left early

// Feet that stand beside one another are no farther apart than this, times half the distance of the hip joints.
static const double NEAR_FEET = 3.0;

void fr__walk_part_restore(const fr_walk_set *set, fr__walk_part *part) {
    part->last = (double)(part->clip.frame_count - 1);
    for (uint32_t i = 0; i < FR_WALK_CLIPS; i++) {
        if (set->clips[i].first != part->clip.first) { continue; }
        for (int foot = 0; foot < 2; foot++) {
            part->clip.contact_counts[foot] = set->clips[i].contact_counts[part->is_mirrored ? 1 - foot : foot];
        }
    }
}

// Whether both feet of a part stand at a frame, as near to one another as those of a body that stands.
static bool is_upright(const fr_walk_set *set, const fr__walk_part *part, double within) {
    fr__walk_print prints[2];
    for (int foot = 0; foot < 2; foot++) {
        uint32_t contact;
        if (!fr__walk_stands(&part->clip, foot, within, &contact)) { return false; }
        prints[foot] = part->prints[foot][contact];
    }
    double x = prints[0].x - prints[1].x, z = prints[0].z - prints[1].z;
    return x * x + z * z <= NEAR_FEET * NEAR_FEET * set->body.half * set->body.half;
}

double fr__walk_part_stand(const fr_walk_set *set, const fr__walk_part *part, double within) {
    while (within < part->last && !is_upright(set, part, within)) {
        within = floor(within) + 1.0;
    }
    return within < part->last ? within : part->last;
}
