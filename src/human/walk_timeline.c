// Computes the figure of a body that walks along a timeline of steps.
//
// The table of measured gait gives the look: pelvis, chest, head and arms by the phase of the stride, the pitch of the
// foot while it lands, rolls and swings. Steps that are no part of steady walking take the same shapes, scaled by how
// far the foot trails or leads the body. The feet stand: a planted foot is pinned at its heel or its toes.
#include "human/walk_timeline.h"

// Angles of a body that stands, in degrees (means of measured standing where a healthy stance has them).
static const double STAND_HEIGHT = 0.9966, STAND_SHOULDER = -4.0, STAND_ABDUCTION = 5.0, STAND_TWIST = 0.0,
                    STAND_ELBOW = 18.0, STAND_FOREARM = 25.0, STAND_WRIST = -8.0, STAND_OUT = 5.0;

// Phases of the table between which the sole is flat, those at which it begins to flatten and has left the ground well,
// and those over which the print is the mean of the ankle.
static const double FLAT_FROM = 0.14, FLAT_TO = 0.28, FLATTENS = 0.09, RISEN = 0.36;
static const int PRINT_FROM = 12, PRINT_TO = 30; // hundredths

// Prints are so much farther ahead than measured, in leg lengths: the leg in front is then as straight as the one
// behind.
static const double AHEAD = 0.005;

// The licence of the table: a higher pelvis in the middle of stance makes the knee straighter there.
static const double STRAIGHTEN = 0.005, STIFF = 0.015;

// What a swing of the table differs from the ends of a planted foot fades within this part of it.
static const double FADE = 0.35;

// Hips are lowered so many seconds before a leg needs it, in steady walking and elsewhere.
static const double STEADY_DROP_SECONDS = 0.05, DROP_SECONDS = 0.12;

void fr__walk_curve_add(fr__walk_curve *curve, double time, double first, double second) {
    FR_ASSERT(curve->count < FR__MAX_KNOTS);
    int i = curve->count++;
    curve->times[i] = time;
    curve->values[i][0] = first;
    curve->values[i][1] = second;
}

void fr__walk_curve_smooth(fr__walk_curve *curve, const double *begin_slope, const double *end_slope) {
    int last = curve->count - 1;
    for (int c = 0; c < 2; c++) {
        for (int i = 1; i < last; i++) {
            double before = (curve->values[i][c] - curve->values[i - 1][c]) / (curve->times[i] - curve->times[i - 1]);
            double after = (curve->values[i + 1][c] - curve->values[i][c]) / (curve->times[i + 1] - curve->times[i]);
            double slope =
                (curve->values[i + 1][c] - curve->values[i - 1][c]) / (curve->times[i + 1] - curve->times[i - 1]);

            // No slope overshoots: at an extremum it is 0, elsewhere three times the smaller secant bounds it.
            double bound = 3.0 * (fabs(before) < fabs(after) ? fabs(before) : fabs(after));
            slope = before * after <= 0.0 ? 0.0 : (fabs(slope) > bound ? (slope < 0.0 ? -bound : bound) : slope);
            curve->slopes[i][c] = slope;
        }
        curve->slopes[0][c] = begin_slope != NULL ? begin_slope[c] : 0.0;
        curve->slopes[last][c] = end_slope != NULL ? end_slope[c] : 0.0;
    }
}

