// The growable array of elements of one size.
#include "base/allocator.h"

#include <string.h>

// Fits any type a kernel may load at once.
#define ARRAY_ALIGN 64

fr_array fr_array_make(size_t element_bytes, const fr_allocator *allocator) {
    FR_ASSERT(element_bytes > 0);
    return (fr_array){.element_bytes = element_bytes, .allocator = fr_allocator_or_default(allocator)};
}

bool fr_array_reserve(fr_array *array, size_t capacity) {
    if (capacity <= array->capacity) { return true; }

    void *data = fr_allocate(&array->allocator, capacity, array->element_bytes, ARRAY_ALIGN);
    if (data == NULL) { return false; }
    if (array->count > 0) { memcpy(data, array->data, array->count * array->element_bytes); }
    fr_deallocate(&array->allocator, array->data, array->capacity, array->element_bytes);
    array->data = data;
    array->capacity = capacity;
    return true;
}

// Room for `needed` elements, more than there is. Half as much again as there was makes pushing one by one cost
// constant time each; where that is refused, a sixteenth more than is needed still does.
static bool grow(fr_array *array, size_t needed) {
    size_t ample = array->capacity + array->capacity / 2 + 8, lean = needed + needed / 16;
    if (needed >= ample) { return fr_array_reserve(array, needed); }
    return fr_array_reserve(array, ample) || fr_array_reserve(array, lean < ample ? lean : needed);
}

void *fr_array_push(fr_array *array, size_t count) {
    size_t room = array->capacity - array->count;
    if (count > room) {
        if (count > SIZE_MAX - array->count || !grow(array, array->count + count)) { return NULL; }
    }
    if (array->data == NULL) { return fr__nothing; }
    void *first = (unsigned char *)array->data + array->count * array->element_bytes;
    array->count += count;
    return first;
}

void fr_array_destroy(fr_array *array) {
    fr_deallocate(&array->allocator, array->data, array->capacity, array->element_bytes);
    array->data = NULL;
    array->count = 0;
    array->capacity = 0;
}
