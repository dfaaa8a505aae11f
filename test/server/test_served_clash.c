// Assemblies that are served: what meets is listed for every client, people who may decide do, what they decide is in
// the file before the reply, and nothing is changed where it cannot be stored.
#include "failing.h"
#include "failing_file.h"
#include "provider.h"

#include <sys/stat.h>

#define WATCH "watch-0123456789abcdef"
#define HANDLE "handle-0123456789abcdef"

enum { ROW = 700 }; // boxes of the long list, each of which enters the next

static char folder[64], notes_path[96], token_path[96];

static int make_folder(void **state) {
    (void)state;
    snprintf(folder, sizeof folder, "/tmp/fureai-clash-XXXXXX");
    if (mkdtemp(folder) == NULL) { return -1; }
    snprintf(notes_path, sizeof notes_path, "%s/notes.json", folder);
    snprintf(token_path, sizeof token_path, "%s/tokens", folder);
    return 0;
}

static int remove_folder(void **state) {
    (void)state;
    unlink(notes_path);
    unlink(token_path);
    return rmdir(folder); // fails where a temporary file is left
}

static void write_file(const char *path, const char *text) {
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static const char *notes_text(void) {
    static char text[65536];
    FILE *file = fopen(notes_path, "rb");
    size_t size = file != NULL ? fread(text, 1, sizeof text - 1, file) : 0;
    if (file != NULL) { fclose(file); }
    text[size] = '\0';
    return text;
}

// ---------------------------------------------------------------------------------------------------------------
// Assemblies

// "case", a cube of 2 m about the origin, "lid" that enters it by 0.25 m, "foot" that touches it, "pin" inside it.
static const char *const four_names[] = {"case", "lid", "foot", "pin"};

typedef struct row {
    fr_mesh *box, *lid, *pin;
    fr_clash_part parts[ROW];
    const char *names[ROW];
    char texts[ROW][16];
    fr_served_clashes_def def;
} row;

static void make_four(row *r) {
    assert_int_equal(fr_mesh_create_box(fr_vec3_make(2, 2, 2), NULL, &r->box, NULL), FR_OK);
    assert_int_equal(fr_mesh_create_box(fr_vec3_make(2, 1, 1), NULL, &r->lid, NULL), FR_OK);
    assert_int_equal(fr_mesh_create_box(fr_vec3_make(0.5, 0.5, 0.5), NULL, &r->pin, NULL), FR_OK);
    static const double places[4] = {0.0, 1.75, -2.0, 0.0};
    for (size_t i = 0; i < 4; i++) {
        r->parts[i] = (fr_clash_part){i == 3 ? r->pin : i == 1 ? r->lid : r->box, fr_pose_identity()};
        r->parts[i].pose.position.x = places[i];
        r->names[i] = four_names[i];
    }
    r->def = fr_default_served_clashes_def();
    r->def.parts = r->parts;
    r->def.names = r->names;
    r->def.part_count = 4;
    r->def.title = "Four parts";
    r->def.notes_path = notes_path;
}

static void make_row(row *r) {
    make_four(r);
    for (size_t i = 0; i < ROW; i++) {
        r->parts[i] = (fr_clash_part){r->box, fr_pose_identity()};
        r->parts[i].pose.position.x = 1.75 * (double)i;
        snprintf(r->texts[i], sizeof r->texts[i], "box %zu", i);
        r->names[i] = r->texts[i];
    }
    r->def.part_count = ROW;
}

static void free_row(row *r) {
    fr_mesh_release(r->box);
    fr_mesh_release(r->lid);
    fr_mesh_release(r->pin);
}

static fr_status open_row(const char *name, fr_served_scene *out, void *user, fr_error *error) {
    if (strcmp(name, "pair") == 0) { return test_scene_open(name, out, NULL, error); }
    return fr_served_clashes_create(&((row *)user)->def, out, error);
}

static void close_row(fr_served_scene *scene, void *user) {
    (void)user;
    if (scene->clashes == NULL) {
        test_scene_close(scene, NULL);
    } else {
        fr_served_clashes_destroy(scene);
    }
}

static const fr_scene_entry entries[] = {{.name = "parts", .title = "Parts"}, {.name = "pair", .title = "Pair"}};

static fr_server_def server_of(row *r) {
    fr_server_def def = fr_default_server_def();
    def.provider = (fr_scene_provider){entries, 2, "parts", open_row, close_row, r};
    def.port = 0;
    return def;
}

// ---------------------------------------------------------------------------------------------------------------
// A client that has the list

typedef struct heard_clash {
    fr_ref a, b;
    char name_a[32], name_b[32], note[64];
    uint32_t kind, verdict;
    double depth;
    uint64_t pairs;
    fr_vec3 min, max;
} heard_clash;

typedef struct reader {
    test_client client;
    heard_clash list[ROW];
    uint32_t count, total, may_note, notes;
} reader;

static void hear_note(heard_clash *clash, uint32_t verdict, const char *note) {
    clash->verdict = verdict;
    snprintf(clash->note, sizeof clash->note, "%s", note);
}

static void hear(const fr_mirror *mirror, const fr_message *message, void *user) {
    reader *r = user; // the client is its first member
    const fr_message_clashes *piece = &message->as.clashes;
    for (uint32_t i = 0; message->type == FR_MESSAGE_CLASHES && i < piece->clash_count; i++) {
        const fr_wire_clash *from = &piece->clashes[i];
        assert_true(piece->first == r->count - i && piece->clash_count <= FR_PROTOCOL_MAX_CLASHES);
        heard_clash *to = &r->list[r->count++];
        *to = (heard_clash){.a = from->a, .b = from->b, .kind = from->kind, .depth = from->depth};
        to->pairs = from->pairs;
        to->min = from->min;
        to->max = from->max;
        snprintf(to->name_a, sizeof to->name_a, "%s", from->name_a);
        snprintf(to->name_b, sizeof to->name_b, "%s", from->name_b);
        hear_note(to, from->verdict, from->note);
    }
    if (message->type == FR_MESSAGE_RESET) { r->count = r->total = 0; }
    if (message->type == FR_MESSAGE_CLASHES) {
        r->total = piece->total;
        r->may_note = piece->may_note;
    }
    if (message->type == FR_MESSAGE_CLASH_NOTE) {
        const fr_message_clash_note *note = &message->as.clash_note;
        assert_true(note->clash < r->count);
        hear_note(&r->list[note->clash], note->verdict, note->note);
        r->notes++;
    }
    client_told(mirror, message, &r->client);
}

static void open_reader(reader *r, uint16_t port) {
    *r = (reader){0};
    client_open_with(&r->client, port, "reader", CLIENT_WANTS, hear);
    client_follow_states(&r->client, 1);
}

static fr_status decide(test_client *c, uint32_t clash, fr_clash_verdict verdict, const char *note) {
    fr_message message = {.type = FR_MESSAGE_NOTE_CLASH};
    message.as.note_clash = (fr_message_note_clash){0, clash, (uint8_t)verdict, note};
    return client_ask(c, &message, &message.as.note_clash.request);
}

// ---------------------------------------------------------------------------------------------------------------
// Tests

static void check_clash(reader *r, const heard_clash *wanted) {
    for (uint32_t i = 0; i < r->count; i++) {
        const heard_clash *has = &r->list[i];
        if (strcmp(has->name_a, wanted->name_a) != 0 || strcmp(has->name_b, wanted->name_b) != 0) { continue; }
        assert_int_equal(has->kind, wanted->kind);
        assert_true(has->depth == wanted->depth);
        assert_true(fr_vec3_equal(has->min, wanted->min) && fr_vec3_equal(has->max, wanted->max));
        fr_ref a = client_ref(&r->client, wanted->name_a), b = client_ref(&r->client, wanted->name_b);
        assert_true(memcmp(&has->a, &a, sizeof a) == 0 && memcmp(&has->b, &b, sizeof b) == 0);
        assert_true((has->pairs > 0) == (wanted->kind != FR_CLASH_ENCLOSED));
        assert_true(has->verdict == FR_CLASH_OPEN && has->note[0] == '\0');
        return;
    }
    fail_msg("%s and %s are not listed", wanted->name_a, wanted->name_b);
}

// Kinds, depths and places of boxes, as computed by hand.
static void what_meets_is_listed(void **state) {
    (void)state;
    row four;
    make_four(&four);
    fr_server_def def = server_of(&four);
    running_server running;
    server_start(&running, &def);
    reader r;
    open_reader(&r, running.port);
    assert_true(r.total == 3 && r.count == 3 && r.may_note == 1);
    static const heard_clash wanted[] = {
        {.name_a = "case",
         .name_b = "lid",
         .kind = FR_CLASH_PROTRUSION,
         .depth = 0.25,
         .min = {1, -0.5, -0.5},
         .max = {1, 0.5, 0.5}},
        {.name_a = "case",
         .name_b = "foot",
         .kind = FR_CLASH_TOUCHING,
         .depth = -1.0,
         .min = {-1, -1, -1},
         .max = {-1, 1, 1}},
        {.name_a = "case",
         .name_b = "pin",
         .kind = FR_CLASH_ENCLOSED,
         .depth = 0.75,
         .min = {-0.25, -0.25, -0.25},
         .max = {0.25, 0.25, 0.25}},
    };
    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++) {
        check_clash(&r, &wanted[i]);
    }
    // Parts stand still, and where they meet is drawn.
    assert_int_not_equal(client_grab(&r.client, client_ref(&r.client, "lid")), FR_OK);
    client_close(&r.client);
    (void)server_end(&running);
    free_row(&four);
}

