// Groups of like clashes: those of one kind between parts that are like the two of the first one.
#include "clash/finder.h"

#include "fureai/base_order.h"

#include <string.h>

// What makes parts like one another: their names without the numbers at their ends, or, without names, their meshes.
typedef struct likeness {
    const char *name;
    size_t length;
    uint32_t mesh; // its number in the finder
} likeness;

typedef struct grouped {
    likeness a, b; // a is not after b
    fr_clash_kind kind;
    uint32_t clash;
} grouped;

static bool is_number_byte(char c) { return (c >= '0' && c <= '9') || strchr(" ._-#", c) != NULL; }

static likeness likeness_of(const fr_clash_finder *finder, const char *const *names, uint32_t part) {
    if (names == NULL || names[part] == NULL) {
        return (likeness){"", 0, ((const fr__rest_part *)finder->placed.data)[part].solid};
    }
    size_t whole = strlen(names[part]), length = whole;
    while (length > 0 && is_number_byte(names[part][length - 1])) {
        length--;
    }
    return (likeness){names[part], length > 0 ? length : whole, FR_NONE};
}

static int compare_likeness(const likeness *a, const likeness *b) {
    if (a->mesh != b->mesh) { return a->mesh < b->mesh ? -1 : 1; }
    int order = memcmp(a->name, b->name, a->length < b->length ? a->length : b->length);
    if (order != 0) { return order; }
    return a->length == b->length ? 0 : a->length < b->length ? -1 : 1;
}

static int compare_groups(const grouped *x, const grouped *y) {
    if (x->kind != y->kind) { return x->kind < y->kind ? -1 : 1; }
    int order = compare_likeness(&x->a, &y->a);
    return order != 0 ? order : compare_likeness(&x->b, &y->b);
}

static bool grouped_is_before(const grouped *x, const grouped *y) {
    int order = compare_groups(x, y);
    return order != 0 ? order < 0 : x->clash < y->clash;
}
FR_SORT_TYPE(sort_grouped, grouped, grouped_is_before);

static bool group_is_before(const fr_clash_group *a, const fr_clash_group *b) { return a->first < b->first; }
FR_SORT_TYPE(sort_groups, fr_clash_group, group_is_before);

static grouped grouped_of(const fr_clash_finder *finder, const char *const *names, uint32_t i) {
    const fr_clash *c = finder->clashes.data + i;
    grouped g = {likeness_of(finder, names, c->a), likeness_of(finder, names, c->b), c->kind, i};
    if (compare_likeness(&g.a, &g.b) > 0) {
        likeness moved = g.a;
        g.a = g.b;
        g.b = moved;
    }
    return g;
}

static void add_to_group(fr_clash_group *group, const fr_clash *c) {
    group->count++;
    if (!fr_is_unknown(c->depth) && !(c->depth <= group->max_depth)) { group->max_depth = c->depth; }
    if (c->distance < group->min_distance) { group->min_distance = c->distance; }
}

// Groups the sorted list; each clash gets the number of its group once these are in the order of their first clashes.
static bool make_groups(fr_clash_finder *finder, grouped *list, uint32_t count) {
    fr_clash *clashes = finder->clashes.data;
    for (uint32_t i = 0; i < count; i++) {
        fr_clash_group *group;
        if (i == 0 || compare_groups(&list[i - 1], &list[i]) != 0) {
            group = fr__clash_group_array_push(&finder->groups, 1);
            if (group == NULL) { return false; }
            *group = (fr_clash_group){.kind = list[i].kind,
                                      .first = list[i].clash,
                                      .max_depth = FR_UNKNOWN,
                                      .min_distance = (double)INFINITY};
        }
        group = finder->groups.data + (finder->groups.count - 1);
        add_to_group(group, &clashes[list[i].clash]);
        clashes[list[i].clash].group = group->first; // for now the first clash stands for its group
    }
    sort_groups(finder->groups.data, finder->groups.count);
    const fr_clash_group *groups = finder->groups.data;
    for (uint32_t g = 0; g < finder->groups.count; g++) {
        clashes[groups[g].first].group = g;
    }
    for (uint32_t i = 0; i < count; i++) {
        uint32_t first = clashes[i].group; // of a clash that is not the first of its group: that one, which is before
        bool is_first = first < finder->groups.count && groups[first].first == i;
        if (!is_first) { clashes[i].group = clashes[first].group; }
    }
    return true;
}

fr_status fr__group_clashes(fr_clash_finder *finder, const char *const *names, fr_error *error) {
    uint32_t count = (uint32_t)finder->clashes.count;
    finder->groups.count = 0;
    grouped *list = fr_allocate(&finder->allocator, count + (size_t)1, sizeof *list, 16);
    bool is_done = list != NULL;
    for (uint32_t i = 0; is_done && i < count; i++) {
        list[i] = grouped_of(finder, names, i);
    }
    if (is_done) {
        sort_grouped(list, count);
        is_done = make_groups(finder, list, count);
    }
    fr_deallocate(&finder->allocator, list, count + (size_t)1, sizeof *list);
    return is_done ? FR_OK : fr__clash_no_memory(error);
}
