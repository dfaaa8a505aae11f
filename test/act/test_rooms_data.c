// Rooms by chance with furniture that was made for something else: a person enters, sits, takes a thing and puts it on
// a table, and goes through nothing on the way.
#include "chance_room.h"
#include "room_depth.h"

enum { TICKS_MAX = 6000, STEPS = 4 };

typedef struct visit {
    chance_room room;
    room_depth depth;
    char why[STEPS][sizeof(fr_error)]; // of each step; "": it was done
    double deepest[STEPS];             // metres, in each step
    char where[STEPS][128];
} visit;

static void carry_out(visit *v, const fr_command *given, char why[sizeof(fr_error)]) {
    const place *p = &v->room.place;
    fr_command command = *given;
    command.ticket = 1;
    fr_error error = {0};
    why[0] = '\0';
    if (fr_cast_command(p->cast, &command, &error) != FR_OK) {
        snprintf(why, sizeof(fr_error), "%s", error.message);
        return;
    }
    fr_command_end end;
    for (int i = 0; i < TICKS_MAX; i++) {
        assert_int_equal(fr_cast_tick(p->cast, NULL, NULL), FR_OK);
        look_at_tick(&v->depth, fr_world_step(p->world) * (double)i);
        if (!fr_cast_ended(p->cast, &end)) { continue; }
        if (end.status != FR_OK) { snprintf(why, sizeof(fr_error), "%s", end.message); }
        return;
    }
    snprintf(why, sizeof(fr_error), "it is not over");
}

static void reach_goal(visit *v, const char *want, char why[sizeof(fr_error)]) {
    const fr_command_parameter parameter = {FR_DIRECTOR_WANT, want};
    const fr_command command = {.name = FR_DIRECTOR_GOAL, .parameters = &parameter, .parameter_count = 1};
    carry_out(v, &command, why);
}

static void note_depth(visit *v, int step) {
    room_depth *d = &v->depth;
    v->deepest[step] = d->deepest;
    const char *name = d->in.index1 != 0 ? fr_world_label(v->room.place.world, d->in).name : "";
    snprintf(v->where[step], sizeof v->where[step], "%s in %s at %.2f s", d->what != NULL ? d->what : "", name,
             d->time);
    d->deepest = 0.0;
}

static void a_room_is_lived_in(uint64_t seed, visit *v) {
    char want[128];
    open_room(&v->room, seed);
    begin_depth(&v->depth, &v->room.place, "thing");
    const fr_command enter = {.name = "walk", .given = FR_COMMAND_GOAL, .goal = fr_vec3_make(v->room.door, 0.0, 0.8)};
    carry_out(v, &enter, v->why[0]);
    note_depth(v, 0);
    const fr_command sit = {.name = "sit", .object = find(&v->room.place, v->room.pieces[0]->name)};
    carry_out(v, &sit, v->why[1]);
    note_depth(v, 1);
    reach_goal(v, "thing held", v->why[2]);
    note_depth(v, 2);
    snprintf(want, sizeof want, "thing on %s", v->room.pieces[2]->name);
    reach_goal(v, want, v->why[3]);
    note_depth(v, 3);
    end_depth(&v->depth);
    close_room(&v->room);
}

static bool report(uint64_t i, const visit *v) {
    static const char *const steps[STEPS] = {"enter", "sit", "take", "put"};
    const chance_room *r = &v->room;
    bool is_done = true;
    for (int k = 0; k < STEPS; k++) {
        if (v->deepest[k] > 0.002) {
            print_message("room %u, %s: %.1f mm deep, %s\n", (unsigned)i, steps[k], 1e3 * v->deepest[k], v->where[k]);
        }
        if (v->why[k][0] == '\0') { continue; }
        is_done = false;
        print_message("room %u (%s, %s, %s -> %s), %s: %s\n", (unsigned)i, r->pieces[0]->name, r->thing->name,
                      r->pieces[1]->name, r->pieces[2]->name, steps[k], v->why[k]);
    }
    return is_done;
}

static void rooms_are_lived_in(void **state) {
    (void)state;
    uint64_t count = test_count(1, 100), looked = 0, samples = 0;
    int done = 0, clear = 0;
    for (uint64_t i = 0; i < count; i++) {
        if (!test_is_in_part(i, count)) { continue; }
        visit v;
        a_room_is_lived_in(i + 1, &v);
        done += report(i, &v);
        double deepest = fmax(fmax(v.deepest[0], v.deepest[1]), fmax(v.deepest[2], v.deepest[3]));
        clear += deepest <= 0.002;
        assert_true(v.deepest[0] <= 0.002); // through the door
        samples += v.depth.samples;
        looked++;
    }
    print_message("%d of %u rooms lived in; in %d nothing was entered by over 2 mm; %.1f million pieces looked at\n",
                  done, (unsigned)looked, clear, 1e-6 * (double)samples);
    assert_true(samples > 0);
    assert_true(100 * done >= 95 * (int)looked);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(rooms_are_lived_in)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
