// A cast: actors in order, claims by rank, layers through one callback, commands, and every failure of memory.
#include "demo.h"
#include "failing.h"
#include "frame.h"
#include "mesh_object.h"

#include "fureai/actor.h"

typedef struct log_text {
    char text[512];
} log_text;

static void note(log_text *log, const char *word) {
    strncat(log->text, word, sizeof log->text - strlen(log->text) - 1);
}

// An actor that writes down what it is called for.
typedef struct witness {
    log_text *log;
    char letter[2];
    fr_status status; // of grab, undo, command and correct
    int paints, lines;
    const char *affordance;
} witness;

static fr_status witness_move(const fr_proposal *p, fr_wishes *wishes, void *user, fr_error *error) {
    (void)p, (void)wishes, (void)error;
    witness *w = user;
    note(w->log, "m");
    note(w->log, w->letter);
    return FR_OK;
}

static fr_status witness_correct(const fr_proposal *p, fr_wishes *wishes, void *user, fr_error *error) {
    (void)p, (void)wishes;
    witness *w = user;
    note(w->log, "c");
    note(w->log, w->letter);
    return w->status == FR_OK ? FR_OK : fr_error_set(error, w->status, "no");
}

static fr_status witness_begin(void *user, fr_error *error) {
    witness *w = user;
    note(w->log, "b");
    note(w->log, w->letter);
    return w->status == FR_OK ? FR_OK : fr_error_set(error, w->status, "no %s", w->letter);
}

static fr_status witness_resume(void *user, fr_error *error) {
    witness *w = user;
    note(w->log, "r");
    note(w->log, w->letter);
    return w->status == FR_OK ? FR_OK : fr_error_set(error, w->status, "no %s", w->letter);
}

static fr_status witness_grab(const fr_claim *claim, void *user, fr_error *error) {
    (void)claim;
    witness *w = user;
    note(w->log, "g");
    note(w->log, w->letter);
    return w->status == FR_OK ? FR_OK : fr_error_set(error, w->status, "not now");
}

static fr_status witness_undo(bool is_redo, void *user, fr_error *error) {
    (void)error;
    witness *w = user;
    note(w->log, is_redo ? "r" : "u");
    note(w->log, w->letter);
    return w->status;
}

static fr_status witness_command(const fr_command *command, void *user, fr_error *error) {
    (void)error;
    witness *w = user;
    if (w->affordance == NULL || strcmp(command->name, w->affordance) != 0) { return FR_ERROR_UNSUPPORTED; }
    note(w->log, command->name);
    return FR_OK;
}

static const fr_affordance *witness_affords(fr_object_id object, uint32_t index, void *user) {
    (void)object;
    static fr_affordance affordance;
    const witness *w = user;
    affordance = (fr_affordance){.name = w->affordance};
    return index == 0 && w->affordance != NULL ? &affordance : NULL;
}

static void draw_nothing(const fr_draw *draw, void *user) { (void)draw, (void)user; }

static void draw_line(const fr_draw *draw, void *user) {
    const double points[6] = {0, 0, 0, 1, 1, 1};
    ((witness *)user)->lines++;
    fr_draw_lines(draw, points, 1, (fr_color){1, 2, 3, 4}, 1.0);
}

static void witness_paint(fr_painter *painter, const fr_proposal *proposal, void *user) {
    (void)proposal;
    witness *w = user;
    w->paints++;
    const fr_cast_layer layer = {.name = w->letter, .paint = draw_line, .user = w};
    if (fr_painter_is_new(painter)) { assert_int_equal(fr_painter_draw(painter, &layer, NULL), FR_OK); }
}

static void witness_leave(void *user) {
    witness *w = user;
    note(w->log, "l");
    note(w->log, w->letter);
}

static fr_actor witness_actor(witness *w) {
    return (fr_actor){.name = w->letter,
                      .move = witness_move,
                      .correct = witness_correct,
                      .begin = witness_begin,
                      .resume = witness_resume,
                      .grab = witness_grab,
                      .undo = witness_undo,
                      .command = witness_command,
                      .affords = witness_affords,
                      .paint = witness_paint,
                      .leave = witness_leave,
                      .user = w};
}

typedef struct room {
    fr_world *world;
    fr_object_id box, ball;
    fr_cast *cast;
    log_text log;
    witness a, b;
} room;

static fr_object_id add_box(fr_world *world) {
    fr_mesh *mesh;
    fr_part_def part;
    fr_object_id id;
    assert_int_equal(fr_mesh_create_box(fr_vec3_make(1, 1, 1), NULL, &mesh, NULL), FR_OK);
    fr_object_def def = test_mesh_object(mesh, &part);
    assert_int_equal(fr_object_add(fr_world_space(world), &def, &id, NULL), FR_OK);
    fr_mesh_release(mesh);
    return id;
}

