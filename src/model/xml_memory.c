// The memory that expat takes, from the caller's allocator.
#include "xml_memory.h"

#include <stdint.h>
#include <string.h>

// Stands in front of each block: allocators want to know the size again.
typedef union head {
    struct {
        const fr_allocator *allocator;
        size_t size; // of all, this head too
    } block;
    max_align_t alignment;
} head;

static _Thread_local const fr_allocator *at_work;

static void *take(size_t size) {
    if (size > SIZE_MAX - sizeof(head)) { return NULL; }
    head *made = fr_allocate(at_work, size + sizeof(head), 1, _Alignof(head));
    if (made == NULL) { return NULL; }
    made->block.allocator = at_work;
    made->block.size = size + sizeof(head);
    return made + 1;
}

static void give_back(void *pointer) {
    if (pointer == NULL) { return; }
    head *made = (head *)pointer - 1;
    fr_deallocate(made->block.allocator, made, made->block.size, 1);
}

static void *take_again(void *pointer, size_t size) {
    void *larger = take(size);
    if (larger == NULL || pointer == NULL) { return larger; }
    size_t before = ((const head *)pointer - 1)->block.size - sizeof(head);
    memcpy(larger, pointer, before < size ? before : size);
    give_back(pointer);
    return larger;
}

fr__xml fr__xml_create(const fr_allocator *allocator) {
    static const XML_Memory_Handling_Suite suite = {take, take_again, give_back};
    fr__xml xml = {.before = at_work};
    at_work = allocator;
    xml.parser = XML_ParserCreate_MM(NULL, &suite, NULL);
    return xml;
}

void fr__xml_free(fr__xml *xml) {
    if (xml->parser != NULL) { XML_ParserFree(xml->parser); }
    at_work = xml->before;
    xml->parser = NULL;
}
