// A library of folders: listed, indexed, brought up to date, wrong ones left out; the index locked, corrupt, full.
#include "failing.h"
#include "folders.h"

#include "fureai/library.h"

#include <dirent.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>

#include <cmocka.h>

static fr_library *open_library(const char *folder) {
    fr_library *library;
    fr_error error = {0};
    if (fr_library_open(folder, NULL, &library, &error) != FR_OK) { fail_msg("%s", error.message); }
    return library;
}

static fr_library_report refresh(fr_library *library) {
    fr_library_report report;
    fr_error error = {0};
    if (fr_library_refresh(library, &report, &error) != FR_OK) { fail_msg("%s", error.message); }
    return report;
}

static const fr_library_entry *entry_of(const fr_library *library, const char *name) {
    for (uint32_t i = 0; i < fr_library_count(library); i++) {
        const fr_library_entry *entry = fr_library_get(library, i);
        if (strcmp(entry->place.name, name) == 0) { return entry; }
    }
    fail_msg("%s is not listed", name);
    return NULL;
}

static bool has_sqlite(void) {
    fr_library_index index;
    bool has = fr_library_sqlite_index("/tmp/none", NULL, &index, NULL) == FR_OK;
    if (has) { index.close(index.user); }
    return has;
}

static void put_three(const char *folder) {
    put_class(folder, "cup", "take");
    put_class(folder, "chair", "sit");
    put_file(folder, "ann/person.json", "{\"fureai\":1,\"title\":\"Ann\"}");
    put_file(folder, "notes.txt", "no class");
    put_file(folder, "empty/readme.txt", "no class yet");
    put_file(folder, ".hidden/object.json", "{}");
}

// ---------------------------------------------------------------------------------------------------------------
// Listing

static void expect_three(const fr_library *library) {
    assert_int_equal(fr_library_count(library), 3);
    const char *const names[] = {"ann", "chair", "cup"};
    for (uint32_t i = 0; i < 3; i++) {
        assert_string_equal(fr_library_get(library, i)->place.name, names[i]);
    }
    const fr_library_entry *cup = entry_of(library, "cup");
    assert_string_equal(cup->title, "cup");
    assert_string_equal(cup->shapes, "m.obj");
    assert_string_equal(cup->message, "");
    assert_int_equal(cup->motion_count, 1);
    assert_string_equal(cup->motions[0].name, "take");
    assert_string_equal(cup->motions[0].human, "walk+slerp");
    assert_string_equal(cup->motions[0].object, "follow_hand");
    assert_string_equal(cup->motions[0].parameters, "hand=right threshold=0.15");
    assert_int_equal(cup->motions[0].fields, FR_CLASS_ASKS_FRAMES);
    assert_int_equal(entry_of(library, "ann")->place.kind, FR_CLASS_PERSON);
}

// A second library finds all in the index, and reads no file.
static void folders_are_listed_and_indexed(void **state) {
    (void)state;
    char folder[256];
    make_folder(folder);
    put_three(folder);
    fr_library *library = open_library(folder);
    fr_library_report report = refresh(library);
    assert_true(report.objects == 2 && report.people == 1 && report.wrong == 0 && report.read == 3);
    assert_int_equal(report.index_status, FR_OK);
    expect_three(library);
    assert_int_equal(refresh(library).read, 0);
    fr_library_destroy(library);

    library = open_library(folder);
    report = refresh(library);
    assert_int_equal(report.read, has_sqlite() ? 0 : 3);
    expect_three(library);
    fr_library_destroy(library);
    remove_folder(folder);
}

// A change of name, size or time is seen, also in what the index says of the file.
static void changes_are_seen(void **state) {
    (void)state;
    char folder[256], path[300];
    make_folder(folder);
    put_three(folder);
    fr_library *library = open_library(folder);
    refresh(library);
    put_class(folder, "cup", "drink from it");
    fr_library *other = open_library(folder);
    fr_library_report report = refresh(other);
    assert_int_equal(report.read, has_sqlite() ? 1 : 3);
    assert_string_equal(entry_of(other, "cup")->motions[0].name, "drink from it");
    fr_library_destroy(other);

    report = refresh(library);
    assert_int_equal(report.read, 1);
    assert_string_equal(entry_of(library, "cup")->motions[0].name, "drink from it");
    snprintf(path, sizeof path, "%s/chair", folder);
    remove_folder(path);
    put_class(folder, "lamp", "look");
    report = refresh(library);
    assert_true(report.read == 1 && report.gone == 1 && report.objects == 2);
    fr_library_destroy(library);
    remove_folder(folder);
}

