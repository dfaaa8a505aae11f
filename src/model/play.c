// A model as its tracks move it.
#include "play.h"

#include <math.h>
#include <string.h>

#define SKIN_BONE_BYTES 128u // that fr_skin_vertices takes a bone

static const double identity[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};

// ---------------------------------------------------------------------------------------------------------------
// Making

// All arrays have one element more than they need: there may be none that is needed.
static uint32_t *allocate_indices(const fr_allocator *allocator, uint32_t count) {
    uint32_t *indices = fr_allocate(allocator, (size_t)count + 1, sizeof *indices, _Alignof(uint32_t));
    for (uint32_t i = 0; indices != NULL && i < count; i++) {
        indices[i] = FR_NONE;
    }
    return indices;
}

// Marks what tracks move: for nodes with 0, for meshes with the last track of theirs.
static void mark_targets(fr_model_play *play) {
    const fr_model_view *view = &play->model->view;
    for (uint32_t i = 0; i < view->track_count; i++) {
        const fr_model_track *track = &view->tracks[i];
        if (fr__moves_placement(track->kind)) { play->slots[track->target] = 0; }
        if (track->kind == FR_MODEL_WEIGHTS) {
            play->next_weights[i] = play->node_weights[track->target];
            play->node_weights[track->target] = i;
        }
        if (track->kind != FR_MODEL_COORDINATES) { continue; }
        play->mesh_tracks[track->target] = i;
        uint32_t count = view->meshes[track->target].vertex_count;
        play->max_vertices = count > play->max_vertices ? count : play->max_vertices;
    }
}

static bool list_moved(fr_model_play *play) {
    const fr_model_view *view = &play->model->view;
    for (uint32_t i = 0; i < view->node_count; i++) {
        const fr_model_node *node = &view->nodes[i];
        bool is_placed = play->slots[i] != FR_NONE;
        uint32_t parent = node->parent != FR_NONE ? play->slots[node->parent] : FR_NONE;
        if (!is_placed && parent == FR_NONE) { continue; }
        fr__moved_node *moved = fr__moved_node_array_push(&play->moved, 1);
        if (moved == NULL) { return false; }
        *moved = (fr__moved_node){.parent = parent, .node = i, .is_placed = is_placed};
        if (parent == FR_NONE && node->parent != FR_NONE) {
            fr_model_node_matrix(play->model, node->parent, moved->above);
        } else {
            memcpy(moved->above, identity, sizeof identity);
        }
        play->slots[i] = (uint32_t)(play->moved.count - 1);
    }
    return true;
}

static size_t larger(size_t a, size_t b) { return a > b ? a : b; }

// What the largest mesh that follows bones or takes shapes needs.
static void measure_skins(fr_model_play *play) {
    const fr_model_view *view = &play->model->view;
    fr__played_skins *s = &play->skins;
    for (uint32_t i = 0; i < view->mesh_count; i++) {
        const fr_model_mesh *mesh = &view->meshes[i];
        fr_model_deform deform = fr__deform_of(mesh);
        if (deform.influence_count > 0) { s->max_bones = larger(s->max_bones, deform.bone_count); }
        s->max_targets = larger(s->max_targets, deform.target_count);
        if (deform.target_count > 0) { s->max_vertices = larger(s->max_vertices, mesh->vertex_count); }
    }
}

