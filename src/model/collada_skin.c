// Skins of a Collada file: the joints and weights that controllers give the positions of a geometry, and the nodes that
// are the joints. A skin that does not fit is passed over with a warning; its geometry then stands as it lies.
#include "collada.h"
#include "model.h"

#include <math.h>
#include <string.h>

// The controller that is open.
static fr__dae_controller *open_controller(fr__dae *dae) { return &dae->controllers.data[dae->controllers.count - 1]; }

// ---------------------------------------------------------------------------------------------------------------
// While the file is read

void fr__dae_begin_names(fr__dae *dae, const char **attributes) {
    const char *id = fr__xml_attribute(attributes, "id");
    uint32_t name = id != NULL ? fr__dae_name(dae, id) : FR_NONE;
    fr__dae_words words = {.first = dae->joint_names.count};
    uint32_t index = fr__dae_words_array_add(dae, &dae->words, words);
    if (name != FR_NONE) { fr__dae_id_of(dae, name)->words = index; }
    dae->takes_text = true;
}

// Words of the text, each by its number among all names.
void fr__dae_end_names(fr__dae *dae) {
    char word[256];
    size_t length = 0;
    for (size_t i = 0; i <= dae->text.count && dae->status == FR_OK; i++) {
        char c = i < dae->text.count ? (char)dae->text.data[i] : ' ';
        if (!fr__is_space(c)) {
            if (length + 1 < sizeof word) { word[length++] = c; }
            continue;
        }
        if (length == 0) { continue; }
        word[length] = '\0';
        length = 0;
        uint32_t name = fr__dae_name(dae, word), *place = fr_uint32_array_push(&dae->joint_names, 1);
        if (place == NULL) { fr__dae_no_memory(dae); }
        if (place != NULL) { *place = name; }
    }
    fr__dae_words *words = &dae->words.data[dae->words.count - 1];
    words->count = dae->joint_names.count - words->first;
}

void fr__dae_begin_skin_input(fr__dae *dae, bool is_of_weights, const char **attributes) {
    const char *semantic = fr__xml_attribute(attributes, "semantic");
    uint32_t source = fr__dae_target(dae, fr__xml_attribute(attributes, "source"));
    uint64_t column = fr__dae_whole(dae, attributes, "offset", 0);
    fr__dae_controller *controller = open_controller(dae);
    if (semantic == NULL || source == FR_NONE || column > 31) { return; }
    if (is_of_weights && column + 1 > controller->stride) { controller->stride = (uint32_t)column + 1; }
    if (strcmp(semantic, "INV_BIND_MATRIX") == 0) { controller->bind_source = source; }
    if (strcmp(semantic, "WEIGHT") == 0) {
        controller->weight_source = source;
        controller->weight_column = (uint32_t)column;
    }
    if (strcmp(semantic, "JOINT") != 0) { return; }
    controller->joint_source = source;
    if (is_of_weights) { controller->joint_column = (uint32_t)column; }
}

// Whole numbers of the text; -1, a joint that stands for the geometry itself, becomes FR_NONE.
static void take_numbers(fr__dae *dae, fr__dae_slice *slice) {
    const char *at = fr__dae_text(dae), *end = at + dae->text.count;
    slice->first = dae->skin_numbers.count;
    for (;;) {
        int64_t value = 0;
        while (at < end && fr__is_space(*at)) {
            at++;
        }
        if (at >= end) { break; }
        if (!fr_number_read_whole(&at, end, &value) || value < -1 || value > INT32_MAX) {
            fr__dae_problem(dae, "a number of a skin is no whole number; the skin is passed over");
            dae->skin_numbers.count = slice->first;
            break;
        }
        uint32_t *place = fr_uint32_array_push(&dae->skin_numbers, 1);
        if (place == NULL) {
            fr__dae_no_memory(dae);
            break;
        }
        *place = value < 0 ? FR_NONE : (uint32_t)value;
    }
    slice->count = dae->skin_numbers.count - slice->first;
}

