// What people do, looked at from time to time: angles, loads, scores, clearances.
#include "act/study.h"

#include <math.h>
#include <string.h>

#define STUDY_COOKIE UINT32_C(0x73747564)

static const double SEATED_DEG = 45.0, SEAT_BELOW = 0.25; // thighs raised by so much, a seat so near below the hips
static const double GROUND_BELOW = 0.3;                   // metres below the joint of a foot
static const double STATIC_SECONDS = 60.0, STATIC_HALF_SPAN_DEG = 5.0;
static const double REPEATED_SECONDS = 60.0;
enum { REPEATED_COUNT = 4 };

fr_study_def fr_default_study_def(void) { return (fr_study_def){.every = 0.1, .cookie = STUDY_COOKIE}; }

fr_status fr_study_create(const fr_study_def *def, fr_study **out, fr_error *error) {
    FR_ASSERT(def != NULL && out != NULL);
    *out = NULL;
    if (def->cookie != STUDY_COOKIE) { return fr_error_set_cookie(error, "fr_default_study_def"); }
    if (def->director == NULL) { return fr_error_set(error, FR_ERROR_ARGUMENT, "a study needs a director"); }
    if (!(def->every >= 0.001 && def->every <= 60.0)) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "a study looks every 0.001 to 60 s, not every %g s", def->every);
    }
    fr_allocator allocator = fr_allocator_or_default(&def->allocator);
    fr_study *study = fr_allocate(&allocator, 1, sizeof *study, _Alignof(fr_study));
    if (study == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for a study"); }
    memset(study, 0, sizeof *study);
    study->def = *def;
    study->allocator = allocator;
    study->rows = fr__study_row_array_make(&allocator);
    study->people = fr__study_person_array_make(&allocator);
    double ticks = floor(def->every / fr_world_step(def->director->world) + 0.5);
    study->ticks = ticks > 1.0 ? (uint64_t)ticks : 1;
    fr_status status = fr_arena_create(0, &allocator, &study->names, error);
    if (status != FR_OK) {
        fr_study_destroy(study);
        return status;
    }
    *out = study;
    return FR_OK;
}

void fr_study_destroy(fr_study *study) {
    if (study == NULL) { return; }
    fr__study_row_array_destroy(&study->rows);
    fr__study_person_array_destroy(&study->people);
    if (study->names != NULL) { fr_arena_destroy(study->names); }
    fr_allocator allocator = study->allocator;
    fr_deallocate(&allocator, study, 1, sizeof *study);
}

// ---------------------------------------------------------------------------------------------------------------
// Motions

static uint64_t hash_of(const char *name) { return fr_hash(name, strlen(name), 1) | 1u; }

// The motion that a person does is named, and its beginning remembered. False: no memory.
static bool note_motion(fr_study *study, const fr__director_person *person, fr__study_person *known, double time) {
    bool is_busy = fr__director_list_count(person) > 0 && person->is_begun;
    const fr__director_list *list = is_busy ? fr__director_first(person) : NULL;
    const char *name = list != NULL ? list->motions[0].name : "";
    uint64_t ticket = list != NULL ? list->ticket : 0;
    if (strcmp(name, known->motion) != 0) {
        size_t size = strlen(name) + 1;
        char *copy = fr_arena_alloc(study->names, size, 1, 1);
        if (copy == NULL) { return false; }
        memcpy(copy, name, size);
        known->motion = copy;
    }
    if (list == NULL || ticket == known->ticket) { return true; }
    known->ticket = ticket;
    known->begins[known->begin_count++ % FR__STUDY_BEGINS] = (fr__study_begin){hash_of(name), time};
    return true;
}

static bool is_repeated(const fr__study_person *known, double time) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < FR__STUDY_BEGINS && known->motion[0] != '\0'; i++) {
        const fr__study_begin *begin = &known->begins[i];
        count += begin->name == hash_of(known->motion) && time - begin->time <= REPEATED_SECONDS;
    }
    return count > REPEATED_COUNT;
}

// ---------------------------------------------------------------------------------------------------------------
// Conditions

