// The thread of a broadcast by Redis: two connections by hiredis, one that sends commands and one that messages come
// over, neither of which it ever waits for without a limit.
#include "server/redis.h"
#include "server/token.h"

#include <hiredis/hiredis.h>
#include <hiredis/sds.h>

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
    PREFIX_BYTES = 2 * FR_BROADCAST_NAME_MAX_BYTES + 16, // of a key or channel
    BUFFER_BYTES = 1 << 20,                              // that are handed to hiredis at once, about
    AGAIN_MS = 100,                                      // between two tries to connect
    LOOK_MS = 100,                                       // between two looks at the clock
    READS_AT_ONCE = 256,                                 // of 16 KiB each
    LAST_MS = 250,                                       // in which what waits is sent when all ends
    SENTENCE_BYTES = 256
};

#define REPLY_MAX_BYTES ((size_t)1 << 30) // of one reply of Redis
#define ELEMENTS_MAX (1 << 20)            // of a list in it

// ---------------------------------------------------------------------------------------------------------------
// What is reported

// Puts an event behind those before; what there is no memory for is a loss, which is reported with the next one.
static bool report(fr_redis *redis, fr_broadcast_kind kind, const void *bytes, size_t size) {
    fr__redis_packed packed = {.head = {.kind = kind, .size = (uint32_t)size}, .bytes = bytes};
    pthread_mutex_lock(&redis->lock);
    bool is_put = fr__redis_pack(&redis->incoming, &packed);
    if (redis->wake != NULL) { redis->wake(redis->wake_context); }
    pthread_mutex_unlock(&redis->lock);
    return is_put;
}

static bool has_room(fr_redis *redis) {
    pthread_mutex_lock(&redis->lock);
    bool is_there = redis->incoming.count < redis->def.max_waiting_bytes;
    pthread_mutex_unlock(&redis->lock);
    return is_there;
}

static void free_context(redisContext **context) {
    if (*context != NULL) { redisFree(*context); }
    *context = NULL;
}

// The connection is gone, or is no use: it is closed, what waits is forgotten, and the loss reported once.
static void lose(fr_redis *redis, const char *why) {
    free_context(&redis->commands);
    free_context(&redis->messages);
    pthread_mutex_lock(&redis->lock);
    redis->is_connected = false;
    redis->outgoing.count = 0;
    pthread_mutex_unlock(&redis->lock);
    redis->sending.count = redis->sending_at = 0;
    redis->replies_due = 0;
    atomic_store(&redis->unsent, 0);
    if (redis->has_reported_loss) { return; }
    char text[SENTENCE_BYTES];
    int length = snprintf(text, sizeof text, "Redis at %.120s: %.100s", redis->name, why);
    size_t size = length < 0 ? 0 : (size_t)length < sizeof text ? (size_t)length : sizeof text - 1;
    text[size] = '\0';
    redis->has_reported_loss = report(redis, FR_BROADCAST_LOST, text, size + 1);
}

// ---------------------------------------------------------------------------------------------------------------
// Connections

#if HIREDIS_MAJOR >= 1
typedef size_t element_count;
#else
typedef int element_count;
#endif

static void *(*make_list)(const redisReadTask *, element_count);

// Room for a list is made before its elements come: not for more than any reply of ours has.
static void *make_short_list(const redisReadTask *task, element_count count) {
    return count <= ELEMENTS_MAX ? make_list(task, count) : NULL;
}

static void limit_lists(redisContext *context) {
    static redisReplyObjectFunctions functions;
    // The thread of another broadcast writes the same.
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&lock);
    if (make_list == NULL) {
        functions = *context->reader->fn;
        make_list = functions.createArray;
        functions.createArray = make_short_list;
    }
    context->reader->fn = &functions;
    pthread_mutex_unlock(&lock);
}

static uint64_t timeout_ns(const fr_redis *redis) { return (uint64_t)(redis->def.timeout_seconds * 1e9); }

