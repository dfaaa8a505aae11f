// Geometry of a Collada file as it is read: arrays of numbers, sources of elements, and lists of polygons, whose
// numbers are checked when they end.
#include "collada.h"

#include <string.h>

#define MAX_STRIDE 64
#define MAX_COLUMN 31

static size_t number_count(const fr__dae *dae) {
    return dae->reader->builder.is_double ? dae->doubles.count : dae->floats.count;
}

// Sets what a name stands for in one of the lists.
static void name_element(fr__dae *dae, const char **attributes, size_t member, uint32_t index) {
    const char *id = fr__xml_attribute(attributes, "id");
    uint32_t name = id != NULL ? fr__dae_name(dae, id) : FR_NONE;
    if (name != FR_NONE) { memcpy((char *)fr__dae_id_of(dae, name) + member, &index, sizeof index); }
}

void fr__dae_begin_geometry(fr__dae *dae, const char **attributes) {
    fr__dae_geometry geometry = {.first_list = (uint32_t)dae->lists.count};
    name_element(dae, attributes, offsetof(fr__dae_id, geometry),
                 fr__dae_geometry_array_add(dae, &dae->geometries, geometry));
}

// ---------------------------------------------------------------------------------------------------------------
// Numbers

static void skip_space(const char **at, const char *end) {
    while (*at < end && fr__is_space(**at)) {
        (*at)++;
    }
}

// One more number, which ends as a word does.
static fr_number_result take_number(fr__dae *dae, const char **at, const char *end) {
    bool is_double = dae->reader->builder.is_double;
    double value = 0.0, *double_place = NULL;
    float single = 0.0f, *float_place = NULL;
    fr_number_result result = is_double ? fr_number_read(at, end, &value) : fr_number_read_float(at, end, &single);
    if (result != FR_NUMBER_OK) { return result; }
    if (*at < end && !fr__is_space(**at)) { return FR_NUMBER_MISSING; }
    if (is_double) {
        double_place = fr_double_array_push(&dae->doubles, 1);
        if (double_place != NULL) { *double_place = value; }
    } else {
        float_place = fr_float_array_push(&dae->floats, 1);
        if (float_place != NULL) { *float_place = single; }
    }
    if (double_place == NULL && float_place == NULL) { fr__dae_no_memory(dae); }
    return FR_NUMBER_OK;
}

void fr__dae_begin_floats(fr__dae *dae, const char **attributes) {
    fr__dae_array array = {.first = number_count(dae), .promised = fr__dae_whole(dae, attributes, "count", UINT64_MAX)};
    name_element(dae, attributes, offsetof(fr__dae_id, array), fr__dae_array_array_add(dae, &dae->arrays, array));
    dae->takes_text = true;
}

void fr__dae_end_floats(fr__dae *dae) {
    const char *at = fr__dae_text(dae), *end = at + dae->text.count;
    fr__dae_array *array = &dae->arrays.data[dae->arrays.count - 1];
    skip_space(&at, end);
    for (; at < end && dae->status == FR_OK; skip_space(&at, end)) {
        fr_number_result result = take_number(dae, &at, end);
        if (result == FR_NUMBER_OK) { continue; }
        fr__dae_fail(dae, result == FR_NUMBER_MISSING ? FR_ERROR_SYNTAX : FR_ERROR_NOT_FINITE,
                     "number %zu of this list is no number that floats have", number_count(dae) - array->first);
    }
    array->count = number_count(dae) - array->first;
    if (array->promised != UINT64_MAX && array->promised != array->count) {
        fr__dae_problem(dae, "a list of %llu numbers has %zu", (unsigned long long)array->promised, array->count);
    }
}

static bool push_whole(fr__dae *dae, fr_uint32_array *list, uint32_t value) {
    uint32_t *place = fr_uint32_array_push(list, 1);
    if (place == NULL) {
        fr__dae_no_memory(dae);
        return false;
    }
    *place = value;
    return true;
}

