// Any bytes as the bodies of a journal's records: each line is a record, its first byte the kind. One is refused with a
// message, or taken; the world that they make can be written whole, and read again to the same.
#include "server/journal_state.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MOST_BYTES = 1 << 14, NAME_BYTES = 8 };

static void require(bool holds) {
    if (!holds) { abort(); }
}

// The name of the object: that of the body where it has one, so that it is about the same.
static void take_name(const char *body, char name[NAME_BYTES]) {
    const char *at = strstr(body, "\"name\":\"");
    size_t length = at != NULL ? strcspn(at + 8, "\"") : 0;
    if (length >= NAME_BYTES) { length = NAME_BYTES - 1; }
    if (length > 0) { memcpy(name, at + 8, length); }
    name[length] = '\0';
}

static void take_line(fr__journal_state *state, const char *line) {
    char name[NAME_BYTES];
    take_name(line, name);
    const fr_journal_record record = {.number = state->number + 1,
                                      .time_ms = state->time_ms,
                                      .kind = (fr_journal_kind)((unsigned char)line[0] % FR_JOURNAL_KIND_COUNT),
                                      .object = name,
                                      .client = "",
                                      .body = line + 1};
    fr_error error = {0};
    fr_status status = fr__journal_state_take(state, &record, &error);
    require(status == FR_OK || error.message[0] != '\0');
}

// A store that was written and read again is the same.
static void compare(const fr__store *store) {
    fr__store again = fr__store_make(NULL);
    for (size_t i = 0; i < store->objects.count; i++) {
        const fr__store_object *object = &store->objects.data[i];
        if (object->is_unmoved || !fr__store_has_place(object->name)) { continue; }
        fr_array text = fr_array_make(1, NULL), text_again = fr_array_make(1, NULL);
        require(fr__journal_write_object(store, object, &text));
        fr_error error = {0};
        fr_status status = fr__store_read_object(text.data, strlen(text.data), "again", &again, &error);
        // States may have names that a store has not, and be more than an object can have.
        if (status == FR_OK) {
            require(fr__journal_write_object(&again, &again.objects.data[again.objects.count - 1], &text_again));
            require(text.count == text_again.count && memcmp(text.data, text_again.data, text.count) == 0);
        } else {
            require(object->state_count > 0);
        }
        fr_array_destroy(&text);
        fr_array_destroy(&text_again);
    }
    fr__store_free(&again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size > MOST_BYTES) { return 0; }
    char *text = malloc(size + 1);
    require(text != NULL);
    memcpy(text, data, size);
    text[size] = '\0';
    fr__journal_state state = fr__journal_state_make("journal", NULL);
    for (char *line = text; line[0] != '\0';) {
        size_t length = strcspn(line, "\n");
        bool is_last = line[length] == '\0';
        line[length] = '\0';
        if (length > 0) { take_line(&state, line); }
        line += length + (is_last ? 0 : 1);
    }
    fr__store store;
    require(fr__journal_state_store(&state, &store, NULL) == FR_OK);
    compare(&store);
    fr__store_free(&store);
    fr__journal_state_free(&state);
    free(text);
    return 0;
}