// A decision is in the file before the reply, for those who are there and those who come; other notes stay.
static void decisions_are_stored_and_shown(void **state) {
    (void)state;
    row four;
    make_four(&four);
    write_file(notes_path, "{\"fureai\": 1, \"notes\": [{\"a\": \"pin\", \"b\": \"case\", \"verdict\": \"ignored\"}, "
                           "{\"a\": \"gone\", \"b\": \"pin\", \"verdict\": \"accepted\", \"note\": \"older\"}]}");
    fr_server_def def = server_of(&four);
    running_server running;
    server_start(&running, &def);
    reader one, other;
    open_reader(&one, running.port);
    open_reader(&other, running.port);
    uint32_t lid = 0, pin = 0;
    for (uint32_t i = 0; i < one.count; i++) {
        if (strcmp(one.list[i].name_b, "lid") == 0) { lid = i; }
        if (strcmp(one.list[i].name_b, "pin") == 0) { pin = i; }
    }
    assert_int_equal(one.list[pin].verdict, FR_CLASH_IGNORED);
    assert_int_equal(decide(&one.client, lid, FR_CLASH_ACCEPTED, "press fit"), FR_OK);
    fr_clash_notes *notes;
    assert_int_equal(fr_clash_notes_read(notes_text(), strlen(notes_text()), NULL, NULL, &notes, NULL), FR_OK);
    const fr_clash_note *note = fr_clash_notes_find(notes, "lid", "case");
    assert_true(note != NULL && note->verdict == FR_CLASH_ACCEPTED);
    assert_string_equal(note->text, "press fit");
    assert_non_null(fr_clash_notes_find(notes, "gone", "pin"));
    assert_int_equal(fr_clash_notes_find(notes, "case", "pin")->verdict, FR_CLASH_IGNORED);
    fr_clash_notes_destroy(notes);
    while (other.notes == 0) {
        assert_true(client_take(&other.client));
    }
    assert_int_equal(other.list[lid].verdict, FR_CLASH_ACCEPTED);
    assert_string_equal(other.list[lid].note, "press fit");
    // The newest counts for who comes late, and for all after a restart.
    assert_int_equal(decide(&other.client, lid, FR_CLASH_IGNORED, "löst"), FR_OK);
    reader late;
    open_reader(&late, running.port);
    assert_true(late.notes == 1 && late.list[lid].verdict == FR_CLASH_IGNORED);
    assert_string_equal(late.list[lid].note, "löst");
    assert_int_equal(client_play(&late.client, FR_PLAY_RESTART), FR_OK);
    client_follow_states(&late.client, 3);
    assert_true(late.count == 3 && late.list[lid].verdict == FR_CLASH_IGNORED);
    // Taken back, it is no note any more.
    assert_int_equal(decide(&late.client, lid, FR_CLASH_OPEN, ""), FR_OK);
    assert_null(strstr(notes_text(), "lid"));
    client_close(&one.client);
    client_close(&other.client);
    client_close(&late.client);
    (void)server_end(&running);
    free_row(&four);
}