static void take_wholes(fr__dae *dae, fr_uint32_array *list) {
    const char *at = fr__dae_text(dae), *end = at + dae->text.count;
    skip_space(&at, end);
    for (; at < end; skip_space(&at, end)) {
        int64_t value = 0;
        if (!fr_number_read_whole(&at, end, &value) || (at < end && !fr__is_space(*at)) || value < 0 ||
            value > INT32_MAX) {
            fr__dae_fail(dae, FR_ERROR_SYNTAX, "an index is a whole number from 0");
            return;
        }
        if (!push_whole(dae, list, (uint32_t)value)) { return; }
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Sources

void fr__dae_begin_source(fr__dae *dae, const char **attributes) {
    fr__dae_source source = {.array_id = FR_NONE, .stride = 1, .components = {FR_NONE, FR_NONE, FR_NONE, FR_NONE}};
    name_element(dae, attributes, offsetof(fr__dae_id, source), fr__dae_source_array_add(dae, &dae->sources, source));
}

static fr__dae_source *last_source(fr__dae *dae) {
    return dae->sources.count > 0 ? &dae->sources.data[dae->sources.count - 1] : NULL;
}

void fr__dae_begin_accessor(fr__dae *dae, const char **attributes) {
    uint32_t array_id = fr__dae_target(dae, fr__xml_attribute(attributes, "source"));
    uint64_t stride = fr__dae_whole(dae, attributes, "stride", 1);
    fr__dae_source *source = last_source(dae);
    if (source == NULL) { return; }
    if (stride == 0 || stride > MAX_STRIDE) {
        fr__dae_problem(dae, "elements of %llu numbers are taken as of one", (unsigned long long)stride);
    }
    *source = (fr__dae_source){.array_id = array_id,
                               .stride = stride > 0 && stride <= MAX_STRIDE ? (uint32_t)stride : 1,
                               .offset = fr__dae_whole(dae, attributes, "offset", 0),
                               .count = fr__dae_whole(dae, attributes, "count", 0),
                               .components = {FR_NONE, FR_NONE, FR_NONE, FR_NONE}};
}

// A component by its usual name: coordinates, colours, coordinates of textures.
void fr__dae_begin_param(fr__dae *dae, const char **attributes) {
    static const char *const names[4] = {"XRSU", "YGTV", "ZBPW", "AQ"};
    const char *name = fr__xml_attribute(attributes, "name");
    fr__dae_source *source = last_source(dae);
    if (source == NULL || source->component_count >= source->stride) { return; }
    uint32_t at = source->component_count++;
    for (int k = 0; k < 4 && name != NULL && name[0] != '\0' && name[1] == '\0'; k++) {
        if (strchr(names[k], name[0]) != NULL) { source->components[k] = at; }
    }
}

void fr__dae_begin_vertices(fr__dae *dae, const char **attributes) {
    fr__dae_vertices vertices = {{FR_NONE, FR_NONE, FR_NONE, FR_NONE}};
    name_element(dae, attributes, offsetof(fr__dae_id, vertices),
                 fr__dae_vertices_array_add(dae, &dae->vertices, vertices));
}

// An input of vertices, or of a list of polygons. Of several of one kind the one of the lowest set counts.
void fr__dae_begin_input(fr__dae *dae, bool is_of_list, const char **attributes) {
    static const char *const names[2][FR__DAE_SEMANTIC_COUNT] = {{"POSITION", "NORMAL", "TEXCOORD", "COLOR"},
                                                                 {"VERTEX", "NORMAL", "TEXCOORD", "COLOR"}};
    const char *semantic = fr__xml_attribute(attributes, "semantic");
    uint32_t source = fr__dae_target(dae, fr__xml_attribute(attributes, "source"));
    uint64_t column = fr__dae_whole(dae, attributes, "offset", 0), set = fr__dae_whole(dae, attributes, "set", 0);
    if (semantic == NULL || source == FR_NONE) {
        fr__dae_problem(dae, "an input without a semantic and a source in this file is passed over");
        return;
    }
    if (is_of_list) {
        if (column > MAX_COLUMN) {
            fr__dae_fail(dae, FR_ERROR_CORRUPT, "an input at offset %llu", (unsigned long long)column);
            return;
        }
        fr__dae_list *list = &dae->lists.data[dae->lists.count - 1];
        if (column + 1 > list->stride) { list->stride = (uint32_t)column + 1; }
    }
    for (int k = 0; k < FR__DAE_SEMANTIC_COUNT; k++) {
        if (strcmp(semantic, names[is_of_list][k]) != 0) { continue; }
        if (!is_of_list) {
            dae->vertices.data[dae->vertices.count - 1].source_ids[k] = source;
        } else if (dae->inputs.source_ids[k] == FR_NONE || set < dae->inputs.sets[k]) {
            dae->inputs.source_ids[k] = source;
            dae->inputs.columns[k] = (uint32_t)column;
            dae->inputs.sets[k] = set;
        }
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Lists

void fr__dae_begin_list(fr__dae *dae, fr__dae_list_kind kind, const char **attributes) {
    const char *symbol = fr__xml_attribute(attributes, "material");
    fr__dae_list list = {.kind = kind,
                         .symbol = symbol != NULL ? fr__dae_name(dae, symbol) : FR_NONE,
                         .first_index = dae->indices.count,
                         .stride = 1,
                         .first_end = dae->ends.count,
                         .part = FR_NONE,
                         .controller = FR_NONE,
                         .promised = fr__dae_whole(dae, attributes, "count", UINT64_MAX)};
    fr__dae_list_array_add(dae, &dae->lists, list);
    dae->inputs = (fr__dae_inputs){.source_ids = {FR_NONE, FR_NONE, FR_NONE, FR_NONE}};
    dae->counts.count = 0;
}

// Ends hold numbers of indices until the list ends.
void fr__dae_end_indices(fr__dae *dae) {
    const fr__dae_list *list = &dae->lists.data[dae->lists.count - 1];
    take_wholes(dae, &dae->indices);
    size_t count = dae->indices.count - list->first_index;
    if (count >= FR_NONE) {
        fr__dae_fail(dae, FR_ERROR_LIMIT, "a list of %zu numbers", count);
    } else {
        push_whole(dae, &dae->ends, (uint32_t)count);
    }
}

void fr__dae_end_counts(fr__dae *dae) { take_wholes(dae, &dae->counts); }

fr__dae_stream fr__dae_find_stream(fr__dae *dae, uint32_t source_id, uint32_t column) {
    fr__dae_stream none = {.count = 0};
    uint32_t index = source_id != FR_NONE ? fr__dae_id_of(dae, source_id)->source : FR_NONE;
    if (index == FR_NONE) { return none; }
    fr__dae_source *source = &dae->sources.data[index];
    uint32_t array_index = source->array_id != FR_NONE ? fr__dae_id_of(dae, source->array_id)->array : FR_NONE;
    if (array_index == FR_NONE) { return none; }
    const fr__dae_array *array = &dae->arrays.data[array_index];

    fr__dae_stream stream = {.stride = source->stride, .component_count = source->component_count, .column = column};
    memcpy(stream.components, source->components, sizeof stream.components);
    // Components without names that are known stand in their order.
    uint32_t width = 0;
    for (uint32_t k = 0; k < 4; k++) {
        if (stream.components[k] != FR_NONE && stream.components[k] + 1 > width) { width = stream.components[k] + 1; }
    }
    if (width == 0) {
        width = source->component_count > 0 ? source->component_count : source->stride;
        width = width < 4 ? width : 4;
        stream.component_count = width;
        for (uint32_t k = 0; k < width; k++) {
            stream.components[k] = k;
        }
    }
    // Only as many elements as there are numbers for.
    uint64_t offset = source->offset;
    bool is_empty = offset > array->count || array->count - offset < width;
    uint64_t room = is_empty ? 0 : (array->count - offset - width) / source->stride + 1;
    uint64_t count = source->count < room ? source->count : room;
    if (source->count > room && !source->is_noted) {
        source->is_noted = true;
        fr__dae_problem(dae, "an accessor of %llu elements has numbers for %llu", (unsigned long long)source->count,
                        (unsigned long long)room);
    }
    if (is_empty) { return none; }
    stream.first = array->first + (size_t)offset;
    stream.count = count < FR_NONE ? (uint32_t)count : FR_NONE - 1;
    return stream;
}

// The streams of a list: its own, and those of its vertices where it has none.
static void find_streams(fr__dae *dae, fr__dae_list *list) {
    static const char *const names[FR__DAE_SEMANTIC_COUNT] = {"POSITION", "NORMAL", "TEXCOORD", "COLOR"};
    const fr__dae_inputs *inputs = &dae->inputs;
    uint32_t vertices_id = inputs->source_ids[FR__DAE_POSITION], column = inputs->columns[FR__DAE_POSITION];
    uint32_t index = vertices_id != FR_NONE ? fr__dae_id_of(dae, vertices_id)->vertices : FR_NONE;
    if (index == FR_NONE) { return; }
    const fr__dae_vertices *vertices = &dae->vertices.data[index];
    for (int k = 0; k < FR__DAE_SEMANTIC_COUNT; k++) {
        bool is_own = k != FR__DAE_POSITION && inputs->source_ids[k] != FR_NONE;
        uint32_t source_id = is_own ? inputs->source_ids[k] : vertices->source_ids[k];
        list->streams[k] = fr__dae_find_stream(dae, source_id, is_own ? inputs->columns[k] : column);
        if (source_id != FR_NONE && list->streams[k].count == 0) {
            fr__dae_problem(dae, "the source of %s is not there, or empty", names[k]);
        }
    }
}

// Whether every index leads to an element.
static bool are_inside(const fr__dae *dae, const fr__dae_list *list) {
    const uint32_t *indices = dae->indices.data + list->first_index;
    for (int k = 0; k < FR__DAE_SEMANTIC_COUNT; k++) {
        const fr__dae_stream *stream = &list->streams[k];
        for (size_t c = 0; c < list->corner_count && stream->count > 0; c++) {
            if (indices[c * list->stride + stream->column] >= stream->count) { return false; }
        }
    }
    return true;
}

// Whether each <p> has whole corners, enough for what it is; ends become numbers of corners.
static bool end_strips(fr__dae *dae, fr__dae_list *list) {
    uint32_t *ends = dae->ends.data + list->first_end, before = 0;
    uint32_t needed = list->kind == FR__DAE_LINE_STRIPS ? 2 : 3;
    for (uint32_t i = 0; i < list->end_count; i++) {
        if (ends[i] % list->stride != 0) { return false; }
        ends[i] /= list->stride;
        if (ends[i] - before < needed) { return false; }
        before = ends[i];
    }
    return list->end_count > 0;
}

// Polygons by their numbers of corners, which replace the end of the one <p>.
static bool end_polylist(fr__dae *dae, fr__dae_list *list) {
    const uint32_t *counts = dae->counts.data;
    uint64_t sum = 0;
    dae->ends.count = list->first_end;
    list->end_count = (uint32_t)dae->counts.count;
    uint32_t *ends = fr_uint32_array_push(&dae->ends, dae->counts.count);
    if (ends == NULL) {
        fr__dae_no_memory(dae);
        return true;
    }
    for (size_t i = 0; i < dae->counts.count; i++) {
        sum += counts[i];
        if (counts[i] == 0 || sum > list->corner_count) { return false; }
        ends[i] = (uint32_t)sum;
    }
    return sum == list->corner_count;
}

// Whether the numbers of a list fit one another.
static bool does_fit(fr__dae *dae, fr__dae_list *list) {
    size_t count = dae->indices.count - list->first_index;
    if (list->streams[FR__DAE_POSITION].count == 0 || count == 0 || count % list->stride != 0) { return false; }
    list->corner_count = (uint32_t)(count / list->stride);
    list->end_count = (uint32_t)(dae->ends.count - list->first_end);
    if (!are_inside(dae, list)) { return false; }
    switch (list->kind) {
    case FR__DAE_TRIANGLES: return list->end_count == 1 && list->corner_count % 3 == 0;
    case FR__DAE_LINES: return list->end_count == 1 && list->corner_count % 2 == 0;
    case FR__DAE_POLYLIST: return list->end_count == 1 && end_polylist(dae, list);
    default: return end_strips(dae, list);
    }
}

// How many polygons, strips or lines a list has.
static uint64_t item_count(const fr__dae_list *list) {
    if (list->kind == FR__DAE_TRIANGLES) { return list->corner_count / 3; }
    return list->kind == FR__DAE_LINES ? list->corner_count / 2 : list->end_count;
}

void fr__dae_end_list(fr__dae *dae, const char *name) {
    fr__dae_list *list = &dae->lists.data[dae->lists.count - 1];
    find_streams(dae, list);
    if (does_fit(dae, list)) {
        dae->geometries.data[dae->geometries.count - 1].list_count++;
        if (list->promised != UINT64_MAX && list->promised != item_count(list)) {
            fr__dae_problem(dae, "a list of %llu %s has %llu", (unsigned long long)list->promised, name,
                            (unsigned long long)item_count(list));
        }
        return;
    }
    if (dae->indices.count > list->first_index) {
        fr__dae_problem(dae, "a list of %s whose numbers do not fit is passed over", name);
    }
    dae->indices.count = list->first_index;
    dae->ends.count = list->first_end;
    dae->lists.count--;
}