static void open_room(room *r) {
    memset(r, 0, sizeof *r);
    fr_world_def world = fr_default_world_def();
    assert_int_equal(fr_world_create(&world, &r->world, NULL), FR_OK);
    r->box = add_box(r->world);
    r->ball = add_box(r->world);
    fr_cast_def def = fr_default_cast_def();
    def.world = r->world;
    assert_int_equal(fr_cast_create(&def, &r->cast, NULL), FR_OK);
    r->a = (witness){.log = &r->log, .letter = "A"};
    r->b = (witness){.log = &r->log, .letter = "B"};
    fr_actor a = witness_actor(&r->a), b = witness_actor(&r->b);
    assert_int_equal(fr_cast_add(r->cast, &a, NULL), FR_OK);
    assert_int_equal(fr_cast_add(r->cast, &b, NULL), FR_OK);
}

static void close_room(room *r) {
    fr_cast_destroy(r->cast);
    fr_world_destroy(r->world);
}

static void expect_log(room *r, const char *text) {
    assert_string_equal(r->log.text, text);
    r->log.text[0] = '\0';
}

// ---------------------------------------------------------------------------------------------------------------
// Order

static void actors_are_called_in_order_and_leave_in_reverse(void **state) {
    (void)state;
    room r;
    open_room(&r);
    assert_int_equal(fr_cast_count(r.cast), 2);
    assert_ptr_equal(fr_cast_get(r.cast, 1)->user, &r.b);
    assert_ptr_equal(fr_cast_find(r.cast, "B")->user, &r.b);
    assert_null(fr_cast_get(r.cast, 2));
    assert_null(fr_cast_find(r.cast, "C"));
    assert_ptr_equal(fr_cast_world(r.cast), r.world);
    assert_int_equal(fr_world_tick(r.world, NULL, NULL), FR_OK);
    expect_log(&r, "mAmBcAcB");
    fr_tick_input paused = fr_default_tick_input();
    paused.is_paused = true;
    assert_int_equal(fr_world_tick(r.world, &paused, NULL), FR_OK);
    expect_log(&r, "cAcB");
    assert_int_equal(r.a.paints, 0); // nothing shows layers

    r.a.status = FR_ERROR_LIMIT;
    fr_error error = {0};
    assert_int_equal(fr_cast_begin(r.cast, &error), FR_ERROR_LIMIT);
    assert_string_equal(error.message, "no A");
    expect_log(&r, "bAbB");
    assert_int_equal(fr_cast_resume(r.cast, &error), FR_ERROR_LIMIT);
    expect_log(&r, "rArB");
    assert_int_equal(fr_world_tick(r.world, NULL, &error), FR_ERROR_LIMIT);
    assert_non_null(strstr(error.message, "A: no"));
    expect_log(&r, "mAmBcA");
    close_room(&r);
    assert_string_equal(r.log.text, "lBlA");
}

static void two_casts_do_not_know_one_another(void **state) {
    (void)state;
    room one, two;
    open_room(&one);
    open_room(&two);
    const fr_claim claim = {.object = one.box, .rank = FR_RANK_PERSON, .holder = 1, .name = "Ann"};
    assert_int_equal(fr_cast_grab(one.cast, &claim, NULL), FR_OK);
    fr_claim other = {.object = two.box, .rank = FR_RANK_VIRTUAL_HUMAN, .holder = 2};
    assert_int_equal(fr_cast_grab(two.cast, &other, NULL), FR_OK);
    other.object = one.box; // of another space
    assert_int_equal(fr_cast_grab(two.cast, &other, NULL), FR_ERROR_STALE_ID);
    one.log.text[0] = two.log.text[0] = '\0';
    assert_int_equal(fr_world_tick(one.world, NULL, NULL), FR_OK);
    expect_log(&one, "mAmBcAcB");
    expect_log(&two, "");
    close_room(&one);
    assert_int_equal(fr_world_tick(two.world, NULL, NULL), FR_OK);
    expect_log(&two, "mAmBcAcB");

    // Two casts of one world: a world has place for several.
    fr_cast_def def = fr_default_cast_def();
    def.world = two.world;
    fr_cast *second;
    assert_int_equal(fr_cast_create(&def, &second, NULL), FR_OK);
    assert_null(fr_cast_claim(second, two.box));
    fr_cast_destroy(second);
    assert_int_equal(fr_world_tick(two.world, NULL, NULL), FR_OK);
    expect_log(&two, "mAmBcAcB");
    close_room(&two);
}

