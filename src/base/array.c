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
    if (array->count > 0) {
        memcpy(data, array->data, array->count * array->element_bytes);
        fr__copied_add(array->count * array->element_bytes);
    }
    fr_deallocate(&array->allocator, array->data, array->capacity, array->element_bytes);
    array->data = data;
    array->capacity = capacity;
    return true;
}

// Half as much again as there was makes pushing one by one cost constant time each; where that is refused, a sixteenth
// more than is needed still does, and two elements more where a sixteenth of a few is none.
bool fr_array_reserve_more(fr_array *array, size_t count) {
    if (count <= array->capacity - array->count) { return true; }
    if (count > SIZE_MAX - array->count) { return false; }
    size_t needed = array->count + count, ample = array->capacity + array->capacity / 2 + 8;
    if (needed >= ample) { return fr_array_reserve(array, needed); }
    size_t lean = needed + (needed < 16 ? 1 : needed / 16);
    return fr_array_reserve(array, ample) || fr_array_reserve(array, lean < ample ? lean : needed);
}

void *fr_array_push(fr_array *array, size_t count) {
    if (!fr_array_reserve_more(array, count)) { return NULL; }
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
