// Figures of bodies: the skin of the template scaled to a skeleton, as a mesh with a skin, colours and rigid pieces.
#include "human/figure.h"

#include <stdatomic.h>
#include <string.h>

#define FIGURE_DEF_COOKIE 0x46494755u

struct fr_figure {
    atomic_uint references;
    fr_figure_view view;
    fr_allocator allocator;
    fr_pose *binds;
    fr_color *colors;
    uint32_t *mirrored;
    uint32_t link_count, triangle_count, vertex_count;
};

fr_figure_def fr_default_figure_def(void) {
    fr_figure_def def;
    memset(&def, 0, sizeof def);
    def.detail = FR_FIGURE_FINE;
    def.cookie = FIGURE_DEF_COOKIE;
    return def;
}

static fr_status check_def(const fr_figure_def *def, fr_error *error) {
    if (def->cookie != FIGURE_DEF_COOKIE) { return fr_error_set_cookie(error, "fr_default_figure_def"); }
    if (def->skeleton == NULL) { return fr_error_set(error, FR_ERROR_ARGUMENT, "a figure needs a skeleton"); }
    if (def->detail != FR_FIGURE_COARSE && def->detail != FR_FIGURE_FINE) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "a figure is coarse or fine");
    }
    if (!(def->curves >= 0.0 && def->curves <= 1.0)) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "curves of %g; 0 to 1 may be", def->curves);
    }
    const fr_skeleton_view *view = fr_skeleton_get(def->skeleton);
    for (uint32_t r = 0; r < FR_LINK_COUNT; r++) {
        if (view->roles[r] != FR_NO_LINK) { continue; }
        return fr_error_set(error, FR_ERROR_ARGUMENT, "no link of the skeleton has the role %s",
                            fr_link_h_anim_name((fr_link)r));
    }
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// The template

// The joints of the template's left side where it is bound.
static void find_joints(const fr_skeleton_view *view, const fr_pose *binds, fr__body_joints *joints) {
    joints->shoulder = binds[FR_LINK_LEFT_UPPER_ARM].position;
    joints->elbow = binds[FR_LINK_LEFT_FOREARM].position;
    joints->wrist = binds[FR_LINK_LEFT_PALM].position;
    joints->thigh = binds[FR_LINK_LEFT_THIGH].position;
    joints->knee = binds[FR_LINK_LEFT_SHIN].position;
    joints->ankle = binds[FR_LINK_LEFT_FOOT].position;
    for (uint32_t f = 0; f < FR__FINGER_COUNT; f++) {
        uint32_t first = f == 0 ? FR_LINK_LEFT_THUMB_1 : FR_LINK_LEFT_INDEX_1 + 3 * (f - 1), count = f == 0 ? 2 : 3;
        for (uint32_t k = 0; k < count; k++) {
            joints->fingers[f][k] = binds[first + k].position;
        }
        uint32_t last = first + count - 1;
        joints->fingers[f][count] = fr_pose_apply(&binds[last], view->tips[last]);
    }
}

// The four largest weights of a vertex, made to sum to 1.
static void choose_weights(const float *all, fr__figure_vertex *v) {
    memset(v->roles, 0, sizeof v->roles);
    memset(v->weights, 0, sizeof v->weights);
    for (uint32_t r = 0; r < FR_LINK_COUNT; r++) {
        float weight = all[r] > 0.01f ? all[r] : 0.0f;
        for (int k = 0; k < FR__FIGURE_INFLUENCES && weight > 0.0f; k++) {
            if (weight <= v->weights[k]) { continue; }
            memmove(&v->weights[k + 1], &v->weights[k], sizeof *v->weights * (size_t)(FR__FIGURE_INFLUENCES - 1 - k));
            memmove(&v->roles[k + 1], &v->roles[k], sizeof *v->roles * (size_t)(FR__FIGURE_INFLUENCES - 1 - k));
            v->weights[k] = weight;
            v->roles[k] = r;
            break;
        }
    }
    float sum = 0.0f;
    for (int k = 0; k < FR__FIGURE_INFLUENCES; k++) {
        sum += v->weights[k];
    }
    for (int k = 0; k < FR__FIGURE_INFLUENCES; k++) {
        v->weights[k] /= sum;
    }
}

