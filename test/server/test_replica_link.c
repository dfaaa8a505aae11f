// The link of a replica: refused definitions, a server that has another scene, and memory that runs short. What mains
// do at a server is tried in test/tools/test_act_connect.c.
#include "failing.h"
#include "peopled.h"
#include "provider.h"

#include <cmocka.h>

static running_server running;

typedef struct linked {
    peopled w;
    fr_director *director;
} linked;

static void open_linked(linked *l) {
    open_world(&l->w);
    fr_label label = fr_default_label();
    label.name = "Hana";
    assert_int_equal(fr_world_set_label(l->w.world, l->w.skin, &label, NULL), FR_OK);
    fr_director_def def = fr_default_director_def();
    def.cast = l->w.cast;
    assert_int_equal(fr_director_create(&def, &l->director, NULL), FR_OK);
    const fr_actor actor = fr_director_actor(l->director);
    assert_int_equal(fr_cast_add(l->w.cast, &actor, NULL), FR_OK);
    fr_person_def person = person_def(&l->w);
    assert_int_equal(fr_director_add_person(l->director, &person, NULL), FR_OK);
}

static fr_replica_link_def link_def(const linked *l, const char *url) {
    fr_replica_link_def def = fr_default_replica_link_def();
    def.url = url;
    def.name = "a main";
    def.replica.cast = l->w.cast;
    def.replica.director = l->director;
    return def;
}

static void wrong_definitions_are_refused(void **state) {
    (void)state;
    linked l;
    open_linked(&l);
    fr_replica_link *link;
    fr_replica_link_def def = link_def(&l, NULL);
    assert_int_equal(fr_replica_link_create(&def, &link, NULL), FR_ERROR_ARGUMENT);
    def = link_def(&l, "ws://127.0.0.1:1");
    def.patience_seconds = -1.0;
    assert_int_equal(fr_replica_link_create(&def, &link, NULL), FR_ERROR_ARGUMENT);
    def = link_def(&l, "ws://127.0.0.1:1");
    def.replica.director = NULL;
    assert_int_equal(fr_replica_link_create(&def, &link, NULL), FR_ERROR_ARGUMENT);
    def = link_def(&l, "http://127.0.0.1:1");
    assert_int_equal(fr_replica_link_create(&def, &link, NULL), FR_ERROR_ARGUMENT);
    def = link_def(&l, "ws://127.0.0.1:1");
    def.cookie = 0;
    assert_int_equal(fr_replica_link_create(&def, &link, NULL), FR_ERROR_ARGUMENT);
    assert_null(link);
    close_world(&l.w);
}

// A server of another scene, with little memory: fr_replica_link_create, fr_replica_link_begin,
// fr_replica_link_exchange, fr_replica_link_destroy.
static fr_status make_link(const fr_allocator *allocator, void *context) {
    (void)context;
    linked l;
    char url[64];
    open_linked(&l);
    snprintf(url, sizeof url, "ws://127.0.0.1:%u", (unsigned)running.port);
    fr_replica_link_def def = link_def(&l, url);
    def.allocator = *allocator;
    def.replica.allocator = *allocator;
    fr_replica_link *link;
    fr_status status = fr_replica_link_create(&def, &link, NULL);
    if (status == FR_OK) { status = fr_replica_link_exchange(link, NULL, NULL); }
    if (status == FR_OK) {
        fr_error error = {0};
        status = fr_replica_link_begin(link, NULL, &error);
        bool is_other = status == FR_ERROR_ARGUMENT && strstr(error.message, "the served world has") != NULL;
        if (is_other) { status = FR_OK; }
        assert_int_equal(fr_replica_link_get(link).sent, 0);
    } else if (status == FR_ERROR_ARGUMENT) {
        status = FR_OK; // the state came with the first exchange already
    }
    fr_replica_link_destroy(link);
    close_world(&l.w);
    return status;
}

static void memory_may_run_short(void **state) {
    (void)state;
    fr_server_def def = test_server_def("pair");
    server_start(&running, &def);
    test_every_failure(make_link, NULL);
    server_end(&running);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wrong_definitions_are_refused),
        cmocka_unit_test(memory_may_run_short),
    };
    return cmocka_run_group_tests(tests, make_body, release_body);
}