// A wrong file is listed with the place of what is wrong, and all others work.
static void a_wrong_folder_is_left_out(void **state) {
    (void)state;
    char folder[256];
    make_folder(folder);
    put_three(folder);
    put_file(folder, "bad/object.json", "{\"fureai\":1,\n \"shapes\":[7]}");
    put_file(folder, "long/object.json", "");
    for (int again = 0; again < 2; again++) {
        fr_library *library = open_library(folder);
        fr_library_report report = refresh(library);
        assert_true(report.wrong == 2 && report.objects == 2);
        if (strncmp(entry_of(library, "bad")->message, "bad/object.json:2:12: ", 22) != 0) {
            fail_msg("%s", entry_of(library, "bad")->message);
        }
        fr_class *c;
        fr_error error = {0};
        assert_int_equal(fr_library_find(library, "bad", &c, &error), FR_ERROR_SYNTAX);
        assert_int_equal(error.line, 2);
        assert_int_equal(fr_library_find(library, "cup", &c, &error), FR_OK);
        fr_class_release(c);
        fr_library_destroy(library);
    }
    put_class(folder, "bad", "mended");
    fr_library *library = open_library(folder);
    assert_int_equal(refresh(library).wrong, 1);
    fr_library_destroy(library);
    remove_folder(folder);
}

// ---------------------------------------------------------------------------------------------------------------
// Finding

static void classes_are_read_once_and_kept_fresh(void **state) {
    (void)state;
    char folder[256];
    make_folder(folder);
    put_three(folder);
    fr_library *library = open_library(folder);
    refresh(library);
    fr_class *first, *second, *third;
    assert_int_equal(fr_library_find(library, "cup", &first, NULL), FR_OK);
    assert_int_equal(fr_library_find(library, "cup", &second, NULL), FR_OK);
    assert_ptr_equal(first, second);
    put_class(folder, "cup", "drink from it");
    assert_int_equal(fr_library_find(library, "cup", &third, NULL), FR_OK);
    assert_ptr_not_equal(first, third);
    assert_string_equal(fr_class_get(first)->states[0].motions[0].name, "take");
    assert_string_equal(fr_class_get(third)->states[0].motions[0].name, "drink from it");
    put_class(folder, "vase", "take");
    fr_class *unlisted;
    assert_int_equal(fr_library_find(library, "vase", &unlisted, NULL), FR_OK);
    fr_error error = {0};
    fr_class *none;
    assert_int_equal(fr_library_find(library, "cups", &none, &error), FR_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "did you mean 'cup'"));
    assert_int_equal(fr_library_find(library, "../cup", &none, NULL), FR_ERROR_ARGUMENT);
    fr_class_release(first);
    fr_class_release(second);
    fr_class_release(third);
    fr_class_release(unlisted);
    fr_library_destroy(library);
    remove_folder(folder);
}

static void nothing_outside_is_opened(void **state) {
    (void)state;
    char folder[256], path[600];
    make_folder(folder);
    put_three(folder);
    put_file(folder, "secret.obj", box_model);
    snprintf(path, sizeof path, "%s/cup/link.obj", folder);
    assert_int_equal(symlink("../secret.obj", path), 0);
    snprintf(path, sizeof path, "%s/cup/pipe", folder);
    assert_int_equal(mkfifo(path, 0666), 0);
    fr_library_files files;
    assert_int_equal(fr_library_folder(folder, NULL, &files, NULL), FR_OK);
    static const char *const wrong[] = {"cup/link.obj", "../x", "/etc/passwd", "cup/../secret.obj", "cup/pipe", "cup"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        const void *bytes;
        size_t size;
        assert_int_equal(files.load(wrong[i], 1 << 20, &bytes, &size, files.user, NULL), FR_ERROR_FILE);
    }
    const void *bytes;
    size_t size;
    assert_int_equal(files.load("cup/m.obj", 10, &bytes, &size, files.user, NULL), FR_ERROR_LIMIT);
    assert_int_equal(files.load("cup/m.obj", 1000, &bytes, &size, files.user, NULL), FR_OK);
    assert_int_equal(size, strlen(box_model));
    files.unload(bytes, size, files.user);
    files.close(files.user);
    assert_int_equal(fr_library_folder("/tmp/no such folder", NULL, &files, NULL), FR_ERROR_FILE);
    remove_folder(folder);
}