static redisContext *open_context(const fr_redis *redis, char *why) {
    uint64_t ns = timeout_ns(redis);
    struct timeval limit = {.tv_sec = (time_t)(ns / 1000000000), .tv_usec = (suseconds_t)(ns % 1000000000 / 1000)};
    redisContext *context = redis->url.is_path ? redisConnectUnixWithTimeout(redis->url.host, limit)
                                               : redisConnectWithTimeout(redis->url.host, redis->url.port, limit);
    if (context == NULL || context->err != 0) {
        snprintf(why, SENTENCE_BYTES, "%s", context != NULL ? context->errstr : "no memory for a connection");
        free_context(&context);
        return NULL;
    }
    // From here on nothing waits.
    int flags = fcntl(context->fd, F_GETFL);
    (void)fcntl(context->fd, F_SETFL, flags | O_NONBLOCK);
    (void)fcntl(context->fd, F_SETFD, FD_CLOEXEC);
    context->flags &= ~REDIS_BLOCK;
    limit_lists(context);
    return context;
}

// Takes what came, which hiredis reads in small pieces: many at a time, so that a thread which seldom has its turn does
// not fall behind. False when the connection is gone.
static bool read_some(redisContext *context, char *why) {
    size_t before = SIZE_MAX;
    for (int i = 0; i < READS_AT_ONCE && context->reader->len != before; i++) {
        before = context->reader->len;
        if (redisBufferRead(context) != REDIS_OK) {
            snprintf(why, SENTENCE_BYTES, "%s", context->errstr);
            return false;
        }
    }
    if (context->reader->len <= REPLY_MAX_BYTES) { return true; }
    snprintf(why, SENTENCE_BYTES, "its reply is too large");
    return false;
}

static bool write_some(redisContext *context, bool *is_done, char *why) {
    int done = 0;
    bool is_well = redisBufferWrite(context, &done) == REDIS_OK;
    if (!is_well) { snprintf(why, SENTENCE_BYTES, "%s", context->errstr); }
    *is_done = done != 0;
    return is_well;
}

// The next reply that has come whole; *reply NULL: none has. False for what is no reply.
static bool take_reply(redisContext *context, redisReply **reply, char *why) {
    void *taken = NULL;
    bool is_well = redisGetReplyFromReader(context, &taken) == REDIS_OK;
    *reply = taken;
    if (!is_well) { snprintf(why, SENTENCE_BYTES, "it speaks another protocol: %.80s", context->errstr); }
    return is_well;
}

// Whether a reply is an error, or a list with one in it.
static bool is_refusal(const redisReply *reply, char *why) {
    const redisReply *wrong = reply->type == REDIS_REPLY_ERROR ? reply : NULL;
    for (size_t i = 0; wrong == NULL && reply->type == REDIS_REPLY_ARRAY && i < reply->elements; i++) {
        if (reply->element[i]->type == REDIS_REPLY_ERROR) { wrong = reply->element[i]; }
    }
    if (wrong != NULL) { snprintf(why, SENTENCE_BYTES, "it refuses: %.160s", wrong->str); }
    return wrong != NULL;
}

static bool is_status(const redisReply *reply, const char *text) {
    return reply->type == REDIS_REPLY_STATUS && strcmp(reply->str, text) == 0;
}

// Waits for a reply, as long as something comes within the time-out; NULL, with the reason, when none does or it is an
// error.
static redisReply *await_reply(const fr_redis *redis, redisContext *context, char *why) {
    uint64_t heard = fr_clock_ns();
    redisReply *reply = NULL;
    bool is_sent = false;
    while (take_reply(context, &reply, why) && reply == NULL) {
        if (atomic_load(&redis->is_stopped) || fr_clock_ns() > heard + timeout_ns(redis)) {
            snprintf(why, SENTENCE_BYTES, "it does not reply");
            return NULL;
        }
        if (!is_sent && !write_some(context, &is_sent, why)) { return NULL; }
        struct pollfd waits = {.fd = context->fd, .events = (short)(is_sent ? POLLIN : POLLIN | POLLOUT)};
        if (poll(&waits, 1, LOOK_MS) <= 0 || (waits.revents & ~POLLOUT) == 0) { continue; }
        if (!read_some(context, why)) { return NULL; }
        heard = fr_clock_ns();
    }
    if (reply == NULL || !is_refusal(reply, why)) { return reply; }
    freeReplyObject(reply);
    return NULL;
}