static fr_status make_template(double curves, const fr_allocator *allocator, fr__figure_work *work, fr_error *error) {
    fr_body_def body = fr_default_body_def();
    body.allocator = *allocator;
    fr_skeleton *skeleton = NULL;
    fr_status status = fr_skeleton_create_body(&body, &skeleton, error);
    if (status == FR_OK) { status = fr__figure_bind(skeleton, work->template_binds, error); }
    if (status == FR_OK) {
        fr__body_joints joints = {.curves = curves};
        find_joints(fr_skeleton_get(skeleton), work->template_binds, &joints);
        fr__body_surface *surface = &work->surface;
        fr__body_surface_make(&joints, surface);
        fr__body_surface_weigh(&joints, surface);
        for (uint32_t i = 0; i < surface->half_count; i++) {
            fr__figure_vertex *left = &work->vertices[i], *right = &work->vertices[surface->vertices[i].twin];
            choose_weights(surface->weights[i], left);
            left->point = surface->vertices[i].point;
            if (right == left) { continue; }
            *right = *left;
            right->point.x = -left->point.x;
            for (int k = 0; k < FR__FIGURE_INFLUENCES; k++) {
                right->roles[k] = fr__link_twin(left->roles[k]);
            }
        }
    }
    fr_skeleton_release(skeleton);
    return status;
}

// ---------------------------------------------------------------------------------------------------------------
// The mesh and its skin

static fr_status make_mesh(fr__figure_work *work, fr_figure *figure, fr_error *error) {
    fr_mesh_def def = fr_default_mesh_def();
    def.positions_double = &work->positions[0][0];
    def.vertex_count = work->vertex_count;
    def.triangles = &work->triangles[0][0];
    def.triangle_count = work->triangle_count;
    def.allocator = figure->allocator;
    fr_mesh *mesh = NULL;
    fr_status status = fr_mesh_create(&def, &mesh, error);
    figure->view.mesh = mesh;
    return status;
}

// The rows of the inverse of a pose of scale 1.
static void inverse_rows(const fr_pose *pose, double rows[12]) {
    fr_pose inverse = fr_pose_inverse(pose);
    fr_mat3 turn = fr_quat_to_mat3(inverse.rotation);
    const double place[3] = {inverse.position.x, inverse.position.y, inverse.position.z};
    for (int r = 0; r < 3; r++) {
        rows[4 * r] = turn.row[r].x;
        rows[4 * r + 1] = turn.row[r].y;
        rows[4 * r + 2] = turn.row[r].z;
        rows[4 * r + 3] = place[r];
    }
}

static fr_status make_skin(fr__figure_work *work, const fr_skeleton_view *skeleton, fr_figure *figure,
                           fr_error *error) {
    for (uint32_t i = 0; i < skeleton->link_count; i++) {
        inverse_rows(&work->binds[i], work->inverse_binds[i]);
    }
    for (uint32_t i = 0; i < work->vertex_count; i++) {
        const fr__figure_vertex *v = &work->vertices[work->mesh_vertices[i]];
        for (int k = 0; k < FR__FIGURE_INFLUENCES; k++) {
            work->bones[i][k] = skeleton->roles[v->roles[k]];
            work->weights[i][k] = v->weights[k];
        }
    }
    fr_skin_def def = fr_default_skin_def();
    def.mesh = figure->view.mesh;
    def.vertex_count = work->vertex_count;
    def.bones = &work->bones[0][0];
    def.weights = &work->weights[0][0];
    def.influence_count = FR__FIGURE_INFLUENCES;
    def.bone_count = skeleton->link_count;
    def.inverse_binds = &work->inverse_binds[0][0];
    def.parents = skeleton->parents;
    def.names = skeleton->names;
    def.allocator = figure->allocator;
    fr_skin *skin = NULL;
    fr_status status = fr_skin_create(&def, &skin, error);
    figure->view.skin = skin;
    return status;
}

static fr_status copy_arrays(const fr__figure_work *work, const fr_skeleton_view *skeleton, fr_figure *figure,
                             fr_error *error) {
    figure->link_count = skeleton->link_count;
    figure->triangle_count = work->triangle_count;
    figure->vertex_count = work->vertex_count;
    figure->binds = fr_allocate(&figure->allocator, figure->link_count, sizeof *figure->binds, _Alignof(fr_pose));
    figure->colors =
        fr_allocate(&figure->allocator, figure->triangle_count, sizeof *figure->colors, _Alignof(fr_color));
    figure->mirrored =
        fr_allocate(&figure->allocator, figure->vertex_count, sizeof *figure->mirrored, _Alignof(uint32_t));
    if (figure->binds == NULL || figure->colors == NULL || figure->mirrored == NULL) {
        return fr_error_set(error, FR_ERROR_MEMORY, "out of memory for a figure");
    }
    memcpy(figure->binds, work->binds, figure->link_count * sizeof *figure->binds);
    memcpy(figure->colors, work->colors, figure->triangle_count * sizeof *figure->colors);
    for (uint32_t i = 0; i < figure->vertex_count; i++) {
        figure->mirrored[i] = work->numbers[work->surface.vertices[work->mesh_vertices[i]].twin];
    }
    figure->view.binds = figure->binds;
    figure->view.colors = figure->colors;
    figure->view.mirrored = figure->mirrored;
    figure->view.bytes = sizeof *figure + figure->link_count * sizeof *figure->binds +
                         figure->triangle_count * sizeof *figure->colors +
                         figure->vertex_count * sizeof *figure->mirrored;
    return FR_OK;
}