static void a_check_looks_at_every_file(void **state) {
    (void)state;
    char folder[256];
    make_folder(folder);
    put_three(folder);
    fr_library *library = open_library(folder);
    refresh(library);
    fr_error error = {0};
    assert_int_equal(fr_library_check(library, "cup", NULL, &error), FR_OK);
    assert_int_equal(fr_library_check(library, "ann", NULL, &error), FR_OK);
    put_file(folder, "cup/m.obj", "v 0 0 0\nf 1 2 99\n");
    assert_int_not_equal(fr_library_check(library, "cup", NULL, &error), FR_OK);
    assert_string_equal(error.path, "cup/m.obj");
    put_file(folder, "tea/object.json",
             "{\"fureai\":1,\"shapes\":[\"m.obj\"],\"affords\":[{\"motion\":\"m\",\"human\":[{\"skill\":\"s\","
             "\"data\":\"c.ahmc\"}]}]}");
    put_file(folder, "tea/m.obj", box_model);
    assert_int_equal(fr_library_check(library, "tea", NULL, &error), FR_ERROR_FILE);
    put_file(folder, "tea/c.ahmc", "AHMC 1\nnonsense\n");
    assert_int_equal(fr_library_check(library, "tea", NULL, &error), FR_ERROR_SYNTAX);
    assert_string_equal(error.path, "tea/c.ahmc");
    fr_library_destroy(library);
    remove_folder(folder);
}

// ---------------------------------------------------------------------------------------------------------------
// Polling

// Waits until a poll sees a change, at most a second.
static bool poll_sees(fr_library *library) {
    for (int i = 0; i < 10; i++) {
        bool is_changed;
        assert_int_equal(fr_library_poll(library, &is_changed, NULL), FR_OK);
        if (is_changed) { return true; }
        nanosleep(&(struct timespec){0, 100 * 1000 * 1000}, NULL);
    }
    return false;
}

static void polls_see_what_is_copied_in(void **state) {
    (void)state;
    char folder[256], path[300];
    make_folder(folder);
    put_three(folder);
    fr_library *library = open_library(folder);
    refresh(library);
    assert_false(poll_sees(library));

    put_class(folder, "lamp", "look");
    assert_true(poll_sees(library));
    // A folder that gets its file later, half of it first.
    put_file(folder, "slow/m.obj", box_model);
    assert_false(poll_sees(library));
    put_file(folder, "slow/object.json", "{\"fureai\":1,");
    assert_true(poll_sees(library));
    assert_string_not_equal(entry_of(library, "slow")->message, "");
    put_class(folder, "slow", "look");
    assert_true(poll_sees(library));
    assert_string_equal(entry_of(library, "slow")->message, "");
    // A file that is edited, and a folder that goes.
    put_class(folder, "cup", "drink from it");
    assert_true(poll_sees(library));
    snprintf(path, sizeof path, "%s/slow", folder);
    remove_folder(path);
    assert_true(poll_sees(library));
    assert_int_equal(fr_library_count(library), 4);
    fr_library_destroy(library);
    remove_folder(folder);
}

// ---------------------------------------------------------------------------------------------------------------
// An index that fails

static void index_path(const char *folder, char path[300]) {
    snprintf(path, 300, "%s/%s", folder, FR_LIBRARY_INDEX_NAME);
}

