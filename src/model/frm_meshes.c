// The meshes of an intermediate file: arrays stay where they lie; every count, offset, index and number is looked at.
#include "bytes.h"
#include "frm.h"

#include <string.h>

static uint32_t u32(const char *at) { return fr__load_u32(at, false); }
static uint64_t u64(const char *at) { return fr__load_u64(at, false); }

// Offsets in a record of a mesh.
enum { AT_POSITIONS = 24, AT_CORNERS = 32, AT_STARTS = 40, AT_IDS = 48, AT_COLORS = 56, AT_MATERIALS = 64 };
enum { AT_NORMALS = 72, AT_UVS = 80, AT_CORNER_COLORS = 88, AT_SIZE = 144 };

// The loops below have no branch inside, so that compilers go through several elements at once.

static bool are_finite(const float *values, size_t count) {
    uint32_t bad = 0;
    for (size_t i = 0; i < count; i++) {
        uint32_t bits;
        memcpy(&bits, &values[i], sizeof bits);
        bad |= (bits & UINT32_C(0x7f800000)) == UINT32_C(0x7f800000);
    }
    return bad == 0;
}

static bool are_finite_doubles(const double *values, size_t count) {
    uint64_t bad = 0;
    for (size_t i = 0; i < count; i++) {
        uint64_t bits;
        memcpy(&bits, &values[i], sizeof bits);
        bad |= (bits & UINT64_C(0x7ff0000000000000)) == UINT64_C(0x7ff0000000000000);
    }
    return bad == 0;
}

static bool are_below(const uint32_t *values, size_t count, uint32_t limit) {
    uint32_t bad = 0;
    for (size_t i = 0; i < count; i++) {
        bad |= values[i] >= limit;
    }
    return bad == 0;
}

static bool are_below_or_none(const uint32_t *values, size_t count, uint32_t limit) {
    uint32_t bad = 0;
    for (size_t i = 0; i < count; i++) {
        bad |= (values[i] >= limit) & (values[i] != FR_NONE);
    }
    return bad == 0;
}

// Polygons of 3 to `most` corners, one after another.
static bool are_starts(const uint32_t *starts, uint32_t face_count, uint32_t corner_count, uint64_t max_corners) {
    uint32_t bad = starts[0] != 0 || starts[face_count] != corner_count;
    for (uint32_t i = 0; i < face_count; i++) {
        bad |=
            (starts[i + 1] < starts[i]) | (starts[i + 1] - starts[i] < 3) | (starts[i + 1] - starts[i] > max_corners);
    }
    return bad == 0;
}

// Where the arrays of a mesh lie.
static fr_status find_arrays(fr__frm_file *file, const fr_model *model, const char *at, uint32_t corner_count,
                             fr_model_mesh *mesh) {
    const void *found[9];
    uint32_t position_bytes = model->store.is_double ? 24 : 12;
    const struct {
        fr__frm_tag tag;
        uint32_t offset;
        uint64_t count;
        uint32_t size;
    } arrays[9] = {{FR__FRM_VERT, AT_POSITIONS, mesh->vertex_count, position_bytes},
                   {FR__FRM_FACE, AT_CORNERS, corner_count, 4},
                   {FR__FRM_FACE, AT_STARTS, (uint64_t)mesh->face_count + 1, 4},
                   {FR__FRM_FACE, AT_IDS, mesh->face_count, 4},
                   {FR__FRM_GSET, AT_COLORS, mesh->face_count, sizeof(fr_color)},
                   {FR__FRM_GSET, AT_MATERIALS, mesh->face_count, 4},
                   {FR__FRM_GSET, AT_NORMALS, corner_count, 12},
                   {FR__FRM_GSET, AT_UVS, corner_count, 8},
                   {FR__FRM_GSET, AT_CORNER_COLORS, corner_count, sizeof(fr_color)}};
    for (size_t i = 0; i < 9; i++) {
        FR__TRY(
            fr__frm_array(file, arrays[i].tag, u64(at + arrays[i].offset), arrays[i].count, arrays[i].size, &found[i]));
    }
    mesh->positions_double = model->store.is_double ? found[0] : NULL;
    mesh->positions_float = model->store.is_double ? NULL : found[0];
    mesh->corners = found[1];
    mesh->face_starts = found[2];
    mesh->face_ids = found[3];
    mesh->face_colors = found[4];
    mesh->face_materials = found[5];
    mesh->corner_normals = found[6];
    mesh->corner_uvs = found[7];
    mesh->corner_colors = found[8];
    return FR_OK;
}

// What the arrays hold; what is wrong in words, NULL when nothing is.
static const char *find_defect(const fr_model *model, const fr_model_mesh *mesh, uint32_t corner_count) {
    bool has_positions = mesh->positions_float != NULL || mesh->positions_double != NULL;
    if ((mesh->vertex_count > 0) != has_positions || (corner_count > 0 && mesh->corners == NULL)) {
        return "has no positions or no corners";
    }
    if (mesh->face_starts == NULL && corner_count != (uint64_t)3 * mesh->face_count) {
        return "has not three corners for each of its triangles";
    }
    if (mesh->face_starts != NULL &&
        !are_starts(mesh->face_starts, mesh->face_count, corner_count, model->store.limits.polygon_corners)) {
        return "has polygons that do not follow one another, or of fewer than 3 corners, or of too many";
    }
    if (corner_count > 0 && !are_below(mesh->corners, corner_count, mesh->vertex_count)) {
        return "has a corner without its vertex";
    }
    if (mesh->face_materials != NULL &&
        !are_below_or_none(mesh->face_materials, mesh->face_count, (uint32_t)model->store.material_list.count)) {
        return "has a polygon of a material that is not there";
    }
    size_t vertices = mesh->vertex_count, corners = corner_count;
    if ((mesh->positions_float != NULL && !are_finite(mesh->positions_float, 3 * vertices)) ||
        (mesh->positions_double != NULL && !are_finite_doubles(mesh->positions_double, 3 * vertices)) ||
        (mesh->corner_normals != NULL && !are_finite(mesh->corner_normals, 3 * corners)) ||
        (mesh->corner_uvs != NULL && !are_finite(mesh->corner_uvs, 2 * corners))) {
        return "has a number that is not finite";
    }
    return NULL;
}