void fr__walk_curve_at(const fr__walk_curve *curve, double time, double out[2]) {
    int last = curve->count - 1, i = 0;
    while (i + 1 < last && curve->times[i + 1] <= time) {
        i++;
    }
    double width = curve->times[i + 1] - curve->times[i], u = (time - curve->times[i]) / width;
    u = u < 0.0 ? 0.0 : (u > 1.0 ? 1.0 : u);
    for (int c = 0; c < 2; c++) {
        double a = curve->values[i][c], b = curve->values[i + 1][c];
        double m = curve->slopes[i][c] * width, n = curve->slopes[i + 1][c] * width, s = 1.0 - u;
        out[c] = u >= 1.0 ? b : a * s * s * (1.0 + 2.0 * u) + b * u * u * (3.0 - 2.0 * u) + u * s * (m * s - n * u);
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Shapes of the table

// The phase of a foot's own stride at a phase of the right stride, and back, is half a stride apart for the left foot.
static double side_phase(int foot) { return foot == FR__LEFT ? 0.5 : 0.0; }
static double side_sign(int foot) { return foot == FR__LEFT ? 1.0 : -1.0; }

static double ramp(double x, double from, double to) {
    double u = (x - from) / (to - from);
    return u < 0.0 ? 0.0 : (u > 1.0 ? 1.0 : u);
}

// The foot's pitch by the table, in radians. The pivot of a stiff foot is farther from the ankle than that of a foot
// with toes, so that it pitches less, the more so the faster the walk and where the heel begins to rise.
static double table_pitch(const fr__walk_timeline *t, double phase) {
    double pitch = fr_radians(fr__gait_at(t->gait, FR__FOOT_PITCH, phase));
    if (pitch < 0.0) {
        double s = t->gait->speed, raised = -pitch < 0.8 ? -pitch / 0.8 : 1.0;
        double pivot = s < 0.4 ? 0.195 + 0.4 * (0.4 - s) : 0.195 - 0.04 * ramp(s, 0.4, 0.5) * (1.0 - raised);
        double ratio = pivot * t->body->leg / t->body->toe;
        double sine = fr_sin(pitch) * (ratio < 1.0 ? ratio : 1.0);
        pitch = fr_atan2(sine, sqrt(1.0 - sine * sine));
    }
    return pitch;
}

// How much of the pitch at landing is left after a part x of the time in which the foot comes down.
static double land_shape(const fr__walk_timeline *t, double x) {
    double delay = t->gait->delay, phase = (FLAT_FROM - delay) * x;
    double pitch = table_pitch(t, phase) * (1.0 - ramp(phase + delay, FLATTENS, FLAT_FROM));
    return x >= 1.0 || pitch < 0.0 ? 0.0 : pitch / table_pitch(t, 0.0);
}

// How much of the pitch at leaving there is after a part x of the time in which the heel rises.
static double push_shape(const fr__walk_timeline *t, double x) {
    double delay = t->gait->delay, flat = FLAT_TO - delay, phase = flat + (t->gait->stance - flat) * x;
    double pitch = table_pitch(t, phase) * ramp(phase + delay, FLAT_TO, RISEN);
    return x <= 0.0 || pitch > 0.0 ? 0.0 : pitch / table_pitch(t, t->gait->stance);
}

static double table_forward(const fr__walk_timeline *t, int foot, double phase) {
    const fr__gait *g = t->gait;
    return (fr__gait_at(g, FR__ANKLE_FORWARD, phase) + fr__gait_at(g, FR__PELVIS_FORWARD, phase + side_phase(foot))) *
               g->leg +
           phase * g->stride;
}

static double table_left(const fr__walk_timeline *t, int foot, double phase) {
    const fr__gait *g = t->gait;
    return (side_sign(foot) * fr__gait_at(g, FR__ANKLE_OUT, phase) +
            fr__gait_at(g, FR__PELVIS_LEFT, phase + side_phase(foot))) *
           g->leg;
}

static double table_up(const fr__walk_timeline *t, int foot, double phase) {
    (void)foot;
    return fr__gait_at(t->gait, FR__ANKLE_UP, phase) * t->gait->leg;
}

// What a coordinate of the ankle in a steady swing differs from an eased line between its ends. The ends are those of
// the planted foot: what they differ from the table fades in the first and from the last FADE of the swing.
static double residual(const fr__walk_timeline *t, double u, int coordinate, int foot) {
    static double (*const values[3])(const fr__walk_timeline *, int, double) = {table_left, table_up, table_forward};
    double stance = t->gait->stance, s = fr__ease(u), side = coordinate == 0 ? -side_sign(foot) : 1.0;
    double a = side * t->steady_ends[coordinate][0], b = side * t->steady_ends[coordinate][1];
    double off = a - values[coordinate](t, foot, stance), land = b - values[coordinate](t, foot, 1.0);
    double value = values[coordinate](t, foot, stance + (1.0 - stance) * u);
    value += off * (1.0 - fr__ease(u / FADE)) + land * fr__ease((u - 1.0 + FADE) / FADE);
    return value - (1.0 - s) * a - s * b;
}

fr__walk_print fr__walk_steady_print(const fr__gait *gait, int foot) {
    fr__walk_timeline t = {.gait = gait};
    fr__walk_print print = {0.0, 0.0, 0.0};
    double count = (double)(PRINT_TO - PRINT_FROM + 1);
    print.z = AHEAD * gait->leg;
    for (int i = PRINT_FROM; i <= PRINT_TO; i++) {
        double phase = (double)i / 100.0 - gait->delay;
        print.x += table_left(&t, foot, phase) / count;
        print.z += (table_forward(&t, foot, phase) + side_phase(foot) * gait->stride) / count;
        print.heading += side_sign(foot) * fr_radians(fr__gait_at(gait, FR__FOOT_OUT, phase)) / count;
    }
    return print;
}

double fr__walk_push(const fr__gait *gait) { return (gait->stance - FLAT_TO + gait->delay) * gait->period; }

fr_vec3 fr__walk_steady_middle(const fr__gait *gait, double phase) {
    fr__gait_wave wave = fr__gait_wave_at(phase);
    double beat = fr_cos(4.0 * FR_PI * (phase - floor(phase) + gait->delay - 0.05)), slow = (0.45 - gait->speed) / 0.18;
    double up = fr__gait_value(gait, FR__PELVIS_UP, &wave) + STRAIGHTEN * (2.0 - 0.5 * beat);
    up += STIFF * (slow > 0.0 ? slow : 0.0) * 0.5 * (1.0 + beat);
    return fr_vec3_make(fr__gait_value(gait, FR__PELVIS_LEFT, &wave) * gait->leg, up * gait->leg,
                        fr__gait_value(gait, FR__PELVIS_FORWARD, &wave) * gait->leg + phase * gait->stride);
}

// ---------------------------------------------------------------------------------------------------------------
// Feet

static fr__walk_print print_before(const fr__walk_timeline *t, int move) {
    int foot = t->moves[move].foot;
    for (int i = move - 1; i >= 0; i--) {
        if (t->moves[i].foot == foot) { return t->moves[i].print; }
    }
    return t->begin[foot];
}

// How much of a steady stride a move is.
static double move_share(const fr__walk_timeline *t, int move) {
    fr__walk_print from = print_before(t, move), to = t->moves[move].print;
    double x = to.x - from.x, z = to.z - from.z, share = sqrt(x * x + z * z) / t->gait->stride;
    return share > 1.0 ? 1.0 : share;
}

static void swing(const fr__walk_timeline *t, int index, double u, fr__walk_leg *leg) {
    const fr__walk_move *move = &t->moves[index];
    fr__walk_print from = print_before(t, index), to = move->print;
    double share = move_share(t, index), eased = fr__ease(u), stance = t->gait->stance;
    fr_vec3 a = fr__walk_planted(t->body, &from, from.heading, move->off_pitch);
    fr_vec3 b = fr__walk_planted(t->body, &to, to.heading, move->land_pitch);

    // A foot that is pushed off less than in steady walking sets out more slowly.
    double leaving = move->off_pitch / table_pitch(t, stance), landing = move->land_pitch / table_pitch(t, 1.0);
    double steady = leaving + (fabs(landing) - leaving) * eased;
    double forward = eased + steady * residual(t, u, 2, move->foot) / (t->steady_ends[2][1] - t->steady_ends[2][0]);
    leg->ankle.x = a.x + (b.x - a.x) * forward;
    leg->ankle.z = a.z + (b.z - a.z) * forward;
    leg->ankle.y = a.y + (b.y - a.y) * eased + share * residual(t, u, 1, move->foot);

    // The foot passes the other beside it as the table has it, across the direction of the move.
    double turn = to.heading - from.heading, middle = from.heading + 0.5 * turn;
    double aside = share * residual(t, u, 0, move->foot), sine, cosine;
    fr_sincos(middle, &sine, &cosine);
    leg->ankle.x += aside * cosine;
    leg->ankle.z -= aside * sine;

    double stiff = table_pitch(t, stance + (1.0 - stance) * u);
    double table = fr_radians(fr__gait_at(t->gait, FR__FOOT_PITCH, stance + (1.0 - stance) * u));
    table = stiff + share * (table - stiff) * fr__ease(u / FADE);
    leg->pitch = table * (leaving + (landing - leaving) * eased);
    leg->heading = from.heading + turn * eased;
    double bump = 4.0 * u * (1.0 - u);
    leg->ankle.y += t->clearances[index] * bump * bump;

    // The ankle leaves and lands with the speed that it has on the ground.
    double early = u < FADE ? 1.0 - u / FADE : 0.0, late = u > 1.0 - FADE ? 1.0 - (1.0 - u) / FADE : 0.0;
    leg->ankle = fr_vec3_add_scaled(leg->ankle, u * early * early * early, move->off_slope);
    leg->ankle = fr_vec3_add_scaled(leg->ankle, (u - 1.0) * late * late * late, move->land_slope);
}

// The pitch of a foot that stands since its move `last` (-1: since before) until its move `next` (-1: for good).
static double stance_pitch(const fr__walk_timeline *t, int last, int next, double time) {
    double pitch = 0.0;
    if (last >= 0) {
        const fr__walk_move *move = &t->moves[last];
        pitch +=
            move->land_pitch * land_shape(t, (time - move->land) / ((FLAT_FROM - t->gait->delay) * t->gait->period));
    }
    if (next >= 0 && pitch == 0.0) {
        const fr__walk_move *move = &t->moves[next];
        pitch += move->off_pitch * push_shape(t, 1.0 - (move->off - time) / move->push);
    }
    return pitch;
}

static void foot_at(const fr__walk_timeline *t, int foot, double time, fr__walk_leg *leg) {
    int last = -1, next = -1;
    for (int i = 0; i < t->move_count; i++) {
        const fr__walk_move *move = &t->moves[i];
        if (move->foot != foot) { continue; }
        if (time > move->off && time < move->land) {
            swing(t, i, (time - move->off) / (move->land - move->off), leg);
            return;
        }
        if (time >= move->land) {
            last = i;
        } else if (next < 0) {
            next = i;
        }
    }
    fr__walk_print print = last >= 0 ? t->moves[last].print : t->begin[foot];
    leg->pitch = stance_pitch(t, last, next, time);
    leg->heading = print.heading;
    leg->ankle = fr__walk_planted(t->body, &print, print.heading, leg->pitch);
}

// Sets the pitches of a move by how far the foot is behind the body as it leaves and before it as it lands.
static void set_pitches(fr__walk_timeline *t, int index) {
    fr__walk_move *move = &t->moves[index];
    double off = table_pitch(t, t->gait->stance), land = table_pitch(t, 1.0);
    fr__walk_print from = print_before(t, index);
    double at_off[2], at_land[2], sine, cosine, trail, lead;
    fr__walk_curve_at(&t->path, move->off, at_off);
    fr__walk_curve_at(&t->path, move->land, at_land);
    fr_sincos(from.heading, &sine, &cosine);
    trail = (at_off[0] - from.x) * sine + (at_off[1] - from.z) * cosine;
    fr_sincos(move->print.heading, &sine, &cosine);
    lead = (move->print.x - at_land[0]) * sine + (move->print.z - at_land[1]) * cosine;
    double trailing = 0.25 + 0.75 * trail / (0.40 * t->body->leg), leading = lead / (0.32 * t->body->leg);
    trailing = trailing < 0.1 ? 0.1 : (trailing > 1.0 ? 1.0 : trailing);
    leading = leading < -0.7 ? -0.7 : (leading > 1.0 ? 1.0 : leading);
    move->off_pitch = move->has_steady_off ? off : off * trailing;
    move->land_pitch = move->has_steady_land ? land : land * leading;
}

// Finds by how much the speeds of an ankle on the ground and in the air differ where it leaves and lands.
static void set_slopes(fr__walk_timeline *t, int index) {
    fr__walk_move *move = &t->moves[index];
    double h = 1e-3, duration = move->land - move->off, step = h / duration;
    fr__walk_leg ground, air, at;
    foot_at(t, move->foot, move->off, &at);
    foot_at(t, move->foot, move->off - h, &ground);
    swing(t, index, step, &air);
    fr_vec3 before = fr_vec3_sub(at.ankle, ground.ankle), after = fr_vec3_sub(air.ankle, at.ankle);
    move->off_slope = fr_vec3_scale(1.0 / step, fr_vec3_sub(before, after));
    foot_at(t, move->foot, move->land, &at);
    foot_at(t, move->foot, move->land + h, &ground);
    swing(t, index, 1.0 - step, &air);
    before = fr_vec3_sub(at.ankle, air.ankle);
    after = fr_vec3_sub(ground.ankle, at.ankle);
    move->land_slope = fr_vec3_scale(1.0 / step, fr_vec3_sub(after, before));
}

static void finish_moves(fr__walk_timeline *t) {
    fr__walk_print print = fr__walk_steady_print(t->gait, FR__RIGHT);
    for (int i = 0; i < 2; i++) {
        fr_vec3 ankle = fr__walk_planted(t->body, &print, 0.0, table_pitch(t, i == 0 ? t->gait->stance : 1.0));
        t->steady_ends[0][i] = print.x;
        t->steady_ends[1][i] = ankle.y - t->body->ankle;
        t->steady_ends[2][i] = ankle.z + (double)i * t->gait->stride;
    }
    for (int i = 0; i < t->move_count; i++) {
        set_pitches(t, i);
    }
    for (int i = 0; i < t->move_count; i++) {
        set_slopes(t, i);

        // The sole clears the ground by 15 mm of a default body where the swing is high.
        double need = 0.0, clear = 0.0167 * t->body->leg;
        for (int k = 1; k < 32; k++) {
            double u = (double)k / 32.0, bump = 4.0 * u * (1.0 - u);
            bump *= bump;
            fr__walk_leg leg;
            swing(t, i, u, &leg);
            double wanted = bump > 0.5 ? clear : 0.0, low = fr__walk_sole(t->body, &leg);
            need = low < wanted && (wanted - low) / bump > need ? (wanted - low) / bump : need;
        }
        t->clearances[i] = need > 0.06 * t->body->leg ? 0.06 * t->body->leg : need;
    }
}

// ---------------------------------------------------------------------------------------------------------------
// The body

static double between(double stand, double walk, double share) { return stand + share * (walk - stand); }

static fr_quat three(fr_quat a, fr_quat b, fr_quat c) { return fr_quat_multiply(a, fr_quat_multiply(b, c)); }

static void arm_at(const fr__gait *gait, int side, double phase, double share, fr__walk_figure *figure) {
    fr__gait_wave wave = fr__gait_wave_at(phase - side_phase(side));
    double e = side_sign(side);
    double flexion = between(STAND_SHOULDER, fr__gait_value(gait, FR__SHOULDER_FLEXION, &wave), share);
    double abduction = between(STAND_ABDUCTION, fr__gait_value(gait, FR__SHOULDER_ABDUCTION, &wave), share);
    double twist = between(STAND_TWIST, fr__gait_value(gait, FR__SHOULDER_TWIST, &wave), share);
    double elbow = between(STAND_ELBOW, fr__gait_value(gait, FR__ELBOW_FLEXION, &wave), share);
    double forearm = between(STAND_FOREARM, fr__gait_value(gait, FR__FOREARM_TWIST, &wave), share);
    double wrist = between(STAND_WRIST, fr__gait_value(gait, FR__WRIST_FLEXION, &wave), share);
    figure->turns[FR__FIGURE_UPPER_ARM + side] = three(
        fr__turn_x(fr_radians(-flexion)), fr__turn_z(fr_radians(e * abduction)), fr__turn_y(fr_radians(-e * twist)));
    figure->turns[FR__FIGURE_FOREARM + side] = fr__turn_x(fr_radians(-elbow));
    figure->turns[FR__FIGURE_PALM + side] =
        fr_quat_multiply(fr__turn_y(fr_radians(-e * forearm)), fr__turn_z(fr_radians(-e * wrist)));
}

// The heading of the plane of the knee away from the body's, by the table's thigh.
static double knee_heading(const fr__gait *gait, int side, double phase) {
    fr__gait_wave wave = fr__gait_wave_at(phase - side_phase(side));
    double e = side_sign(side);
    fr_quat thigh = three(fr__turn_x(fr_radians(-fr__gait_value(gait, FR__HIP_FLEXION, &wave))),
                          fr__turn_z(fr_radians(e * fr__gait_value(gait, FR__HIP_ABDUCTION, &wave))),
                          fr__turn_y(fr_radians(-e * fr__gait_value(gait, FR__HIP_TWIST, &wave))));
    fr_mat3 m = fr_quat_to_mat3(thigh);
    return fr_atan2(-m.row[2].x, m.row[0].x);
}

static void upper_body(const fr__walk_timeline *t, double phase, double share, double heading, double look, double lean,
                       fr__walk_figure *figure) {
    const fr__gait *g = t->gait;
    fr__gait_wave wave = fr__gait_wave_at(phase);
    double value[FR__HEAD_ROLL + 1];
    for (int i = FR__PELVIS_TURN; i <= FR__HEAD_ROLL; i++) {
        value[i] = share * fr_radians(fr__gait_value(g, (fr__gait_curve)i, &wave));
    }
    fr_quat hip = three(fr__turn_y(heading + value[FR__PELVIS_TURN]), fr__turn_x(value[FR__PELVIS_TILT] + 0.3 * lean),
                        fr__turn_z(value[FR__PELVIS_ROLL]));
    fr_quat chest = three(fr__turn_y(value[FR__CHEST_TURN] + 0.3 * (look - heading)),
                          fr__turn_x(value[FR__CHEST_TILT] + 0.7 * lean), fr__turn_z(value[FR__CHEST_ROLL]));
    fr_quat head = three(fr__turn_y(look + value[FR__HEAD_TURN]), fr__turn_x(value[FR__HEAD_TILT] + 0.3 * lean),
                         fr__turn_z(value[FR__HEAD_ROLL]));
    figure->turns[FR__FIGURE_HIP] = hip;
    figure->turns[FR__FIGURE_CHEST] = chest;
    figure->turns[FR__FIGURE_HEAD] = fr_quat_multiply(fr_quat_conjugate(fr_quat_multiply(hip, chest)), head);
    arm_at(g, FR__LEFT, phase, share, figure);
    arm_at(g, FR__RIGHT, phase, share, figure);
}

static double drop_at(const fr__walk_timeline *t, double time) {
    double at = (double)FR__DROPS * time / t->duration;
    int i = (int)at;
    i = i < 0 ? 0 : (i > FR__DROPS - 1 ? FR__DROPS - 1 : i);
    return t->drops[i] + (at - (double)i) * (t->drops[i + 1] - t->drops[i]);
}

void fr__walk_timeline_figure(const fr__walk_timeline *t, double time, fr__walk_figure *figure) {
    double phase[2], heading[2], path[2];
    fr__walk_curve_at(&t->phase, time, phase);
    fr__walk_curve_at(&t->heading, time, heading);
    fr__walk_curve_at(&t->path, time, path);
    fr_vec3 steady = fr__walk_steady_middle(t->gait, phase[0]);
    double share = phase[1], bump = fr_sin(FR_PI * time / t->duration);
    figure->middle =
        t->is_table ? steady : fr_vec3_make(path[0], between(STAND_HEIGHT * t->gait->leg, steady.y, share), path[1]);
    figure->middle.y -= drop_at(t, time);
    upper_body(t, phase[0], share, heading[0], heading[1], t->lean * bump * bump, figure);
    for (int side = 0; side < 2; side++) {
        fr__walk_leg *leg = &figure->legs[side];
        foot_at(t, side, time, leg);
        leg->knee = heading[0] + share * knee_heading(t->gait, side, phase[0]) +
                    0.5 * (leg->heading - heading[0]) * (1.0 - 0.5 * share);
        for (int i = 0; i < t->move_count; i++) {
            if (t->moves[i].foot != side) { continue; }
            fr__walk_bend_apply(&t->moves[i].leaving, t->body, side, time, figure);
            fr__walk_bend_apply(&t->moves[i].landing, t->body, side, time, figure);
        }
    }
}

static double bend_at(const fr__walk_timeline *t, int side, double time) {
    fr__walk_figure figure;
    fr__walk_timeline_figure(t, time, &figure);
    return fr__walk_bend_of(t->body, &figure, side);
}

// The speed at which the bend of a leg changes right after its foot has landed. The hips go on as before.
static double landed_speed(const fr__walk_timeline *t, const fr__walk_move *move) {
    double h = 1e-3;
    fr__walk_figure before, at, after;
    fr__walk_timeline_figure(t, move->land - h, &before);
    fr__walk_timeline_figure(t, move->land, &at);
    after = at;
    after.middle = fr_vec3_sub(fr_vec3_scale(2.0, at.middle), before.middle);
    after.turns[FR__FIGURE_HIP] =
        three(at.turns[FR__FIGURE_HIP], fr_quat_conjugate(before.turns[FR__FIGURE_HIP]), at.turns[FR__FIGURE_HIP]);
    foot_at(t, move->foot, move->land + h, &after.legs[move->foot]);
    return (fr__walk_bend_of(t->body, &after, move->foot) - fr__walk_bend_of(t->body, &at, move->foot)) / h;
}

// Legs bend and stretch without a jolt of the knee as a foot leaves its print and reaches the next one.
static void set_bends(fr__walk_timeline *t) {
    const double h = 1e-3;
    for (int i = 0; i < t->move_count; i++) {
        fr__walk_move *move = &t->moves[i];
        double swing = move->land - move->off, bent = move->off + FR__BEND_LEAVE * swing;
        double bends = move->land - FR__BEND_STRETCH * swing;
        fr__walk_bend leaving = {.begin = move->off, .end = bent}, landing = {.begin = bends, .end = move->land};
        leaving.values[0] = bend_at(t, move->foot, move->off);
        leaving.speeds[0] = (leaving.values[0] - bend_at(t, move->foot, move->off - h)) / h;
        leaving.values[1] = bend_at(t, move->foot, bent);
        leaving.speeds[1] = (bend_at(t, move->foot, bent + h) - leaving.values[1]) / h;
        landing.values[0] = bend_at(t, move->foot, bends);
        landing.speeds[0] = (landing.values[0] - bend_at(t, move->foot, bends - h)) / h;
        landing.values[1] = bend_at(t, move->foot, move->land);
        landing.speeds[1] = landed_speed(t, move);
        if (move->off > h && bent + h < t->duration) { move->leaving = leaving; }
        if (bends > h && move->land <= t->duration) { move->landing = landing; }
    }
}

// Whether a foot stands at a time, or is about to.
static bool stands_at(const fr__walk_timeline *t, int foot, double time) {
    double slack = t->duration / (double)FR__DROPS;
    for (int i = 0; i < t->move_count; i++) {
        const fr__walk_move *move = &t->moves[i];
        if (move->foot == foot && time > move->off + slack && time < move->land - slack) { return false; }
    }
    return true;
}

// The index of a drop that is sought before the first or after the last one: steady walking repeats itself with every
// step.
static int drop_index(const fr__walk_timeline *t, int i) {
    if (t->is_table) { return (i % FR__DROPS + FR__DROPS) % FR__DROPS; }
    return i < 0 ? 0 : (i > FR__DROPS ? FR__DROPS : i);
}

// Finds how much the hips must be lowered, early enough and smoothly: the greatest need within some time, averaged over
// as much.
static void set_drops(fr__walk_timeline *t) {
    double needs[FR__DROPS + 1], most[FR__DROPS + 1];
    double seconds = t->is_table ? STEADY_DROP_SECONDS : DROP_SECONDS;
    int width = (int)(seconds * (double)FR__DROPS / t->duration) + 1;
    for (int i = 0; i <= FR__DROPS; i++) {
        fr__walk_figure figure;
        t->drops[i] = 0.0;
        fr__walk_timeline_figure(t, t->duration * (double)i / (double)FR__DROPS, &figure);
        needs[i] = 0.0;
        for (int side = 0; side < 2; side++) {
            double need = fr__walk_need(t->body, &figure, side);
            bool stands = stands_at(t, side, t->duration * (double)i / (double)FR__DROPS);
            needs[i] = stands && need > needs[i] ? need : needs[i];
        }
    }
    for (int i = 0; i <= FR__DROPS; i++) {
        most[i] = 0.0;
        for (int k = i - width; k <= i + width; k++) {
            double need = needs[drop_index(t, k)];
            most[i] = need > most[i] ? need : most[i];
        }
    }
    for (int i = 0; i <= FR__DROPS; i++) {
        double sum = 0.0, weights = 0.0;
        for (int k = -width; k <= width; k++) {
            double weight = 1.0 - (double)(k * k) / (double)((width + 1) * (width + 1));
            sum += weight * weight * most[drop_index(t, i + k)];
            weights += weight * weight;
        }
        t->drops[i] = sum / weights;
    }
}

void fr__walk_timeline_finish(fr__walk_timeline *t) {
    finish_moves(t);
    for (int i = 0; i <= FR__DROPS; i++) {
        t->drops[i] = 0.0;
    }
    for (int i = 0; i < t->move_count; i++) {
        t->moves[i].leaving = t->moves[i].landing = (fr__walk_bend){0.0, 0.0, {0.0, 0.0}, {0.0, 0.0}};
    }
    set_drops(t);
    set_bends(t);
}

fr__walk_print fr__walk_standing_print(const fr__walk_body *body, int foot, double x, double z, double heading) {
    double out = side_sign(foot), sine, cosine;
    fr_sincos(heading, &sine, &cosine);
    fr__walk_print print = {x + out * body->half * cosine, z - out * body->half * sine,
                            heading + out * fr_radians(STAND_OUT)};
    return print;
}

void fr__walk_stand(const fr__walk_body *body, fr__walk_figure *figure) {
    fr__gait gait;
    fr__gait_init(&gait, body->leg, 1.0, 0.0);
    fr__walk_timeline t = {.gait = &gait, .body = body};
    upper_body(&t, 0.0, 0.0, 0.0, 0.0, 0.0, figure);
    figure->middle = fr_vec3_make(0.0, STAND_HEIGHT * body->leg, 0.0);
    for (int side = 0; side < 2; side++) {
        fr__walk_print print = fr__walk_standing_print(body, side, 0.0, 0.0, 0.0);
        fr__walk_leg *leg = &figure->legs[side];
        leg->heading = print.heading;
        leg->pitch = 0.0;
        leg->knee = 0.5 * print.heading;
        leg->ankle = fr__walk_planted(body, &print, print.heading, 0.0);
    }
}