static void spoil_tables(const char *path, bool is_endless) {
    char command[700];
    snprintf(
        command, sizeof command, "sqlite3 '%s' \"%s\"", path,
        is_endless
            ? "DROP TABLE object; CREATE VIEW object AS WITH RECURSIVE r(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM "
              "r) SELECT 'a' || i AS name, 0 AS kind, '' AS shape, '' AS texture, '' AS info, 1 AS size, 1 AS "
              "mtime, '' AS message FROM r"
            : "UPDATE object SET name = '../cup' WHERE name = 'cup'");
    assert_int_equal(system(command), 0);
}

// What the index itself replies to a query.
static void expect_rows(const char *path, const char *query, const char *expected) {
    char command[1024], text[4096];
    snprintf(command, sizeof command, "sqlite3 '%s' \"%s\"", path, query);
    FILE *pipe = popen(command, "r");
    assert_non_null(pipe);
    text[fread(text, 1, sizeof text - 1, pipe)] = '\0';
    assert_int_equal(pclose(pipe), 0);
    assert_string_equal(text, expected);
}

// One row of each link, as the body of a person has it.
static void expect_body(const char *path, const char *model) {
    fr_body_def def = fr_default_body_def();
    fr_skeleton *skeleton;
    assert_int_equal(fr_skeleton_create_body(&def, &skeleton, NULL), FR_OK);
    const fr_skeleton_view *body = fr_skeleton_get(skeleton);
    for (uint32_t i = 0; i < body->link_count; i++) {
        char query[600], wanted[600], parent[16] = "";
        fr_vec3 o = body->offsets[i];
        fr_quat q = body->rests[i];
        if (body->parents[i] != FR_NO_LINK) { snprintf(parent, sizeof parent, "%u", body->parents[i]); }
        snprintf(query, sizeof query,
                 "SELECT name, parent, printf('%%.9f %%.9f %%.9f %%.9f %%.9f', mass, length, ox, oy, oz),"
                 " printf('%%.9f %%.9f %%.9f %%.9f', qw, qx, qy, qz) FROM link WHERE model = '%s' AND idx = %u",
                 model, i);
        snprintf(wanted, sizeof wanted, "%s|%s|%.9f %.9f %.9f %.9f %.9f|%.9f %.9f %.9f %.9f\n", body->names[i], parent,
                 body->masses[i], fr_vec3_length(body->tips[i]), o.x, o.y, o.z, q.w, q.x, q.y, q.z);
        expect_rows(path, query, wanted);
    }
    fr_skeleton_release(skeleton);
}

#define CLIP                                                                                                           \
    "AHMC 1\nname to it\nclass start\ndir 30\nface -15\nstride normal\njoin right\nfps 60\nframes 2\n"                 \
    "length 0.775\nlinks 1\ndata\n0 0.9 0  1 0 0 0  3 0\n0.1 0.9 0  1 0 0 0  0 3\n"
#define WITH_CLIPS                                                                                                     \
    "{\"fureai\":1,\"shapes\":[\"m.obj\"],\"affords\":[{\"motion\":\"go\",\"data\":[\"a.ahmc\",\"wrong.ahmc\"],"       \
    "\"human\":[{\"skill\":\"mocap_play\",\"data\":\"a.ahmc\"},{\"skill\":\"mocap_play\",\"data\":\"b.ahmc\"}]}]}"