static fr_status read_primitive(fr__frm_file *file, fr_model *model, const char *at, fr_model_mesh *mesh) {
    uint32_t flags = u32(at + 16);
    if ((flags & FR__FRM_PRIMITIVE) == 0) { return FR_OK; }
    fr_model_primitive *primitive =
        fr__builder_alloc(&model->store, 1, sizeof *primitive, _Alignof(fr_model_primitive));
    if (primitive == NULL) { return fr__frm_fail(file, FR_ERROR_MEMORY, "%s", fr_status_text(FR_ERROR_MEMORY)); }
    *primitive = (fr_model_primitive){.kind = (fr_model_primitive_kind)u32(at + 20),
                                      .has_side = (flags & FR__FRM_SIDE) != 0,
                                      .has_top = (flags & FR__FRM_TOP) != 0,
                                      .has_bottom = (flags & FR__FRM_BOTTOM) != 0};
    for (int i = 0; i < 3; i++) {
        primitive->size[i] = fr__load_double(at + AT_SIZE + 8 * i, false);
    }
    if (u32(at + 20) > FR_MODEL_CONE || !are_finite_doubles(primitive->size, 3)) {
        return fr__frm_fail(file, FR_ERROR_CORRUPT, "a primitive is of no known kind, or not finite");
    }
    mesh->primitive = primitive;
    return FR_OK;
}

// Where the cooked meshes lie; their inside is looked at when one is used.
static fr_status read_cooked(fr__frm_file *file, fr_model *model) {
    size_t count = (size_t)fr__frm_count(file, FR__FRM_CKIX);
    if (count != model->meshes.count) { return FR_OK; }
    if (!fr__cooked_array_reserve(&model->cooked, count)) {
        return fr__frm_fail(file, FR_ERROR_MEMORY, "%s", fr_status_text(FR_ERROR_MEMORY));
    }
    for (size_t i = 0; i < count; i++) {
        const char *at = fr__frm_record(file, FR__FRM_CKIX, i);
        const void *block = NULL;
        uint64_t offset = u64(at), size = u64(at + 8);
        FR__TRY(fr__frm_array(file, FR__FRM_COOK, offset, size, 1, &block));
        if (offset % FR__FRM_ALIGN != 0) {
            return fr__frm_fail(file, FR_ERROR_CORRUPT, "a cooked mesh at byte %llu is not aligned",
                                (unsigned long long)offset);
        }
        fr__cooked cooked = {block, block != NULL ? (size_t)size : 0};
        fr__cooked_array_add(&model->cooked, &cooked);
    }
    return FR_OK;
}

static fr_status read_mesh(fr__frm_file *file, fr_model *model, uint64_t index) {
    const char *at = fr__frm_record(file, FR__FRM_MESH, index);
    fr_model_mesh mesh = {.vertex_count = u32(at),
                          .face_count = u32(at + 4),
                          .first_face = u32(at + 12),
                          .is_two_sided = (u32(at + 16) & FR__FRM_TWO_SIDED) != 0};
    uint32_t corner_count = u32(at + 8);
    FR__TRY(find_arrays(file, model, at, corner_count, &mesh));
    const char *defect = find_defect(model, &mesh, corner_count);
    if (defect != NULL) {
        return fr__frm_fail(file, FR_ERROR_CORRUPT, "mesh %llu %s", (unsigned long long)index, defect);
    }
    FR__TRY(read_primitive(file, model, at, &mesh));
    fr__model_mesh_array_add(&model->meshes, &mesh);
    return FR_OK;
}

// Sums over all meshes, against the limits, before any array is looked at.
static fr_status check_sums(const fr__frm_file *file, const fr_model_limits *limits) {
    uint64_t sums[3] = {0, 0, 0};
    for (uint64_t i = 0; i < fr__frm_count(file, FR__FRM_MESH); i++) {
        const char *at = fr__frm_record(file, FR__FRM_MESH, i);
        for (int k = 0; k < 3; k++) {
            sums[k] += u32(at + 4 * k);
        }
    }
    const struct {
        const char *what;
        uint64_t limit;
    } checks[3] = {{"vertices", limits->vertices}, {"polygons", limits->faces}, {"corners", limits->corners}};
    for (int k = 0; k < 3; k++) {
        if (sums[k] > checks[k].limit) {
            return fr__frm_fail(file, FR_ERROR_LIMIT, "more than %llu %s, the limit",
                                (unsigned long long)checks[k].limit, checks[k].what);
        }
    }
    return FR_OK;
}

fr_status fr__frm_read_meshes(fr__frm_file *file, fr_model *model, bool is_mapped) {
    size_t count = (size_t)fr__frm_count(file, FR__FRM_MESH);
    FR__TRY(check_sums(file, &model->store.limits));
    if (!fr__model_mesh_array_reserve(&model->meshes, count)) {
        return fr__frm_fail(file, FR_ERROR_MEMORY, "%s", fr_status_text(FR_ERROR_MEMORY));
    }
    for (size_t i = 0; i < count; i++) {
        FR__TRY(read_mesh(file, model, i));
    }
    return is_mapped ? read_cooked(file, model) : FR_OK;
}
