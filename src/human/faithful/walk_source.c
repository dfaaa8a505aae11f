// Makes clips of walks meet by Euler angles and deforms them by tracks on the ground, as the source does.
#include "human/faithful/walk_source.h"

fr_source_angles fr_source_angles_of(fr_quat q) {
    fr_mat3 m = fr_quat_to_mat3(q);
    double level = sqrt(m.row[0].x * m.row[0].x + m.row[1].x * m.row[1].x);
    fr_source_angles angles = {fr_atan2(m.row[1].x, m.row[0].x), fr_atan2(-m.row[2].x, level),
                               fr_atan2(m.row[2].y, m.row[2].z)};
    return angles;
}

fr_quat fr_source_turn_of(fr_source_angles angles) {
    fr_quat yaw = fr_quat_from_axis_angle(fr_vec3_make(0.0, 0.0, 1.0), angles.yaw);
    fr_quat pitch = fr_quat_from_axis_angle(fr_vec3_make(0.0, 1.0, 0.0), angles.pitch);
    fr_quat roll = fr_quat_from_axis_angle(fr_vec3_make(1.0, 0.0, 0.0), angles.roll);
    return fr_quat_multiply(yaw, fr_quat_multiply(pitch, roll));
}

static double power(double base, int exponent) {
    double result = 1.0;
    for (int i = 0; i < exponent; i++) {
        result *= base;
    }
    return result;
}