static fr_status make_skins(fr_model_play *play) {
    const fr_model_view *view = &play->model->view;
    const fr_allocator *allocator = &play->allocator;
    fr__played_skins *s = &play->skins;
    measure_skins(play);
    if (s->max_targets > 0) {
        s->shaped = fr_allocate(allocator, 3 * s->max_vertices + 1, sizeof(double), _Alignof(double));
        s->weights = fr_allocate(allocator, 2 * s->max_targets, sizeof(float), _Alignof(float));
        if (s->shaped == NULL || s->weights == NULL) { return FR_ERROR_MEMORY; }
    }
    if (s->max_bones == 0) { return FR_OK; }
    s->skins = fr_allocate(allocator, view->mesh_count, sizeof *s->skins, _Alignof(fr_skin *));
    if (s->skins == NULL) { return FR_ERROR_MEMORY; }
    memset(s->skins, 0, view->mesh_count * sizeof *s->skins);
    s->matrices = fr_allocate(allocator, 12 * s->max_bones, sizeof(double), _Alignof(double));
    if (s->matrices == NULL) { return FR_ERROR_MEMORY; }
    // All that the job takes for a linear blend, so that playing takes no memory.
    fr_status status = fr_arena_create(SKIN_BONE_BYTES * s->max_bones + 64, allocator, &s->scratch, NULL);
    for (uint32_t i = 0; i < view->mesh_count && status == FR_OK; i++) {
        const fr_model_mesh *mesh = &view->meshes[i];
        if (fr__deform_of(mesh).influence_count == 0 || mesh->vertex_count == 0) { continue; }
        status = fr__mesh_skin(mesh, allocator, &s->skins[i], NULL);
    }
    return status;
}

static void free_skins(const fr_model_play *play) {
    const fr__played_skins *s = &play->skins;
    uint32_t mesh_count = play->model->view.mesh_count;
    for (uint32_t i = 0; i < mesh_count && s->skins != NULL; i++) {
        fr_skin_release(s->skins[i]);
    }
    if (s->scratch != NULL) { fr_arena_destroy(s->scratch); }
    fr_deallocate(&play->allocator, s->matrices, 12 * s->max_bones, sizeof(double));
    fr_deallocate(&play->allocator, s->skins, mesh_count, sizeof *s->skins);
    fr_deallocate(&play->allocator, s->weights, 2 * s->max_targets, sizeof(float));
    fr_deallocate(&play->allocator, s->shaped, 3 * s->max_vertices + 1, sizeof(double));
}

static bool take_memory(fr_model_play *play) {
    const fr_model_view *view = &play->model->view;
    const fr_allocator *allocator = &play->allocator;
    play->fractions = fr_allocate(allocator, (size_t)view->clock_count + 1, sizeof(double), _Alignof(double));
    play->slots = allocate_indices(allocator, view->node_count);
    play->mesh_tracks = allocate_indices(allocator, view->mesh_count);
    play->node_weights = allocate_indices(allocator, view->node_count);
    play->next_weights = allocate_indices(allocator, view->track_count);
    if (play->fractions == NULL || play->slots == NULL || play->mesh_tracks == NULL || play->node_weights == NULL ||
        play->next_weights == NULL) {
        return false;
    }
    mark_targets(play);
    play->positions = fr_allocate(allocator, (size_t)3 * play->max_vertices + 1, sizeof(float), _Alignof(float));
    return play->positions != NULL && list_moved(play) && make_skins(play) == FR_OK && fr__play_find_bones(play);
}