static bool await_status(const fr_redis *redis, redisContext *context, const char *text, char *why) {
    redisReply *reply = await_reply(redis, context, why);
    bool is_right = reply != NULL && is_status(reply, text);
    if (reply != NULL && !is_right) { snprintf(why, SENTENCE_BYTES, "it replies what it should not"); }
    if (reply != NULL) { freeReplyObject(reply); }
    return is_right;
}

static bool command(redisContext *context, int count, const char **words, const size_t *sizes, char *why) {
    bool is_put = redisAppendCommandArgv(context, count, words, sizes) == REDIS_OK;
    if (!is_put) { snprintf(why, SENTENCE_BYTES, "no memory for a command"); }
    return is_put;
}

static bool command_of_texts(redisContext *context, int count, const char **words, char *why) {
    return command(context, count, words, NULL, why);
}

// The channel of a topic, or a key.
static size_t write_key(const fr_redis *redis, const char *name, size_t size, char out[PREFIX_BYTES]) {
    int length = snprintf(out, PREFIX_BYTES, "fureai:%s:%.*s", redis->url.world, (int)size, name);
    return length > 0 ? (size_t)length : 0;
}

// Shows the password, where there is one, and sees who is there.
static bool greet(const fr_redis *redis, redisContext *context, char *why) {
    if (redis->def.password_path != NULL) {
        char password[FR__TOKEN_MAX_BYTES + 1];
        fr_error error = {0};
        if (fr__token_load_own(redis->def.password_path, password, &error) != FR_OK) {
            snprintf(why, SENTENCE_BYTES, "its password cannot be read: %.120s", error.message);
            return false;
        }
        const char *words[] = {"AUTH", password};
        bool is_let_in = command_of_texts(context, 2, words, why) && await_status(redis, context, "OK", why);
        fr__secret_wipe(password, sizeof password);
        if (!is_let_in) { return false; }
    }
    const char *words[] = {"PING"};
    return command_of_texts(context, 1, words, why) && await_status(redis, context, "PONG", why);
}

static bool is_text(const redisReply *reply, const char *text) {
    return reply->type == REDIS_REPLY_STRING && strcmp(reply->str, text) == 0;
}

// Whether a reply is a message of a channel.
static bool is_message(const redisReply *reply) {
    return reply->type == REDIS_REPLY_ARRAY && reply->elements == 3 && is_text(reply->element[0], "message") &&
           reply->element[2]->type == REDIS_REPLY_STRING;
}

static bool subscribe(const fr_redis *redis, char *why) {
    for (uint32_t i = 0; i < redis->topic_count; i++) {
        char channel[PREFIX_BYTES];
        (void)write_key(redis, redis->topics[i], strlen(redis->topics[i]), channel);
        const char *words[] = {"SUBSCRIBE", channel};
        if (!command_of_texts(redis->messages, 2, words, why)) { return false; }
        // Messages of the topics before may come first; those are in the board, or lost.
        for (bool is_confirmed = false; !is_confirmed;) {
            redisReply *reply = await_reply(redis, redis->messages, why);
            if (reply == NULL) { return false; }
            is_confirmed =
                reply->type == REDIS_REPLY_ARRAY && reply->elements == 3 && is_text(reply->element[0], "subscribe");
            bool is_other = !is_confirmed && !is_message(reply);
            freeReplyObject(reply);
            if (is_other) {
                snprintf(why, SENTENCE_BYTES, "it replies what it should not");
                return false;
            }
        }
    }
    return true;
}

// ---------------------------------------------------------------------------------------------------------------
// The board

