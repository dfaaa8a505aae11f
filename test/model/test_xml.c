// XML as events: packed XML gives the model of the same text, whatever is cut off or changed it ends with a status, and
// the meshes of files are those that the module of WebAssembly reads by the page's parser
// (javascript/test/xml_meshes.txt; --write).
#include "failing.h"

#include "model/xml.h"

#include "fureai/model.h"

#include <inttypes.h>
#include <stdio.h>

static const char scene[] =
    "<X3D version='3.3'><Scene><Transform DEF='t' translation='1 2 3'><Shape><IndexedFaceSet coordIndex='0 1 2 -1'>"
    "<Coordinate point='0 0 0 1 0 0 0 1 0'/></IndexedFaceSet></Shape></Transform><Shape><Box size='1 2 3'/></Shape>"
    "</Scene></X3D>";

// ---------------------------------------------------------------------------------------------------------------
// Packing, of text in which elements have attributes in single quotes, no entities and no comments

static void put(fr_byte_array *out, const void *bytes, size_t size) {
    unsigned char *place = fr_byte_array_push(out, size);
    assert_non_null(place);
    if (size > 0) { memcpy(place, bytes, size); }
}

static void put_name(fr_byte_array *out, const char *name, size_t size) {
    put(out, name, size);
    put(out, "", 1);
}

static void put_number(fr_byte_array *out, uint32_t number) {
    const unsigned char bytes[] = {(unsigned char)number, (unsigned char)(number >> 8), (unsigned char)(number >> 16),
                                   (unsigned char)(number >> 24)};
    put(out, bytes, sizeof bytes);
}

// An element from behind its '<' on; returns behind its '>'.
static const char *pack_begin(const char *at, fr_byte_array *out) {
    size_t length = strcspn(at, " />");
    put(out, "\1", 1);
    put_name(out, at, length);
    at += length;
    size_t count_at = out->count;
    uint32_t count = 0;
    put_number(out, 0);
    while (*at == ' ') {
        at++;
        length = strcspn(at, "=");
        put_name(out, at, length);
        at += length + 2;
        length = strcspn(at, "'");
        put_name(out, at, length);
        at += length + 1;
        count++;
    }
    out->data[count_at] = (unsigned char)count;
    if (*at == '/') {
        put(out, "\2", 1);
        at++;
    }
    return at + 1;
}

static fr_byte_array pack(const char *text) {
    fr_byte_array out = fr_byte_array_make(NULL);
    put(&out, FR__XML_MARK, FR__XML_MARK_BYTES);
    for (const char *at = text; *at != '\0';) {
        size_t length = strcspn(at, "<");
        if (length > 0) {
            put(&out, "\3", 1);
            put_number(&out, (uint32_t)length);
            put(&out, at, length);
            at += length;
        } else if (at[1] == '/') {
            put(&out, "\2", 1);
            at += strcspn(at, ">") + 1;
        } else {
            at = pack_begin(at + 1, &out);
        }
    }
    return out;
}

// ---------------------------------------------------------------------------------------------------------------
// Meshes as a number

static uint32_t sum(uint32_t before, const void *bytes, size_t size) {
    const unsigned char *at = bytes;
    for (size_t i = 0; i < size; i++) {
        before = (before ^ at[i]) * 16777619u;
    }
    return before;
}

typedef struct meshes {
    uint32_t hash;
    uint32_t triangles, parts;
} meshes;

static fr_status take_part(const fr_model_part *part, void *context, fr_error *error) {
    (void)error;
    meshes *out = context;
    const fr_mesh_view *view = fr_mesh_get(part->mesh);
    double pose[8];
    memcpy(pose, &part->pose.position, 3 * sizeof *pose);
    memcpy(pose + 3, &part->pose.rotation, 4 * sizeof *pose);
    pose[7] = part->pose.scale;
    out->hash = sum(out->hash, pose, sizeof pose);
    if (view->positions_double != NULL) {
        out->hash = sum(out->hash, view->positions_double, 3 * sizeof(double) * view->vertex_count);
    } else {
        out->hash = sum(out->hash, view->positions_float, 3 * sizeof(float) * view->vertex_count);
    }
    out->hash = sum(out->hash, view->triangles, 3 * sizeof(uint32_t) * view->triangle_count);
    out->triangles += view->triangle_count;
    out->parts++;
    fr_mesh_release(part->mesh);
    fr_skin_release(part->skin);
    return FR_OK;
}

