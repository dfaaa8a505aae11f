// A broadcast by Redis, at a Redis server of its own: order, the board, losses; and at servers that are none, late or
// wrong. Skipped where redis-server is not installed.
#include "failing.h"
#include "redis_server.h"

#include "server/redis_url.h"

#include <pthread.h>
#include <stdatomic.h>
#include <sys/un.h>

static redis_server broker;

typedef struct member {
    fr_redis *redis;
    fr_broadcast table;
    atomic_int woken;
} member;

static void woken(void *context) { atomic_fetch_add(&((member *)context)->woken, 1); }

static void join_at(member *m, const char *path, const char *const *topics, uint32_t count, bool reads_board,
                    const char *password) {
    char url[160];
    fr_error error = {0};
    snprintf(url, sizeof url, "unix:%s", path);
    fr_redis_def def = fr_default_redis_def();
    def.url = url;
    def.password_path = password;
    def.timeout_seconds = 5.0; // a busy machine is not gone
    if (fr_redis_create(&def, &m->redis, &error) != FR_OK) { fail_msg("%s", error.message); }
    m->table = fr_redis_table(m->redis);
    atomic_init(&m->woken, 0);
    m->table.watch(woken, m, m->table.user);
    assert_int_equal(m->table.listen(topics, count, reads_board, m->table.user, NULL), FR_OK);
}

static void leave(member *m) {
    m->table.watch(NULL, NULL, m->table.user);
    fr_redis_destroy(m->redis);
}

// Waits for the next event.
static fr_broadcast_event await_event(member *m) {
    fr_broadcast_event event = {0};
    for (int i = 0; i < 60000; i++) {
        if (m->table.next(&event, m->table.user)) { return event; }
        redis_wait_ms(1);
    }
    fail_msg("nothing happens");
    return event;
}

static void expect_event(member *m, fr_broadcast_kind kind) { assert_int_equal(await_event(m).kind, kind); }

static void expect_text(member *m, fr_broadcast_kind kind, const char *text) {
    fr_broadcast_event event = await_event(m);
    assert_int_equal(event.kind, kind);
    assert_int_equal(event.size, strlen(text));
    assert_memory_equal(event.bytes, text, event.size);
}

static fr_status post(member *m, fr_broadcast_change change, const char *topic, const char *entry, const char *text) {
    const fr_broadcast_item item = {change, topic, entry, text, strlen(text)};
    return m->table.post(&item, m->table.user, NULL);
}

static const char *const home_topics[] = {"home"};
static const char *const edge_topics[] = {"world", "edge-1"};

// ---------------------------------------------------------------------------------------------------------------
// Addresses

static void addresses_are_read(void **state) {
    (void)state;
    static const struct {
        const char *text, *host, *world;
        uint16_t port;
        bool is_path;
    } right[] = {{"redis://localhost", "localhost", "world", 6379, false},
                 {"redis://10.0.0.5:7000", "10.0.0.5", "world", 7000, false},
                 {"redis://10.0.0.5/", "10.0.0.5", "world", 6379, false},
                 {"redis://[::1]:7000/museum-2", "::1", "museum-2", 7000, false},
                 {"unix:/run/redis.sock", "/run/redis.sock", "world", 0, true},
                 {"unix:r.sock#museum", "r.sock", "museum", 0, true}};
    static const char *const wrong[] = {"",
                                        "localhost",
                                        "http://localhost",
                                        "redis://",
                                        "redis://a b",
                                        "redis://host:0",
                                        "redis://host:65536",
                                        "redis://host/a/b",
                                        "redis://host/with space",
                                        "unix:",
                                        "unix:path#",
                                        "unix:path#a:b",
                                        "redis://user:secret@host"};
    for (size_t i = 0; i < sizeof right / sizeof right[0]; i++) {
        fr__redis_url url;
        assert_int_equal(fr__redis_url_read(right[i].text, &url, NULL), FR_OK);
        assert_string_equal(url.host, right[i].host);
        assert_string_equal(url.world, right[i].world);
        assert_int_equal(url.port, right[i].port);
        assert_int_equal(url.is_path, right[i].is_path);
    }
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        fr__redis_url url;
        fr_error error = {0};
        assert_int_equal(fr__redis_url_read(wrong[i], &url, &error), FR_ERROR_ARGUMENT);
        assert_true(error.message[0] != '\0');
    }
    char long_path[200] = "unix:";
    memset(long_path + 5, 'a', sizeof long_path - 6);
    fr__redis_url url;
    assert_int_equal(fr__redis_url_read(long_path, &url, NULL), FR_ERROR_ARGUMENT);
}

