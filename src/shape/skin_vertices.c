// Where the vertices of a skin are: the bones of a call, checked and joined with their inverse binds, for the kernels.
#include "math/frame.h"
#include "shape/skin.h"

#include <string.h>

#define SKIN_INPUT_COOKIE 0x534b4931u
#define BONE_ALIGN 64u

fr_skin_input fr_default_skin_input(void) {
    fr_skin_input input;
    memset(&input, 0, sizeof input);
    input.cookie = SKIN_INPUT_COOKIE;
    return input;
}

// The columns of a turn of rows that are scaled, and a shift, each x, y, z, 0.
static void put_columns(const fr_mat3 *turn, double scale, double *out) {
    const fr_vec3 *r = turn->row;
    const double columns[12] = {scale * r[0].x, scale * r[1].x, scale * r[2].x, 0.0,
                                scale * r[0].y, scale * r[1].y, scale * r[2].y, 0.0,
                                scale * r[0].z, scale * r[1].z, scale * r[2].z, 0.0};
    memcpy(out, columns, sizeof columns);
}

static void put_shift(fr_vec3 shift, double *out) {
    const double column[4] = {shift.x, shift.y, shift.z, 0.0};
    memcpy(out, column, sizeof column);
}

static fr_mat3 turn_of_columns(const double *c) {
    fr_mat3 turn = {{{c[0], c[4], c[8]}, {c[1], c[5], c[9]}, {c[2], c[6], c[10]}}};
    return turn;
}

// ---------------------------------------------------------------------------------------------------------------
// Dual quaternions

// The rows of the transposed inverse times the determinant.
static fr_mat3 cofactors(const fr_mat3 *m) {
    fr_mat3 c = {{fr_vec3_cross(m->row[1], m->row[2]), fr_vec3_cross(m->row[2], m->row[0]),
                  fr_vec3_cross(m->row[0], m->row[1])}};
    return c;
}

static fr_mat3 combine(double s, const fr_mat3 *a, double t, const fr_mat3 *b) {
    fr_mat3 m;
    for (int i = 0; i < 3; i++) {
        m.row[i] = fr_vec3_add_scaled(fr_vec3_scale(s, a->row[i]), t, b->row[i]);
    }
    return m;
}

static double squares(const fr_mat3 *m) {
    return (fr_vec3_length_squared(m->row[0]) + fr_vec3_length_squared(m->row[1])) + fr_vec3_length_squared(m->row[2]);
}

// The rotation nearest to a matrix: the mean of a matrix and its transposed inverse, again and again (polar
// decomposition by Newton's method, scaled as Higham 1986). False for one that is flat.
static bool find_rotation(fr_mat3 m, fr_mat3 *rotation) {
    double size = sqrt(squares(&m));
    if (!(size > 0.0)) { return false; }
    m = combine(1.0 / size, &m, 0.0, &m);
    double determinant = fr_mat3_determinant(m);
    if (!(fabs(determinant) > 1e-12)) { return false; }
    // A mirrored matrix becomes the nearest rotation times -1: what is left of it scales by negative numbers.
    if (determinant < 0.0) { m = combine(-1.0, &m, 0.0, &m); }
    for (int i = 0; i < 60; i++) {
        fr_mat3 opposite = cofactors(&m);
        double inverse = 1.0 / fr_mat3_determinant(m);
        double scale = sqrt(sqrt(squares(&opposite) * inverse * inverse / squares(&m)));
        fr_mat3 next = combine(0.5 * scale, &m, 0.5 * inverse / scale, &opposite);
        fr_mat3 change = combine(1.0, &next, -1.0, &m);
        m = next;
        if (squares(&change) < 1e-30) { break; }
    }
    *rotation = m;
    return true;
}

// A bone of dual quaternions from its columns; false for one that is flat.
static bool put_dual(const double *columns, double *out) {
    fr_mat3 rotation, turn = turn_of_columns(columns);
    if (!find_rotation(turn, &rotation)) { return false; }
    fr_quat q = fr_quat_from_mat3(rotation);
    fr_vec3 t = {columns[12], columns[13], columns[14]};
    const double dual[8] = {q.w,
                            q.x,
                            q.y,
                            q.z,
                            -0.5 * ((t.x * q.x + t.y * q.y) + t.z * q.z),
                            0.5 * ((t.x * q.w + t.y * q.z) - t.z * q.y),
                            0.5 * ((t.y * q.w + t.z * q.x) - t.x * q.z),
                            0.5 * ((t.z * q.w + t.x * q.y) - t.y * q.x)};
    memcpy(out, dual, sizeof dual);
    fr_mat3 left = fr_mat3_multiply(fr_mat3_transpose(fr__rotation_matrix(q)), turn);
    put_columns(&left, 1.0, out + 8);
    return true;
}

// ---------------------------------------------------------------------------------------------------------------
// The job