static fr_status read_meshes(const void *bytes, size_t size, const char *name, meshes *out, fr_error *error) {
    fr_model_read_input input = fr_default_model_read_input();
    fr_model_mesh_input making = fr_default_model_mesh_input();
    fr_model *model = NULL;
    *out = (meshes){.hash = 2166136261u};
    input.name = name;
    fr_status status = fr_model_read(bytes, size, &input, &model, error);
    if (status == FR_OK) { status = fr_model_parts(model, &making, take_part, out, error); }
    if (model != NULL) { fr_model_destroy(model); }
    return status;
}

static const char collada[] =
    "<COLLADA version='1.4.1'><asset><unit meter='0.01'/><up_axis>Z_UP</up_axis></asset><library_geometries>"
    "<geometry id='g'><mesh><source id='s'><float_array id='f' count='9'>0 0 0 1 0 0 0 1 0.1</float_array>"
    "<technique_common><accessor source='#f' count='3' stride='3'><param name='X' type='float'/><param name='Y' "
    "type='float'/><param name='Z' type='float'/></accessor></technique_common></source><vertices id='v'><input "
    "semantic='POSITION' source='#s'/></vertices><triangles count='1'><input semantic='VERTEX' source='#v' "
    "offset='0'/><p>0 1 2</p></triangles></mesh></geometry></library_geometries><library_visual_scenes><visual_scene "
    "id='w'><node><translate>1 2 3</translate><instance_geometry url='#g'/></node></visual_scene>"
    "</library_visual_scenes><scene><instance_visual_scene url='#w'/></scene></COLLADA>";

static void packed_is_what_the_text_is(void **state) {
    (void)state;
    const struct {
        const char *text, *name;
        fr_model_format format;
    } files[] = {{scene, "a.x3d", FR_MODEL_X3D}, {collada, "a.dae", FR_MODEL_COLLADA}};
    for (size_t i = 0; i < 2; i++) {
        meshes text, packed;
        fr_error error = {0};
        fr_byte_array bytes = pack(files[i].text);
        // Known by its bytes, whatever its name is.
        assert_int_equal(fr_model_format_detect(bytes.data, bytes.count, "x.bin"), files[i].format);
        assert_int_equal(read_meshes(bytes.data, bytes.count, files[i].name, &packed, &error), FR_OK);
        assert_int_equal(read_meshes(files[i].text, strlen(files[i].text), files[i].name, &text, &error), FR_OK);
        assert_true(packed.parts == text.parts && packed.triangles == text.triangles && packed.triangles > 0);
        assert_int_equal(packed.hash, text.hash);
        fr_byte_array_destroy(&bytes);
    }
}

static void a_document_type_is_refused_in_collada_alone(void **state) {
    (void)state;
    for (int i = 0; i < 2; i++) {
        fr_byte_array bytes = pack(i == 0 ? scene : collada), typed = fr_byte_array_make(NULL);
        put(&typed, bytes.data, FR__XML_MARK_BYTES);
        put(&typed, "\4", 1);
        put(&typed, bytes.data + FR__XML_MARK_BYTES, bytes.count - FR__XML_MARK_BYTES);
        meshes found;
        fr_error error = {0};
        fr_status status = read_meshes(typed.data, typed.count, "a", &found, &error);
        assert_int_equal(status, i == 0 ? FR_OK : FR_ERROR_UNSUPPORTED);
        fr_byte_array_destroy(&bytes);
        fr_byte_array_destroy(&typed);
    }
}

