// The journal of a server: records are noted while requests are carried out and ticks taken, handed over once in a pass
// of the loop, and replies wait until the journal reports that they are on the disk.
#include "server/server.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

enum { MAX_BEHIND = 65536 }; // records that are not on the disk yet

#define RETRY_NS UINT64_C(1000000000)

fr_status fr__journal_make(fr_server *server, fr_error *error) {
    fr__journaling *journal = &server->journal;
    const fr_allocator *allocator = &server->allocator;
    journal->body = fr_array_make(1, allocator);
    journal->pending = fr__journal_record_array_make(allocator);
    journal->replies = fr__journal_reply_array_make(allocator);
    journal->seen = fr__journal_seen_array_make(allocator);
    journal->known = fr__journal_known_array_make(allocator);
    journal->added = fr__journal_added_array_make(allocator);
    journal->doing = fr__journal_doing_array_make(allocator);
    journal->worlds = fr__journal_world_array_make(allocator);
    if (server->def.journal == NULL) { return FR_OK; }
    journal->table = *server->def.journal;
    return fr_arena_create(0, allocator, &journal->texts, error);
}

void fr__journal_forget_doing(fr_server *server) {
    fr__journal_doing_array *doing = &server->journal.doing;
    for (size_t i = 0; i < doing->count; i++) {
        fr_deallocate(&server->allocator, doing->data[i].body, doing->data[i].body_bytes, 1);
    }
    doing->count = 0;
}

void fr__journal_free(fr_server *server) {
    fr__journaling *journal = &server->journal;
    fr__journal_forget_doing(server);
    fr__journal_forget_worlds(server);
    fr__journal_world_array_destroy(&journal->worlds);
    fr_arena_destroy(journal->texts);
    fr_array_destroy(&journal->body);
    fr__journal_record_array_destroy(&journal->pending);
    fr__journal_reply_array_destroy(&journal->replies);
    fr__journal_seen_array_destroy(&journal->seen);
    fr__journal_known_array_destroy(&journal->known);
    fr__journal_added_array_destroy(&journal->added);
    fr__journal_doing_array_destroy(&journal->doing);
}

bool fr__journal_is_noting(const fr__journaling *journal) {
    return journal->is_on && (!journal->has_failed || journal->whole != 0);
}

// ---------------------------------------------------------------------------------------------------------------
// Replies

static void reply(fr_server *server, const fr__journal_reply *waiting, fr_status status, const char *what) {
    fr__client *client = fr__server_client(server, waiting->client);
    fr_message message = {.type = FR_MESSAGE_REPLY};
    message.as.reply = (fr_message_reply){waiting->request, status, what};
    if (client != NULL) { fr__client_say(client, &message); }
}

// Sends the replies that wait for nothing but what is on the disk. They wait in the order of their records; those of
// the next tick are between them.
static void send_replies(fr_server *server) {
    fr__journal_reply_array *replies = &server->journal.replies;
    size_t kept = 0;
    for (size_t i = 0; i < replies->count; i++) {
        const fr__journal_reply waiting = replies->data[i];
        if (waiting.number != 0 && waiting.number <= server->journal.flushed) {
            reply(server, &waiting, FR_OK, "");
        } else {
            replies->data[kept++] = waiting;
        }
    }
    replies->count = kept;
}

// What was noted after the last record on the disk is lost: it was done, and to no client acknowledged.
static void fail(fr_server *server, const fr_error *error) {
    fr__journaling *journal = &server->journal;
    if (!journal->has_failed) {
        fr_log(FR_LOG_ERROR, "server: the journal %s cannot be written: %s", journal->table.name, error->message);
    }
    journal->has_failed = true;
    journal->whole = 0;
    journal->retry_ns = fr_clock_ns() + RETRY_NS;
    journal->pending.count = 0;
    fr_arena_reset(journal->texts);
    char text[FR_ERROR_MESSAGE_BYTES + 64];
    snprintf(text, sizeof text, "it was done, but may not outlast the server: %s", error->message);
    for (size_t i = 0; i < journal->replies.count; i++) {
        reply(server, &journal->replies.data[i], error->status, text);
    }
    journal->replies.count = 0;
}