static void wrong_definitions_are_refused(void **state) {
    (void)state;
    fr_redis *redis;
    fr_redis_def def = fr_default_redis_def();
    assert_int_equal(fr_redis_create(&def, &redis, NULL), FR_ERROR_ARGUMENT);
    def.url = "redis://localhost";
    def.timeout_seconds = 0.0;
    assert_int_equal(fr_redis_create(&def, &redis, NULL), FR_ERROR_ARGUMENT);
    def = fr_default_redis_def();
    def.url = "redis://localhost";
    def.max_waiting_bytes = 10;
    assert_int_equal(fr_redis_create(&def, &redis, NULL), FR_ERROR_ARGUMENT);
    def.cookie = 0;
    assert_int_equal(fr_redis_create(&def, &redis, NULL), FR_ERROR_ARGUMENT);
    assert_null(redis);
    def = fr_default_redis_def();
    def.url = "unix:/nowhere/socket";
    assert_int_equal(fr_redis_create(&def, &redis, NULL), FR_OK);
    fr_broadcast table = fr_redis_table(redis);
    const char *const bad[] = {"a b"};
    assert_int_equal(table.listen(bad, 1, false, table.user, NULL), FR_ERROR_ARGUMENT);
    const fr_broadcast_item item = {FR_BROADCAST_SEND, "world", NULL, "x", 1};
    assert_int_equal(table.post(&item, table.user, NULL), FR_ERROR_STOPPED);
    fr_redis_destroy(redis);
}

static fr_status make_redis(const fr_allocator *allocator, void *context) {
    (void)context;
    fr_redis *redis;
    fr_redis_def def = fr_default_redis_def();
    def.url = "unix:/nowhere/socket";
    def.allocator = *allocator;
    fr_status status = fr_redis_create(&def, &redis, NULL);
    if (status == FR_OK) { fr_redis_destroy(redis); }
    return status;
}

static void failing_allocations_are_survived(void **state) {
    (void)state;
    test_every_failure_leaves_nothing(make_redis, NULL);
}

// ---------------------------------------------------------------------------------------------------------------
// Messages and the board

static void messages_come_in_their_order(void **state) {
    (void)state;
    member home, edge;
    join_at(&home, broker.path, home_topics, 1, false, NULL);
    join_at(&edge, broker.path, edge_topics, 2, true, NULL);
    expect_event(&home, FR_BROADCAST_CONNECTED);
    expect_event(&edge, FR_BROADCAST_CONNECTED);
    expect_event(&edge, FR_BROADCAST_BOARD);
    char text[64];
    for (int i = 0; i < 2000; i++) {
        snprintf(text, sizeof text, "message %d", i);
        assert_int_equal(post(&home, i % 3 == 0 ? FR_BROADCAST_SET : FR_BROADCAST_SEND, i % 2 == 0 ? "world" : "edge-1",
                              "one", text),
                         FR_OK);
    }
    for (int i = 0; i < 2000; i++) {
        snprintf(text, sizeof text, "message %d", i);
        expect_text(&edge, FR_BROADCAST_MESSAGE, text);
    }
    assert_int_equal(post(&edge, FR_BROADCAST_SEND, "home", NULL, "back"), FR_OK);
    expect_text(&home, FR_BROADCAST_MESSAGE, "back");
    assert_true(atomic_load(&edge.woken) > 0);
    // Bytes of any kind, and one of some megabytes.
    size_t size = 5 << 20;
    char *large = malloc(size);
    for (size_t i = 0; i < size; i++) {
        large[i] = (char)(i * 2654435761u >> 13);
    }
    const fr_broadcast_item item = {FR_BROADCAST_SET, "world", "large", large, size};
    assert_int_equal(home.table.post(&item, home.table.user, NULL), FR_OK);
    fr_broadcast_event event = await_event(&edge);
    assert_true(event.kind == FR_BROADCAST_MESSAGE && event.size == size && memcmp(event.bytes, large, size) == 0);
    free(large);
    leave(&home);
    leave(&edge);
}