static void wrong_decisions_change_nothing(void **state) {
    (void)state;
    row four;
    make_four(&four);
    fr_server_def def = server_of(&four);
    running_server running;
    server_start(&running, &def);
    reader r;
    open_reader(&r, running.port);
    static char much[FR_CLASH_TEXT_MAX_BYTES + 2];
    memset(much, 'x', sizeof much - 1);
    assert_int_equal(decide(&r.client, 3, FR_CLASH_ACCEPTED, ""), FR_ERROR_ARGUMENT);
    assert_int_equal(decide(&r.client, UINT32_MAX, FR_CLASH_ACCEPTED, ""), FR_ERROR_ARGUMENT);
    assert_int_equal(decide(&r.client, 0, FR_CLASH_ACCEPTED, much), FR_ERROR_ARGUMENT);
    assert_int_equal(decide(&r.client, 0, FR_CLASH_ACCEPTED, "two\nlines"), FR_ERROR_ARGUMENT);
    assert_string_equal(notes_text(), "");
    assert_int_equal(client_open_scene(&r.client, "pair"), FR_OK);
    assert_int_equal(decide(&r.client, 0, FR_CLASH_ACCEPTED, ""), FR_ERROR_UNSUPPORTED);
    assert_int_equal(client_open_scene(&r.client, "parts"), FR_OK);
    // So much at once is no person.
    fr_status status = FR_OK;
    for (int i = 0; i < 400 && status == FR_OK; i++) {
        status = decide(&r.client, 0, i % 2 == 0 ? FR_CLASH_ACCEPTED : FR_CLASH_IGNORED, "");
    }
    assert_int_equal(status, FR_ERROR_LIMIT);
    client_close(&r.client);
    (void)server_end(&running);

    four.def.notes_path = NULL;
    server_start(&running, &def);
    open_reader(&r, running.port);
    assert_int_equal(r.may_note, 0);
    assert_int_equal(decide(&r.client, 0, FR_CLASH_ACCEPTED, ""), FR_ERROR_UNSUPPORTED);
    assert_non_null(strstr(r.client.reply_text, "without a file of notes"));
    client_close(&r.client);
    (void)server_end(&running);
    free_row(&four);
}