// ---------------------------------------------------------------------------------------------------------------
// Claims

static void a_higher_rank_takes_and_a_refusal_names_the_holder(void **state) {
    (void)state;
    room r;
    open_room(&r);
    fr_error error = {0};
    fr_claim human = {.object = r.box, .rank = FR_RANK_VIRTUAL_HUMAN, .holder = 1, .name = "Hana"};
    fr_claim program = {.object = r.box, .rank = FR_RANK_PROGRAM, .holder = 2, .name = "a robot"};
    fr_claim person = {.object = r.box, .rank = FR_RANK_PERSON, .holder = 3, .name = "Ann"};
    fr_claim late = {.object = r.box, .rank = FR_RANK_PERSON, .holder = 4, .name = "Ben"};
    assert_null(fr_cast_claim(r.cast, r.box));
    assert_int_equal(fr_cast_grab(r.cast, &human, NULL), FR_OK);
    assert_int_equal(fr_cast_grab(r.cast, &human, NULL), FR_OK); // again
    assert_int_equal(fr_cast_grab(r.cast, &program, NULL), FR_OK);
    assert_int_equal(fr_cast_grab(r.cast, &human, &error), FR_ERROR_BUSY);
    assert_string_equal(error.message, "a robot holds it");
    assert_int_equal(fr_cast_let_go(r.cast, r.box, 1, NULL), FR_ERROR_STALE_ID); // it was taken away
    assert_int_equal(fr_cast_grab(r.cast, &person, NULL), FR_OK);
    assert_int_equal(fr_cast_grab(r.cast, &program, &error), FR_ERROR_BUSY);
    assert_string_equal(error.message, "Ann holds it");
    assert_int_equal(fr_cast_grab(r.cast, &late, &error), FR_ERROR_BUSY); // the first of equals
    assert_string_equal(error.message, "Ann holds it");
    const fr_claim *claim = fr_cast_claim(r.cast, r.box);
    assert_true(claim->holder == 3 && claim->rank == FR_RANK_PERSON);
    assert_string_equal(claim->name, "Ann");
    assert_int_equal(fr_cast_let_go(r.cast, r.box, 3, NULL), FR_OK);
    assert_null(fr_cast_claim(r.cast, r.box));
    assert_int_equal(fr_cast_grab(r.cast, &human, NULL), FR_OK);
    assert_int_equal(fr_cast_begin(r.cast, NULL), FR_OK);
    assert_null(fr_cast_claim(r.cast, r.box));

    late.name = NULL;
    assert_int_equal(fr_cast_grab(r.cast, &late, NULL), FR_OK);
    assert_int_equal(fr_cast_grab(r.cast, &human, &error), FR_ERROR_BUSY);
    assert_string_equal(error.message, "a person holds it");
    assert_int_equal(fr_cast_let_go(r.cast, r.box, late.holder, NULL), FR_OK);
    human.name = program.name = "";
    assert_int_equal(fr_cast_grab(r.cast, &human, NULL), FR_OK);
    human.holder = 5;
    assert_int_equal(fr_cast_grab(r.cast, &human, &error), FR_ERROR_BUSY);
    assert_string_equal(error.message, "a virtual human holds it");
    assert_int_equal(fr_cast_grab(r.cast, &program, NULL), FR_OK);
    assert_int_equal(fr_cast_grab(r.cast, &human, &error), FR_ERROR_BUSY);
    assert_string_equal(error.message, "a program holds it");
    close_room(&r);
}

static void an_actor_refuses_and_what_is_wrong_is_a_status(void **state) {
    (void)state;
    room r;
    open_room(&r);
    fr_error error = {0};
    fr_claim claim = {.object = r.box, .rank = FR_RANK_PERSON, .holder = 1};
    r.a.status = FR_ERROR_BUSY;
    assert_int_equal(fr_cast_grab(r.cast, &claim, &error), FR_ERROR_BUSY);
    assert_string_equal(error.message, "not now");
    expect_log(&r, "gA");
    assert_null(fr_cast_claim(r.cast, r.box));
    r.a.status = FR_OK;
    claim.holder = 0;
    assert_int_equal(fr_cast_grab(r.cast, &claim, NULL), FR_ERROR_ARGUMENT);
    claim.holder = 1;
    claim.rank = (fr_rank)7;
    assert_int_equal(fr_cast_grab(r.cast, &claim, NULL), FR_ERROR_ARGUMENT);
    claim.rank = FR_RANK_PERSON;
    assert_int_equal(fr_cast_grab(r.cast, &claim, NULL), FR_OK);
    // The object goes, and its claim with it.
    assert_int_equal(fr_object_remove(fr_world_space(r.world), r.box, NULL), FR_OK);
    assert_null(fr_cast_claim(r.cast, r.box));
    assert_null(fr_cast_affords(r.cast, r.box, 0));
    assert_int_equal(fr_cast_let_go(r.cast, r.box, 1, &error), FR_ERROR_STALE_ID);
    assert_int_equal(fr_cast_grab(r.cast, &claim, &error), FR_ERROR_STALE_ID);
    const fr_command command = {.name = "open", .object = r.box};
    assert_int_equal(fr_cast_command(r.cast, &command, NULL), FR_ERROR_STALE_ID);
    claim.object = r.ball;
    assert_int_equal(fr_cast_grab(r.cast, &claim, NULL), FR_OK);
    close_room(&r);
}