// One who comes while much is posted has, after the board and the messages behind it, just what there is.
static void the_board_and_what_follows_are_of_one_piece(void **state) {
    (void)state;
    enum { ENTRIES = 50 };
    member home;
    join_at(&home, broker.path, home_topics, 1, false, NULL);
    expect_event(&home, FR_BROADCAST_CONNECTED);
    assert_int_equal(post(&home, FR_BROADCAST_CLEAR, "world", "entry-0", "0 -1"), FR_OK);
    int last[ENTRIES], number = 0;
    for (int round = 0; round < (int)test_count(20, 200); round++) {
        member edge;
        int seen[ENTRIES];
        for (int i = 0; i < ENTRIES; i++) {
            seen[i] = -1;
        }
        join_at(&edge, broker.path, edge_topics, 2, true, NULL);
        for (int i = 0; i < 400; i++, number++) {
            char entry[32], text[32];
            int k = number % ENTRIES;
            snprintf(entry, sizeof entry, "entry-%d", k);
            snprintf(text, sizeof text, "%d %d", k, number);
            last[k] = number;
            while (post(&home, FR_BROADCAST_SET, "world", entry, text) == FR_ERROR_LIMIT) {
                redis_wait_ms(1);
            }
            if (i % 20 == 0) { redis_wait_ms(1); }
        }
        bool is_whole = false;
        while (!is_whole) {
            fr_broadcast_event event = await_event(&edge);
            int k, n;
            if (event.kind == FR_BROADCAST_ENTRY || event.kind == FR_BROADCAST_MESSAGE) {
                char text[32] = "";
                memcpy(text, event.bytes, event.size < 31 ? event.size : 31);
                assert_int_equal(sscanf(text, "%d %d", &k, &n), 2);
                assert_true(k >= 0 && k < ENTRIES && n > seen[k]); // never twice, never back
                seen[k] = n;
                is_whole = n == number - 1;
            }
        }
        assert_memory_equal(seen, last, sizeof seen);
        leave(&edge);
    }
    leave(&home);
}

static void entries_go(void **state) {
    (void)state;
    member home, edge;
    join_at(&home, broker.path, home_topics, 1, false, NULL);
    expect_event(&home, FR_BROADCAST_CONNECTED);
    assert_int_equal(post(&home, FR_BROADCAST_CLEAR, "world", "head", "a"), FR_OK);
    assert_int_equal(post(&home, FR_BROADCAST_SET, "world", "b", "b"), FR_OK);
    assert_int_equal(post(&home, FR_BROADCAST_SET, "world", "b", "c"), FR_OK);
    assert_int_equal(post(&home, FR_BROADCAST_SET, "world", "d", "d"), FR_OK);
    assert_int_equal(post(&home, FR_BROADCAST_REMOVE, "world", "d", "gone"), FR_OK);
    for (int i = 0; i < 5000 && home.table.waiting(home.table.user) > 0; i++) {
        redis_wait_ms(1);
    }
    redis_wait_ms(50);
    join_at(&edge, broker.path, edge_topics, 2, true, NULL);
    expect_event(&edge, FR_BROADCAST_CONNECTED);
    char first = *(const char *)await_event(&edge).bytes, second = *(const char *)await_event(&edge).bytes;
    assert_true((first == 'a' && second == 'c') || (first == 'c' && second == 'a'));
    expect_event(&edge, FR_BROADCAST_BOARD);
    leave(&home);
    leave(&edge);
}

// ---------------------------------------------------------------------------------------------------------------
// Losses