// Clips and links are in the index for those who query it; they go with their class.
static void clips_and_links_are_indexed(void **state) {
    (void)state;
    char folder[256], path[300];
    if (!has_sqlite() || system("command -v sqlite3 >/dev/null") != 0) { skip(); }
    make_folder(folder);
    put_three(folder);
    put_file(folder, "stair/object.json", WITH_CLIPS);
    put_file(folder, "stair/a.ahmc", CLIP);
    put_file(folder, "stair/b.ahmc", "AHMC 1\nframes 1\nlinks 1\ndata\n0 0 0 1 0 0 0 0 0\n");
    put_file(folder, "stair/wrong.ahmc", "AHMC 9\n");
    fr_library *library = open_library(folder);
    refresh(library);
    index_path(folder, path);
    expect_rows(
        path, "SELECT path, name, class, dir, face, stride, \\\"join\\\", fps, frames, length FROM clip ORDER BY path",
        "a.ahmc|to it|start|30.0|-15.0|normal|right|60.0|2|0.775\nb.ahmc||mocap|0.0|0.0|-|-|60.0|1|0.0\n");
    expect_rows(path, "SELECT model, count(*) FROM link GROUP BY model", "ann|43\n");
    expect_body(path, "ann");
    // Another file of the class, and none.
    put_file(folder, "stair/object.json", "{\"fureai\":1,\"shapes\":[\"m.obj\"]}");
    put_file(folder, "ann/person.json", "{\"fureai\":1,\"title\":\"Ann\",\"body\":{\"stature\":\"tall\"}}");
    refresh(library);
    expect_rows(path, "SELECT (SELECT count(*) FROM clip), (SELECT count(*) FROM link)", "0|0\n");
    put_file(folder, "stair/object.json", WITH_CLIPS);
    refresh(library);
    expect_rows(path, "SELECT count(*) FROM clip WHERE object = 'stair'", "2\n");
    assert_int_equal(fr_library_remove(folder, "stair", NULL), FR_OK);
    refresh(library);
    expect_rows(path, "SELECT count(*) FROM clip", "0\n");
    fr_library_destroy(library);
    remove_folder(folder);
}

#define WITH_STATES                                                                                                    \
    "{\"fureai\":1,\"shapes\":[\"m.obj\"],\"states\":[{\"name\":\"shut\",\"affords\":[],\"transitions\":["             \
    "{\"on\":{\"event\":\"grasp\",\"of\":\"key*\"},\"when\":{\"all\":[{\"dist\":[{\"frame\":\"lock\"},{\"object\":"    \
    "\"key*\"}],"                                                                                                      \
    "\"below\":0.01},{\"state\":\"in_hand\",\"of\":\"key*\",\"at_least\":1}]},\"to\":\"open\","                        \
    "\"do\":[{\"set_deg\":90},{\"emit\":\"it's open\"}]}]},"                                                           \
    "{\"name\":\"open\",\"affords\":[],\"transitions\":[{\"on\":{\"seconds\":2.5},\"to\":\"shut\"},"                   \
    "{\"when\":{\"value\":\"at_most\",\"than_deg\":0},\"to\":\"shut\"}]}],\"frames\":[{\"name\":\"lock\","             \
    "\"position\":[0,0,0]}]}"

// Transitions are in the index with their parts as the file has them, in its order; they go with their class.
static void transitions_are_indexed(void **state) {
    (void)state;
    char folder[256], path[300];
    if (!has_sqlite() || system("command -v sqlite3 >/dev/null") != 0) { skip(); }
    make_folder(folder);
    put_three(folder);
    put_file(folder, "safe/object.json", WITH_STATES);
    put_file(folder, "safe/m.obj", box_model);
    fr_library *library = open_library(folder);
    fr_library_report report = refresh(library);
    if (report.wrong != 0) { fail_msg("%s", entry_of(library, "safe")->message); }
    assert_int_equal(report.index_status, FR_OK);
    index_path(folder, path);
    expect_rows(path,
                "SELECT object, from_state, event, guard, to_state, action FROM transition ORDER BY object, place",
                "safe|shut|{\"event\":\"grasp\",\"of\":\"key*\"}|{\"all\":[{\"dist\":[{\"frame\":\"lock\"},"
                "{\"object\":\"key*\"}],\"below\":0.01},{\"state\":\"in_hand\",\"of\":\"key*\",\"at_least\":1}]}|open|"
                "[{\"set_deg\":90},{\"emit\":\"it's open\"}]\n"
                "safe|open|{\"seconds\":2.5}||shut|\n"
                "safe|open||{\"value\":\"at_most\",\"than_deg\":0}|shut|\n");
    // Which objects come off by an event: what a query of one's own may want to know.
    expect_rows(path, "SELECT object, to_state FROM transition WHERE json_extract(event, '$.event') = 'grasp'",
                "safe|open\n");
    // Another file of the class, and none.
    put_class(folder, "safe", "look");
    refresh(library);
    expect_rows(path, "SELECT count(*) FROM transition", "0\n");
    put_file(folder, "safe/object.json", WITH_STATES);
    refresh(library);
    expect_rows(path, "SELECT count(*) FROM transition WHERE object = 'safe'", "3\n");
    assert_int_equal(fr_library_remove(folder, "safe", NULL), FR_OK);
    refresh(library);
    expect_rows(path, "SELECT count(*) FROM transition", "0\n");
    fr_library_destroy(library);
    remove_folder(folder);
}

