// The walk over a graph of VRML 1.0: every node is visited in order with the state that holds there, and what is shown
// is put into groups of VRML97. A node that USE names is walked once for each state that it is met under; what it came
// to is placed again where it comes again under the same state.
#include "inventor.h"
#include "model.h"

#include <math.h>
#include <string.h>

static const double identity[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};

// Nodes that may be visited: those of the file, some times over, and this many. A short file cannot ask for more.
#define FREE_STEPS (UINT64_C(1) << 18)
#define STEPS_A_NODE 16
// The same for corners that the file does not write one by one.
#define FREE_CORNERS (UINT64_C(1) << 20)
#define CORNERS_A_BYTE 4

static const fr__field placed_fields[] = {{.name = {"children", 8}, .type = FR__MFNODE}};
static const fr__vtype placed_type = {
    .name = "Group", .kind = FR__KIND_PLACED, .fields = placed_fields, .field_count = 1};

// Files that are read meanwhile raise the limits.
static void add_limits(fr__inventor *inventor, const fr__source *source) {
    uint64_t limit = inventor->vrml->reader->builder.limits.nodes;
    uint64_t steps = FREE_STEPS + STEPS_A_NODE * inventor->vrml->node_count;
    inventor->step_limit = steps < limit ? steps : limit;
    inventor->corner_limit += CORNERS_A_BYTE * (uint64_t)(source->cursor.end - source->cursor.begin);
}

static fr__inventor_frame *top_of(fr__inventor *inventor) { return inventor->frames.data + inventor->frames.count - 1; }

static fr_status count_step(fr__inventor *inventor, const char *at) {
    if (++inventor->step_count <= inventor->step_limit) { return FR_OK; }
    return fr__vrml_fail(inventor->vrml, at, FR_ERROR_LIMIT, "its instances come to more than %llu nodes, the limit",
                         (unsigned long long)inventor->step_limit);
}