// ---------------------------------------------------------------------------------------------------------------
// Undo, commands, affordances

static void the_first_actor_that_can_is_asked(void **state) {
    (void)state;
    room r;
    open_room(&r);
    fr_error error = {0};
    assert_int_equal(fr_cast_undo(r.cast, false, NULL), FR_OK);
    assert_int_equal(fr_cast_undo(r.cast, true, NULL), FR_OK);
    expect_log(&r, "uArA");
    r.a.affordance = "open";
    r.b.affordance = "close";
    assert_string_equal(fr_cast_affords(r.cast, r.box, 0)->name, "open");
    assert_string_equal(fr_cast_affords(r.cast, r.box, 1)->name, "close");
    assert_null(fr_cast_affords(r.cast, r.box, 2));
    fr_command command = {.name = "close", .object = r.box};
    assert_int_equal(fr_cast_command(r.cast, &command, NULL), FR_OK);
    expect_log(&r, "close");
    command = (fr_command){.name = "sing"};
    assert_int_equal(fr_cast_command(r.cast, &command, &error), FR_ERROR_UNSUPPORTED);
    assert_string_equal(error.message, "no actor knows the command 'sing'");
    command.name = NULL;
    assert_int_equal(fr_cast_command(r.cast, &command, &error), FR_ERROR_ARGUMENT);
    command.name = "";
    assert_int_equal(fr_cast_command(r.cast, &command, &error), FR_ERROR_ARGUMENT);

    fr_cast_def def = fr_default_cast_def();
    def.world = r.world;
    fr_cast *empty;
    assert_int_equal(fr_cast_create(&def, &empty, NULL), FR_OK);
    assert_int_equal(fr_cast_undo(empty, false, NULL), FR_ERROR_UNSUPPORTED);
    fr_cast_destroy(empty);
    close_room(&r);
}

// ---------------------------------------------------------------------------------------------------------------
// Layers

typedef struct board {
    log_text log;
    fr_status status;
} board;

static fr_status show(const fr_cast_layer *layer, void *user, fr_error *error) {
    board *b = user;
    if (b->status != FR_OK) { return fr_error_set(error, b->status, "no"); }
    const fr_draw nowhere = {.lines = NULL};
    note(&b->log, layer->paint != NULL ? "+" : "-");
    note(&b->log, layer->name);
    if (layer->paint != NULL) { layer->paint(&nowhere, layer->user); }
    return FR_OK;
}

static void layers_go_through_one_callback(void **state) {
    (void)state;
    room r;
    board first = {.status = FR_OK}, second = {.status = FR_OK};
    open_room(&r);
    fr_cast_set_draw(r.cast, show, &first);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(fr_world_tick(r.world, NULL, NULL), FR_OK);
    }
    assert_string_equal(first.log.text, "+A+B"); // once, and painted in every tick
    assert_true(r.a.paints == 3 && r.a.lines == 1);
    // All is drawn again through a new one.
    fr_cast_set_draw(r.cast, show, &second);
    assert_int_equal(fr_world_tick(r.world, NULL, NULL), FR_OK);
    assert_string_equal(second.log.text, "+A+B");
    assert_string_equal(first.log.text, "+A+B");
    close_room(&r);
    assert_string_equal(second.log.text, "+A+B-A-B");
}

static fr_status see_current(const fr_proposal *p, fr_wishes *wishes, void *user, fr_error *error) {
    (void)wishes, (void)error;
    *(int *)user += fr_space_is_current(p->space);
    return FR_OK;
}

static fr_status move_box(const fr_proposal *p, fr_wishes *wishes, void *user, fr_error *error) {
    const room *r = user;
    fr_wish wish = {.object = r->box, .kind = FR_WISH_NEXT, .pose = fr_pose_identity()};
    wish.pose.position.x = 0.1 * (double)(p->tick + 1);
    return fr_wishes_add(wishes, &wish, error);
}