static void a_corrupt_index_is_made_from_scratch(void **state) {
    (void)state;
    char folder[256], path[300];
    if (!has_sqlite()) { skip(); }
    make_folder(folder);
    put_three(folder);
    fr_library *library = open_library(folder);
    refresh(library);
    fr_library_destroy(library);
    index_path(folder, path);
    struct stat about;
    assert_int_equal(stat(path, &about), 0);

    // Garbage from the start, from the middle on, an empty file, one that is cut, another version; a table that never
    // ends, and a name that leads out.
    int kinds = system("command -v sqlite3 >/dev/null") == 0 ? 7 : 5;
    for (int spoiled = 0; spoiled < kinds; spoiled++) {
        if (spoiled >= 5) { spoil_tables(path, spoiled == 5); }
        FILE *file = fopen(path, spoiled == 2 ? "wb" : "r+b");
        assert_non_null(file);
        if (spoiled < 2) {
            fseek(file, spoiled == 0 ? 0 : about.st_size / 2, SEEK_SET);
            for (int i = 0; i < 6000; i++) {
                fputc((i * 7919) & 0xff, file);
            }
        }
        if (spoiled == 4) {
            fseek(file, 60, SEEK_SET);
            fputs("\1\2\3\4", file); // user_version
        }
        fclose(file);
        if (spoiled == 3) { assert_int_equal(truncate(path, about.st_size / 2), 0); }
        for (int again = 0; again < 2; again++) {
            library = open_library(folder);
            fr_library_report report = refresh(library);
            assert_true(report.objects == 2 && report.people == 1);
            expect_three(library);
            fr_library_destroy(library);
        }
        library = open_library(folder);
        assert_int_equal(refresh(library).read, 0);
        fr_library_destroy(library);
    }
    remove_folder(folder);
}

// Another process holds the whole index.
static void a_locked_index_is_gone_without(void **state) {
    (void)state;
    char folder[256], path[300], command[700];
    if (!has_sqlite() || system("command -v sqlite3 >/dev/null") != 0) { skip(); }
    make_folder(folder);
    put_three(folder);
    fr_library *library = open_library(folder);
    refresh(library);
    index_path(folder, path);
    snprintf(command, sizeof command,
             "sqlite3 '%s' 'PRAGMA journal_mode=DELETE; PRAGMA locking_mode=EXCLUSIVE; BEGIN EXCLUSIVE;' '.shell touch "
             "%s/locked' '.shell sleep 2' >/dev/null &",
             path, folder);
    assert_int_equal(system(command), 0);
    snprintf(path, sizeof path, "%s/locked", folder);
    for (int i = 0; access(path, F_OK) != 0 && i < 100; i++) {
        nanosleep(&(struct timespec){0, 20 * 1000 * 1000}, NULL);
    }
    put_class(folder, "lamp", "look");
    fr_library_report report = refresh(library);
    assert_int_equal(report.objects, 3);
    assert_int_equal(report.index_status, FR_ERROR_BUSY);
    assert_string_not_equal(report.index_message, "");
    fr_library_destroy(library);
    library = open_library(folder);
    report = refresh(library);
    assert_true(report.objects == 3 && report.read == 4 && report.index_status == FR_ERROR_BUSY);
    fr_library_destroy(library);
    nanosleep(&(struct timespec){2, 200 * 1000 * 1000}, NULL);
    remove_folder(folder);
}

