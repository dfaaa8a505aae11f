// A model that is played by bones: which nodes take its parts along, and where they are. Bones are poses, so nothing
// above them may stretch along one axis more than along another.
#include "part_mesh.h"
#include "play.h"

#include <math.h>
#include <string.h>

// How much more a bone may stretch along one axis than along another, of its scale: exporters round scales to floats,
// and a chain of joints multiplies them. A vertex is off by at most this times its distance from the bone.
#define MAX_STRETCH 0x1p-16

static const double identity[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};

// ---------------------------------------------------------------------------------------------------------------
// What stretches

static fr_vec3 column_of(const double m[12], int i) { return fr_vec3_make(m[i], m[4 + i], m[8 + i]); }

// By how much a matrix is none of a turn and one scale, of the scale; infinite where it mirrors or flattens.
static double stretch_of_matrix(const double m[12]) {
    const fr_vec3 c[3] = {column_of(m, 0), column_of(m, 1), column_of(m, 2)};
    double square = (fr_vec3_length_squared(c[0]) + fr_vec3_length_squared(c[1]) + fr_vec3_length_squared(c[2])) / 3.0;
    double largest = 0.0;
    for (int i = 0; i < 3; i++) {
        largest = fmax(largest, fabs(fr_vec3_length_squared(c[i]) - square));
        largest = fmax(largest, fabs(fr_vec3_dot(c[i], c[(i + 1) % 3])));
    }
    bool is_turn = fr__matrix_determinant(m) > 0.0 && square < FR_LENGTH_MAX && largest < square;
    return is_turn ? largest / square : (double)INFINITY;
}

// The same for scales along three axes.
static double stretch_of_scale(double x, double y, double z) {
    double low = fmin(x, fmin(y, z)), high = fmax(x, fmax(y, z));
    return low > 0.0 && high <= FR_LENGTH_MAX ? (high - low) / low : (double)INFINITY;
}

// What each node stretches by itself, at any time: between keys a scale stretches no more than at one of the two.
static void measure_own(const fr_model_play *play, double *stretch) {
    const fr_model_view *view = &play->model->view;
    for (uint32_t i = 0; i < view->node_count; i++) {
        const fr_model_node *node = &view->nodes[i];
        uint32_t slot = play->slots[i];
        stretch[i] = 0.0;
        if (slot != FR_NONE && play->moved.data[slot].is_placed) {
            fr_vec3 scale = view->placements[node->placement].scale;
            stretch[i] = stretch_of_scale(scale.x, scale.y, scale.z);
        } else if (node->transform != NULL) {
            stretch[i] = stretch_of_matrix(node->transform);
        }
    }
    for (uint32_t i = 0; i < view->track_count; i++) {
        const fr_model_track *track = &view->tracks[i];
        for (uint32_t k = 0; track->kind == FR_MODEL_SCALE && k < track->key_count; k++) {
            const float *v = track->values + (size_t)3 * k;
            double own = stretch_of_scale((double)v[0], (double)v[1], (double)v[2]);
            stretch[track->target] = fmax(stretch[track->target], own);
        }
    }
}