// A cast that neither corrects nor paints is not called after the movers; others are as before, and it is as soon as it
// does.
static void a_cast_is_idle_until_it_corrects_or_paints(void **state) {
    (void)state;
    room r;
    board shown = {.status = FR_OK};
    int current = 0;
    open_room(&r);
    fr_cast_destroy(r.cast);
    r.log.text[0] = '\0';
    fr_cast_def def = fr_default_cast_def();
    def.world = r.world;
    assert_int_equal(fr_cast_create(&def, &r.cast, NULL), FR_OK);
    const fr_corrector other = {"other", see_current, &current};
    assert_int_equal(fr_world_add_corrector(r.world, &other, NULL), FR_OK);
    const fr_actor mover = {.name = "mover", .move = move_box, .user = &r};
    const fr_actor painter = {.name = "painter", .paint = witness_paint, .user = &r.a};
    const fr_actor corrector = {.name = "corrector", .correct = witness_correct, .user = &r.b};
    assert_int_equal(fr_cast_add(r.cast, &mover, NULL), FR_OK);
    assert_int_equal(fr_cast_add(r.cast, &painter, NULL), FR_OK);
    for (int i = 0; i < 5; i++) {
        if (i == 1) { fr_cast_set_draw(r.cast, show, &shown); }
        if (i == 3) { fr_cast_set_draw(r.cast, NULL, NULL); }
        if (i == 4) { assert_int_equal(fr_cast_add(r.cast, &corrector, NULL), FR_OK); }
        assert_int_equal(fr_cast_tick(r.cast, NULL, NULL), FR_OK);
        assert_true(fr_object_get(fr_world_space(r.world), r.box)->pose.position.x == 0.1 * (double)(i + 1));
        assert_int_equal(r.a.paints, i < 1 ? 0 : i < 3 ? i : 2);
        assert_int_equal(current, i + 1);
    }
    expect_log(&r, "cB");
    close_room(&r);
}

typedef struct sleeper {
    bool is_idle;
    int calls;
} sleeper;

static bool rests(void *user) { return ((const sleeper *)user)->is_idle; }

static fr_status count_correct(const fr_proposal *proposal, fr_wishes *wishes, void *user, fr_error *error) {
    (void)wishes, (void)error;
    sleeper *s = user;
    assert_true(fr_space_is_current(proposal->space));
    s->calls++;
    return FR_OK;
}

// An actor that has nothing to correct in a tick is not called in it, and the space is not updated for it; in the next
// one it may have. A tick that the actor was not prepared for calls it.
static void an_actor_may_be_idle_in_a_tick(void **state) {
    (void)state;
    room r;
    sleeper quiet = {true, 0};
    open_room(&r);
    fr_cast_destroy(r.cast);
    r.log.text[0] = '\0';
    fr_cast_def def = fr_default_cast_def();
    def.world = r.world;
    assert_int_equal(fr_cast_create(&def, &r.cast, NULL), FR_OK);
    const fr_actor mover = {.name = "mover", .move = move_box, .user = &r};
    const fr_actor sleeping = {.name = "sleeper", .correct = count_correct, .is_idle = rests, .user = &quiet};
    assert_int_equal(fr_cast_add(r.cast, &mover, NULL), FR_OK);
    assert_int_equal(fr_cast_add(r.cast, &sleeping, NULL), FR_OK);
    assert_int_equal(fr_cast_tick(r.cast, NULL, NULL), FR_OK);
    assert_int_equal(quiet.calls, 0);
    assert_int_equal(fr_world_tick(r.world, NULL, NULL), FR_OK);
    assert_int_equal(quiet.calls, 1);
    quiet.is_idle = false;
    assert_int_equal(fr_cast_tick(r.cast, NULL, NULL), FR_OK);
    assert_int_equal(quiet.calls, 2);
    // With one that says nothing of itself all are called.
    quiet.is_idle = true;
    const fr_actor corrector = {.name = "corrector", .correct = witness_correct, .user = &r.b};
    assert_int_equal(fr_cast_add(r.cast, &corrector, NULL), FR_OK);
    assert_int_equal(fr_cast_tick(r.cast, NULL, NULL), FR_OK);
    assert_int_equal(quiet.calls, 3);
    expect_log(&r, "cB");
    close_room(&r);
}

