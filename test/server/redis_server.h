// A Redis server of a test's own, behind a socket in the file system; none where it is not installed.
#ifndef FUREAI_TEST_SERVER_REDIS_SERVER_H
#define FUREAI_TEST_SERVER_REDIS_SERVER_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define REDIS_PATH_BYTES 100 // of a socket

typedef struct redis_server {
    char folder[REDIS_PATH_BYTES - 16], path[REDIS_PATH_BYTES];
    pid_t process; // 0: none
} redis_server;

static inline bool redis_is_installed(void) { return system("command -v redis-server >/dev/null 2>&1") == 0; }

static inline void redis_wait_ms(long ms) {
    struct timespec time = {.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000};
    (void)nanosleep(&time, NULL);
}

static inline int redis_connect(const char *path) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    snprintf(address.sun_path, sizeof address.sun_path, "%s", path);
    int descriptor = socket(AF_UNIX, SOCK_STREAM, 0);
    if (descriptor >= 0 && connect(descriptor, (struct sockaddr *)&address, sizeof address) == 0) { return descriptor; }
    if (descriptor >= 0) { close(descriptor); }
    return -1;
}

// A folder for the socket, before the first start.
static inline void redis_prepare(redis_server *redis) {
    *redis = (redis_server){0};
    snprintf(redis->folder, sizeof redis->folder, "/tmp/fureai-redis-XXXXXX");
    assert_non_null(mkdtemp(redis->folder));
    snprintf(redis->path, sizeof redis->path, "%s/socket", redis->folder);
}

static inline void redis_start_with(redis_server *redis, const char *option, const char *value) {
    unlink(redis->path);
    redis->process = fork();
    assert_true(redis->process >= 0);
    if (redis->process == 0) {
        int nothing = open("/dev/null", O_RDWR);
        dup2(nothing, 0);
        dup2(nothing, 1);
        dup2(nothing, 2);
        execlp("redis-server", "redis-server", "--port", "0", "--unixsocket", redis->path, "--save", "", "--appendonly",
               "no", "--dir", redis->folder, option, value, (char *)NULL);
        _exit(127);
    }
    for (int i = 0; i < 600; i++) {
        int descriptor = redis_connect(redis->path);
        if (descriptor >= 0) {
            close(descriptor);
            return;
        }
        redis_wait_ms(50);
    }
    fail_msg("redis-server does not begin");
}

static inline void redis_start(redis_server *redis) { redis_start_with(redis, "--databases", "1"); }

static inline void redis_kill(redis_server *redis) {
    if (redis->process > 0) {
        (void)kill(redis->process, SIGKILL);
        (void)waitpid(redis->process, NULL, 0);
    }
    redis->process = 0;
}

static inline void redis_end(redis_server *redis) {
    redis_kill(redis);
    unlink(redis->path);
    rmdir(redis->folder);
}

#endif