static void weigh(const fr_director *d, fr__director_person *person, fr_study_row *row) {
    const fr__director_held *last = NULL;
    for (int side = 0; side < 2; side++) {
        const fr__director_held *held = fr__director_in_hand(person, side == 0 ? FR_RIGHT : FR_LEFT);
        if (held == NULL || held == last) { continue; }
        last = held;
        const fr_class *c = fr__director_class(d, held->object);
        const fr_class_view *view = c != NULL ? fr_class_get(c) : NULL;
        if (view == NULL || view->mass == 0.0) {
            row->unknown_count++;
        } else {
            row->conditions.load += view->mass;
        }
        if (view == NULL || view->grip == NULL) { row->conditions.coupling = 1; }
    }
}

// What a person sits on; all zeros: nothing.
static fr_status find_seat(const fr__director_person *person, const fr_work_angles *angles, fr_object_id *seat,
                           fr_error *error) {
    *seat = (fr_object_id){0, 0, 0};
    for (int side = 0; side < FR_WORK_SIDE_COUNT; side++) {
        if (angles->legs[side].thigh < fr_radians(SEATED_DEG)) { return FR_OK; }
    }
    fr_performer_input seen = fr_person_input(person->person);
    if (seen.space == NULL) { return FR_OK; }
    const fr_ray ray = {fr_person_links(person->person)[0].position, {0.0, -1.0, 0.0}, SEAT_BELOW};
    fr_space_hit hit;
    fr_status status = fr_space_ray(seen.space, &ray, seen.filter, &hit, error);
    if (status == FR_OK) { *seat = hit.object; }
    return status;
}

// The angles that a posture is compared by.
static void list_angles(const fr_work_angles *a, double out[16]) {
    const double trunk[6] = {a->trunk_flexion, a->trunk_side, a->trunk_twist,
                             a->neck_flexion,  a->neck_side,  a->neck_twist};
    memcpy(out, trunk, sizeof trunk);
    for (int side = 0; side < FR_WORK_SIDE_COUNT; side++) {
        const fr_arm_angles *arm = &a->arms[side];
        const double limbs[5] = {arm->elevation, arm->elbow, arm->wrist_flexion, a->legs[side].thigh,
                                 a->legs[side].knee};
        memcpy(out + 6 + 5 * side, limbs, sizeof limbs);
    }
}

static bool is_static(fr__study_person *known, const fr_study_row *row) {
    double now[16], then[16];
    list_angles(&row->angles, now);
    list_angles(&known->anchor, then);
    bool is_held = known->has_anchor && !row->conditions.is_walking;
    for (int i = 0; i < 16 && is_held; i++) {
        is_held = fabs(now[i] - then[i]) <= fr_radians(STATIC_HALF_SPAN_DEG);
    }
    if (!is_held) {
        known->anchor = row->angles;
        known->held = row->time;
        known->has_anchor = true;
    }
    return row->time - known->held > STATIC_SECONDS;
}

// ---------------------------------------------------------------------------------------------------------------
// Clearance

typedef struct clearance_search {
    const fr_director *director;
    const fr__director_person *person;
    fr_object_id seat, grounds[2];              // what its feet stand on
    fr_object_id pieces[FR_FIGURE_PROXY_COUNT]; // of its body; all zeros for those that are not looked at
} clearance_search;

static bool is_touched(const clearance_search *s, fr_object_id id) {
    const fr__director_person *p = s->person;
    if (fr_person_has(p->person, id) || fr_object_id_equal(id, s->seat)) { return true; }
    if (p->with != NULL && fr_person_has(p->with, id)) { return true; }
    for (uint32_t i = 0; i < p->held_count; i++) {
        if (fr_object_id_equal(p->held[i].object, id)) { return true; }
    }
    bool is_busy = fr__director_list_count(p) > 0 && p->is_begun;
    const fr__director_list *list = is_busy ? fr__director_first(p) : NULL;
    for (uint32_t i = 0; list != NULL && i < list->motion_count; i++) {
        if (fr_object_id_equal(list->motions[i].object, id)) { return true; }
    }
    return false;
}

static bool is_leg(uint32_t piece) {
    fr_link link = fr_figure_proxy_link(piece);
    return link == FR_LINK_LEFT_SHIN || link == FR_LINK_RIGHT_SHIN || link == FR_LINK_LEFT_THIGH ||
           link == FR_LINK_RIGHT_THIGH;
}