static fr_status decide_as(uint16_t port, const char *token) {
    test_client c = {.socket = -1, .payload = fr_array_make(1, NULL)};
    char url[64];
    snprintf(url, sizeof url, "ws://127.0.0.1:%u", (unsigned)port);
    fr_client_def def = fr_default_client_def();
    def.url = url;
    def.token = token;
    def.received = client_told;
    def.user = &c;
    assert_int_equal(fr_client_create(&def, &c.link, NULL), FR_OK);
    c.mirror = fr_client_mirror(c.link);
    client_follow_states(&c, 1);
    fr_status status = decide(&c, 0, FR_CLASH_ACCEPTED, token);
    client_close(&c);
    return status;
}

static void watchers_decide_nothing(void **state) {
    (void)state;
    row four;
    make_four(&four);
    write_file(token_path, "watch " WATCH "\nhandle " HANDLE "\n");
    fr_server_def def = server_of(&four);
    def.token_path = token_path;
    running_server running;
    server_start(&running, &def);
    assert_int_equal(decide_as(running.port, WATCH), FR_ERROR_UNSUPPORTED);
    assert_string_equal(notes_text(), "");
    assert_int_equal(decide_as(running.port, HANDLE), FR_OK);
    assert_non_null(strstr(notes_text(), HANDLE));
    (void)server_end(&running);

    def.is_locked = true;
    server_start(&running, &def);
    assert_int_equal(decide_as(running.port, HANDLE), FR_ERROR_UNSUPPORTED);
    (void)server_end(&running);
    free_row(&four);
}