static fr_status check_input(const fr_skin_input *input, const fr_skin_output *output, fr_error *error) {
    if (input->cookie != SKIN_INPUT_COOKIE) { return fr_error_set_cookie(error, "fr_default_skin_input"); }
    if (input->skin == NULL || input->scratch == NULL) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "a skin and a scratch arena must be given");
    }
    const fr_skin_view *view = fr_skin_get(input->skin);
    if (input->bone_count != view->bone_count) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "%u bones for a skin of %u", input->bone_count, view->bone_count);
    }
    if ((input->poses == NULL) == (input->matrices == NULL)) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "either poses or matrices of the bones must be given");
    }
    bool has_float = input->positions_float != NULL, has_double = input->positions_double != NULL;
    if ((has_float && has_double) || (!has_float && !has_double && view->mesh == NULL)) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "one kind of positions must be given, or the skin have a mesh");
    }
    if (output->normals != NULL && input->normals == NULL) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "normals are wanted, and none are given");
    }
    if ((unsigned)input->method > FR_SKIN_DUAL_QUATERNIONS) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "there is no method %d", (int)input->method);
    }
    return FR_OK;
}

// Says what is wrong with a pose.
static fr_status refuse_pose(fr_pose pose, uint32_t bone, fr_error *error) {
    fr_error inner = {0};
    fr_status status = fr_pose_check(&pose, &inner);
    return fr_error_set(error, status, "bone %u: %s", bone, inner.message);
}

// The columns of a bone as it was given.
static fr_status read_bone(const fr_skin_input *input, uint32_t bone, double *out, fr_error *error) {
    if (input->poses != NULL) {
        fr_pose pose = input->poses[bone];
        if (fr_pose_check(&pose, NULL) != FR_OK) { return refuse_pose(pose, bone, error); }
        fr_mat3 turn = fr__rotation_matrix(pose.rotation);
        put_columns(&turn, pose.scale, out);
        put_shift(pose.position, out + 12);
        return FR_OK;
    }
    const double *m = input->matrices + (size_t)12 * bone;
    for (int i = 0; i < 12; i++) {
        // Written so that NaN is caught as well.
        if (fabs(m[i]) <= FR_LENGTH_MAX) { continue; }
        return fr_error_set(error, FR_ERROR_NOT_FINITE, "bone %u: its matrix has the number %g", bone, m[i]);
    }
    const fr_mat3 turn = {{{m[0], m[1], m[2]}, {m[4], m[5], m[6]}, {m[8], m[9], m[10]}}};
    put_columns(&turn, 1.0, out);
    put_shift(fr_vec3_make(m[3], m[7], m[11]), out + 12);
    return FR_OK;
}

// The bones as the kernels read them: `linear`, and with dual quaternions `dual` from these.
static fr_status fill_bones(const fr_skin_input *input, double *linear, double *dual, fr_error *error) {
    const fr_skin_view *view = fr_skin_get(input->skin);
    for (uint32_t b = 0; b < view->bone_count; b++) {
        fr_status status = read_bone(input, b, linear + (size_t)FR__SKIN_LINEAR_NUMBERS * b, error);
        if (status != FR_OK) { return status; }
    }
    fr__skin_kernel()->join(view->inverse_binds, view->bone_count, linear);
    for (uint32_t b = 0; b < view->bone_count && dual != NULL; b++) {
        const double *columns = linear + (size_t)FR__SKIN_LINEAR_NUMBERS * b;
        if (put_dual(columns, dual + (size_t)FR__SKIN_DUAL_NUMBERS * b)) { continue; }
        return fr_error_set(error, FR_ERROR_ARGUMENT, "bone %u is flat: dual quaternions cannot blend it", b);
    }
    return FR_OK;
}

static fr__skin_work work_of(const fr_skin_input *input, const fr_skin_output *output) {
    const fr_skin_view *view = fr_skin_get(input->skin);
    fr__skin_work work = {.bones = view->bones,
                          .weights = view->weights,
                          .influence_count = view->influence_count,
                          .vertex_count = view->vertex_count,
                          .positions_float = input->positions_float,
                          .positions_double = input->positions_double,
                          .normals = output->normals != NULL ? input->normals : NULL,
                          .out = *output};
    if (work.positions_float == NULL && work.positions_double == NULL) {
        work.positions_float = fr_mesh_get(view->mesh)->positions_float;
        work.positions_double = fr_mesh_get(view->mesh)->positions_double;
    }
    return work;
}

fr_status fr_skin_vertices(const fr_skin_input *input, const fr_skin_output *output, fr_error *error) {
    FR_ASSERT(input != NULL && output != NULL);
    fr_status status = check_input(input, output, error);
    if (status != FR_OK) { return status; }
    bool is_linear = input->method == FR_SKIN_LINEAR;
    fr_arena *scratch = input->scratch;
    fr_arena_mark mark = fr_arena_get_mark(scratch);
    size_t count = input->bone_count;
    double *linear = fr_arena_alloc(scratch, count, FR__SKIN_LINEAR_NUMBERS * sizeof(double), BONE_ALIGN), *dual = NULL;
    if (!is_linear) { dual = fr_arena_alloc(scratch, count, FR__SKIN_DUAL_NUMBERS * sizeof(double), BONE_ALIGN); }
    if (linear == NULL || (!is_linear && dual == NULL)) {
        status = fr_error_set(error, FR_ERROR_MEMORY, "out of memory for %zu bones", count);
    } else {
        status = fill_bones(input, linear, dual, error);
    }
    if (status == FR_OK) {
        fr__skin_work work = work_of(input, output);
        work.bones_now = is_linear ? linear : dual;
        const fr__skin_kernel_table *kernel = fr__skin_kernel();
        (is_linear ? kernel->linear : kernel->dual)(&work);
    }
    fr_arena_rewind(scratch, mark);
    return status;
}