static fr_status measure_object(const clearance_search *s, fr_object_id id, fr_study_row *row, fr_error *error) {
    const fr_space *space = fr_world_space(s->director->world);
    bool is_ground = fr_object_id_equal(id, s->grounds[0]) || fr_object_id_equal(id, s->grounds[1]);
    fr_bounds bounds;
    fr_status status = fr_object_bounds(space, id, &bounds, error);
    for (uint32_t i = 0; i < FR_FIGURE_PROXY_COUNT && status == FR_OK; i++) {
        fr_bounds piece;
        if (s->pieces[i].index1 == 0 || (is_ground && is_leg(i))) { continue; }
        status = fr_object_bounds(space, s->pieces[i], &piece, error);
        if (status != FR_OK) { return status; }
        piece = fr_bounds_grow(&piece, row->clearance);
        if (!fr_bounds_overlap(&piece, &bounds)) { continue; }
        fr_object_distance distance;
        status = fr_space_distance(space, s->pieces[i], id, row->clearance, &distance, error);
        if (status == FR_OK && distance.triangle_a != FR_NONE && distance.distance < row->clearance) {
            row->clearance = distance.distance;
            row->nearest = id;
        }
    }
    return status;
}

// The rigid pieces of a body but its feet, and what is below these.
static fr_status list_pieces(clearance_search *s, fr_error *error) {
    const fr_object_id *own = fr_person_proxies(s->person->person);
    const fr_pose *links = fr_person_links(s->person->person);
    fr_performer_input seen = fr_person_input(s->person->person);
    uint32_t feet = 0;
    fr_status status = FR_OK;
    for (uint32_t i = 0; i < FR_FIGURE_PROXY_COUNT && own != NULL && status == FR_OK; i++) {
        fr_link link = fr_figure_proxy_link(i);
        if (link != FR_LINK_LEFT_FOOT && link != FR_LINK_RIGHT_FOOT) {
            s->pieces[i] = own[i];
        } else if (seen.space != NULL && feet < 2) {
            const fr_ray ray = {links[link].position, {0.0, -1.0, 0.0}, GROUND_BELOW};
            fr_space_hit hit;
            status = fr_space_ray(seen.space, &ray, seen.filter, &hit, error);
            if (status == FR_OK) { s->grounds[feet++] = hit.object; }
        }
    }
    return status;
}

static fr_status measure_clearance(clearance_search *s, fr_study_row *row, fr_error *error) {
    fr_space *space = fr_world_space(s->director->world);
    fr_status status = list_pieces(s, error);
    for (uint32_t i = 0; i < fr_space_object_places(space) && status == FR_OK; i++) {
        fr_object_id id = fr_space_object_at(space, i);
        const fr_object_view *view = id.index1 != 0 ? fr_object_get(space, id) : NULL;
        if (view == NULL || (view->flags & (FR_OBJECT_GHOST | FR_OBJECT_SENSOR)) != 0) { continue; }
        if (!is_touched(s, id)) { status = measure_object(s, id, row, error); }
    }
    return status;
}

// ---------------------------------------------------------------------------------------------------------------
// Looks

static fr_status look_at(fr_study *study, uint32_t index, double time, fr_study_row *row, fr_error *error) {
    const fr_director *d = study->def.director;
    fr__director_person *person = d->people[index];
    fr__study_person *known = &study->people.data[index];
    fr_performer_view body = fr_performer_get(fr_person_performer(person->person));
    *row = (fr_study_row){.time = time, .person = index, .motion = known->motion, .clearance = FR_STUDY_CLEARANCE_MAX};
    fr_status status = fr_work_angles_of(body.skeleton, &body.posture, &row->angles, error);
    if (status != FR_OK) { return status; }
    clearance_search search = {.director = d, .person = person};
    status = find_seat(person, &row->angles, &search.seat, error);
    if (status != FR_OK) { return status; }
    weigh(d, person, row);
    row->conditions.is_seated = search.seat.index1 != 0;
    row->conditions.is_walking = body.walk != NULL;
    row->conditions.is_static = is_static(known, row);
    row->conditions.is_repeated = is_repeated(known, time);
    for (int side = 0; side < FR_WORK_SIDE_COUNT; side++) {
        row->rula[side] = fr_rula_of(&row->angles, &row->conditions, (fr_work_side)side);
        row->reba[side] = fr_reba_of(&row->angles, &row->conditions, (fr_work_side)side);
    }
    return study->def.has_no_clearance ? FR_OK : measure_clearance(&search, row, error);
}