static bool report_board(fr_redis *redis, const redisReply *board) {
    bool is_well = report(redis, FR_BROADCAST_CONNECTED, NULL, 0);
    for (size_t i = 0; i + 1 < board->elements && is_well; i += 2) {
        const redisReply *entry = board->element[i + 1];
        if (entry->type != REDIS_REPLY_STRING || entry->len > FR_BROADCAST_MAX_BYTES) { continue; }
        is_well = report(redis, FR_BROADCAST_ENTRY, entry->str, entry->len);
    }
    return is_well && report(redis, FR_BROADCAST_BOARD, NULL, 0);
}

// Passes over the messages that came before the board was read, up to the mark that was sent with it.
static bool pass_to_mark(const fr_redis *redis, const char *mark, char *why) {
    bool is_there = false;
    while (!is_there) {
        redisReply *reply = await_reply(redis, redis->messages, why);
        if (reply == NULL) { return false; }
        is_there = is_message(reply) && is_text(reply->element[2], mark);
        freeReplyObject(reply);
    }
    return true;
}

// Reads the board and sends a mark to our own topic, both at one moment: messages behind the mark are those that came
// after the board was read.
static bool read_board(fr_redis *redis, char *why) {
    char key[PREFIX_BYTES], channel[PREFIX_BYTES], mark[64];
    (void)write_key(redis, "board", 5, key);
    (void)write_key(redis, redis->own_topic, strlen(redis->own_topic), channel);
    snprintf(mark, sizeof mark, "mark %llu", (unsigned long long)fr_clock_ns());
    const char *begin[] = {"MULTI"}, *read[] = {"HGETALL", key}, *send[] = {"PUBLISH", channel, mark},
               *end[] = {"EXEC"};
    redisContext *context = redis->commands;
    bool is_put = command_of_texts(context, 1, begin, why) && command_of_texts(context, 2, read, why) &&
                  command_of_texts(context, 3, send, why) && command_of_texts(context, 1, end, why);
    if (!is_put || !await_status(redis, context, "OK", why) || !await_status(redis, context, "QUEUED", why) ||
        !await_status(redis, context, "QUEUED", why)) {
        return false;
    }
    redisReply *reply = await_reply(redis, context, why);
    if (reply == NULL) { return false; }
    bool is_board =
        reply->type == REDIS_REPLY_ARRAY && reply->elements == 2 && reply->element[0]->type == REDIS_REPLY_ARRAY;
    bool is_well = is_board && pass_to_mark(redis, mark, why) && report_board(redis, reply->element[0]);
    if (!is_board) { snprintf(why, SENTENCE_BYTES, "it replies what it should not"); }
    freeReplyObject(reply);
    return is_well;
}

static bool connect_both(fr_redis *redis, char *why) {
    snprintf(why, SENTENCE_BYTES, "no memory");
    redis->commands = open_context(redis, why);
    if (redis->commands == NULL || !greet(redis, redis->commands, why)) { return false; }
    redis->messages = open_context(redis, why);
    if (redis->messages == NULL || !greet(redis, redis->messages, why)) { return false; }
    if (!subscribe(redis, why)) { return false; }
    pthread_mutex_lock(&redis->lock);
    redis->is_connected = true;
    pthread_mutex_unlock(&redis->lock);
    redis->heard_ns = redis->messages_ns = redis->pinged_ns = fr_clock_ns();
    bool is_well = redis->reads_board ? read_board(redis, why) : report(redis, FR_BROADCAST_CONNECTED, NULL, 0);
    if (is_well) { redis->has_reported_loss = false; }
    return is_well;
}

// ---------------------------------------------------------------------------------------------------------------
// Sending

