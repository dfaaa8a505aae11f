// Any bytes as a record of a space: a status or a space that is whole, within memory that the record's size bounds, and
// questions that answer.
#include "fureai/space.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds) {
    if (!holds) { abort(); }
}

static bool count_pair(const fr_part_pair *pair, void *context) {
    uint32_t *count = context;
    require(pair->object_a <= pair->object_b);
    return ++*count < 10000;
}

// Nothing but a status may come of questions to whatever was made.
static void ask(const fr_space *space) {
    fr_space_pairs_input query = {0.5, NULL, NULL};
    uint32_t count = 0;
    require(fr_space_pairs(space, &query, count_pair, &count, NULL) == FR_OK);
    fr_ray ray = {{-3, 0.25, 0.5}, {1, 0.125, 0}, INFINITY};
    fr_space_hit hits[4];
    require(fr_space_ray_all(space, &ray, NULL, hits, 4, &count, NULL) == FR_OK);
    fr_space_closest closest;
    require(fr_space_closest_point(space, ray.origin, INFINITY, true, NULL, &closest, NULL) == FR_OK);
    require(fr_space_cast_ball(space, ray.origin, ray.direction, 0.5, NULL, hits, NULL) == FR_OK);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fr_probe *probe = fr_probe_create();
    require(probe != NULL);
    fr_probe_bound(probe, 64 * size + (1u << 20));
    fr_space_def def = fr_default_space_def();
    def.allocator = fr_probe_allocator(probe);
    fr_space *space = NULL;
    fr_error error;
    require(fr_space_create(&def, &space, &error) == FR_OK);

    fr_status status = fr_space_replay(space, data, size, NULL, &error);
    require(status != FR_ERROR_MEMORY);
    require(status == FR_OK || error.message[0] != '\0');
    require(fr_space_validate(space, NULL));
    fr_probe_bound(probe, UINT64_MAX);
    require(fr_space_update(space, NULL, NULL) == FR_OK);
    require(fr_space_validate(space, NULL));
    ask(space);

    fr_space_destroy(space);
    require(fr_probe_get(probe).live_blocks == 0);
    fr_probe_destroy(probe);
    return 0;
}
