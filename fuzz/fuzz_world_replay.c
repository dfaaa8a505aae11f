// Any bytes as a record of a world: refused with a place, or a world that goes on, and that can be gone through.
#include "fureai/world_player.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MOST_BYTES = 1 << 16, MOST_QUESTIONS = 4000 };

static void require(bool holds) {
    if (!holds) { abort(); }
}

// A tick costs what its sensing costs: the whole replay gets so many questions.
static bool is_enough(void *user) {
    uint32_t *asked = user;
    return ++*asked > MOST_QUESTIONS;
}

static bool look(fr_world *world, void *context) {
    uint64_t *hash = context;
    const fr_snapshot *snapshot = fr_world_snapshot(world);
    require(snapshot != NULL && snapshot->object_count == fr_space_object_count(fr_world_space(world)));
    *hash ^= fr_snapshot_hash(snapshot);
    fr_snapshot_release(snapshot);
    return true;
}

// Goes to some ticks, in any order: each is a world that is whole, or a status.
static void go_through(const uint8_t *data, size_t size, const fr_allocator *allocator) {
    fr_record_player_def def = fr_default_record_player_def();
    def.bytes = data;
    def.size = size;
    def.interval_bytes = 200;
    def.allocator = *allocator;
    fr_record_player *player;
    fr_error error = {0};
    if (fr_record_player_create(&def, &player, &error) != FR_OK) {
        require(error.message[0] != '\0');
        return;
    }
    uint64_t count = fr_record_player_tick_count(player);
    for (uint64_t i = 0; i < 4; i++) {
        uint64_t tick = count * (3 - i) / 3;
        bool is_there = fr_record_player_seek(player, tick, NULL, NULL) == FR_OK;
        require(!is_there || fr_record_player_tick(player) == tick);
        fr_world *world = fr_record_player_world(player);
        require(world == NULL || fr_space_validate(fr_world_space(world), NULL));
    }
    fr_record_player_destroy(player);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size > MOST_BYTES) { return 0; }
    fr_probe *probe = fr_probe_create();
    require(probe != NULL);
    fr_probe_bound(probe, (uint64_t)1 << 30);
    fr_world_def def = fr_default_world_def();
    def.allocator = fr_probe_allocator(probe);
    fr_world *world;
    require(fr_world_create(&def, &world, NULL) == FR_OK);

    uint32_t asked = 0;
    uint64_t hash = 0;
    fr_control control = {is_enough, NULL, &asked};
    fr_replay_input options = {.control = &control, .ticked = look, .context = &hash};
    fr_error error = {0};
    fr_status status = fr_world_replay(world, data, size, &options, &error);
    require(status == FR_OK || error.message[0] != '\0');
    require(fr_space_validate(fr_world_space(world), NULL));

    // It goes on, as far as there is time for it.
    fr_tick_input input = fr_default_tick_input();
    input.control = &control;
    status = fr_world_tick(world, &input, NULL);
    require(status == FR_OK || status == FR_ERROR_MEMORY);
    fr_world_destroy(world);
    go_through(data, size, &def.allocator);
    require(fr_probe_get(probe).live_blocks == 0);
    fr_probe_destroy(probe);
    return 0;
}
