// The connection of the command act to a served world.
#include "act_link.h"

#include "fureai/server_replica.h"

// A link is the replica's itself.
static fr_replica_link *link_of(act_link *link) { return (fr_replica_link *)(void *)link; }

fr_status act_link_open(tool *t, const fr_replica_def *replica, act_link **out, fr_error *error) {
    fr_replica_link_def def = fr_default_replica_link_def();
    def.replica.cast = replica->cast;
    def.replica.director = replica->director;
    def.replica.script = replica->script;
    def.url = options_string(&t->options, "connect");
    def.token_path = options_string(&t->options, "token");
    def.authority_path = options_string(&t->options, "authority");
    def.name = t->arguments[0];
    def.patience_seconds = options_number(&t->options, "patience");
    fr_replica_link *link = NULL;
    fr_status status = fr_replica_link_create(&def, &link, error);
    *out = (act_link *)(void *)link;
    return status == FR_OK ? fr_replica_link_begin(link, &t->control, error) : status;
}

fr_status act_link_exchange(act_link *link, const fr_control *control, fr_error *error) {
    return fr_replica_link_exchange(link_of(link), control, error);
}

uint64_t act_link_updates(const act_link *link) {
    return fr_replica_link_get((const fr_replica_link *)(const void *)link).replica.updates;
}

void act_link_close(act_link *link) { fr_replica_link_destroy(link_of(link)); }