static void wrong_layer(fr_painter *painter, const fr_proposal *proposal, void *user) {
    (void)proposal;
    char name[FR_CAST_LAYER_NAME_MAX_BYTES + 2];
    memset(name, 'x', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    fr_cast_layer layer = {.name = "", .paint = draw_line, .user = user};
    assert_int_equal(fr_painter_draw(painter, &layer, NULL), FR_ERROR_ARGUMENT);
    layer.name = NULL;
    assert_int_equal(fr_painter_draw(painter, &layer, NULL), FR_ERROR_ARGUMENT);
    layer.name = name;
    assert_int_equal(fr_painter_draw(painter, &layer, NULL), FR_ERROR_ARGUMENT);
    layer.name = "no \xff text";
    assert_int_equal(fr_painter_draw(painter, &layer, NULL), FR_ERROR_ARGUMENT);
    layer.name = "of a stale object";
    layer.object = (fr_object_id){.index1 = 1, .generation = 99};
    assert_int_equal(fr_painter_draw(painter, &layer, NULL), FR_ERROR_STALE_ID);
    layer.paint = NULL; // what was drawn on it may still be removed
    assert_int_equal(fr_painter_draw(painter, &layer, NULL), FR_OK);
    layer = (fr_cast_layer){.name = "never drawn"};
    assert_int_equal(fr_painter_draw(painter, &layer, NULL), FR_OK);
    ((witness *)user)->paints++;
}

static void the_name_of_a_layer_has_limits(void **state) {
    (void)state;
    room r;
    board b = {.status = FR_OK};
    open_room(&r);
    const fr_actor actor = {.name = "wrong", .paint = wrong_layer, .user = &r.a};
    assert_int_equal(fr_cast_add(r.cast, &actor, NULL), FR_OK);
    fr_cast_set_draw(r.cast, show, &b);
    assert_int_equal(fr_world_tick(r.world, NULL, NULL), FR_OK);
    assert_int_equal(r.a.paints, 2);
    close_room(&r);
}

// ---------------------------------------------------------------------------------------------------------------
// In a tick

// What is for between ticks is refused in one, to an actor of the cast and to any other mover.
static fr_status ask_in_tick(const fr_proposal *proposal, fr_wishes *wishes, void *user, fr_error *error) {
    (void)proposal, (void)wishes, (void)error;
    room *r = user;
    const fr_claim claim = {.object = r->box, .rank = FR_RANK_PERSON, .holder = 1};
    const fr_command command = {.name = "open", .object = r->box};
    assert_int_equal(fr_cast_begin(r->cast, NULL), FR_ERROR_BUSY);
    assert_int_equal(fr_cast_resume(r->cast, NULL), FR_ERROR_BUSY);
    assert_int_equal(fr_cast_grab(r->cast, &claim, NULL), FR_ERROR_BUSY);
    assert_int_equal(fr_cast_undo(r->cast, false, NULL), FR_ERROR_BUSY);
    assert_int_equal(fr_cast_command(r->cast, &command, NULL), FR_ERROR_BUSY);
    note(&r->log, "?");
    return FR_OK;
}

static void what_is_for_between_ticks_is_refused_in_one(void **state) {
    (void)state;
    room r;
    open_room(&r);
    const fr_actor actor = {.name = "asker", .correct = ask_in_tick, .user = &r};
    const fr_corrector stranger = {"stranger", ask_in_tick, &r};
    r.a.affordance = "open";
    assert_int_equal(fr_cast_add(r.cast, &actor, NULL), FR_OK);
    assert_int_equal(fr_world_add_mover(r.world, &stranger, NULL), FR_OK);
    assert_int_equal(fr_world_tick(r.world, NULL, NULL), FR_OK);
    expect_log(&r, "mAmB?cAcB?");
    assert_null(fr_cast_claim(r.cast, r.box));
    close_room(&r);
}

// ---------------------------------------------------------------------------------------------------------------
// Limits and memory

static void what_a_cast_cannot_take_is_a_status(void **state) {
    (void)state;
    room r;
    open_room(&r);
    fr_cast *cast;
    fr_cast_def none = {.world = r.world}, without = fr_default_cast_def();
    assert_int_equal(fr_cast_create(&none, &cast, NULL), FR_ERROR_ARGUMENT);
    assert_int_equal(fr_cast_create(&without, &cast, NULL), FR_ERROR_ARGUMENT);
    const fr_actor nameless = {.user = NULL};
    assert_int_equal(fr_cast_add(r.cast, &nameless, NULL), FR_ERROR_ARGUMENT);
    const fr_actor idle = {.name = "idle"};
    for (uint32_t i = fr_cast_count(r.cast); i < FR_CAST_MAX_ACTORS; i++) {
        assert_int_equal(fr_cast_add(r.cast, &idle, NULL), FR_OK);
    }
    assert_int_equal(fr_cast_add(r.cast, &idle, NULL), FR_ERROR_LIMIT);
    without.world = r.world;
    fr_cast *more[FR_WORLD_MAX_CORRECTORS];
    uint32_t count = 0;
    fr_error error = {0};
    while (fr_cast_create(&without, &more[count], &error) == FR_OK) {
        count++;
    }
    assert_int_equal(count, FR_WORLD_MAX_CORRECTORS - 1);
    assert_int_equal(error.status, FR_ERROR_LIMIT);
    while (count > 0) {
        fr_cast_destroy(more[--count]);
    }
    fr_cast_destroy(NULL);
    close_room(&r);
}

static fr_status show_nothing(const fr_cast_layer *layer, void *user, fr_error *error) {
    (void)layer, (void)user, (void)error;
    return FR_OK;
}

// Draws three layers in each tick; a painter without memory says so, and nothing else is harmed.
static void paint_three(fr_painter *painter, const fr_proposal *proposal, void *user) {
    static const char *const names[3] = {"one", "two", "three"};
    (void)proposal;
    fr_status *status = user;
    for (int i = 0; i < 3; i++) {
        const fr_cast_layer layer = {.name = names[i], .paint = draw_nothing};
        fr_status drawn = fr_painter_draw(painter, &layer, NULL);
        if (drawn != FR_OK) { *status = drawn; }
    }
}

static fr_status make_cast(const fr_allocator *allocator, void *context) {
    fr_cast_def def = fr_default_cast_def();
    def.world = context;
    def.allocator = *allocator;
    fr_cast *cast;
    fr_status status = fr_cast_create(&def, &cast, NULL);
    if (status != FR_OK) { return status; }
    fr_status painted = FR_OK;
    const fr_actor painter = {.name = "painter", .paint = paint_three, .user = &painted};
    status = fr_cast_add(cast, &painter, NULL);
    fr_cast_set_draw(cast, show_nothing, NULL);
    fr_object_id first = fr_space_object_at(fr_world_space(context), 0);
    const fr_claim claim = {.object = first, .rank = FR_RANK_PERSON, .holder = 1};
    if (status == FR_OK) { status = fr_cast_grab(cast, &claim, NULL); }
    if (status == FR_OK) { status = fr_world_tick(context, NULL, NULL); }
    if (status == FR_OK) { status = painted; }
    fr_cast_destroy(cast);
    return status;
}

typedef struct scene_in_world {
    fr_scene *scene;
    fr_world *world;
} scene_in_world;

static fr_status make_scene_cast(const fr_allocator *allocator, void *context) {
    const scene_in_world *s = context;
    fr_cast_def def = fr_default_cast_def();
    def.allocator = *allocator;
    fr_cast *cast;
    fr_status status = fr_scene_cast(s->scene, s->world, &def, &cast, NULL);
    if (status == FR_OK) { fr_cast_destroy(cast); }
    return status;
}

static fr_status make_layer(const fr_allocator *allocator, void *context) {
    fr_octree_layer_def octree = fr_default_octree_layer_def();
    octree.allocator = *allocator;
    octree.object = fr_space_object_at(fr_world_space(context), 0);
    octree.name = "box";
    fr_actor actor;
    fr_status status = fr_octree_layer_create(&octree, &actor, NULL);
    if (status == FR_OK) { actor.leave(actor.user); }
    return status;
}

static fr_status make_assembler(const fr_allocator *allocator, void *context) {
    const scene_in_world *s = context;
    const fr_scene_view *view = fr_scene_get(s->scene);
    fr_object_id ids[DEMO_OBJECTS_MAX];
    for (uint32_t i = 0; i < view->object_count; i++) {
        ids[i] = fr_world_find(s->world, view->objects[i].name);
    }
    fr_assembler_def def = fr_default_assembler_def();
    def.space = fr_world_space(s->world);
    def.allocator = *allocator;
    def.has_aid = true;
    assert_int_equal(fr_scene_build_assembly(s->scene, def.space, ids, NULL, &def.assembly, NULL), FR_OK);
    fr_assembler *assembler;
    fr_status status = fr_assembler_create(&def, &assembler, NULL);
    if (status == FR_OK) {
        fr_assembler_destroy(assembler);
    } else {
        fr_assembly_destroy(def.assembly);
    }
    return status;
}

static void every_failure_of_memory_is_survived(void **state) {
    (void)state;
    static const char *const demos[] = {"blocks.json", "window.json", "touch.json",
                                        "piston.json", "ahead.json",  "seek.json"};
    room r;
    open_room(&r);
    assert_true(test_every_failure(make_cast, r.world) >= 3);
    assert_true(test_every_failure(make_layer, r.world) >= 1);
    close_room(&r);
    for (size_t i = 0; i < sizeof demos / sizeof demos[0]; i++) {
        scene_in_world s = {.scene = demo_read(DEMO_FOLDER, demos[i])};
        s.world = demo_world(s.scene, DEMO_FOLDER, FR_SENSE_STATIC);
        assert_true(test_every_failure(make_scene_cast, &s) >= 3);
        if (fr_scene_get(s.scene)->fit_count > 0) { assert_true(test_every_failure(make_assembler, &s) >= 3); }
        fr_world_destroy(s.world);
        fr_scene_destroy(s.scene);
    }
}

static void definitions_without_their_defaults_are_refused(void **state) {
    (void)state;
    room r;
    open_room(&r);
    fr_actor actor;
    fr_hands *hands;
    fr_pilot *pilot;
    fr_pen *pen;
    fr_assembler *assembler;
    fr_hands_def hands_def = {.world = r.world};
    fr_pilot_def pilot_def = {.world = r.world, .robot = r.box, .seconds = 1.0};
    fr_pen_def pen_def = {.space = fr_world_space(r.world), .object = r.box};
    fr_assembler_def assembler_def = {.space = fr_world_space(r.world)};
    fr_octree_layer_def octree_def = {.object = r.box, .name = "box", .depth = 3};
    assert_int_equal(fr_hands_create(&hands_def, &hands, NULL), FR_ERROR_ARGUMENT);
    assert_int_equal(fr_pilot_create(&pilot_def, &pilot, NULL), FR_ERROR_ARGUMENT);
    assert_int_equal(fr_pen_create(&pen_def, &pen, NULL), FR_ERROR_ARGUMENT);
    assert_int_equal(fr_assembler_create(&assembler_def, &assembler, NULL), FR_ERROR_ARGUMENT);
    assert_int_equal(fr_octree_layer_create(&octree_def, &actor, NULL), FR_ERROR_ARGUMENT);

    // Numbers outside their limits, and ids of objects that are gone.
    hands_def = fr_default_hands_def();
    hands_def.world = r.world;
    hands_def.settings.restitution = 2.0;
    assert_int_equal(fr_hands_create(&hands_def, &hands, NULL), FR_ERROR_ARGUMENT);
    hands_def.settings = fr_default_hands_settings();
    hands_def.settings.magnet = -1.0;
    assert_int_equal(fr_hands_create(&hands_def, &hands, NULL), FR_ERROR_ARGUMENT);
    octree_def = fr_default_octree_layer_def();
    octree_def.name = "box";
    octree_def.depth = FR_OCTREE_LAYER_MAX_DEPTH + 1;
    assert_int_equal(fr_octree_layer_create(&octree_def, &actor, NULL), FR_ERROR_ARGUMENT);
    octree_def.depth = FR_OCTREE_LAYER_MIN_DEPTH - 1;
    assert_int_equal(fr_octree_layer_create(&octree_def, &actor, NULL), FR_ERROR_ARGUMENT);
    assert_int_equal(fr_object_remove(fr_world_space(r.world), r.box, NULL), FR_OK);
    pilot_def = fr_default_pilot_def();
    pilot_def.world = r.world;
    pilot_def.robot = r.box;
    assert_int_equal(fr_pilot_create(&pilot_def, &pilot, NULL), FR_ERROR_STALE_ID);
    pen_def = fr_default_pen_def();
    pen_def.space = fr_world_space(r.world);
    pen_def.object = r.box;
    assert_int_equal(fr_pen_create(&pen_def, &pen, NULL), FR_ERROR_STALE_ID);
    close_room(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(actors_are_called_in_order_and_leave_in_reverse),
        cmocka_unit_test(two_casts_do_not_know_one_another),
        cmocka_unit_test(a_higher_rank_takes_and_a_refusal_names_the_holder),
        cmocka_unit_test(an_actor_refuses_and_what_is_wrong_is_a_status),
        cmocka_unit_test(the_first_actor_that_can_is_asked),
        cmocka_unit_test(layers_go_through_one_callback),
        cmocka_unit_test(a_cast_is_idle_until_it_corrects_or_paints),
        cmocka_unit_test(an_actor_may_be_idle_in_a_tick),
        cmocka_unit_test(the_name_of_a_layer_has_limits),
        cmocka_unit_test(what_is_for_between_ticks_is_refused_in_one),
        cmocka_unit_test(what_a_cast_cannot_take_is_a_status),
        cmocka_unit_test(every_failure_of_memory_is_survived),
        cmocka_unit_test(definitions_without_their_defaults_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