// Parents come before their children.
static void add_parents(const fr_model_view *view, double *stretch) {
    for (uint32_t i = 0; i < view->node_count; i++) {
        uint32_t parent = view->nodes[i].parent;
        if (parent != FR_NONE) { stretch[i] += stretch[parent]; }
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Finding bones

static bool is_part(const fr_model_view *view, uint32_t node) {
    return fr__is_used(&view->nodes[node], FR_MODEL_TO_TOUCH) && view->meshes[view->nodes[node].mesh].face_count > 0;
}

// How many bones of its skin a node follows; 0: it has no skin.
static uint32_t followed_count(const fr_model_view *view, uint32_t node) {
    const fr_model_node *n = &view->nodes[node];
    return n->skin != FR_NONE ? fr__deform_of(&view->meshes[n->mesh]).bone_count : 0;
}

// Marks the bones of a part that moves; false where its shape changes, or poses cannot say where a bone is.
static bool mark_part(fr_model_play *play, uint32_t node, const double *stretch) {
    const fr_model_view *view = &play->model->view;
    const fr_model_node *n = &view->nodes[node];
    uint32_t count = followed_count(view, node), *places = play->bones.places;
    if (play->mesh_tracks[n->mesh] != FR_NONE || fr__deform_of(&view->meshes[n->mesh]).target_count > 0) {
        return false;
    }
    if (count == 0) {
        places[node] = node;
        return stretch[node] <= MAX_STRETCH;
    }
    const uint32_t *nodes = view->skins[n->skin].nodes;
    // A node that is two bones of one skin would need two inverse binds: marks of this part show it.
    for (uint32_t b = 0; b < count; b++) {
        if (places[nodes[b]] == view->node_count + node || !(stretch[nodes[b]] <= MAX_STRETCH)) { return false; }
        places[nodes[b]] = view->node_count + node;
    }
    return true;
}

// Marks the bones of all parts that move; false where vertices are to be played.
static bool mark_parts(fr_model_play *play, const double *stretch) {
    const fr_model_view *view = &play->model->view;
    bool has_skin = false;
    for (uint32_t i = 0; i < view->node_count; i++) {
        if (!is_part(view, i) || !fr_model_play_moves(play, i)) { continue; }
        if (!mark_part(play, i, stretch)) { return false; }
        has_skin = has_skin || followed_count(view, i) > 0;
    }
    return has_skin;
}

// Numbers the nodes that are marked.
static bool list_bones(fr_model_play *play) {
    const fr_model_view *view = &play->model->view;
    fr__played_bones *bones = &play->bones;
    uint32_t count = 0, next = 0;
    for (uint32_t i = 0; i < view->node_count; i++) {
        count += bones->places[i] != FR_NONE ? 1 : 0;
    }
    if (count > FR_SKIN_MAX_BONES) { return true; }
    bones->nodes = fr_allocate(&play->allocator, count, sizeof *bones->nodes, _Alignof(uint32_t));
    bones->parents = fr_allocate(&play->allocator, count, sizeof *bones->parents, _Alignof(uint32_t));
    bones->centers = fr_allocate(&play->allocator, count, sizeof *bones->centers, _Alignof(fr_vec3));
    bones->count = count;
    if (bones->nodes == NULL || bones->parents == NULL || bones->centers == NULL) { return false; }
    for (uint32_t i = 0; i < view->node_count; i++) {
        if (bones->places[i] == FR_NONE) { continue; }
        uint32_t above = view->nodes[i].parent, slot = play->slots[i];
        while (above != FR_NONE && bones->places[above] == FR_NONE) {
            above = view->nodes[above].parent;
        }
        bones->nodes[next] = i;
        bones->parents[next] = above != FR_NONE ? bones->places[above] : FR_NONE;
        // A joint that turns about its own centre then stays where it is in its parent's frame.
        bool is_placed = slot != FR_NONE && play->moved.data[slot].is_placed;
        bones->centers[next] =
            is_placed ? view->placements[view->nodes[i].placement].center : fr_vec3_make(0.0, 0.0, 0.0);
        bones->places[i] = next++;
    }
    return true;
}

bool fr__play_find_bones(fr_model_play *play) {
    const fr_model_view *view = &play->model->view;
    if (view->skin_count == 0) { return true; }
    size_t count = (size_t)view->node_count + 1;
    double *stretch = fr_allocate(&play->allocator, count, sizeof *stretch, _Alignof(double));
    play->bones.places = fr_allocate(&play->allocator, count, sizeof *play->bones.places, _Alignof(uint32_t));
    bool is_made = stretch != NULL && play->bones.places != NULL;
    if (is_made) {
        memset(play->bones.places, 0xff, count * sizeof *play->bones.places);
        measure_own(play, stretch);
        add_parents(view, stretch);
        if (mark_parts(play, stretch)) { is_made = list_bones(play); }
    }
    fr_deallocate(&play->allocator, stretch, count, sizeof *stretch);
    return is_made;
}

void fr__play_free_bones(fr_model_play *play) {
    const fr__played_bones *bones = &play->bones;
    size_t count = (size_t)play->model->view.node_count + 1;
    fr_deallocate(&play->allocator, bones->places, count, sizeof *bones->places);
    fr_deallocate(&play->allocator, bones->nodes, bones->count, sizeof *bones->nodes);
    fr_deallocate(&play->allocator, bones->parents, bones->count, sizeof *bones->parents);
    fr_deallocate(&play->allocator, bones->centers, bones->count, sizeof *bones->centers);
}

// ---------------------------------------------------------------------------------------------------------------
// Skins

bool fr__play_is_boned(const fr_model_play *play, uint32_t node) {
    return play->bones.count > 0 && is_part(&play->model->view, node) && fr_model_play_moves(play, node);
}

// What a definition of a skin points to.
typedef struct skin_lists {
    double *inverse_binds;
    const char **names;
    uint32_t *bones;
    float *weights; // of a part that follows one bone
} skin_lists;

// The bones that the vertices of a node follow, in the numbers of all bones.
static void fill_influences(const fr_model_play *play, uint32_t node, fr_skin_def *def, const skin_lists *lists) {
    const fr_model_view *view = &play->model->view;
    const fr_model_deform *deform = view->meshes[view->nodes[node].mesh].deform;
    size_t all = (size_t)def->vertex_count * def->influence_count;
    for (size_t i = 0; i < all; i++) {
        bool is_skinned = lists->weights == NULL;
        uint32_t bone = is_skinned ? view->skins[view->nodes[node].skin].nodes[deform->bones[i]] : node;
        lists->bones[i] = play->bones.places[bone];
        if (!is_skinned) { lists->weights[i] = 1.0f; }
    }
    def->bones = lists->bones;
    def->weights = lists->weights != NULL ? lists->weights : deform->weights;
}

// A bone that the node does not follow gets the inverse bind of the identity.
static void fill_binds(const fr_model_play *play, uint32_t node, const skin_lists *lists) {
    const fr_model_view *view = &play->model->view;
    const fr__played_bones *bones = &play->bones;
    for (uint32_t b = 0; b < bones->count; b++) {
        memcpy(lists->inverse_binds + (size_t)12 * b, identity, sizeof identity);
        lists->names[b] = view->nodes[bones->nodes[b]].name;
    }
    uint32_t count = followed_count(view, node);
    const fr_model_skin *skin = count > 0 ? &view->skins[view->nodes[node].skin] : NULL;
    for (uint32_t b = 0; b < (skin != NULL ? count : 1); b++) {
        uint32_t bone = bones->places[skin != NULL ? skin->nodes[b] : node];
        double *bind = lists->inverse_binds + (size_t)12 * bone;
        if (skin != NULL) { memcpy(bind, skin->inverse_binds + (size_t)12 * b, sizeof identity); }
        bind[3] -= bones->centers[bone].x;
        bind[7] -= bones->centers[bone].y;
        bind[11] -= bones->centers[bone].z;
    }
}

static fr_status make_skin(const fr_model_play *play, uint32_t node, const fr_mesh *mesh, fr_arena *arena,
                           const fr_allocator *allocator, fr_skin **out, fr_error *error) {
    const fr_model_view *view = &play->model->view;
    uint32_t bone_count = play->bones.count;
    bool is_skinned = followed_count(view, node) > 0;
    fr_skin_def def = fr_default_skin_def();
    def.mesh = mesh;
    def.vertex_count = fr_mesh_get(mesh)->vertex_count;
    def.influence_count = is_skinned ? view->meshes[view->nodes[node].mesh].deform->influence_count : 1;
    def.bone_count = bone_count;
    def.parents = play->bones.parents;
    def.allocator = *allocator;
    size_t all = (size_t)def.vertex_count * def.influence_count;
    skin_lists lists = {fr_arena_alloc(arena, bone_count, sizeof identity, _Alignof(double)),
                        fr_arena_alloc(arena, bone_count, sizeof(char *), _Alignof(char *)),
                        fr_arena_alloc(arena, all, sizeof(uint32_t), _Alignof(uint32_t)), NULL};
    if (!is_skinned) { lists.weights = fr_arena_alloc(arena, all, sizeof(float), _Alignof(float)); }
    if (lists.inverse_binds == NULL || lists.names == NULL || lists.bones == NULL ||
        (!is_skinned && lists.weights == NULL)) {
        return fr_error_set(error, FR_ERROR_MEMORY, "no memory for the skin of a part");
    }
    fill_influences(play, node, &def, &lists);
    fill_binds(play, node, &lists);
    def.inverse_binds = lists.inverse_binds;
    def.names = lists.names;
    return fr_skin_create(&def, out, error);
}

fr_status fr__play_skin(const fr_model_play *play, uint32_t node, const fr_mesh *mesh, const fr_allocator *allocator,
                        fr_skin **out, fr_error *error) {
    fr_arena *arena;
    *out = NULL;
    fr_status status = fr_arena_create(0, allocator, &arena, error);
    if (status != FR_OK) { return status; }
    status = make_skin(play, node, mesh, arena, allocator, out, error);
    fr_arena_destroy(arena);
    return status;
}

// ---------------------------------------------------------------------------------------------------------------
// Poses

static fr_mat3 turn_of(const double m[12]) {
    return (fr_mat3){{{m[0], m[1], m[2]}, {m[4], m[5], m[6]}, {m[8], m[9], m[10]}}};
}

// The rotation nearest to a turn with nearly one scale, whose rows are about 1 long: the mean of a matrix and its
// transposed inverse (a step of the polar decomposition) squares what is left of the stretch, so two steps are enough.
static fr_mat3 nearest_rotation(fr_mat3 m) {
    for (int step = 0; step < 2; step++) {
        const fr_vec3 *r = m.row;
        const fr_vec3 opposite[3] = {fr_vec3_cross(r[1], r[2]), fr_vec3_cross(r[2], r[0]), fr_vec3_cross(r[0], r[1])};
        double inverse = 0.5 / fr_vec3_dot(r[0], opposite[0]);
        for (int i = 0; i < 3; i++) {
            m.row[i] = fr_vec3_add_scaled(fr_vec3_scale(0.5, m.row[i]), inverse, opposite[i]);
        }
    }
    return m;
}

// The pose of a matrix about a point; false where its numbers are too large or too small for one.
static bool pose_of(const double m[12], fr_vec3 center, fr_pose *out) {
    fr_mat3 turn = turn_of(m);
    double square = 0.0;
    for (int i = 0; i < 3; i++) {
        square += fr_vec3_length_squared(turn.row[i]);
    }
    double size = sqrt(square / 3.0);
    if (!(size >= FR_SCALE_MIN && size <= FR_SCALE_MAX)) { return false; }
    for (int i = 0; i < 3; i++) {
        turn.row[i] = fr_vec3_scale(1.0 / size, turn.row[i]);
    }
    fr_mat3 rotation = nearest_rotation(turn);
    double scale = 0.0;
    for (int i = 0; i < 3; i++) {
        scale += fr_vec3_dot(rotation.row[i], turn.row[i]);
    }
    out->rotation = fr_quat_from_mat3(rotation);
    out->scale = size * (scale / 3.0);
    fr__placed placed = {.is_moved = true};
    memcpy(placed.matrix, m, sizeof placed.matrix);
    out->position = fr__placed_point(&placed, center);
    return fr_pose_check(out, NULL) == FR_OK;
}

uint32_t fr_model_play_bone_count(const fr_model_play *play) { return play->bones.count; }

bool fr_model_play_bones(const fr_model_play *play, fr_pose *out) {
    const fr__played_bones *bones = &play->bones;
    for (uint32_t b = 0; b < bones->count; b++) {
        double matrix[12];
        fr_model_play_matrix(play, bones->nodes[b], matrix);
        if (!pose_of(matrix, bones->centers[b], &out[b])) { return false; }
    }
    return true;
}
