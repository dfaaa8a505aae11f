// Looks for all touches of a record, beside the ticks: a replay with everything it detects, on a thread of its own.
#include "server/record.h"

#include <string.h>

static bool is_stopped(void *user) {
    fr__record_search *search = user;
    return atomic_load(&search->is_stopped);
}

// As much of a name as there is room for, in whole characters.
static void copy_name(fr_world *world, fr_object_id id, char out[FR__RECORD_NAME_BYTES]) {
    const char *name = fr_world_label(world, id).name;
    size_t size = strlen(name), at = 0;
    while (at < size) {
        size_t length = fr_utf8_length(name + at, size - at);
        if (length == 0 || at + length >= FR__RECORD_NAME_BYTES) { break; }
        at += length;
    }
    memcpy(out, name, at);
    out[at] = '\0';
}

static void note(fr__record_search *search, fr_world *world, const fr_event *event, double at) {
    uint32_t count = atomic_load(&search->count);
    if (count == FR_SERVED_RECORD_MAX_TOUCHES) {
        atomic_store(&search->is_full, true);
        return;
    }
    fr__record_touch *touch = &search->touches[count];
    *touch = (fr__record_touch){.id = event->id, .is_end = event->kind == FR_EVENT_TOUCH_END, .at = at};
    copy_name(world, event->a, touch->a);
    copy_name(world, event->b, touch->b);
    atomic_store(&search->count, count + 1);
}

static bool look_at_tick(fr_world *world, void *context) {
    fr__record_search *search = context;
    const fr_snapshot *snapshot = fr_world_snapshot(world);
    uint64_t before = atomic_load(&search->searched);
    for (size_t i = 0; i < snapshot->event_count; i++) {
        const fr_event *event = &snapshot->events[i];
        if (event->kind != FR_EVENT_TOUCH_BEGIN && event->kind != FR_EVENT_TOUCH_END) { continue; }
        note(search, world, event, (double)before + event->fraction);
    }
    fr_snapshot_release(snapshot);
    atomic_store(&search->searched, before + 1);
    return true;
}

static void run(void *context) {
    fr__record_search *search = context;
    fr_world_def def = fr_default_world_def();
    def.allocator = search->allocator;
    fr_control control = {.stop = is_stopped, .user = search};
    fr_replay_input input = {.control = &control, .ticked = look_at_tick, .context = search};
    fr_world *world;
    if (fr_world_create(&def, &world, &search->flaw) == FR_OK) {
        (void)fr_world_replay(world, search->bytes, search->size, &input, &search->flaw);
        fr_world_destroy(world);
    }
    atomic_store(&search->is_done, true);
}

void fr__record_search_begin(fr__record_search *search, const fr_tasks *tasks) {
    if (search->tasks != NULL || tasks == NULL || tasks->worker_count < 2) { return; }
    size_t size = sizeof *search->touches;
    search->touches = fr_allocate(&search->allocator, FR_SERVED_RECORD_MAX_TOUCHES, size, _Alignof(fr__record_touch));
    if (search->touches == NULL) { return; }
    search->tasks = tasks;
    search->handle = tasks->enqueue(run, search, tasks->user);
}

void fr__record_search_end(fr__record_search *search) {
    atomic_store(&search->is_stopped, true);
    if (search->handle != NULL) { search->tasks->finish(search->handle, search->tasks->user); }
    size_t size = sizeof *search->touches;
    if (search->touches != NULL) {
        fr_deallocate(&search->allocator, search->touches, FR_SERVED_RECORD_MAX_TOUCHES, size);
    }
    search->touches = NULL;
    search->handle = NULL;
}