// Cut off anywhere it is an error, or what came before; changed anywhere it is something, and no more memory is read.
static void damaged_bytes_end_with_a_status(void **state) {
    (void)state;
    fr_random random = fr_random_seed(17);
    for (int i = 0; i < 2; i++) {
        fr_byte_array bytes = pack(i == 0 ? scene : collada);
        uint32_t refused = 0;
        for (size_t size = 0; size < bytes.count; size++) {
            unsigned char *copy = malloc(size + 1);
            assert_non_null(copy);
            memcpy(copy, bytes.data, size);
            meshes found;
            refused += read_meshes(copy, size, i == 0 ? "a.x3d" : "a.dae", &found, NULL) != FR_OK;
            free(copy);
        }
        // X3D that ends early is what came before, as that of text is.
        assert_true(i == 0 ? refused > 8 : refused == bytes.count);
        for (int k = 0; k < 2000; k++) {
            unsigned char *copy = malloc(bytes.count);
            assert_non_null(copy);
            memcpy(copy, bytes.data, bytes.count);
            for (uint64_t change = 0; change <= fr_random_below(&random, 4); change++) {
                size_t at = FR__XML_MARK_BYTES + (size_t)fr_random_below(&random, bytes.count - FR__XML_MARK_BYTES);
                copy[at] = (unsigned char)fr_random_below(&random, 256);
            }
            meshes found;
            (void)read_meshes(copy, bytes.count, "a", &found, NULL);
            free(copy);
        }
        fr_byte_array_destroy(&bytes);
    }
}

static fr_status make_model(const fr_allocator *allocator, void *context) {
    const fr_byte_array *bytes = context;
    fr_model_read_input input = fr_default_model_read_input();
    fr_model *model = NULL;
    input.name = "a";
    input.allocator = *allocator;
    fr_status status = fr_model_read(bytes->data, bytes->count, &input, &model, NULL);
    if (status == FR_OK) { fr_model_destroy(model); }
    return status;
}

static void every_allocation_may_fail(void **state) {
    (void)state;
    for (int i = 0; i < 2; i++) {
        fr_byte_array bytes = pack(i == 0 ? scene : collada);
        (void)test_every_failure(make_model, &bytes);
        fr_byte_array_destroy(&bytes);
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Files that the module of WebAssembly reads, too

static const char *const files[] = {"collada/instances.dae", "collada/lists.dae", "collada/polylist.dae",
                                    "x3d/groups.x3d",        "x3d/hanim.x3d",     "x3d/hanim-utf16.x3d",
                                    "x3d/proto.x3d",         "x3d/shape.x3d",     "x3d/shape-utf16be.x3d"};

static void write_meshes(FILE *out) {
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        char path[512], bytes[1 << 16];
        snprintf(path, sizeof path, "%s/%s", CORPUS_FOLDER, files[i]);
        FILE *file = fopen(path, "rb");
        assert_non_null(file);
        size_t size = fread(bytes, 1, sizeof bytes, file);
        fclose(file);
        meshes found;
        fr_error error = {0};
        assert_int_equal(read_meshes(bytes, size, files[i], &found, &error), FR_OK);
        fprintf(out, "%s %" PRIu32 " %" PRIu32 " %08" PRIx32 "\n", files[i], found.parts, found.triangles, found.hash);
    }
}

static void meshes_of_files_are_the_frozen_ones(void **state) {
    (void)state;
    char expected[2048] = {0}, found[2048] = {0};
    FILE *file = fopen(MESHES_FILE, "rb"), *memory = fmemopen(found, sizeof found, "w");
    assert_true(file != NULL && memory != NULL);
    assert_true(fread(expected, 1, sizeof expected - 1, file) > 0);
    fclose(file);
    write_meshes(memory);
    fclose(memory);
    assert_string_equal(found, expected);
}

int main(int count, char **arguments) {
    if (count == 2 && strcmp(arguments[1], "--write") == 0) {
        FILE *file = fopen(MESHES_FILE, "wb");
        if (file == NULL) { return 1; }
        write_meshes(file);
        return fclose(file);
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(packed_is_what_the_text_is),
        cmocka_unit_test(a_document_type_is_refused_in_collada_alone),
        cmocka_unit_test(damaged_bytes_end_with_a_status),
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(meshes_of_files_are_the_frozen_ones),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