void fr__dae_end_skin_counts(fr__dae *dae) { take_numbers(dae, &open_controller(dae)->counts); }

void fr__dae_end_skin_indices(fr__dae *dae) { take_numbers(dae, &open_controller(dae)->indices); }

// The node that joints are looked for in: of the use that was begun last.
void fr__dae_end_skeleton(fr__dae *dae) {
    char url[256];
    const char *text = fr__dae_text(dae);
    size_t length = 0;
    for (size_t i = 0; i < dae->text.count && length + 1 < sizeof url; i++) {
        if (!fr__is_space(text[i])) { url[length++] = text[i]; }
    }
    url[length] = '\0';
    uint32_t root = fr__dae_target(dae, url);
    if (root == FR_NONE || dae->uses.count == 0) { return; }
    fr__dae_use *use = &dae->uses.data[dae->uses.count - 1];
    if (use->skeleton == FR_NONE) { use->skeleton = root; }
}

// ---------------------------------------------------------------------------------------------------------------
// Weights

static double number_at(const fr__dae *dae, size_t at) {
    return dae->reader->builder.is_double ? dae->doubles.data[at] : (double)dae->floats.data[at];
}

static const fr__dae_words *words_of(fr__dae *dae, uint32_t source_id) {
    uint32_t source = source_id != FR_NONE ? fr__dae_id_of(dae, source_id)->source : FR_NONE;
    uint32_t array = source != FR_NONE ? dae->sources.data[source].array_id : FR_NONE;
    uint32_t words = array != FR_NONE ? fr__dae_id_of(dae, array)->words : FR_NONE;
    return words != FR_NONE ? &dae->words.data[words] : NULL;
}

// The bones of one position, from the index `begin` of the controller on; false where a number does not fit.
static bool read_position(const fr__dae *dae, const fr__dae_controller *c, const fr__dae_stream *stream,
                          uint32_t bone_count, size_t begin, uint32_t count, uint32_t *bones, float *weights) {
    const uint32_t *indices = dae->skin_numbers.data + c->indices.first;
    double sum = 0.0;
    for (uint32_t k = 0; k < count; k++) {
        uint32_t bone = indices[(begin + k) * c->stride + c->joint_column];
        uint32_t number = indices[(begin + k) * c->stride + c->weight_column];
        if (bone == FR_NONE) { continue; }
        if (bone >= bone_count || number >= stream->count) { return false; }
        double weight = number_at(dae, stream->first + (size_t)number * stream->stride + stream->components[0]);
        if (!(weight >= 0.0 && weight <= 1e6)) { return false; }
        fr__add_influence(bones, weights, 0, bone, (float)weight);
    }
    for (uint32_t k = 0; k < FR_SKIN_MAX_INFLUENCES; k++) {
        sum += (double)weights[k];
    }
    for (uint32_t k = 0; k < FR_SKIN_MAX_INFLUENCES && sum > 0.0; k++) {
        weights[k] = (float)((double)weights[k] / sum);
    }
    if (sum == 0.0) { weights[0] = 1.0f; }
    return true;
}

