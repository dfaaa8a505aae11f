// Plug-ins that do what they may not, each by the name that it is called by. "good" echoes the posture that it is
// given.
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static char line[1 << 20];
static char reply[1 << 20];

static int is(const char *mode, const char *name) { return strcmp(mode, name) == 0; }

static void say(const char *text) {
    fputs(text, stdout);
    fflush(stdout);
}

// A frame with the posture of a step, and weights 1.
static void echo(unsigned long k, int is_done) {
    const char *pose = strstr(line, "\"pose\":{"), *end = pose != NULL ? strchr(pose, '}') : NULL;
    const char *turns = pose != NULL ? strstr(pose, "\"q\":[") : NULL;
    if (end == NULL || turns == NULL) { return; }
    size_t numbers = 1;
    for (const char *at = turns + 5; *at != ']'; at++) {
        numbers += *at == ',';
    }
    int size = sprintf(reply, "{\"t\":\"frame\",\"k\":%lu,%.*s,\"w\":[", k, (int)(end - pose - 8), pose + 8);
    for (size_t i = 0; i <= numbers / 4; i++) {
        size += sprintf(reply + size, i == 0 ? "1" : ",1");
    }
    sprintf(reply + size, "],\"done\":%d,\"events\":[]}\n", is_done);
    say(reply);
}

static void stand(void) {
    for (;;) {
        (void)pause();
    }
}

static void flood(void) {
    memset(reply, 'x', sizeof reply);
    if (write(STDERR_FILENO, reply, sizeof reply) < 0) { return; }
}

static int has_child;

// A child that keeps the pipes open, and does not end with its parent's pipes.
static void make_child(void) {
    pid_t child = fork();
    has_child = 1;
    if (child == 0) {
        (void)signal(SIGPIPE, SIG_IGN);
        stand();
    }
    fprintf(stderr, "child %ld\n", (long)child);
}

static void on_step(const char *mode, unsigned long k) {
    const struct timespec moment = {.tv_nsec = 600000000};
    if (is(mode, "hang") && k >= 3) { stand(); }
    if (is(mode, "flood")) { flood(); }
    if (is(mode, "fork") && !has_child) { make_child(); }
    if (is(mode, "half") && k >= 3) {
        say("{\"t\":\"frame\",\"k\":3,\"hip\":[0,");
        exit(0);
    }
    if (is(mode, "half_hang") && k >= 3) {
        say("{\"t\":\"frame\",\"k\":3,\"hip\":[0,");
        stand();
    }
    if (is(mode, "close_stdin") && k >= 3) {
        echo(k, 0);
        close(STDIN_FILENO);
        stand();
    }
    if (is(mode, "deaf") && k >= 3) {
        close(STDIN_FILENO);
        stand();
    }
    if (is(mode, "close_stdout") && k >= 3) {
        close(STDOUT_FILENO);
        stand();
    }
    if (is(mode, "die") && k > (unsigned long)(getpid() % 20)) { abort(); }
    if (is(mode, "garbage") && k >= 3) { say("it is a fine day\n"); }
    if (is(mode, "twice") && k >= 3) { echo(k, 0); }
    if (is(mode, "wrong") && k >= 3) { say("{\"t\":\"frame\",\"k\":3,\"hip\":[0,0,0],\"q\":[9,9],\"w\":[]}\n"); }
    if (is(mode, "endless")) {
        memset(reply, ' ', sizeof reply);
        for (;;) {
            if (fwrite(reply, 1, sizeof reply, stdout) == 0) { exit(1); }
        }
    }
    if (is(mode, "error") && k >= 3) {
        sprintf(reply, "{\"t\":\"frame\",\"k\":%lu,\"error\":\"the cup is too hot\"}\n", k);
        say(reply);
    }
    if (is(mode, "late") && k % 3 == 0) { (void)nanosleep(&moment, NULL); }
    echo(is(mode, "other") && k >= 3 ? k + 4 : k, is(mode, "good") && k >= 30);
}

int main(int argc, char **argv) {
    (void)argc;
    const char *slash = strrchr(argv[0], '/');
    const char *mode = slash != NULL ? slash + 1 : argv[0];
    if (is(mode, "no_ready")) { stand(); }
    if (is(mode, "gone")) { return 3; }
    if (is(mode, "greedy")) {
        size_t size = (size_t)4 << 30;
        char *volatile memory = malloc(size); // that is not left out by a compiler
        if (memory == NULL) { say("{\"t\":\"ready\",\"error\":\"no memory for it\"}\n"); }
    }
    while (fgets(line, sizeof line, stdin) != NULL) {
        if (strstr(line, "\"t\":\"init\"") != NULL && is(mode, "refuse")) {
            say("{\"t\":\"ready\",\"error\":\"there is no cup\",\"again\":1}\n");
        } else if (strstr(line, "\"t\":\"init\"") != NULL) {
            say(is(mode, "good") || is(mode, "late") ? "{\"t\":\"ready\",\"frames\":0,\"again\":1}\n"
                                                     : "{\"t\":\"ready\",\"frames\":0}\n");
        } else if (strstr(line, "\"t\":\"stop\"") != NULL) {
            if (is(mode, "stubborn")) { stand(); }
            return 0;
        } else {
            const char *k = strstr(line, "\"k\":");
            on_step(mode, k != NULL ? strtoul(k + 4, NULL, 10) : 0);
        }
    }
    return 0;
}