fr_status fr__inventor_count_corners(fr__inventor *inventor, const fr__vnode *at, uint64_t count) {
    uint64_t left = inventor->corner_limit - inventor->corner_count;
    if (count > left) {
        return fr__vrml_fail(inventor->vrml, at->at, FR_ERROR_LIMIT,
                             "its shapes under different states come to more than %llu corners, the limit",
                             (unsigned long long)inventor->corner_limit);
    }
    inventor->corner_count += count;
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// Placing

static fr_status push_item(fr__inventor *inventor, fr__vnode *node, const double *matrix) {
    if (node == NULL) { return FR_OK; }
    fr__inventor_item *item = fr__inventor_item_array_push(&inventor->items, 1);
    if (item == NULL) { return fr__vrml_memory(inventor->vrml); }
    *item = (fr__inventor_item){node, matrix};
    return FR_OK;
}

// A matrix that lives as long as the model; NULL when there is no memory.
static const double *keep_matrix(fr__inventor *inventor, const double matrix[12]) {
    double *copy = fr__builder_alloc(&inventor->vrml->reader->builder, 12, sizeof *copy, _Alignof(double));
    if (copy != NULL) { memcpy(copy, matrix, 12 * sizeof *copy); }
    return copy;
}

// Puts a node where the open group is by now.
static fr_status place(fr__inventor *inventor, fr__vnode *node) {
    fr__inventor_frame *frame = top_of(inventor);
    if (node == NULL) { return FR_OK; }
    if (frame->is_moved && frame->placed == NULL) {
        frame->placed = keep_matrix(inventor, frame->matrix);
        if (frame->placed == NULL) { return fr__vrml_memory(inventor->vrml); }
    }
    return push_item(inventor, node, frame->placed);
}

static bool is_same_place(const fr__inventor_item *a, const fr__inventor_item *b) {
    bool is_moved = a->matrix != NULL && b->matrix != NULL;
    return a->matrix == b->matrix || (is_moved && memcmp(a->matrix, b->matrix, sizeof identity) == 0);
}

// A group of the items first .. last - 1, which all stand at the same place; `from` gives its name, where it has one.
static fr_status make_group(fr__inventor *inventor, const fr__vnode *from, bool has_name, size_t first, size_t last,
                            fr__vnode **group) {
    fr__maker maker = fr__maker_make(inventor, &placed_type, from, has_name);
    const fr__inventor_item *items = inventor->items.data;
    fr__vnode **nodes = fr__vrml_alloc(inventor->vrml, last - first, sizeof(fr__vnode *), _Alignof(fr__vnode *));
    if (nodes == NULL) { return fr__vrml_memory(inventor->vrml); }
    for (size_t i = first; i < last; i++) {
        nodes[i - first] = items[i].node;
    }
    fr__maker_nodes(&maker, "children", nodes, last - first);
    FR__TRY(fr__maker_end(&maker, group));
    (*group)->matrix = items[first].matrix;
    return FR_OK;
}

// Joins items that follow one another at the same place to one without a place of its own; items that stand where
// their parent does stay as they are.
static fr_status join_items(fr__inventor *inventor, const fr__vnode *from, size_t first_item) {
    size_t kept = first_item, count = inventor->items.count;
    for (size_t first = first_item, last; first < count; first = last) {
        fr__inventor_item *items = inventor->items.data;
        last = first + 1;
        if (items[first].matrix == NULL) {
            items[kept++] = items[first];
            continue;
        }
        while (last < count && is_same_place(&items[first], &items[last])) {
            last++;
        }
        fr__vnode *group;
        FR__TRY(make_group(inventor, from, false, first, last, &group));
        items[kept++] = (fr__inventor_item){group, NULL};
    }
    inventor->items.count = kept;
    return FR_OK;
}

// What a group came to; NULL where nothing in it is shown. Where all of it stands at one place the group has the
// matrix.
static fr_status close_items(fr__inventor *inventor, const fr__vnode *from, size_t first_item, bool has_name,
                             fr__vnode **group) {
    *group = NULL;
    const fr__inventor_item *items = inventor->items.data;
    size_t count = inventor->items.count;
    if (count == first_item) { return FR_OK; }
    bool is_one_place = true;
    for (size_t i = first_item + 1; i < count; i++) {
        is_one_place = is_one_place && is_same_place(&items[first_item], &items[i]);
    }
    if (!is_one_place) { FR__TRY(join_items(inventor, from, first_item)); }
    FR__TRY(make_group(inventor, from, has_name, first_item, inventor->items.count, group));
    inventor->items.count = first_item;
    return FR_OK;
}

static fr_status multiply(fr__inventor *inventor, const fr__vnode *at, const double matrix[12]) {
    fr__inventor_frame *frame = top_of(inventor);
    double product[12];
    if (frame->is_moved) {
        fr__matrix_multiply(frame->matrix, matrix, product);
    } else {
        memcpy(product, matrix, sizeof product);
    }
    for (int i = 0; i < 12; i++) {
        if (!isfinite(product[i])) {
            return fr__vrml_problem(inventor->vrml, at->at, "a transform that is not finite is passed over");
        }
    }
    memcpy(frame->matrix, product, sizeof product);
    frame->is_moved = memcmp(product, identity, sizeof identity) != 0;
    frame->placed = NULL;
    return FR_OK;
}

// Back to the frame of the model. What the open groups come to depends on where they stand then, and is not kept for
// other places.
static fr_status reset(fr__inventor *inventor, const fr__vnode *node) {
    bool is_unused = fr__inventor_is_ignored(node, "whatToReset");
    if (is_unused || !fr__inventor_has_word(node, "whatToReset", "TRANSFORM", true)) { return FR_OK; }
    double whole[12], inverse[12];
    memcpy(whole, identity, sizeof whole);
    for (size_t i = 0; i < inventor->frames.count; i++) {
        fr__inventor_frame *frame = inventor->frames.data + i;
        fr__matrix_multiply(whole, frame->matrix, whole);
        frame->memo = FR_NONE;
    }
    if (!fr__inventor_invert(whole, inverse)) {
        return fr__vrml_problem(inventor->vrml, node->at, "ResetTransform cannot undo a scale of 0");
    }
    return multiply(inventor, node, inverse);
}

// ---------------------------------------------------------------------------------------------------------------
// Groups

// The children of a Switch or an LOD that are taken.
static void set_choice(fr__inventor *inventor, fr__inventor_frame *frame) {
    uint32_t count = frame->child_count, level = inventor->vrml->reader->input->level;
    int64_t choice = -3; // all
    if (frame->node->type->kind == FR__INVENTOR_LOD) {
        choice = level < count ? (int64_t)level : (int64_t)count - 1;
    } else if (frame->node->type->kind == FR__INVENTOR_SWITCH) {
        choice = fr__value_whole(frame->node, "whichChild");
        inventor->inherited += choice == -2;
        if (choice == -2) { choice = inventor->state.choice; }
        inventor->state.choice = (int32_t)choice;
    }
    bool is_one = choice >= 0 && choice < (int64_t)count;
    frame->first = is_one ? (uint32_t)choice : 0;
    frame->end = is_one ? frame->first + 1 : choice == -3 ? count : 0;
    frame->next = frame->first;
}

static fr_status push_frame(fr__inventor *inventor, fr__inventor_frame *frame) {
    frame->entry = inventor->state;
    memcpy(frame->matrix, identity, sizeof identity);
    frame->placed = NULL;
    frame->first_item = inventor->items.count;
    frame->memo = FR_NONE;
    fr__inventor_frame *place = fr__inventor_frame_array_push(&inventor->frames, 1);
    if (place == NULL) { return fr__vrml_memory(inventor->vrml); }
    *place = *frame;
    return FR_OK;
}

// The memo of a group or file under the state; FR_NONE when there is no memory.
static uint32_t find_memo(fr__inventor *inventor, const void *group) {
    struct {
        const void *group;
        fr__inventor_state state;
    } key = {group, inventor->state};
    _Static_assert(sizeof key == sizeof key.group + sizeof key.state, "the key has no padding");
    bool is_new;
    uint32_t memo = fr__vrml_find_key(inventor->vrml, &inventor->group_keys, &key, sizeof key, &is_new);
    if (memo == FR_NONE || !is_new) { return memo; }
    fr__inventor_memo *place = fr__inventor_memo_array_push(&inventor->memos, 1);
    if (place == NULL) { return FR_NONE; }
    *place = (fr__inventor_memo){.node = NULL};
    return memo;
}

// Whether the transforms, and the other properties, in a group hold after it too.
static bool keeps_state(const fr__inventor_frame *frame) {
    fr__vkind kind = frame->node != NULL ? frame->node->type->kind : FR__INVENTOR_SEPARATOR;
    return kind == FR__INVENTOR_GROUP || kind == FR__INVENTOR_SWITCH || kind == FR__INVENTOR_LOD ||
           kind == FR__INVENTOR_TRANSFORM_SEPARATOR;
}
static bool keeps_transform(const fr__inventor_frame *frame) {
    return keeps_state(frame) && frame->node->type->kind != FR__INVENTOR_TRANSFORM_SEPARATOR;
}

// Places what a group came to, and leaves the state and the transforms that it does.
static fr_status place_group(fr__inventor *inventor, const fr__vnode *node, const fr__inventor_memo *done) {
    FR__TRY(place(inventor, done->node));
    inventor->state = done->state;
    return done->is_moved ? multiply(inventor, node, done->matrix) : FR_OK;
}

static bool is_array(const fr__vnode *node) {
    return node != NULL && (node->type->kind == FR__INVENTOR_ARRAY || node->type->kind == FR__INVENTOR_COPIES);
}

// A copy of an array begins as the array does; Switches in it may take its number.
static void begin_copy(fr__inventor *inventor, fr__inventor_frame *frame) {
    inventor->state = frame->entry;
    inventor->state.choice = frame->copy < INT32_MAX ? (int32_t)frame->copy : INT32_MAX;
    memcpy(frame->matrix, identity, sizeof identity);
    frame->is_moved = false;
    frame->placed = NULL;
    frame->next = frame->first;
    frame->copy_item = inventor->items.count;
    frame->inherited = inventor->inherited;
}

// Places the copy that was walked; where no Switch took its number, all others too. *is_last: there is none left.
static fr_status end_copy(fr__inventor *inventor, bool *is_last) {
    fr__inventor_frame *frame = top_of(inventor);
    uint64_t count = fr__inventor_copy_count(frame->node);
    uint64_t end = frame->inherited != inventor->inherited && frame->copy < count ? frame->copy + 1 : count;
    fr__vnode *one;
    FR__TRY(close_items(inventor, frame->node, frame->copy_item, false, &one));
    for (; one != NULL && frame->copy < end; frame->copy++) {
        FR__TRY(count_step(inventor, frame->node->at));
        double matrix[12];
        fr__inventor_copy_matrix(frame->node, frame->copy, matrix);
        const double *kept = keep_matrix(inventor, matrix);
        if (kept == NULL) { return fr__vrml_memory(inventor->vrml); }
        FR__TRY(push_item(inventor, one, kept));
    }
    frame->copy = end;
    *is_last = end == count;
    if (!*is_last) { begin_copy(inventor, frame); }
    return FR_OK;
}

static fr_status open_group(fr__inventor *inventor, fr__vnode *node) {
    fr__inventor_frame frame = {.node = node};
    const fr__value *children = fr__value_find(node, "children");
    if (children != NULL) {
        frame.children = children->nodes;
        frame.child_count = children->count;
    }
    uint32_t memo = FR_NONE;
    if ((node->flags & FR__NODE_USED) != 0) {
        memo = find_memo(inventor, node);
        if (memo == FR_NONE) { return fr__vrml_memory(inventor->vrml); }
        fr__inventor_memo done = inventor->memos.data[memo];
        if (done.is_done) { return place_group(inventor, node, &done); }
    }
    FR__TRY(push_frame(inventor, &frame));
    set_choice(inventor, top_of(inventor));
    top_of(inventor)->memo = memo;
    if (is_array(node)) { begin_copy(inventor, top_of(inventor)); }
    return FR_OK;
}

// The choices that are not taken, for callers that want them all: they begin as the group did and leave nothing.
static fr_status open_hidden(fr__inventor *inventor) {
    fr__inventor_frame frame = *top_of(inventor);
    fr__inventor_state state = inventor->state;
    frame.is_hidden = true;
    frame.next = 0;
    frame.is_moved = false;
    inventor->state = frame.entry;
    FR__TRY(push_frame(inventor, &frame));
    top_of(inventor)->entry = state;
    return FR_OK;
}

static fr_status close_hidden(fr__inventor *inventor) {
    fr__inventor_frame frame = *top_of(inventor);
    FR__TRY(join_items(inventor, frame.node, frame.first_item));
    size_t count = inventor->items.count - frame.first_item;
    fr__vnode **nodes = fr__vrml_alloc(inventor->vrml, count, sizeof(fr__vnode *), _Alignof(fr__vnode *));
    if (nodes == NULL) { return fr__vrml_memory(inventor->vrml); }
    for (size_t i = 0; i < count; i++) {
        nodes[i] = inventor->items.data[frame.first_item + i].node;
    }
    fr__maker maker = fr__maker_make(inventor, fr__vtype_find((fr__span){"Switch", 6}), frame.node, false);
    fr__maker_nodes(&maker, "choice", nodes, count);
    fr__vnode *hidden;
    FR__TRY(fr__maker_end(&maker, &hidden));
    inventor->items.count = frame.first_item;
    inventor->state = frame.entry;
    inventor->frames.count--;
    if (count == 0) { return FR_OK; }
    return push_item(inventor, hidden, NULL);
}

static fr_status close_group(fr__inventor *inventor) {
    if (is_array(top_of(inventor)->node)) {
        bool is_last = true;
        FR__TRY(end_copy(inventor, &is_last));
        if (!is_last) { return FR_OK; }
    }
    fr__inventor_frame frame = *top_of(inventor);
    if (frame.is_hidden) { return close_hidden(inventor); }
    fr__inventor_memo done = {.state = frame.entry, .is_done = true};
    const fr__vnode *from = frame.node;
    FR__TRY(close_items(inventor, from, frame.first_item, true, &done.node));
    if (keeps_state(&frame)) { done.state = inventor->state; }
    // The choice of a Switch holds inside of it alone.
    done.state.choice = frame.entry.choice;
    if (keeps_transform(&frame) && frame.is_moved) {
        done.is_moved = true;
        memcpy(done.matrix, frame.matrix, sizeof done.matrix);
    }
    if (frame.file != NULL) { frame.file->is_open = false; }
    if (frame.memo != FR_NONE) { inventor->memos.data[frame.memo] = done; }
    inventor->frames.count--;
    return place_group(inventor, frame.node, &done);
}

// ---------------------------------------------------------------------------------------------------------------
// Files

// The file that a WWWInline names; NULL, with a warning, where there is none.
static fr_status find_file(fr__inventor *inventor, fr__vnode *node, fr__source **source) {
    fr__vrml *vrml = inventor->vrml;
    *source = node->file;
    if (*source != NULL || (node->flags & FR__NODE_BUILT) != 0) { return FR_OK; }
    node->flags |= FR__NODE_BUILT;
    fr__span url = fr__value_string(node, "name");
    if (url.length == 0) { return FR_OK; }
    FR__TRY(fr__source_open(vrml, url, node->at, source));
    if (*source == NULL) { return FR_OK; }
    if (!(*source)->is_read) {
        FR__TRY(fr__source_read(vrml, *source));
        FR__TRY(fr__vrml_mark_targets(vrml));
        add_limits(inventor, *source);
    }
    if ((*source)->is_missing) { *source = NULL; }
    node->file = *source;
    return FR_OK;
}

// A file of VRML97 stands where it is named by an Inline that is read already.
static fr_status place_inline(fr__inventor *inventor, const fr__vnode *node, fr__source *source) {
    fr__maker maker = fr__maker_make(inventor, fr__vtype_find((fr__span){"Inline", 6}), node, true);
    fr__vnode *placed;
    FR__TRY(fr__maker_end(&maker, &placed));
    placed->file = source;
    return place(inventor, placed);
}

// The nodes of a file see the state that holds where it is named, and leave none.
static fr_status open_file(fr__inventor *inventor, fr__vnode *node) {
    fr__source *source;
    FR__TRY(find_file(inventor, node, &source));
    if (source == NULL) { return FR_OK; }
    if (!source->is_inventor) { return place_inline(inventor, node, source); }
    if (source->is_open) {
        return fr__vrml_problem(inventor->vrml, node->at, "the file would be read inside of itself");
    }
    uint32_t memo = find_memo(inventor, source);
    if (memo == FR_NONE) { return fr__vrml_memory(inventor->vrml); }
    fr__inventor_memo done = inventor->memos.data[memo];
    if (done.is_done) { return place_group(inventor, node, &done); }
    source->is_open = true;
    fr__inventor_frame frame = {.node = node,
                                .file = source,
                                .children = source->inventor_roots,
                                .child_count = source->inventor_root_count,
                                .end = source->inventor_root_count};
    FR__TRY(push_frame(inventor, &frame));
    top_of(inventor)->memo = memo;
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// Notes

// Cameras, lights and texts as VRML97 has them, once each: they stand at the top of the tree.
static fr_status keep_note(fr__inventor *inventor, fr__vnode *node) {
    if (node->made != NULL) { return FR_OK; }
    const char *name = node->type->name;
    bool is_info = fr__has_field(node, "string"), is_camera = fr__has_field(node, "position");
    if (is_info) { name = "WorldInfo"; }
    if (is_camera) { name = fr__has_field(node, "heightAngle") ? "Viewpoint" : "OrthoViewpoint"; }
    fr__maker maker = fr__maker_make(inventor, fr__vtype_find((fr__span){name, strlen(name)}), node, true);
    if (is_info) {
        fr__maker_copy(&maker, "title", node, "string");
    } else if (is_camera) {
        static const float position[3] = {0.0f, 0.0f, 1.0f}, angle[1] = {0.785398f};
        fr__maker_floats(&maker, "position", position, 1);
        fr__maker_copy(&maker, "position", node, "position");
        fr__maker_copy(&maker, "orientation", node, "orientation");
        if (fr__has_field(node, "heightAngle")) { fr__maker_floats(&maker, "fieldOfView", angle, 1); }
        fr__maker_copy(&maker, "fieldOfView", node, "heightAngle");
    } else {
        static const char *const fields[] = {"on", "intensity", "color", "direction", "location"};
        for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
            fr__maker_copy(&maker, fields[i], node, fields[i]);
        }
    }
    FR__TRY(fr__maker_end(&maker, &node->made));
    fr__vnode **place = fr__vnode_pointer_array_push(&inventor->notes, 1);
    if (place == NULL) { return fr__vrml_memory(inventor->vrml); }
    *place = node->made;
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// Properties

static fr_status set_binding(fr__inventor *inventor, const fr__vnode *node, uint8_t *binding) {
    *binding = (uint8_t)fr__inventor_binding(node, "value");
    if (*binding != FR__BIND_DEFAULT || fr__inventor_has_word(node, "value", "DEFAULT", true)) { return FR_OK; }
    if (fr__inventor_has_word(node, "value", "NONE", false)) { return FR_OK; }
    return fr__vrml_problem(inventor->vrml, node->at, "%s of a kind that is not known", node->type->name);
}

// Where a file gives none.
static float first_crease_angle(const fr__source *source) { return source->is_vrml1 ? 0.5f : 0.0f; }

static void set_hints(fr__inventor *inventor, const fr__vnode *node) {
    fr__inventor_state *state = &inventor->state;
    bool is_clockwise = fr__inventor_has_word(node, "vertexOrdering", "CLOCKWISE", false);
    bool is_ordered = is_clockwise || fr__inventor_has_word(node, "vertexOrdering", "COUNTERCLOCKWISE", false);
    state->is_clockwise = is_clockwise;
    state->is_solid = is_ordered && fr__inventor_has_word(node, "shapeType", "SOLID", false);
    state->crease_angle = fr__value_find(node, "creaseAngle") != NULL
                              ? fr__value_float(node, "creaseAngle")
                              : first_crease_angle(fr__vrml_source_of(inventor->vrml, node->at));
}

void fr__inventor_set_vertex_property(fr__inventor_state *state, fr__vnode *node) {
    if (fr__value_find(node, "vertex") != NULL) { state->coordinates = node; }
    if (fr__value_find(node, "texCoord") != NULL) { state->uvs = node; }
    if (fr__value_find(node, "normal") != NULL) {
        state->normals = node;
        state->normal_binding = (uint8_t)fr__inventor_binding(node, "normalBinding");
    }
    if (fr__value_find(node, "orderedRGBA") != NULL) {
        state->colors = node;
        state->material_binding = (uint8_t)fr__inventor_binding(node, "materialBinding");
    }
}

// Whether the field that a property is about is marked as not in use: then the property has no effect.
static bool is_unused(const fr__vnode *node) {
    static const char *const fields[] = {"point", "vector",   "rgb",   "orderedRGBA",
                                         "value", "filename", "style", "model"};
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        if (fr__inventor_is_ignored(node, fields[i])) { return true; }
    }
    return false;
}

static fr_status set_property(fr__inventor *inventor, fr__vnode *node) {
    fr__inventor_state *state = &inventor->state;
    if (is_unused(node)) { return FR_OK; }
    switch (node->type->kind) {
    case FR__INVENTOR_COORDINATE: state->coordinates = node; return FR_OK;
    case FR__INVENTOR_NORMAL: state->normals = node; return FR_OK;
    case FR__INVENTOR_UV: state->uvs = node; return FR_OK;
    case FR__INVENTOR_MATERIAL:
        state->material = node;
        if (!fr__inventor_is_ignored(node, "diffuseColor")) { state->colors = node; }
        return FR_OK;
    case FR__INVENTOR_COLOR: state->colors = node; return FR_OK;
    case FR__INVENTOR_VERTEX_PROPERTY: fr__inventor_set_vertex_property(state, node); return FR_OK;
    case FR__INVENTOR_MATERIAL_BINDING: return set_binding(inventor, node, &state->material_binding);
    case FR__INVENTOR_NORMAL_BINDING: return set_binding(inventor, node, &state->normal_binding);
    case FR__INVENTOR_TEXTURE: state->texture = node; return FR_OK;
    case FR__INVENTOR_TEXTURE_TRANSFORM: state->texture_transform = node; return FR_OK;
    case FR__INVENTOR_HINTS: set_hints(inventor, node); return FR_OK;
    case FR__INVENTOR_DRAW_STYLE:
        state->is_invisible = fr__inventor_has_word(node, "style", "INVISIBLE", false);
        return FR_OK;
    case FR__INVENTOR_LIGHT_MODEL:
        state->is_unlit = fr__inventor_has_word(node, "model", "BASE_COLOR", false);
        return FR_OK;
    default: return FR_OK;
    }
}

// ---------------------------------------------------------------------------------------------------------------
// The whole

static fr_status visit(fr__inventor *inventor, fr__vnode *node) {
    fr__vkind kind = node->type->kind;
    if (fr__inventor_is_group(kind)) { return open_group(inventor, node); }
    if (fr__inventor_is_shape(kind)) {
        if (inventor->state.is_invisible) { return FR_OK; }
        fr__vnode *shape;
        FR__TRY(fr__inventor_shape(inventor, node, &shape));
        return place(inventor, shape);
    }
    switch (kind) {
    case FR__INVENTOR_INLINE: return open_file(inventor, node);
    case FR__INVENTOR_RESET: return reset(inventor, node);
    case FR__INVENTOR_NOTE: return keep_note(inventor, node);
    case FR__INVENTOR_TEXT:
        fr__vrml_warn(inventor->vrml, node->at, "%s is passed over: letters have no polygons here", node->type->name);
        return FR_OK;
    case FR__INVENTOR_UNITS:
    case FR__INVENTOR_TRANSFORM:
    case FR__INVENTOR_ROTATION_XYZ:
    case FR__INVENTOR_MATRIX: {
        double matrix[12];
        bool is_moved;
        FR__TRY(fr__inventor_matrix(inventor, node, matrix, &is_moved));
        return is_moved ? multiply(inventor, node, matrix) : FR_OK;
    }
    default: return set_property(inventor, node);
    }
}

// The next child of the open group, or its end. Those that are not taken cost nothing unless they are wanted.
static fr_status step(fr__inventor *inventor) {
    fr__inventor_frame *frame = top_of(inventor);
    if (frame->is_hidden && frame->next == frame->first) { frame->next = frame->end; }
    if (frame->next < (frame->is_hidden ? frame->child_count : frame->end)) {
        fr__vnode *child = frame->children[frame->next++];
        FR__TRY(count_step(inventor, child->at));
        return visit(inventor, child);
    }
    bool has_others = !frame->is_hidden && !frame->has_hidden && frame->end - frame->first < frame->child_count;
    if (has_others && inventor->vrml->reader->input->has_all_choices) {
        frame->has_hidden = true;
        return open_hidden(inventor);
    }
    return close_group(inventor);
}

// What the file came to: at the top each place has a group of its own.
static fr_status keep_roots(fr__inventor *inventor, fr__source *source) {
    if (source->inventor_root_count > 0) { FR__TRY(join_items(inventor, source->inventor_roots[0], 0)); }
    size_t count = inventor->items.count, note_count = inventor->notes.count;
    fr__vnode **roots = fr__vrml_alloc(inventor->vrml, count + note_count, sizeof(fr__vnode *), _Alignof(fr__vnode *));
    if (roots == NULL) { return fr__vrml_memory(inventor->vrml); }
    for (size_t i = 0; i < count; i++) {
        roots[i] = inventor->items.data[i].node;
    }
    for (size_t i = 0; i < note_count; i++) {
        roots[count + i] = inventor->notes.data[i];
    }
    source->roots = roots;
    source->root_count = (uint32_t)(count + note_count);
    source->is_open = false;
    return FR_OK;
}

static fr_status walk(fr__inventor *inventor, fr__source *source) {
    source->is_open = true;
    inventor->state = (fr__inventor_state){.crease_angle = first_crease_angle(source), .choice = -1};
    fr__inventor_frame frame = {.file = source,
                                .children = source->inventor_roots,
                                .child_count = source->inventor_root_count,
                                .end = source->inventor_root_count};
    FR__TRY(push_frame(inventor, &frame));
    while (inventor->frames.count > 1 || top_of(inventor)->next < top_of(inventor)->child_count) {
        if ((inventor->step_count & 0xfff) == 0 && fr_control_is_stopped(inventor->vrml->reader->cursor.control)) {
            return fr__vrml_fail(inventor->vrml, NULL, FR_ERROR_STOPPED, "reading was stopped");
        }
        FR__TRY(step(inventor));
    }
    return keep_roots(inventor, source);
}

fr_status fr__inventor_lower(fr__vrml *vrml, fr__source *source) {
    if (!source->is_inventor || source->roots != NULL) { return FR_OK; }
    const fr_allocator *allocator = &vrml->reader->builder.allocator;
    fr__inventor inventor = {.vrml = vrml,
                             .frames = fr__inventor_frame_array_make(allocator),
                             .items = fr__inventor_item_array_make(allocator),
                             .group_keys = fr__names_make(allocator),
                             .memos = fr__inventor_memo_array_make(allocator),
                             .keys = fr__names_make(allocator),
                             .made = fr__vnode_pointer_array_make(allocator),
                             .notes = fr__vnode_pointer_array_make(allocator),
                             .corner_limit = FREE_CORNERS};
    add_limits(&inventor, source);
    fr_status status = walk(&inventor, source);
    fr__inventor_frame_array_destroy(&inventor.frames);
    fr__inventor_item_array_destroy(&inventor.items);
    fr__names_free(&inventor.group_keys);
    fr__inventor_memo_array_destroy(&inventor.memos);
    fr__names_free(&inventor.keys);
    fr__vnode_pointer_array_destroy(&inventor.made);
    fr__vnode_pointer_array_destroy(&inventor.notes);
    return status;
}