// Hands one message to hiredis, with what becomes of the board, as one transaction.
static bool send_packed(fr_redis *redis, const fr__redis_packed *packed, char *why) {
    char board[PREFIX_BYTES], channel[PREFIX_BYTES];
    size_t board_size = write_key(redis, "board", 5, board);
    size_t channel_size = write_key(redis, packed->topic, packed->head.topic_bytes, channel);
    const char *bytes = (const char *)packed->bytes;
    const char *begin[] = {"MULTI"}, *end[] = {"EXEC"}, *forget[] = {"DEL", board};
    const char *send[] = {"PUBLISH", channel, bytes}, *set[] = {"HSET", board, packed->entry, bytes};
    size_t send_sizes[] = {7, channel_size, packed->head.size};
    size_t set_sizes[] = {4, board_size, packed->head.entry_bytes, packed->head.size};
    redisContext *context = redis->commands;
    uint32_t change = packed->head.kind;
    bool has_change = change != FR_BROADCAST_SEND;
    bool is_well = !has_change || command_of_texts(context, 1, begin, why);
    redis->replies_due += has_change;
    if (change == FR_BROADCAST_CLEAR) {
        is_well = is_well && command_of_texts(context, 2, forget, why);
        redis->replies_due++;
    }
    if (change == FR_BROADCAST_REMOVE) {
        const char *remove[] = {"HDEL", board, packed->entry};
        size_t remove_sizes[] = {4, board_size, packed->head.entry_bytes};
        is_well = is_well && command(context, 3, remove, remove_sizes, why);
        redis->replies_due++;
    } else if (has_change) {
        is_well = is_well && command(context, 4, set, set_sizes, why);
        redis->replies_due++;
    }
    is_well = is_well && command(context, 3, send, send_sizes, why);
    redis->replies_due++;
    if (has_change) {
        is_well = is_well && command_of_texts(context, 1, end, why);
        redis->replies_due++;
    }
    return is_well;
}

// Whether hiredis has bytes that the socket has not.
static bool has_unsent(const redisContext *context) { return context->obuf != NULL && sdslen(context->obuf) > 0; }

// Takes what waits, as much as is handed on at once. False without memory.
static bool send_queue(fr_redis *redis, char *why) {
    if (has_unsent(redis->commands)) { return true; }
    if (redis->sending_at >= redis->sending.count) {
        redis->sending.count = redis->sending_at = 0;
        pthread_mutex_lock(&redis->lock);
        fr_byte_array empty = redis->sending;
        redis->sending = redis->outgoing;
        redis->outgoing = empty;
        atomic_store(&redis->unsent, redis->sending.count);
        pthread_mutex_unlock(&redis->lock);
    }
    if (redis->replies_due == 0) { redis->heard_ns = fr_clock_ns(); }
    size_t handed = 0;
    fr__redis_packed packed;
    while (handed < BUFFER_BYTES && fr__redis_unpack(&redis->sending, &redis->sending_at, &packed)) {
        if (!send_packed(redis, &packed, why)) { return false; }
        handed += packed.head.size;
    }
    // What hiredis has now counts as unsent until its buffer is empty.
    if (handed == 0) { atomic_store(&redis->unsent, redis->sending.count - redis->sending_at); }
    return true;
}

// ---------------------------------------------------------------------------------------------------------------
// Receiving

static bool take_replies(fr_redis *redis, char *why) {
    redisReply *reply = NULL;
    bool is_well;
    while ((is_well = take_reply(redis->commands, &reply, why)) && reply != NULL) {
        bool is_expected = redis->replies_due > 0;
        if (!is_expected) { snprintf(why, SENTENCE_BYTES, "it replies what it should not"); }
        is_well = is_expected && !is_refusal(reply, why);
        freeReplyObject(reply);
        redis->heard_ns = fr_clock_ns();
        if (!is_well) { return false; }
        redis->replies_due--;
    }
    return is_well;
}

// Takes messages of the topics; those that are too large are passed over.
static bool take_messages(fr_redis *redis, char *why) {
    redisReply *reply = NULL;
    bool is_well = true;
    while (is_well && has_room(redis) && (is_well = take_reply(redis->messages, &reply, why)) && reply != NULL) {
        redis->messages_ns = fr_clock_ns();
        const redisReply *message = is_message(reply) ? reply->element[2] : NULL;
        if (message != NULL && message->len <= FR_BROADCAST_MAX_BYTES) {
            is_well = report(redis, FR_BROADCAST_MESSAGE, message->str, message->len);
            if (!is_well) { snprintf(why, SENTENCE_BYTES, "no memory for its messages"); }
        }
        if (is_well) { is_well = !is_refusal(reply, why); }
        freeReplyObject(reply);
    }
    return is_well;
}