static void a_redis_that_goes_is_found_again(void **state) {
    (void)state;
    member home;
    join_at(&home, broker.path, home_topics, 1, false, NULL);
    expect_event(&home, FR_BROADCAST_CONNECTED);
    for (int i = 0; i < 3; i++) {
        redis_kill(&broker);
        fr_broadcast_event event = await_event(&home);
        assert_int_equal(event.kind, FR_BROADCAST_LOST);
        assert_non_null(strstr(event.text, broker.path));
        assert_int_equal(post(&home, FR_BROADCAST_SEND, "home", NULL, "x"), FR_ERROR_STOPPED);
        redis_start(&broker);
        expect_event(&home, FR_BROADCAST_CONNECTED); // and no second loss
        assert_int_equal(post(&home, FR_BROADCAST_SEND, "home", NULL, "again"), FR_OK);
        expect_text(&home, FR_BROADCAST_MESSAGE, "again");
    }
    leave(&home);
}

// A Redis that is stopped replies to nothing: no call waits for it, what waits has a bound, and it counts as lost.
static void a_redis_that_hangs_delays_nobody(void **state) {
    (void)state;
    fr_redis_def def = fr_default_redis_def();
    char url[160];
    snprintf(url, sizeof url, "unix:%s", broker.path);
    def.url = url;
    def.timeout_seconds = 2.0;
    def.max_waiting_bytes = 1 << 20;
    member m = {0};
    assert_int_equal(fr_redis_create(&def, &m.redis, NULL), FR_OK);
    m.table = fr_redis_table(m.redis);
    assert_int_equal(m.table.listen(home_topics, 1, false, m.table.user, NULL), FR_OK);
    expect_event(&m, FR_BROADCAST_CONNECTED);
    assert_int_equal(kill(broker.process, SIGSTOP), 0);
    static char bytes[10000];
    const fr_broadcast_item item = {FR_BROADCAST_SEND, "world", NULL, bytes, sizeof bytes};
    uint64_t begin = fr_clock_ns();
    double longest = 0.0;
    fr_status status = FR_OK;
    for (int i = 0; i < 100000 && status == FR_OK; i++) {
        uint64_t one = fr_clock_ns();
        status = m.table.post(&item, m.table.user, NULL);
        if (fr_clock_ms_since(one) > longest) { longest = fr_clock_ms_since(one); }
    }
    assert_true(status == FR_ERROR_LIMIT || status == FR_ERROR_STOPPED);
    assert_true(m.table.waiting(m.table.user) <= (1 << 20) + (1 << 20));
    printf("a Redis that hangs: the longest of the calls took %.3f ms, all of them %.1f ms\n", longest,
           fr_clock_ms_since(begin));
    assert_int_equal(await_event(&m).kind, FR_BROADCAST_LOST);
    assert_int_equal(kill(broker.process, SIGCONT), 0);
    expect_event(&m, FR_BROADCAST_CONNECTED);
    fr_redis_destroy(m.redis);
}

static void a_password_is_shown(void **state) {
    (void)state;
    redis_server locked;
    redis_prepare(&locked);
    redis_start_with(&locked, "--requirepass", "a-long-secret-of-redis");
    member m;
    join_at(&m, locked.path, home_topics, 1, false, NULL);
    fr_broadcast_event event = await_event(&m);
    assert_int_equal(event.kind, FR_BROADCAST_LOST);
    assert_non_null(strstr(event.text, "NOAUTH"));
    leave(&m);
    char path[REDIS_PATH_BYTES + 16];
    snprintf(path, sizeof path, "%s/password", locked.folder);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs("a-long-secret-of-redis\n", file);
    assert_int_equal(fclose(file), 0);
    join_at(&m, locked.path, home_topics, 1, false, path);
    expect_event(&m, FR_BROADCAST_CONNECTED);
    leave(&m);
    unlink(path);
    redis_end(&locked);
}

// ---------------------------------------------------------------------------------------------------------------
// Servers that are no Redis