// A disk without room: no file may grow. In a process of its own, as the limit holds for all of it.
static void a_full_disk_is_survived(void **state) {
    (void)state;
    char folder[256];
    make_folder(folder);
    put_three(folder);
    pid_t child = fork();
    if (child == 0) {
        struct rlimit limit = {4096, 4096};
        signal(SIGXFSZ, SIG_IGN);
        setrlimit(RLIMIT_FSIZE, &limit);
        fr_library *library;
        fr_library_report report;
        bool good = fr_library_open(folder, NULL, &library, NULL) == FR_OK &&
                    fr_library_refresh(library, &report, NULL) == FR_OK;
        good = good && report.objects == 2 && report.people == 1 && fr_library_count(library) == 3;
        good = good && (!has_sqlite() || report.index_status == FR_ERROR_FILE);
        fr_library_destroy(library);
        _exit(good ? 0 : 1);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    fr_library *library = open_library(folder);
    assert_int_equal(refresh(library).index_status, FR_OK);
    fr_library_destroy(library);
    remove_folder(folder);
}

// ---------------------------------------------------------------------------------------------------------------
// Adding and removing

static void folders_are_added_and_removed_whole(void **state) {
    (void)state;
    char folder[256], from[256], path[300];
    fr_error error = {0};
    make_folder(folder);
    make_folder(from);
    put_class(from, "cup", "take");
    put_file(from, "cup/parts/deep/a.txt", "deep");
    snprintf(path, sizeof path, "%s/cup//", from);
    if (fr_library_add(folder, path, NULL, &error) != FR_OK) { fail_msg("%s", error.message); }
    assert_int_equal(fr_library_add(folder, path, NULL, &error), FR_ERROR_FILE);
    fr_library *library = open_library(folder);
    assert_int_equal(refresh(library).objects, 1);
    snprintf(path, sizeof path, "%s/cup/parts/deep/a.txt", folder);
    assert_int_equal(access(path, R_OK), 0);

    // A wrong one is not added, nor a part of it.
    put_file(from, "bad/object.json", "{\"fureai\":1}");
    snprintf(path, sizeof path, "%s/bad", from);
    assert_int_equal(fr_library_add(folder, path, NULL, &error), FR_ERROR_SYNTAX);
    put_class(from, "linked", "take");
    snprintf(path, sizeof path, "%s/linked/x", from);
    assert_int_equal(symlink("/etc/passwd", path), 0);
    snprintf(path, sizeof path, "%s/linked", from);
    assert_int_equal(fr_library_add(folder, path, NULL, &error), FR_ERROR_FILE);
    DIR *names = opendir(folder);
    const struct dirent *entry;
    while ((entry = readdir(names)) != NULL) {
        assert_int_not_equal(strncmp(entry->d_name, ".new", 4), 0);
    }
    closedir(names);

    assert_int_equal(fr_library_remove(folder, "../x", &error), FR_ERROR_FILE);
    assert_int_equal(fr_library_remove(folder, "chair", &error), FR_ERROR_FILE);
    assert_int_equal(fr_library_remove(folder, "cup", &error), FR_OK);
    fr_library_report report = refresh(library);
    assert_true(report.objects == 0 && report.gone == 1);
    fr_library_destroy(library);
    remove_folder(folder);
    remove_folder(from);
}

// ---------------------------------------------------------------------------------------------------------------
// Bounds

static void there_is_a_bound_of_classes(void **state) {
    (void)state;
    char folder[256];
    make_folder(folder);
    put_three(folder);
    fr_library_def def = fr_default_library_def();
    assert_int_equal(fr_library_folder(folder, NULL, &def.files, NULL), FR_OK);
    def.max_classes = 2;
    fr_library *library;
    assert_int_equal(fr_library_create(&def, &library, NULL), FR_OK);
    assert_int_equal(fr_library_refresh(library, NULL, NULL), FR_ERROR_LIMIT);
    assert_int_equal(fr_library_count(library), 0);
    fr_library_destroy(library);
    fr_library_def bare = {0};
    assert_int_equal(fr_library_create(&bare, &library, NULL), FR_ERROR_ARGUMENT);
    bare = fr_default_library_def();
    assert_int_equal(fr_library_create(&bare, &library, NULL), FR_ERROR_ARGUMENT);
    remove_folder(folder);
}

// An index that is empty and keeps nothing, so that its rows are made.
static fr_status read_nothing(fr_library_entry_fn *take, void *context, void *user, fr_error *error) {
    (void)take, (void)context, (void)user, (void)error;
    return FR_OK;
}

static fr_status write_nothing(const fr_library_change *change, void *user, fr_error *error) {
    (void)user, (void)error;
    for (size_t i = 0; i < change->changed_count; i++) {
        const fr_library_detail *detail = &change->details[i];
        test_note_number(detail->clip_count + 100 * detail->link_count + 10000 * detail->transition_count);
        for (uint32_t k = 0; k < detail->transition_count; k++) {
            test_note_number(strlen(detail->transitions[k].guard));
        }
    }
    return FR_OK;
}

static fr_status use_library(const fr_allocator *allocator, void *context) {
    const char *folder = context;
    fr_library_index unused;
    fr_status status = fr_library_sqlite_index("/tmp/none", allocator, &unused, NULL);
    if (status == FR_ERROR_MEMORY) { return status; }
    if (status == FR_OK) { unused.close(unused.user); }
    fr_library_def def = fr_default_library_def();
    def.allocator = *allocator;
    def.index = (fr_library_index){.read = read_nothing, .write = write_nothing};
    status = fr_library_folder(folder, allocator, &def.files, NULL);
    fr_library *library;
    if (status == FR_OK) { status = fr_library_create(&def, &library, NULL); }
    if (status != FR_OK) { return status; }
    status = fr_library_refresh(library, NULL, NULL);
    if (status == FR_OK) { status = fr_library_poll(library, NULL, NULL); }
    fr_class *c = NULL;
    if (status == FR_OK) { status = fr_library_find(library, "cup", &c, NULL); }
    fr_class_release(c);
    if (status == FR_OK) { status = fr_library_check(library, "cup", NULL, NULL); }
    if (status == FR_OK) {
        fr_scene_classes classes = fr_library_classes(library);
        fr_scene_class found;
        status = classes.find("", "chair", &found, classes.context, NULL);
        test_note_number(fr_library_count(library));
    }
    fr_library_destroy(library);
    if (status != FR_OK) { return status; }
    status = fr_library_open(folder, allocator, &library, NULL);
    if (status == FR_OK) { fr_library_destroy(library); }
    return status;
}

static fr_status add_one(const fr_allocator *allocator, void *context) {
    char folder[256], path[600];
    make_folder(folder);
    snprintf(path, sizeof path, "%s/cup", (const char *)context);
    fr_status status = fr_library_add(folder, path, allocator, NULL);
    const fr_class_skill skill = {.name = "look_at"};
    const fr_class_motion motion = {.name = "admire", .skills = &skill, .skill_count = 1};
    if (status == FR_OK) { status = fr_library_add_motion(folder, "cup", &motion, allocator, NULL); }
    remove_folder(folder);
    return status;
}

static void short_memory_is_survived(void **state) {
    (void)state;
    char folder[256];
    make_folder(folder);
    put_three(folder);
    put_file(folder, "safe/object.json", WITH_STATES);
    put_file(folder, "stair/object.json", WITH_CLIPS);
    put_file(folder, "stair/a.ahmc", CLIP);
    // Long ago, so that no poll takes it for fresh and lists again.
    const struct timespec times[2] = {{1000000000, 0}, {1000000000, 0}};
    assert_int_equal(utimensat(AT_FDCWD, folder, times, 0), 0);
    test_every_failure(use_library, folder);
    test_every_failure(add_one, folder);
    remove_folder(folder);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(folders_are_listed_and_indexed),
        cmocka_unit_test(changes_are_seen),
        cmocka_unit_test(a_wrong_folder_is_left_out),
        cmocka_unit_test(classes_are_read_once_and_kept_fresh),
        cmocka_unit_test(nothing_outside_is_opened),
        cmocka_unit_test(a_check_looks_at_every_file),
        cmocka_unit_test(polls_see_what_is_copied_in),
        cmocka_unit_test(clips_and_links_are_indexed),
        cmocka_unit_test(transitions_are_indexed),
        cmocka_unit_test(a_corrupt_index_is_made_from_scratch),
        cmocka_unit_test(a_locked_index_is_gone_without),
        cmocka_unit_test(a_full_disk_is_survived),
        cmocka_unit_test(folders_are_added_and_removed_whole),
        cmocka_unit_test(there_is_a_bound_of_classes),
        cmocka_unit_test(short_memory_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