// Asks both connections for a sign of life now and then, and gives up one that has given none for too long.
static bool look_at_clock(fr_redis *redis, bool is_listening, char *why) {
    uint64_t now = fr_clock_ns(), patience = timeout_ns(redis);
    if (now > redis->pinged_ns + patience / 2) {
        const char *words[] = {"PING"};
        redis->pinged_ns = now;
        if (redis->replies_due == 0) {
            if (!command_of_texts(redis->commands, 1, words, why)) { return false; }
            redis->replies_due++;
            redis->heard_ns = now;
        }
        if (!has_unsent(redis->messages) && !command_of_texts(redis->messages, 1, words, why)) { return false; }
    }
    if (!is_listening) { redis->messages_ns = now; }
    bool is_late = (redis->replies_due > 0 && now > redis->heard_ns + patience) ||
                   now > redis->messages_ns + patience + patience / 2;
    if (is_late) { snprintf(why, SENTENCE_BYTES, "it does not reply"); }
    return !is_late;
}

// Waits until something can be done on a connection, or the alarm rings.
static void wait_for(const fr_redis *redis, struct pollfd waits[3], bool is_listening) {
    const redisContext *contexts[2] = {redis->commands, redis->messages};
    waits[0] = (struct pollfd){.fd = redis->alarm[0], .events = POLLIN};
    for (int i = 0; i < 2; i++) {
        short events = i == 0 || is_listening ? POLLIN : 0;
        if (has_unsent(contexts[i])) { events |= POLLOUT; }
        waits[1 + i] = (struct pollfd){.fd = contexts[i]->fd, .events = events};
    }
    (void)poll(waits, 3, LOOK_MS);
    char heard[256];
    while (read(redis->alarm[0], heard, sizeof heard) > 0) {}
}

// One round over both connections; false, with the reason, when they are to be closed.
static bool serve(fr_redis *redis, char *why) {
    struct pollfd waits[3];
    bool is_done, is_listening = has_room(redis);
    if (!send_queue(redis, why)) { return false; }
    wait_for(redis, waits, is_listening);
    redisContext *contexts[2] = {redis->commands, redis->messages};
    for (int i = 0; i < 2; i++) {
        if (has_unsent(contexts[i]) && !write_some(contexts[i], &is_done, why)) { return false; }
        if ((waits[1 + i].revents & ~POLLOUT) != 0 && !read_some(contexts[i], why)) { return false; }
    }
    if (waits[2].revents != 0) { redis->messages_ns = fr_clock_ns(); }
    return take_replies(redis, why) && take_messages(redis, why) && look_at_clock(redis, is_listening, why);
}

// ---------------------------------------------------------------------------------------------------------------
// The thread

static void rest(const fr_redis *redis) {
    struct pollfd alarm = {.fd = redis->alarm[0], .events = POLLIN};
    (void)poll(&alarm, 1, AGAIN_MS);
    char heard[256];
    while (read(redis->alarm[0], heard, sizeof heard) > 0) {}
}

static bool has_more(fr_redis *redis) {
    pthread_mutex_lock(&redis->lock);
    size_t waiting = redis->outgoing.count + redis->sending.count - redis->sending_at;
    pthread_mutex_unlock(&redis->lock);
    return waiting > 0 || has_unsent(redis->commands);
}

void *fr__redis_run(void *user) {
    fr_redis *redis = user;
    char why[SENTENCE_BYTES];
    while (!atomic_load(&redis->is_stopped)) {
        if (redis->commands == NULL) {
            if (connect_both(redis, why)) { continue; }
            lose(redis, why);
            rest(redis);
        } else if (!serve(redis, why)) {
            lose(redis, why);
        }
    }
    uint64_t begin = fr_clock_ns();
    while (redis->commands != NULL && has_more(redis) && fr_clock_ms_since(begin) < LAST_MS && serve(redis, why)) {}
    free_context(&redis->commands);
    free_context(&redis->messages);
    return NULL;
}