// Of a list of many pieces each clash comes once, in order.
static void a_long_list_comes_in_pieces(void **state) {
    (void)state;
    static row many;
    make_row(&many);
    fr_server_def def = server_of(&many);
    running_server running;
    server_start(&running, &def);
    static reader r;
    open_reader(&r, running.port);
    assert_true(r.total == ROW - 1 && r.count == ROW - 1);
    for (uint32_t i = 0; i < r.count; i++) {
        assert_string_equal(r.list[i].name_a, many.names[i]);
        assert_string_equal(r.list[i].name_b, many.names[i + 1]);
    }
    client_close(&r.client);
    (void)server_end(&running);
    many.def.part_count = 0; // an assembly without parts has an empty list
    server_start(&running, &def);
    open_reader(&r, running.port);
    assert_true(r.total == 0 && r.may_note == 1);
    client_close(&r.client);
    (void)server_end(&running);
    free_row(&many);
}

// Whatever the disk refuses, the old file and the old list stay.
static void what_cannot_be_stored_is_not_decided(void **state) {
    (void)state;
    row four;
    make_four(&four);
    static const char none[] = "{\"fureai\": 1, \"notes\": []}\n";
    write_file(notes_path, none);
    // A sync of the folder, after which the new file may be there already, is not among them.
    static const failing_files cases[] = {{.op = FILE_OPEN, .nth = 1, .number = EACCES},
                                          {.op = FILE_WRITE, .nth = 1, .number = ENOSPC},
                                          {.op = FILE_SYNC, .nth = 1, .number = EIO},
                                          {.op = FILE_CLOSE, .nth = 1, .number = EIO},
                                          {.op = FILE_RENAME, .nth = 1, .number = EIO}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        failing_files disk = cases[i];
        fr_file_ops ops = failing_file_ops(&disk);
        four.def.file_ops = &ops;
        fr_server_def def = server_of(&four);
        running_server running;
        server_start(&running, &def);
        reader r;
        open_reader(&r, running.port);
        assert_int_equal(decide(&r.client, 0, FR_CLASH_ACCEPTED, "press fit"), FR_ERROR_FILE);
        assert_non_null(strstr(r.client.reply_text, "it was not stored"));
        assert_null(strstr(r.client.reply_text, folder));
        assert_string_equal(notes_text(), none);
        assert_int_equal(r.notes, 0);
        // The disk is well again: another decision stores itself alone.
        assert_int_equal(decide(&r.client, 1, FR_CLASH_IGNORED, ""), FR_OK);
        assert_null(strstr(notes_text(), "press fit"));
        assert_int_equal(decide(&r.client, 1, FR_CLASH_OPEN, ""), FR_OK);
        client_close(&r.client);
        (void)server_end(&running);
        write_file(notes_path, none);
    }
    free_row(&four);
}

static void a_wrong_file_is_refused_at_its_line(void **state) {
    (void)state;
    row four;
    make_four(&four);
    write_file(notes_path, "{\"fureai\": 1,\n \"notes\": 3}\n");
    fr_served_scene scene;
    fr_error error = {0};
    assert_int_not_equal(fr_served_clashes_create(&four.def, &scene, &error), FR_OK);
    assert_true(error.line == 2 && strcmp(error.path, notes_path) == 0);
    four.def.cookie = 0;
    assert_int_equal(fr_served_clashes_create(&four.def, &scene, &error), FR_ERROR_ARGUMENT);
    free_row(&four);
}

static fr_status make_scene(const fr_allocator *allocator, void *context) {
    row *r = context;
    r->def.allocator = *allocator;
    fr_served_scene scene;
    fr_status status = fr_served_clashes_create(&r->def, &scene, NULL);
    if (status != FR_OK) { return status; }
    size_t open;
    test_note_number(fr_served_clashes_count(scene.clashes, &open));
    test_note_number(open);
    fr_served_clashes_destroy(&scene);
    return FR_OK;
}

static void every_failure_of_memory_is_survived(void **state) {
    (void)state;
    row four;
    make_four(&four);
    write_file(notes_path, "{\"fureai\": 1, \"notes\": [{\"a\": \"pin\", \"b\": \"case\", \"verdict\": \"ignored\"}]}");
    assert_true(test_every_failure(make_scene, &four) > 3);
    free_row(&four);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(what_meets_is_listed, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(decisions_are_stored_and_shown, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(wrong_decisions_change_nothing, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(watchers_decide_nothing, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(a_long_list_comes_in_pieces, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(what_cannot_be_stored_is_not_decided, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(a_wrong_file_is_refused_at_its_line, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(every_failure_of_memory_is_survived, make_folder, remove_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