static bool know_people(fr_study *study, uint32_t count) {
    while (study->people.count < count) {
        fr__study_person *known = fr__study_person_array_push(&study->people, 1);
        if (known == NULL) { return false; }
        *known = (fr__study_person){.motion = ""};
    }
    return true;
}

fr_status fr_study_take(fr_study *study, fr_error *error) {
    FR_ASSERT(study != NULL);
    const fr_director *d = study->def.director;
    uint64_t tick = fr_world_tick_count(d->world);
    uint32_t count = d->person_count;
    double time = (double)tick * fr_world_step(d->world);
    if (!know_people(study, count)) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for a study"); }
    for (uint32_t i = 0; i < count; i++) {
        if (!note_motion(study, d->people[i], &study->people.data[i], time)) {
            return fr_error_set(error, FR_ERROR_MEMORY, "no memory for the name of a motion");
        }
    }
    if (tick < study->next) { return FR_OK; }
    if (study->rows.count + count > FR_STUDY_MAX_ROWS) {
        return fr_error_set(error, FR_ERROR_LIMIT, "a study has at most %u rows", FR_STUDY_MAX_ROWS);
    }
    fr_space *space = fr_world_space(d->world);
    fr_status status = fr_space_is_current(space) ? FR_OK : fr_space_update(space, d->def.tasks, error);
    size_t before = study->rows.count;
    fr_study_row *rows = status == FR_OK ? fr__study_row_array_push(&study->rows, count) : NULL;
    if (status == FR_OK && rows == NULL) {
        status = fr_error_set(error, FR_ERROR_MEMORY, "no memory for the rows of a study");
    }
    for (uint32_t i = 0; i < count && status == FR_OK; i++) {
        status = look_at(study, i, time, &rows[i], error);
    }
    if (status != FR_OK) {
        study->rows.count = before;
        return status;
    }
    study->next = tick + study->ticks;
    return FR_OK;
}

const fr_study_row *fr_study_rows(const fr_study *study, size_t *count) {
    FR_ASSERT(study != NULL && count != NULL);
    *count = study->rows.count;
    return study->rows.data;
}

// ---------------------------------------------------------------------------------------------------------------
// Sums

uint32_t fr_study_rula(const fr_study_row *row) {
    FR_ASSERT(row != NULL);
    return row->rula[0].score > row->rula[1].score ? row->rula[0].score : row->rula[1].score;
}

uint32_t fr_study_reba(const fr_study_row *row) {
    FR_ASSERT(row != NULL);
    return row->reba[0].score > row->reba[1].score ? row->reba[0].score : row->reba[1].score;
}

static void add_row(fr_study_summary *sum, const fr_study_row *row) {
    uint32_t rula = fr_study_rula(row), reba = fr_study_reba(row);
    sum->row_count++;
    sum->rula_counts[rula]++;
    sum->reba_counts[reba]++;
    sum->rula_mean += (double)rula;
    sum->reba_mean += (double)reba;
    if (rula > sum->rula_max) {
        sum->rula_max = rula;
        sum->rula_time = row->time;
        sum->rula_motion = row->motion;
    }
    if (reba > sum->reba_max) {
        sum->reba_max = reba;
        sum->reba_time = row->time;
        sum->reba_motion = row->motion;
    }
    if (sum->row_count == 1 || row->clearance < sum->clearance) {
        sum->clearance = row->clearance;
        sum->nearest = row->nearest;
        sum->clearance_time = row->time;
    }
    sum->load_max = fmax(sum->load_max, row->conditions.load);
    sum->seated += row->conditions.is_seated;
    sum->walking += row->conditions.is_walking;
    if (row->unknown_count > sum->unknown_max) { sum->unknown_max = row->unknown_count; }
}

fr_study_summary fr_study_sum(const fr_study *study, uint32_t person) {
    FR_ASSERT(study != NULL);
    fr_study_summary sum = {.rula_motion = "", .reba_motion = ""};
    for (size_t i = 0; i < study->rows.count; i++) {
        if (study->rows.data[i].person == person) { add_row(&sum, &study->rows.data[i]); }
    }
    double count = sum.row_count > 0 ? (double)sum.row_count : 1.0;
    sum.rula_mean /= count;
    sum.reba_mean /= count;
    sum.seated /= count;
    sum.walking /= count;
    return sum;
}