// How the vertices of a part are deformed; *is_whole is false where the numbers do not fit.
static fr_status deform_part(fr__dae *dae, const fr__dae_controller *c, const fr__dae_list *list, uint32_t bone_count,
                             bool *is_whole) {
    fr__builder *builder = &dae->reader->builder;
    fr__builder_part *part = builder->parts.data + list->part;
    fr__dae_stream stream = fr__dae_find_stream(dae, c->weight_source, c->weight_column);
    size_t vertices = list->origin_count, all = (size_t)FR_SKIN_MAX_INFLUENCES * vertices;
    const uint32_t *counts = dae->skin_numbers.data + c->counts.first;
    *is_whole = stream.count > 0 && stream.components[0] != FR_NONE && c->stride > 0 && vertices > 0;
    if (!*is_whole) { return FR_OK; }
    uint32_t *bones = fr__builder_alloc(builder, all, sizeof *bones, sizeof *bones);
    float *weights = fr__builder_alloc(builder, all, sizeof *weights, sizeof *weights);
    fr_model_deform *deform = fr__builder_alloc(builder, 1, sizeof *deform, _Alignof(fr_model_deform));
    size_t *begins = fr_arena_alloc(dae->arena, c->counts.count + 1, sizeof *begins, _Alignof(size_t));
    if (bones == NULL || weights == NULL || deform == NULL || begins == NULL) {
        return fr__reader_fail_building(dae->reader, NULL);
    }
    memset(bones, 0, all * sizeof *bones);
    memset(weights, 0, all * sizeof *weights);
    begins[0] = 0;
    for (size_t i = 0; i < c->counts.count; i++) {
        begins[i + 1] = begins[i] + (counts[i] != FR_NONE ? counts[i] : 0);
    }
    *is_whole = begins[c->counts.count] <= c->indices.count / c->stride;
    for (size_t v = 0; v < vertices && *is_whole; v++) {
        uint32_t position = dae->origins.data[list->first_origin + v];
        size_t at = FR_SKIN_MAX_INFLUENCES * v;
        *is_whole = position < c->counts.count &&
                    read_position(dae, c, &stream, bone_count, begins[position],
                                  (uint32_t)(begins[position + 1] - begins[position]), bones + at, weights + at);
    }
    *deform = (fr_model_deform){
        .influence_count = FR_SKIN_MAX_INFLUENCES, .bone_count = bone_count, .bones = bones, .weights = weights};
    if (*is_whole) { part->deform = deform; }
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// Joints

// Sets which node each name stands for as a joint, of a node and, where `is_deep`, all below it; or lets go. The depth
// is bounded by the check of the tree.
static void mark_joints(fr__dae *dae, uint32_t index, bool is_deep, bool is_marked) {
    const fr__dae_node *nodes = dae->nodes.data;
    uint32_t sid = nodes[index].sid;
    if (sid != FR_NONE) { fr__dae_id_of(dae, sid)->joint = is_marked ? index : FR_NONE; }
    for (uint32_t child = nodes[index].children.first; child != FR_NONE && is_deep; child = nodes[child].next) {
        mark_joints(dae, child, true, is_marked);
    }
}

// The nodes of the joints; false where one of them is not there.
static bool find_joints(fr__dae *dae, const fr__dae_use *use, const fr__dae_words *words, uint32_t *nodes) {
    uint32_t root = use->skeleton != FR_NONE ? fr__dae_id_of(dae, use->skeleton)->node : FR_NONE;
    size_t begin = root != FR_NONE ? root : 0, end = root != FR_NONE ? root + 1 : dae->nodes.count;
    bool is_whole = true;
    for (size_t i = begin; i < end; i++) {
        mark_joints(dae, (uint32_t)i, root != FR_NONE, true);
    }
    for (size_t b = 0; b < words->count; b++) {
        const fr__dae_id *id = fr__dae_id_of(dae, dae->joint_names.data[words->first + b]);
        uint32_t node = id->joint != FR_NONE ? id->joint : id->node;
        nodes[b] = node != FR_NONE ? dae->nodes.data[node].placed : FR_NONE;
        is_whole = is_whole && nodes[b] != FR_NONE;
    }
    for (size_t i = begin; i < end; i++) {
        mark_joints(dae, (uint32_t)i, root != FR_NONE, false);
    }
    return is_whole;
}

// Inverse binds times the bind shape, with which the geometry was placed before.
static bool fill_binds(fr__dae *dae, const fr__dae_controller *c, uint32_t count, double *binds) {
    fr__dae_stream stream = fr__dae_find_stream(dae, c->bind_source, 0);
    if (stream.count < count || stream.stride != 16) { return false; }
    for (uint32_t b = 0; b < count; b++) {
        double *m = binds + (size_t)12 * b;
        for (size_t k = 0; k < 12; k++) {
            m[k] = number_at(dae, stream.first + (size_t)16 * b + k);
        }
        if (c->bind != NULL) { fr__matrix_multiply(m, c->bind, m); }
    }
    return true;
}

// The skin of a use; *index is FR_NONE where it does not fit.
static fr_status make_skin(fr__dae *dae, const fr__dae_use *use, const fr__dae_controller *c, uint32_t *index) {
    fr__builder *builder = &dae->reader->builder;
    const fr__dae_words *words = words_of(dae, c->joint_source);
    *index = FR_NONE;
    if (words == NULL || words->count == 0 || words->count > FR_SKIN_MAX_BONES) { return FR_OK; }
    uint32_t count = (uint32_t)words->count;
    uint32_t *nodes = fr__builder_alloc(builder, count, sizeof *nodes, sizeof *nodes);
    double *binds = fr__builder_alloc(builder, count, 12 * sizeof *binds, _Alignof(double));
    if (nodes == NULL || binds == NULL) { return fr__reader_fail_building(dae->reader, NULL); }
    if (!find_joints(dae, use, words, nodes) || !fill_binds(dae, c, count, binds)) { return FR_OK; }
    fr_model_skin skin = {
        .name = c->name, .bone_count = count, .nodes = nodes, .inverse_binds = binds, .root = FR_NONE};
    uint32_t root = use->skeleton != FR_NONE ? fr__dae_id_of(dae, use->skeleton)->node : FR_NONE;
    if (root != FR_NONE) { skin.root = dae->nodes.data[root].placed; }
    fr_status status = fr__check_inverse_binds(&skin, &builder->allocator, NULL);
    if (status == FR_ERROR_MEMORY) { return fr__reader_fail_building(dae->reader, NULL); }
    if (status != FR_OK) { return FR_OK; }
    *index = fr__model_skin_array_add(&builder->skins, &skin);
    return *index != FR_NONE ? FR_OK : fr__reader_fail_building(dae->reader, NULL);
}

// Gives a node, which shows a list by a use of a controller, its skin.
static fr_status add_follower(fr__dae *dae, const fr__dae_follower *follower, uint64_t *walked) {
    fr__builder *builder = &dae->reader->builder;
    fr__dae_use *use = &dae->uses.data[follower->use];
    const fr__dae_controller *c = &dae->controllers.data[follower->controller];
    fr__dae_list *list = &dae->lists.data[follower->list];
    bool is_whole = true;
    if (use->skin == FR_NONE) {
        // Joints are looked for in the whole tree at worst: it is walked a bounded number of times.
        *walked += dae->nodes.count;
        if (*walked > builder->limits.nodes) { return FR_OK; }
        FR__TRY(make_skin(dae, use, c, &use->skin));
    }
    is_whole = use->skin != FR_NONE && (list->controller == FR_NONE || list->controller == follower->controller);
    if (is_whole && list->controller == FR_NONE) {
        FR__TRY(deform_part(dae, c, list, builder->skins.data[use->skin].bone_count, &is_whole));
        if (is_whole) { list->controller = follower->controller; }
    }
    if (is_whole) {
        builder->nodes.data[follower->node].skin = use->skin;
        return FR_OK;
    }
    if (dae->reader->input->is_strict) {
        return fr__cursor_fail(&dae->reader->cursor, use->at, FR_ERROR_CORRUPT,
                               "the skin of this instance has joints, weights or inverse binds that do not fit");
    }
    fr__reader_warn(dae->reader, use->at,
                    "a skin with joints, weights or inverse binds that do not fit is passed over");
    return FR_OK;
}

fr_status fr__dae_add_skins(fr__dae *dae) {
    uint64_t walked = 0;
    for (size_t i = 0; i < dae->followers.count; i++) {
        FR__TRY(add_follower(dae, &dae->followers.data[i], &walked));
    }
    return FR_OK;
}