fr_status fr_model_play_create(const fr_model *model, const fr_allocator *allocator, fr_model_play **out,
                               fr_error *error) {
    fr_allocator taken = fr_allocator_or_default(allocator);
    fr_model_play *play = fr_allocate(&taken, 1, sizeof *play, _Alignof(fr_model_play));
    *out = NULL;
    if (play == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory to play a model"); }
    *play = (fr_model_play){.model = model, .allocator = taken};
    play->moved = fr__moved_node_array_make(&taken);
    if (!take_memory(play)) {
        fr_model_play_destroy(play);
        return fr_error_set(error, FR_ERROR_MEMORY, "no memory to play a model");
    }
    *out = play;
    return FR_OK;
}

void fr_model_play_destroy(fr_model_play *play) {
    if (play == NULL) { return; }
    const fr_model_view *view = &play->model->view;
    fr_allocator allocator = play->allocator;
    free_skins(play);
    fr__play_free_bones(play);
    fr__moved_node_array_destroy(&play->moved);
    fr_deallocate(&allocator, play->positions, (size_t)3 * play->max_vertices + 1, sizeof(float));
    fr_deallocate(&allocator, play->next_weights, (size_t)view->track_count + 1, sizeof(uint32_t));
    fr_deallocate(&allocator, play->node_weights, (size_t)view->node_count + 1, sizeof(uint32_t));
    fr_deallocate(&allocator, play->mesh_tracks, (size_t)view->mesh_count + 1, sizeof(uint32_t));
    fr_deallocate(&allocator, play->slots, (size_t)view->node_count + 1, sizeof(uint32_t));
    fr_deallocate(&allocator, play->fractions, (size_t)view->clock_count + 1, sizeof(double));
    fr_deallocate(&allocator, play, 1, sizeof *play);
}

// ---------------------------------------------------------------------------------------------------------------
// Playing

// Where the clocks stand; whether one of them went on.
static bool read_clocks(fr_model_play *play, double time) {
    const fr_model_view *view = &play->model->view;
    bool is_changed = !play->is_set;
    play->is_set = true;
    for (uint32_t i = 0; i < view->clock_count; i++) {
        const fr_model_clock *clock = &view->clocks[i];
        double fraction = fr_model_clock_has_begun(clock, time) ? fr_model_clock_fraction(clock, time) : -1.0;
        is_changed = is_changed || fraction != play->fractions[i];
        play->fractions[i] = fraction;
    }
    return is_changed;
}

bool fr_model_play_at(fr_model_play *play, double time) {
    const fr_model_view *view = &play->model->view;
    if (!read_clocks(play, time)) { return false; }
    fr__moved_node *moved = play->moved.data;
    for (size_t i = 0; i < play->moved.count; i++) {
        if (moved[i].is_placed) { moved[i].placement = view->placements[view->nodes[moved[i].node].placement]; }
    }
    for (uint32_t i = 0; i < view->track_count; i++) {
        const fr_model_track *track = &view->tracks[i];
        double fraction = play->fractions[track->clock];
        if (!fr__moves_placement(track->kind) || fraction < 0.0) { continue; }
        fr_model_placement *placement = &moved[play->slots[track->target]].placement;
        if (track->kind == FR_MODEL_QUATERNION) {
            placement->rotation = fr__track_turn(track, fraction);
            continue;
        }
        float values[4] = {0};
        fr_model_track_value(track, fraction, values);
        fr__set_placement(placement, track->kind, values);
    }
    for (size_t i = 0; i < play->moved.count; i++) {
        fr__moved_node *m = &moved[i];
        const double *above = m->parent != FR_NONE ? moved[m->parent].matrix : m->above;
        double placed[12];
        const double *own = view->nodes[m->node].transform;
        if (m->is_placed) { fr_model_placement_matrix(&m->placement, placed); }
        if (m->is_placed) { own = placed; }
        if (own != NULL) {
            fr__matrix_multiply(above, own, m->matrix);
        } else {
            memcpy(m->matrix, above, sizeof m->matrix);
        }
    }
    return true;
}

bool fr_model_play_moves(const fr_model_play *play, uint32_t node) {
    const fr_model_view *view = &play->model->view;
    uint32_t mesh = view->nodes[node].mesh, skin = view->nodes[node].skin;
    if (mesh != FR_NONE && play->mesh_tracks[mesh] != FR_NONE) { return true; }
    for (uint32_t b = 0; skin != FR_NONE && b < view->skins[skin].bone_count; b++) {
        if (play->slots[view->skins[skin].nodes[b]] != FR_NONE) { return true; }
    }
    return play->slots[node] != FR_NONE || play->node_weights[node] != FR_NONE;
}

void fr_model_play_matrix(const fr_model_play *play, uint32_t node, double matrix[12]) {
    FR_ASSERT(play->is_set);
    uint32_t slot = play->slots[node];
    if (slot == FR_NONE) {
        fr_model_node_matrix(play->model, node, matrix);
    } else {
        memcpy(matrix, play->moved.data[slot].matrix, 12 * sizeof *matrix);
    }
}

// The weights of the shapes of a node's mesh, as the file or tracks give them: what a further track changes from rest
// is added. NULL where there are none.
static const float *find_weights(fr_model_play *play, uint32_t node, const fr_model_deform *deform) {
    const fr_model_view *view = &play->model->view;
    float *sum = play->skins.weights, *one = play->skins.weights + play->skins.max_targets;
    bool is_first = true;
    for (uint32_t i = play->node_weights[node]; i != FR_NONE; i = play->next_weights[i]) {
        double fraction = play->fractions[view->tracks[i].clock];
        if (fraction < 0.0) { continue; }
        fr_model_track_value(&view->tracks[i], fraction, is_first ? sum : one);
        for (uint32_t k = 0; k < deform->target_count && !is_first; k++) {
            sum[k] += one[k] - (deform->target_weights != NULL ? deform->target_weights[k] : 0.0f);
        }
        is_first = false;
    }
    return is_first ? deform->target_weights : sum;
}

// The positions of a mesh with the shapes that have weight.
static void add_shapes(fr_model_play *play, uint32_t node, fr_model_mesh *mesh) {
    const float *weights = find_weights(play, node, mesh->deform);
    if (weights == NULL) { return; }
    double *shaped = play->skins.shaped;
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        fr_vec3 p = fr__morphed_position(mesh, weights, v);
        shaped[(size_t)3 * v] = p.x;
        shaped[(size_t)3 * v + 1] = p.y;
        shaped[(size_t)3 * v + 2] = p.z;
    }
    mesh->positions_float = NULL;
    mesh->positions_double = shaped;
}