static fr_status fill_figure(const fr_figure_def *def, fr__figure_work *work, fr_figure *figure, fr_error *error) {
    const fr_skeleton_view *skeleton = fr_skeleton_get(def->skeleton);
    fr_status status = fr__figure_bind(def->skeleton, work->binds, error);
    if (status == FR_OK) { status = make_template(def->curves, &figure->allocator, work, error); }
    if (status != FR_OK) { return status; }
    fr__figure_warp(skeleton, work);
    fr__figure_triangulate(def, work);
    status = make_mesh(work, figure, error);
    if (status == FR_OK) { status = make_skin(work, skeleton, figure, error); }
    if (status == FR_OK) { status = copy_arrays(work, skeleton, figure, error); }
    if (status == FR_OK) { status = fr__figure_add_proxies(work, &figure->allocator, &figure->view, error); }
    return status;
}

static void free_figure(fr_figure *figure) {
    for (uint32_t i = 0; i < FR_FIGURE_PROXY_COUNT; i++) {
        fr_mesh_release(figure->view.proxies[i].mesh);
    }
    for (uint32_t i = 0; i < FR_FIGURE_PHALANX_COUNT; i++) {
        fr_mesh_release(figure->view.phalanxes[i].mesh);
    }
    fr_skin_release(figure->view.skin);
    fr_mesh_release(figure->view.mesh);
    fr_skeleton_release(figure->view.skeleton);
    fr_allocator allocator = figure->allocator;
    fr_deallocate(&allocator, figure->binds, figure->link_count, sizeof *figure->binds);
    fr_deallocate(&allocator, figure->colors, figure->triangle_count, sizeof *figure->colors);
    fr_deallocate(&allocator, figure->mirrored, figure->vertex_count, sizeof *figure->mirrored);
    fr_deallocate(&allocator, figure, 1, sizeof *figure);
}

// A shared figure is const; only its reference count changes.
static fr_figure *counted(const fr_figure *figure) {
    union {
        const fr_figure *shared;
        fr_figure *counted;
    } same = {figure};
    return same.counted;
}

fr_figure *fr_figure_retain(const fr_figure *figure) {
    FR_ASSERT(figure != NULL);
    fr_figure *mine = counted(figure);
    atomic_fetch_add_explicit(&mine->references, 1u, memory_order_relaxed);
    return mine;
}

void fr_figure_release(const fr_figure *figure) {
    if (figure == NULL) { return; }
    fr_figure *mine = counted(figure);
    if (atomic_fetch_sub_explicit(&mine->references, 1u, memory_order_acq_rel) != 1u) { return; }
    free_figure(mine);
}

fr_status fr_figure_create(const fr_figure_def *def, fr_figure **out, fr_error *error) {
    FR_ASSERT(def != NULL && out != NULL);
    *out = NULL;
    fr_status status = check_def(def, error);
    if (status != FR_OK) { return status; }
    fr_allocator allocator = fr_allocator_or_default(&def->allocator);
    fr_figure *figure = fr_allocate(&allocator, 1, sizeof *figure, _Alignof(fr_figure));
    fr__figure_work *work = fr_allocate(&allocator, 1, sizeof *work, _Alignof(fr__figure_work));
    if (figure != NULL) {
        memset(figure, 0, sizeof *figure);
        atomic_init(&figure->references, 1u);
        figure->allocator = allocator;
        figure->view.skeleton = fr_skeleton_retain(def->skeleton);
    }
    if (figure == NULL || work == NULL) {
        status = fr_error_set(error, FR_ERROR_MEMORY, "out of memory for a figure");
    } else {
        status = fill_figure(def, work, figure, error);
    }
    fr_deallocate(&allocator, work, 1, sizeof *work);
    if (status != FR_OK) {
        fr_figure_release(figure);
        return status;
    }
    *out = figure;
    return FR_OK;
}

const fr_figure_view *fr_figure_get(const fr_figure *figure) {
    FR_ASSERT(figure != NULL);
    return &figure->view;
}