// ---------------------------------------------------------------------------------------------------------------
// Records

// Never earlier than the record before, also when the clock is set back.
static int64_t time_of_record(fr__journaling *journal) {
    struct timespec now;
    if (timespec_get(&now, TIME_UTC) == TIME_UTC) {
        int64_t ms = (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
        if (ms > journal->time_ms) { journal->time_ms = ms; }
    }
    return journal->time_ms;
}

void fr__journal_note(fr_server *server, fr_journal_kind kind, const char *object, const char *client,
                      bool is_written) {
    fr__journaling *journal = &server->journal;
    fr_journal_record *record = is_written ? fr__journal_record_array_push(&journal->pending, 1) : NULL;
    if (record != NULL) {
        *record = (fr_journal_record){.number = ++journal->number,
                                      .time_ms = time_of_record(journal),
                                      .tick = fr_world_tick_count(server->served.world),
                                      .kind = kind,
                                      .object = fr__server_copy_text(journal->texts, object),
                                      .client = fr__server_copy_text(journal->texts, client),
                                      .body = fr__server_copy_text(journal->texts, journal->body.data)};
        if (record->object == NULL || record->client == NULL || record->body == NULL) { record = NULL; }
    }
    journal->body.count = 0;
    if (record == NULL) {
        fr_error error = {0};
        fr_error_set(&error, FR_ERROR_MEMORY, "no memory for the journal");
        fail(server, &error);
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Requests

// The object that a request is about; a zero: none.
static bool subject_of(const fr_message *message, fr_ref *out) {
    switch (message->type) {
    case FR_MESSAGE_GRAB: *out = message->as.grab.object; return true;
    case FR_MESSAGE_DROP: *out = message->as.drop.object; return true;
    case FR_MESSAGE_RESUME: *out = message->as.resume.object; return true;
    case FR_MESSAGE_SET_STATE: *out = message->as.set_state.object; return true;
    case FR_MESSAGE_REMOVE_STATE: *out = message->as.remove_state.object; return true;
    case FR_MESSAGE_REMOVE: *out = message->as.remove.object; return true;
    case FR_MESSAGE_PLAY: *out = (fr_ref){0}; return message->as.play.mode == FR_PLAY_RESTART;
    case FR_MESSAGE_ADD:
    case FR_MESSAGE_STAND:
    case FR_MESSAGE_OPEN:
    case FR_MESSAGE_COMMAND:
    case FR_MESSAGE_UNDO:
    case FR_MESSAGE_PULL: *out = (fr_ref){0}; return true;
    default: return false;
    }
}

fr_status fr__journal_admit(fr_server *server, const fr_message *message, fr_error *error) {
    fr__journaling *journal = &server->journal;
    fr_ref ref;
    if (!journal->is_on || !subject_of(message, &ref)) { return FR_OK; }
    const char *name = fr__journal_name(server, fr__served_object(server, ref));
    snprintf(journal->subject, sizeof journal->subject, "%s", name != NULL ? name : "");
    // What is held can always be let go.
    if (message->type == FR_MESSAGE_DROP) { return FR_OK; }
    if (journal->has_failed) {
        return fr_error_set(error, FR_ERROR_FILE, "nothing is changed now: the journal cannot be written");
    }
    if (journal->number - journal->flushed > MAX_BEHIND) {
        return fr_error_set(error, FR_ERROR_BUSY, "nothing is changed now: the disk is too slow for the journal");
    }
    return FR_OK;
}

static void note_request(fr__client *client, const fr_message *message) {
    fr_server *server = client->server;
    fr__journaling *journal = &server->journal;
    fr_ref ref = {0};
    (void)subject_of(message, &ref);
    switch (message->type) {
    case FR_MESSAGE_RESUME:
        fr__journal_note(server, FR_JOURNAL_RESUME, journal->subject, client->name,
                         fr__journal_write_empty(&journal->body));
        break;
    case FR_MESSAGE_REMOVE:
        fr__journal_note(server, FR_JOURNAL_REMOVE, journal->subject, client->name,
                         fr__journal_write_empty(&journal->body));
        break;
    case FR_MESSAGE_SET_STATE:
        fr__journal_note_state(server, fr__served_object(server, ref), message->as.set_state.name, client->name);
        break;
    case FR_MESSAGE_REMOVE_STATE:
        fr__journal_note_state(server, fr__served_object(server, ref), message->as.remove_state.name, client->name);
        break;
    case FR_MESSAGE_DROP: fr__journal_note_drop(server, fr__served_object(server, ref), client->number); break;
    case FR_MESSAGE_UNDO:
    case FR_MESSAGE_PULL: journal->wants_all = true; break;
    default: break; // noted where it was done
    }
}

bool fr__journal_defer(fr__client *client, const fr_message *message, uint32_t request) {
    fr_server *server = client->server;
    fr__journaling *journal = &server->journal;
    fr_ref ref;
    if (!journal->is_on || !subject_of(message, &ref)) { return false; }
    bool is_of_tick =
        message->type == FR_MESSAGE_DROP || message->type == FR_MESSAGE_UNDO || message->type == FR_MESSAGE_PULL;
    bool is_of_all = ref.index1 == 0 && ref.generation == 0;
    if (!journal->has_failed && (is_of_all || journal->subject[0] != '\0')) { note_request(client, message); }
    const fr__journal_reply waiting = {client->number, request, is_of_tick ? 0 : journal->number};
    fr__journal_reply *place = !journal->has_failed ? fr__journal_reply_array_push(&journal->replies, 1) : NULL;
    if (place == NULL) {
        reply(server, &waiting, FR_ERROR_FILE, "it was done, but may not outlast the server: it is not in the journal");
    } else {
        *place = waiting;
    }
    return true;
}

// ---------------------------------------------------------------------------------------------------------------
// The journal

static fr_status hand_over(fr_server *server, fr_error *error) {
    fr__journaling *journal = &server->journal;
    if (journal->pending.count == 0) { return FR_OK; }
    fr_status status =
        journal->table.append(journal->pending.data, (uint32_t)journal->pending.count, journal->table.user, error);
    journal->pending.count = 0;
    fr_arena_reset(journal->texts);
    return status;
}

void fr__journal_pump(fr_server *server) {
    fr__journaling *journal = &server->journal;
    if (!journal->is_on || (journal->has_failed && journal->whole == 0)) { return; }
    fr_error error = {0};
    fr_status status = hand_over(server, &error);
    if (status == FR_OK) { status = journal->table.flushed(false, &journal->flushed, journal->table.user, &error); }
    if (status != FR_OK) {
        error.status = status;
        fail(server, &error);
        return;
    }
    if (journal->has_failed && journal->flushed >= journal->whole) {
        fr_log(FR_LOG_WARNING, "server: the journal %s is written again", journal->table.name);
        journal->has_failed = false;
        journal->whole = 0;
    }
    if (journal->replies.count > 0) { send_replies(server); }
}

fr_status fr__journal_finish(fr_server *server, fr_error *error) {
    fr__journaling *journal = &server->journal;
    if (!journal->is_on) { return FR_OK; }
    if (journal->has_failed && journal->whole == 0) { fr__journal_note_whole(server); }
    fr_status status = hand_over(server, error);
    if (status == FR_OK) { status = journal->table.flushed(true, &journal->flushed, journal->table.user, error); }
    if (status == FR_OK) {
        journal->has_failed = false;
        send_replies(server);
    }
    return status;
}