void fr_source_meet(fr_quat *turns, uint32_t count, fr_quat first, fr_quat last, int first_exponent,
                    int last_exponent) {
    FR_ASSERT(turns != NULL && count >= 2);
    double end = (double)(count - 1);
    fr_source_angles one = fr_source_angles_of(fr_quat_multiply(fr_quat_conjugate(turns[0]), first));
    fr_source_angles two = fr_source_angles_of(fr_quat_multiply(fr_quat_conjugate(turns[count - 1]), last));
    for (uint32_t i = 0; i < count; i++) {
        double a = power(1.0 - (double)i / end, first_exponent), b = power((double)i / end, last_exponent);
        fr_source_angles sum = {a * one.yaw + b * two.yaw, a * one.pitch + b * two.pitch, a * one.roll + b * two.roll};
        turns[i] = fr_quat_multiply(turns[i], fr_source_turn_of(sum));
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Deformation

static fr_vec3 moved(fr_source_spot by, fr_vec3 p) {
    double sine, cosine;
    fr_sincos(by.heading, &sine, &cosine);
    return fr_vec3_make(p.x * cosine + p.z * sine + by.x, p.y, p.z * cosine - p.x * sine + by.z);
}

// The track of a point on the ground: its first and last places, before and after.
typedef struct ground_track {
    fr_vec3 first, last, new_first, new_last;
} ground_track;

static ground_track track_make(fr_vec3 first, fr_vec3 last, fr_source_spot by_first, fr_source_spot by_last) {
    ground_track t = {first, last, moved(by_first, first), moved(by_last, last)};
    return t;
}

// A point as first + a X + b Y with X from first to last and Y across it, then with the new X and Y; its height stays.
static fr_vec3 track_map(const ground_track *t, fr_vec3 p, bool unit_axes) {
    double x = t->last.x - t->first.x, z = t->last.z - t->first.z;
    double nx = t->new_last.x - t->new_first.x, nz = t->new_last.z - t->new_first.z;
    double length = sqrt(x * x + z * z), new_length = sqrt(nx * nx + nz * nz);
    if (unit_axes) {
        x /= length;
        z /= length;
        nx /= new_length;
        nz /= new_length;
    }
    double square = x * x + z * z, dx = p.x - t->first.x, dz = p.z - t->first.z;
    double a = (dx * x + dz * z) / square, b = (dz * x - dx * z) / square;
    return fr_vec3_make(t->new_first.x + a * nx - b * nz, p.y, t->new_first.z + a * nz + b * nx);
}

// An axis from the track of its tip, made unit by its height, whose sign stays; reports how far it was from that.
static fr_vec3 map_axis(const ground_track *tip, fr_vec3 origin, fr_vec3 new_origin, fr_vec3 axis, bool unit_axes,
                        double *error) {
    fr_vec3 to = fr_vec3_sub(track_map(tip, fr_vec3_add(origin, axis), unit_axes), new_origin);
    double level = to.x * to.x + to.z * to.z, off = fabs(sqrt(level + axis.y * axis.y) - 1.0);
    *error = off > *error ? off : *error;
    to.y = level < 1.0 ? (axis.y < 0.0 ? -sqrt(1.0 - level) : sqrt(1.0 - level)) : 0.0;
    return fr_vec3_unit(to, axis);
}

// The end of a bone whose place on the ground is known: its height follows from its length, downwards.
static fr_vec3 bone_end(fr_vec3 from, fr_vec3 to, double length) {
    double x = to.x - from.x, z = to.z - from.z, rest = length * length - x * x - z * z;
    if (rest < 0.0) {
        double scale = length / sqrt(x * x + z * z);
        return fr_vec3_make(from.x + scale * x, from.y, from.z + scale * z);
    }
    return fr_vec3_make(to.x, from.y - sqrt(rest), to.z);
}

static const fr_link LEGS[2][3] = {{FR_LINK_LEFT_THIGH, FR_LINK_LEFT_SHIN, FR_LINK_LEFT_FOOT},
                                   {FR_LINK_RIGHT_THIGH, FR_LINK_RIGHT_SHIN, FR_LINK_RIGHT_FOOT}};

static fr_status poses_of(const fr_skeleton *skeleton, const fr_clip *clip, uint32_t frame, fr_pose *poses,
                          uint8_t contacts[2], fr_error *error) {
    fr_quat turns[FR_LINK_COUNT];
    fr_posture posture = {.turns = turns, .count = FR_LINK_COUNT};
    fr_status status = fr_clip_frame(clip, frame, &posture, error);
    if (status == FR_OK) { status = fr_posture_poses(skeleton, &posture, 1, poses, error); }
    contacts[0] = posture.contact_left;
    contacts[1] = posture.contact_right;
    return status;
}

// What all frames of a clip share.
typedef struct clip_deforming {
    fr_source_spot first, last;
    fr_pose begin[FR_LINK_COUNT], end[FR_LINK_COUNT];
    bool unit_axes;
    const fr_skeleton_view *view;
} clip_deforming;

static ground_track link_track(const clip_deforming *d, fr_link link) {
    return track_make(d->begin[link].position, d->end[link].position, d->first, d->last);
}

// The joint of a hip that has turned by theta, from the hip.
static fr_vec3 hip_joint(const fr_pose *before, int side, double theta, const fr_source_frame *frame) {
    fr_source_spot turn = {frame->hip.x, frame->hip.z, theta};
    fr_vec3 joint = moved(turn, fr_vec3_sub(before[LEGS[side][0]].position, before[FR_LINK_HIP].position));
    joint.y += frame->hip.y;
    return joint;
}

// One leg of a frame but for its contact: the knee and the ankle by their tracks, the foot turned by theta.
static void deform_leg(const clip_deforming *d, const fr_pose *before, int side, double theta, fr_source_frame *frame) {
    const fr_link *leg = LEGS[side];
    ground_track knee = link_track(d, leg[1]), foot = link_track(d, leg[2]);
    fr_vec3 knee_track = track_map(&knee, before[leg[1]].position, d->unit_axes);
    frame->knees[side] =
        bone_end(hip_joint(before, side, theta, frame), knee_track, fr_vec3_length(d->view->offsets[leg[1]]));
    frame->tracks[side] = frame->ankles[side] = track_map(&foot, before[leg[2]].position, d->unit_axes);
    fr_quat about = fr_quat_from_axis_angle(fr_vec3_make(0.0, 1.0, 0.0), theta);
    frame->feet[side] = fr_quat_multiply(about, before[leg[2]].rotation);
}

// From the ankle to the point on which a foot stands: the heel, or the toe where that is up.
static fr_vec3 to_contact(const clip_deforming *d, const fr_source_frame *frame, int side, uint8_t bits) {
    static const fr_body_point points[2][2] = {{FR_POINT_LEFT_HEEL, FR_POINT_LEFT_TOE},
                                               {FR_POINT_RIGHT_HEEL, FR_POINT_RIGHT_TOE}};
    fr_pose pose = fr_pose_make(fr_vec3_make(0.0, 0.0, 0.0), frame->feet[side]);
    return fr_pose_turn(&pose, d->view->points[points[side][(bits & FR_CONTACT_HEEL) != 0 ? 0 : 1]].offset);
}

// Holds the foot of the frames `from` .. `to`, in this order: its contact point stays where the first frame has it, or
// where it is when the point changes.
static void hold_foot(const clip_deforming *d, fr_source_frame *frames, int side, uint32_t from, uint32_t to) {
    int step = from <= to ? 1 : -1;
    for (uint32_t i = from; i != to; i = (uint32_t)((int)i + step)) {
        fr_source_frame *frame = &frames[i], *next = &frames[(int)i + step];
        uint8_t bits = (step > 0 ? next : frame)->contacts[side];
        fr_vec3 point = fr_vec3_add(frame->ankles[side], to_contact(d, frame, side, bits));
        next->ankles[side] = fr_vec3_sub(point, to_contact(d, next, side, bits));
    }
}

static fr_vec3 away_from_track(const fr_source_frame *frame, int side) {
    return fr_vec3_sub(frame->ankles[side], frame->tracks[side]);
}

// Pins the feet while they stand: a contact that lasts to the end from the last frame backwards, others from their
// touch down on. What is left as a foot leaves, and what the last contact needs, is absorbed while it is in the air.
static void pin_foot(const clip_deforming *d, fr_source_frame *frames, uint32_t count, int side) {
    uint32_t last = count - 1, left = 0;
    fr_vec3 lacks = fr_vec3_make(0.0, 0.0, 0.0);
    for (uint32_t i = 0; i < count; i++) {
        bool stands = frames[i].contacts[side] != 0;
        if (!stands && i < last) { continue; }
        uint32_t end = i;
        while (stands && end < last && frames[end + 1].contacts[side] != 0) {
            end++;
        }
        if (stands && end == last && i > 0) {
            hold_foot(d, frames, side, end, i);
        } else if (stands) {
            hold_foot(d, frames, side, i, end);
        }
        fr_vec3 needs = away_from_track(&frames[i], side);
        for (uint32_t k = left + 1; k < i; k++) {
            double u = (double)(k - left) / (double)(i - left);
            frames[k].ankles[side] = fr_vec3_add(frames[k].tracks[side], fr_vec3_lerp(lacks, needs, u));
        }
        lacks = away_from_track(&frames[end], side);
        left = i = end;
    }
}

// Shins reach for the ankles that are pinned; reports what is left.
static void finish_leg(const clip_deforming *d, fr_source_frame *frames, uint32_t count, int side,
                       fr_source_output *output) {
    double length = fr_vec3_length(d->view->offsets[LEGS[side][2]]);
    for (uint32_t i = 0; i < count; i++) {
        fr_source_frame *frame = &frames[i];
        frame->shin_ends[side] = bone_end(frame->knees[side], frame->ankles[side], length);
        double miss = fabs(frame->shin_ends[side].y - frame->ankles[side].y);
        double off = fr_vec3_length(away_from_track(frame, side));
        output->shin_miss = miss > output->shin_miss ? miss : output->shin_miss;
        output->absorbed = off > output->absorbed ? off : output->absorbed;
        uint8_t bits = frame->contacts[side];
        if (i == 0 || bits == 0 || frame[-1].contacts[side] == 0) { continue; }
        fr_vec3 was = fr_vec3_add(frame[-1].ankles[side], to_contact(d, &frame[-1], side, bits));
        double slip = fr_vec3_distance(was, fr_vec3_add(frame->ankles[side], to_contact(d, frame, side, bits)));
        output->planted_slip = slip > output->planted_slip ? slip : output->planted_slip;
    }

    // A foot that stands all the time ends where it stood; the next clip absorbs that.
    for (uint32_t i = 0; i < count; i++) {
        if (frames[i].contacts[side] == 0) { break; }
        if (i + 1 == count) { return; }
    }
    fr_vec3 end = moved(d->last, d->end[LEGS[side][2]].position);
    double miss = fr_vec3_distance(end, frames[count - 1].ankles[side]);
    output->foot_end = miss > output->foot_end ? miss : output->foot_end;
}

fr_status fr_source_deform(const fr_skeleton *skeleton, const fr_clip *clip, fr_source_spot first, fr_source_spot last,
                           bool unit_axes, fr_source_frame *frames, fr_source_output *output, fr_error *error) {
    FR_ASSERT(skeleton != NULL && clip != NULL && frames != NULL && output != NULL);
    const fr_skeleton_view *view = fr_skeleton_get(skeleton);
    uint32_t count = fr_clip_get(clip)->frame_count;
    clip_deforming d = {.first = first, .last = last, .unit_axes = unit_axes, .view = view};
    fr_pose poses[FR_LINK_COUNT];
    uint8_t contacts[2], before[2] = {0, 0};
    *output = (fr_source_output){0};
    if (view->link_count != FR_LINK_COUNT || fr_clip_get(clip)->length < 1e-6) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "a clip of a body of %d links that travels", FR_LINK_COUNT);
    }
    fr_status status = poses_of(skeleton, clip, 0, d.begin, contacts, error);
    if (status == FR_OK) { status = poses_of(skeleton, clip, count - 1, d.end, contacts, error); }
    fr_vec3 forward = fr_vec3_make(0.0, 0.0, 1.0);
    ground_track hip = link_track(&d, FR_LINK_HIP);
    ground_track tip = track_make(fr_vec3_add(d.begin[0].position, fr_pose_turn(&d.begin[0], forward)),
                                  fr_vec3_add(d.end[0].position, fr_pose_turn(&d.end[0], forward)), first, last);
    double landed[2] = {0.0, 0.0};
    for (uint32_t i = 0; i < count && status == FR_OK; i++) {
        status = poses_of(skeleton, clip, i, poses, contacts, error);
        fr_vec3 axis = fr_pose_turn(&poses[0], forward);
        frames[i].hip = track_map(&hip, poses[0].position, unit_axes);
        frames[i].hip_forward =
            map_axis(&tip, poses[0].position, frames[i].hip, axis, unit_axes, &output->hip_axis_error);
        double theta = fr_atan2(frames[i].hip_forward.x, frames[i].hip_forward.z) - fr_atan2(axis.x, axis.z);
        for (int side = 0; side < 2; side++) {
            deform_leg(&d, poses, side, theta, &frames[i]);
            frames[i].contacts[side] = contacts[side];

            // A foot turns with the hips: by as much as that changes within a contact it pivots.
            landed[side] = before[side] == 0 ? theta : landed[side];
            double turn = fabs(remainder(theta - landed[side], 2.0 * FR_PI));
            output->planted_turn = contacts[side] != 0 && turn > output->planted_turn ? turn : output->planted_turn;
            before[side] = contacts[side];
        }
    }
    for (int side = 0; side < 2 && status == FR_OK; side++) {
        pin_foot(&d, frames, count, side);
        finish_leg(&d, frames, count, side, output);
    }
    output->end = (fr_source_spot){frames[count - 1].hip.x, frames[count - 1].hip.z,
                                   fr_atan2(frames[count - 1].hip_forward.x, frames[count - 1].hip_forward.z)};
    return status;
}
