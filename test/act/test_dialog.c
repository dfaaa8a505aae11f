// The dialog: each step asks, takes a number or a name, asks again for what cannot be meant, and ends when asked.
#include "failing.h"
#include "furnished.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct shown_text {
    char text[1 << 16];
    size_t size;
    bool is_closed;
} shown_text;

static bool show(const char *text, size_t size, void *user) {
    shown_text *s = user;
    if (s->is_closed || s->size + size >= sizeof s->text) { return false; }
    memcpy(s->text + s->size, text, size);
    s->size += size;
    s->text[s->size] = '\0';
    return true;
}

static fr_dialog *open_dialog(const furnished *f, shown_text *s, const char *folder) {
    fr_dialog_def def = fr_default_dialog_def();
    def.cast = f->cast;
    def.stock = fr_additions_stock(f->additions);
    def.folder = folder;
    def.write = show;
    def.user = s;
    fr_dialog *dialog;
    memset(s, 0, sizeof *s);
    assert_int_equal(fr_dialog_create(&def, &dialog, NULL), FR_OK);
    return dialog;
}

// What is shown after an answer, and then what is asked.
static void answer(fr_dialog *d, shown_text *s, const char *text, const char *shown, const char *prompt) {
    s->size = 0;
    s->text[0] = '\0';
    fr_error error = {0};
    if (fr_dialog_enter(d, text, strlen(text), &error) != FR_OK) { fail_msg("%s", error.message); }
    if (strstr(s->text, shown) == NULL) { fail_msg("after '%s' there is no '%s' in:\n%s", text, shown, s->text); }
    if (strstr(fr_dialog_prompt(d), prompt) == NULL) { fail_msg("after '%s': %s", text, fr_dialog_prompt(d)); }
}

// The nine steps of the thesis, with a second motion that is fused.
static void a_motion_is_made_step_by_step(void **state) {
    (void)state;
    furnished f;
    shown_text s;
    open_furnished(&f, OBJECT_FOLDER, true);
    fr_dialog *d = open_dialog(&f, &s, NULL);
    assert_non_null(strstr(s.text, "1. motion"));
    answer(d, &s, "7", "'7' is none of them: type a name, or a number from 1 to 5", "what>");
    answer(d, &s, "mottion", "did you mean 'motion'?", "what>");
    answer(d, &s, " 1 ", "2. cup", "object>");
    answer(d, &s, "flor", "did you mean 'floor'?", "object>");
    answer(d, &s, "floor", "1. walk: walks to a goal", "motion>");
    answer(d, &s, "walk", "", "goal x, y, z");
    answer(d, &s, "", "it is needed", "goal");
    answer(d, &s, "1, 2", "three numbers", "goal");
    answer(d, &s, "1.2, 0, nan", "three numbers", "goal");
    answer(d, &s, "1.2 0 1.8", "", "facing");
    answer(d, &s, "9000", "one number from -360 to 360", "facing");
    answer(d, &s, "0", "", "frames");
    answer(d, &s, "1.5", "a whole number", "frames");
    answer(d, &s, "", "", "fuse another");
    answer(d, &s, "perhaps", "type yes or no", "fuse another");
    answer(d, &s, "yes", "With which object?", "object>");
    answer(d, &s, "cup", "look", "motion>");
    answer(d, &s, "look", "", "frames");
    answer(d, &s, "60", "", "start");
    answer(d, &s, "10", "", "fuse another");
    answer(d, &s, "no", "done in ", "what>");
    fr_vec3 hip = fr_person_links(fr_director_get(f.director, 0).person)[0].position;
    assert_true(fr_vec3_distance(fr_vec3_make(hip.x, 0.0, hip.z), fr_vec3_make(1.2, 0.0, 1.8)) < 0.01);

    answer(d, &s, "motion", "", "object>");
    answer(d, &s, "cup", "", "motion>");
    answer(d, &s, "back", "What is to be done?", "what>");
    fr_error error = {0};
    assert_int_equal(fr_dialog_enter(d, "end", 3, &error), FR_ERROR_STOPPED);
    fr_dialog_destroy(d);
    close_furnished(&f);
}

static void copy_class(const char *from, const char *to, const char *name) {
    char source[512];
    snprintf(source, sizeof source, "%s/%s", from, name);
    fr_error error = {0};
    if (fr_library_add(to, source, NULL, &error) != FR_OK) { fail_msg("%s", error.message); }
}