typedef struct impostor {
    char path[REDIS_PATH_BYTES];
    const char *reply; // to whatever comes first; NULL: none
    size_t size;
    int listener;
    pthread_t thread;
} impostor;

static void *pretend(void *context) {
    impostor *i = context;
    int held[64], count = 0;
    for (int one; count < 64 && (one = accept(i->listener, NULL, NULL)) >= 0; held[count++] = one) {
        char heard[4096];
        if (i->reply != NULL && read(one, heard, sizeof heard) > 0) { (void)!write(one, i->reply, i->size); }
    }
    while (count > 0) {
        close(held[--count]);
    }
    return NULL;
}

static void expect_refusal(const char *reply, size_t size, const char *sentence) {
    impostor i = {.reply = reply, .size = size};
    snprintf(i.path, sizeof i.path, "%s/other", broker.folder);
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    snprintf(address.sun_path, sizeof address.sun_path, "%s", i.path);
    i.listener = socket(AF_UNIX, SOCK_STREAM, 0);
    assert_int_equal(bind(i.listener, (struct sockaddr *)&address, sizeof address), 0);
    assert_int_equal(listen(i.listener, 8), 0);
    assert_int_equal(pthread_create(&i.thread, NULL, pretend, &i), 0);
    fr_redis_def def = fr_default_redis_def();
    char url[160];
    snprintf(url, sizeof url, "unix:%s", i.path);
    def.url = url;
    def.timeout_seconds = 0.3;
    member m = {0};
    assert_int_equal(fr_redis_create(&def, &m.redis, NULL), FR_OK);
    m.table = fr_redis_table(m.redis);
    assert_int_equal(m.table.listen(edge_topics, 2, true, m.table.user, NULL), FR_OK);
    fr_broadcast_event event = await_event(&m);
    assert_int_equal(event.kind, FR_BROADCAST_LOST);
    if (strstr(event.text, sentence) == NULL) { fail_msg("'%s' is not in '%s'", sentence, event.text); }
    fr_redis_destroy(m.redis);
    shutdown(i.listener, SHUT_RDWR);
    close(i.listener);
    assert_int_equal(pthread_join(i.thread, NULL), 0);
    unlink(i.path);
}

#define REFUSAL(text, sentence) expect_refusal(text, sizeof text - 1, sentence)

static void servers_that_are_wrong_are_reported(void **state) {
    (void)state;
    expect_refusal(NULL, 0, "it does not reply");
    REFUSAL("HTTP/1.1 400 Bad Request\r\n\r\n", "it speaks another protocol");
    REFUSAL("\0\1\2\3\4", "it speaks another protocol");
    REFUSAL("+HELLO\r\n", "it replies what it should not");
    REFUSAL(":5\r\n", "it replies what it should not");
    REFUSAL("-ERR unknown command\r\n", "it refuses: ERR unknown command");
    REFUSAL("$1000000000\r\nx", "it does not reply");
    REFUSAL("*1000000000\r\n", "");
    REFUSAL("*2147483647\r\n", "");
    REFUSAL("$-5\r\n", "");
}

static int start(void **state) {
    (void)state;
    redis_prepare(&broker);
    redis_start(&broker);
    return 0;
}

static int stop(void **state) {
    (void)state;
    redis_end(&broker);
    return 0;
}

int main(void) {
    if (!redis_is_installed()) {
        printf("skipped: redis-server is not installed\n");
        return TEST_SKIPPED;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(addresses_are_read),
        cmocka_unit_test(wrong_definitions_are_refused),
        cmocka_unit_test(failing_allocations_are_survived),
        cmocka_unit_test(messages_come_in_their_order),
        cmocka_unit_test(the_board_and_what_follows_are_of_one_piece),
        cmocka_unit_test(entries_go),
        cmocka_unit_test(a_redis_that_goes_is_found_again),
        cmocka_unit_test(a_redis_that_hangs_delays_nobody),
        cmocka_unit_test(a_password_is_shown),
        cmocka_unit_test(servers_that_are_wrong_are_reported),
    };
    return cmocka_run_group_tests(tests, start, stop);
}