// The vertices of a mesh as the bones of a skin take them; false where their numbers are too large.
static bool follow_bones(fr_model_play *play, const fr_model_skin *bones, const fr_skin *skin,
                         const fr_model_mesh *mesh, fr_vec3 *out) {
    double *matrices = play->skins.matrices;
    for (uint32_t b = 0; b < mesh->deform->bone_count; b++) {
        double matrix[12];
        fr_model_play_matrix(play, bones->nodes[b], matrix);
        fr__matrix_multiply(matrix, bones->inverse_binds + (size_t)12 * b, matrices + (size_t)12 * b);
    }
    fr_skin_input input = fr_default_skin_input();
    input.skin = skin;
    input.matrices = matrices;
    input.bone_count = mesh->deform->bone_count;
    input.positions_float = mesh->positions_float;
    input.positions_double = mesh->positions_double;
    input.scratch = play->skins.scratch;
    fr_skin_output output = {.vertices = out};
    return fr_skin_vertices(&input, &output, NULL) == FR_OK;
}

void fr_model_play_vertices(fr_model_play *play, uint32_t node, fr_vec3 *out) {
    const fr_model_view *view = &play->model->view;
    uint32_t index = view->nodes[node].mesh, skin = view->nodes[node].skin;
    FR_ASSERT(index != FR_NONE);
    fr_model_mesh mesh = view->meshes[index];
    uint32_t track = play->mesh_tracks[index];
    double fraction = track != FR_NONE ? play->fractions[view->tracks[track].clock] : -1.0;
    if (fraction >= 0.0) {
        fr_model_track_value(&view->tracks[track], fraction, play->positions);
        mesh.positions_float = play->positions;
        mesh.positions_double = NULL;
    }
    if (fr__deform_of(&mesh).target_count > 0) { add_shapes(play, node, &mesh); }
    if (skin != FR_NONE && play->skins.skins[index] != NULL &&
        follow_bones(play, &view->skins[skin], play->skins.skins[index], &mesh, out)) {
        return;
    }
    fr__placed placed = {.mesh = &mesh, .is_moved = true};
    fr_model_play_matrix(play, node, placed.matrix);
    for (uint32_t v = 0; v < mesh.vertex_count; v++) {
        out[v] = fr__placed_position(&placed, v);
    }
}