// An object is added; a class is taught a motion, which the next object of it affords.
static void objects_and_motions_are_added(void **state) {
    (void)state;
    char folder[] = "/tmp/fureai-dialog-XXXXXX";
    assert_non_null(mkdtemp(folder));
    copy_class(OBJECT_FOLDER, folder, "floor");
    copy_class(OBJECT_FOLDER, folder, "cup");
    furnished f;
    shown_text s;
    open_furnished(&f, folder, true);
    fr_dialog *d = open_dialog(&f, &s, folder);
    answer(d, &s, "teach", "1. cup", "class>");
    answer(d, &s, "cup", "", "name of the motion");
    answer(d, &s, "", "it needs a name", "name");
    answer(d, &s, "call", "By which skill", "skill of the person");
    answer(d, &s, "point", "none: the object stays", "skill of the object");
    answer(d, &s, "none", "", "clip");
    answer(d, &s, "", "afford 'call'", "what>");
    answer(d, &s, "add", "1. cup: reach, take, pick up, put down, carry, drink, look, point, call", "class>");
    answer(d, &s, "1", "", "name of the object");
    answer(d, &s, "cup", "there is an object 'cup' already", "name");
    answer(d, &s, "mine", "", "position");
    answer(d, &s, "here", "three numbers", "position");
    answer(d, &s, "1.2, 0.05, 2.6", "", "facing");
    answer(d, &s, "", "mine is there", "what>");
    fr_object_id mine = fr_world_find(f.world, "mine");
    const fr_affordance *last = NULL, *next;
    for (uint32_t i = 0; (next = fr_cast_affords(f.cast, mine, i)) != NULL; i++) {
        last = next;
    }
    assert_non_null(last);
    answer(d, &s, "motion", "mine", "object>");
    answer(d, &s, "mine", "call", "motion>");
    answer(d, &s, "call", "", "frames");
    answer(d, &s, "", "", "fuse another");
    answer(d, &s, "no", "done in ", "what>");
    answer(d, &s, "teach", "", "class>");
    answer(d, &s, "cup", "", "name");
    answer(d, &s, "call", "", "skill");
    answer(d, &s, "walk", "", "skill");
    answer(d, &s, "none", "", "clip");
    answer(d, &s, "", "refused: ", "what>");
    fr_dialog_destroy(d);
    close_furnished(&f);
    assert_int_equal(fr_library_remove(folder, "cup", NULL), FR_OK);
    assert_int_equal(fr_library_remove(folder, "floor", NULL), FR_OK);
    char index[600];
    static const char *const files[] = {"", "-wal", "-shm"};
    for (int i = 0; i < 3; i++) {
        snprintf(index, sizeof index, "%s/%s%s", folder, FR_LIBRARY_INDEX_NAME, files[i]);
        (void)unlink(index);
    }
    (void)rmdir(folder);
}

// Any bytes are an answer or none; nobody there, and text that cannot be shown, end nothing else.
static void any_bytes_may_be_answered(void **state) {
    (void)state;
    furnished f;
    shown_text s;
    open_furnished(&f, OBJECT_FOLDER, false);
    fr_dialog *d = open_dialog(&f, &s, NULL);
    answer(d, &s, "motion", "there are no people", "what>");
    answer(d, &s, "teach", "there is no library", "what>");
    answer(d, &s, "\xff", "a line of UTF-8", "what>");
    answer(d, &s, "a\x1b[2J", "without control characters", "what>");
    assert_int_equal(fr_dialog_enter(d, "\0\0", 2, NULL), FR_OK);
    fr_random random = fr_random_seed(5);
    for (uint64_t i = 0; i < test_count(400, 100000); i++) {
        char bytes[40];
        size_t size = (size_t)(fr_random_bits(&random) % sizeof bytes);
        for (size_t k = 0; k < size; k++) {
            bytes[k] = (char)fr_random_bits(&random);
        }
        s.size = 0;
        fr_status status = fr_dialog_enter(d, bytes, size, NULL);
        assert_true(status == FR_OK || status == FR_ERROR_STOPPED);
    }
    s.size = 0;
    s.is_closed = true;
    assert_int_equal(fr_dialog_enter(d, "back", 4, NULL), FR_ERROR_FILE);
    fr_dialog_destroy(d);
    close_furnished(&f);
}

static fr_status make_dialog(const fr_allocator *allocator, void *context) {
    const furnished *f = context;
    static shown_text s;
    fr_dialog_def def = fr_default_dialog_def();
    def.cast = f->cast;
    def.stock = fr_additions_stock(f->additions);
    def.write = show;
    def.user = &s;
    def.allocator = *allocator;
    fr_dialog *dialog;
    memset(&s, 0, sizeof s);
    fr_status status = fr_dialog_create(&def, &dialog, NULL);
    if (status == FR_OK) { status = fr_dialog_enter(dialog, "add", 3, NULL); }
    if (status == FR_OK) { status = fr_dialog_enter(dialog, "cup", 3, NULL); }
    fr_dialog_destroy(dialog);
    return status;
}

static void memory_that_runs_short_is_reported(void **state) {
    (void)state;
    furnished f;
    open_furnished(&f, OBJECT_FOLDER, false);
    fr_dialog_def def = fr_default_dialog_def();
    fr_dialog *dialog;
    assert_int_equal(fr_dialog_create(&def, &dialog, NULL), FR_ERROR_ARGUMENT);
    def = (fr_dialog_def){.cast = f.cast, .write = show};
    assert_int_equal(fr_dialog_create(&def, &dialog, NULL), FR_ERROR_ARGUMENT);
    assert_true(test_every_failure(make_dialog, &f) > 3);
    close_furnished(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_motion_is_made_step_by_step),
        cmocka_unit_test(objects_and_motions_are_added),
        cmocka_unit_test(any_bytes_may_be_answered),
        cmocka_unit_test(memory_that_runs_short_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
