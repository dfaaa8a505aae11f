// Writes structured inputs for the fuzzing targets: make_seeds FUZZ_FOLDER SEED_FOLDER. A file for each node that the
// words of the dictionaries name, with all its fields, in VRML97, classic X3D, X3D in XML, VRML 1.0 and gzip; every
// model of the corpora that can be read, written in every format that can be; their meshes, cooked, as octrees and in
// records of spaces and worlds; messages of clients as a connection sends them.
#include "model/inventor.h"
#include "model/vrml.h"

#include "fureai/octree.h"
#include "fureai/protocol.h"
#include "fureai/scene.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <zlib.h>

enum { SEED_MAX_BYTES = 4096, FILE_MAX_BYTES = 1 << 16, PATH_BYTES = 4096, TICKS = 3 };

static const char *seed_folder;
static int seed_count;

static void require(bool holds, const char *what) {
    if (holds) { return; }
    fprintf(stderr, "make_seeds: %s\n", what);
    exit(EXIT_FAILURE);
}

// ---------------------------------------------------------------------------------------------------------------
// Files

// Writes one input, named by what is in it, so that the same input is one file; what is too large is left out.
static void write_seed(const char *noun, const void *bytes, size_t size) {
    if (size == 0 || size > SEED_MAX_BYTES) { return; }
    char path[PATH_BYTES];
    snprintf(path, sizeof path, "%s/%s", seed_folder, noun);
    (void)mkdir(path, 0755);
    snprintf(path, sizeof path, "%s/%s/%016llx", seed_folder, noun, (unsigned long long)fr_hash(bytes, size, 0));
    FILE *file = fopen(path, "wb");
    require(file != NULL && fwrite(bytes, 1, size, file) == size && fclose(file) == 0, path);
    seed_count++;
}

static void write_text(const char *noun, const char *text) { write_seed(noun, text, strlen(text)); }

static size_t read_file(const char *path, char *bytes, size_t capacity) {
    FILE *file = fopen(path, "rb");
    size_t size = file != NULL ? fread(bytes, 1, capacity, file) : 0;
    if (file != NULL) { fclose(file); }
    return size < capacity ? size : 0;
}

typedef void file_fn(const char *noun, const char *bytes, size_t size);

// Calls `each` with every file of a corpus.
static void for_corpus(const char *fuzz_folder, const char *noun, file_fn *each) {
    static char bytes[FILE_MAX_BYTES];
    char folder[PATH_BYTES], path[2 * PATH_BYTES];
    struct dirent **entries;
    snprintf(folder, sizeof folder, "%s/corpus/%s", fuzz_folder, noun);
    int count = scandir(folder, &entries, NULL, alphasort);
    require(count >= 0, folder);
    for (int i = 0; i < count; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, entries[i]->d_name);
        size_t size = entries[i]->d_name[0] != '.' ? read_file(path, bytes, sizeof bytes) : 0;
        if (size > 0) { each(noun, bytes, size); }
        free(entries[i]);
    }
    free(entries);
}

// ---------------------------------------------------------------------------------------------------------------
// Nodes

// The value of a field, as VRML writes it and as an attribute of XML does. Nodes are given by `is_node`.
static void append_value(char *text, const fr__field *field, bool is_xml, const char *node) {
    const fr__field_kind *kind = fr__field_kind_of(field->type);
    bool is_many = fr__is_many(field->type);
    if (kind->storage == FR__NODES) {
        strcat(text, is_many ? "[ " : "");
        strcat(text, node);
        strcat(text, is_many ? " ]" : "");
        return;
    }
    strcat(text, is_many && !is_xml ? "[ " : "");
    for (uint32_t i = 0; i < (is_many ? 4 * kind->width : kind->width); i++) {
        char number[32];
        snprintf(number, sizeof number, "%u ", (i * 7 + 1) % 4);
        if (kind->storage == FR__STRINGS) {
            snprintf(number, sizeof number, is_xml ? "&quot;a%u&quot; " : "\"a%u\" ", i);
        }
        bool is_truth = strcmp(kind->name, "Bool") == 0;
        if (is_truth) { snprintf(number, sizeof number, "%s ", is_xml ? "true" : "TRUE"); }
        if (strcmp(kind->name, "Image") == 0) { snprintf(number, sizeof number, "%s", i == 0 ? "1 1 1 255 " : ""); }
        strcat(text, number);
    }
    strcat(text, is_many && !is_xml ? "]" : "");
}

// A node with all fields that a file can give.
static void append_node(char *text, const fr__vtype *type, const char *inner) {
    strcat(text, type->name);
    strcat(text, " { ");
    for (uint32_t i = 0; i < type->field_count && strlen(text) < SEED_MAX_BYTES / 2; i++) {
        const fr__field *field = &type->fields[i];
        if (field->access == FR__EVENT_IN || field->access == FR__EVENT_OUT) { continue; }
        strncat(text, field->name.begin, field->name.length);
        strcat(text, " ");
        append_value(text, field, false, inner);
        strcat(text, " ");
    }
    strcat(text, "}");
}

static void append_element(char *text, const fr__vtype *type) {
    strcat(text, "<");
    strcat(text, type->name);
    for (uint32_t i = 0; i < type->field_count && strlen(text) < SEED_MAX_BYTES / 2; i++) {
        const fr__field *field = &type->fields[i];
        bool is_node = fr__field_kind_of(field->type)->storage == FR__NODES;
        if (is_node || field->access == FR__EVENT_IN || field->access == FR__EVENT_OUT) { continue; }
        strcat(text, " ");
        strncat(text, field->name.begin, field->name.length);
        strcat(text, "='");
        append_value(text, field, true, "");
        strcat(text, "'");
    }
    strcat(text, "><Shape><Box/></Shape></");
    strcat(text, type->name);
    strcat(text, ">");
}

static void write_gzip(const char *text) {
    unsigned char bytes[SEED_MAX_BYTES];
    z_stream stream = {.next_in = (Bytef *)(uintptr_t)text,
                       .avail_in = (uInt)strlen(text),
                       .next_out = bytes,
                       .avail_out = sizeof bytes};
    require(deflateInit2(&stream, 9, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) == Z_OK, "zlib fails");
    int end = deflate(&stream, Z_FINISH);
    if (end == Z_STREAM_END) { write_seed("gzip", bytes, stream.total_out); }
    deflateEnd(&stream);
}

// A node alone, as geometry of a shape, and in a transform; in each of the languages.
static void write_node(const fr__vtype *type) {
    static const char *const places[][2] = {
        {"", ""},
        {"Shape { geometry ", " }"},
        {"Shape { appearance Appearance { material ", " } geometry Box { } }"},
        {"Shape { geometry IndexedFaceSet { coordIndex [ 0 1 2 -1 ] coord ", " } }"},
        {"DEF a Transform { translation 1 2 3 children DEF b ", " } USE b ROUTE b.x TO a.y"}};
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        char text[2 * SEED_MAX_BYTES] = "#VRML V2.0 utf8\n";
        strcat(text, places[i][0]);
        append_node(text, type, i % 2 == 0 ? "NULL" : "Group { }");
        strcat(text, places[i][1]);
        write_text("vrml", text);
        if (i == 1) { write_gzip(text); }
    }
    char text[2 * SEED_MAX_BYTES] = "#X3D V3.3 utf8\nPROFILE Full\n";
    append_node(text, type, "NULL");
    write_text("vrml", text);
    strcpy(text, "<X3D version='3.3' profile='Full'><Scene><Shape>");
    append_element(text, type);
    strcat(text, "</Shape>");
    append_element(text, type);
    strcat(text, "</Scene></X3D>");
    write_text("x3d", text);
}

static void write_inventor_node(const fr__vtype *type) {
    static const char *const before[] = {"", "Coordinate3 { point [ 0 0 0, 1 0 0, 0 1 0, 1 1 0 ] } "};
    for (size_t i = 0; i < 2; i++) {
        char text[2 * SEED_MAX_BYTES] = "#VRML V1.0 ascii\nSeparator { ";
        strcat(text, before[i]);
        append_node(text, type, i == 0 ? "NULL" : "Cube { }");
        strcat(text, " IndexedFaceSet { coordIndex [ 0, 1, 2, -1 ] } Sphere { } }");
        write_text("inventor", text);
        memcpy(text, "#Inventor V2.1 as", 17);
        write_text("inventor", text);
    }
}

// Every word of a dictionary that is the name of a node.
static void write_nodes(const char *fuzz_folder) {
    static char words[FILE_MAX_BYTES];
    static const char *const names[] = {"vrml", "inventor"};
    for (size_t i = 0; i < 2; i++) {
        char path[PATH_BYTES];
        snprintf(path, sizeof path, "%s/dictionary/%s.dict", fuzz_folder, names[i]);
        words[read_file(path, words, sizeof words - 1)] = '\0';
        for (char *at = strtok(words, "\n\""); at != NULL; at = strtok(NULL, "\n\"")) {
            fr__span name = {at, strlen(at)};
            const fr__vtype *type = i == 0 ? fr__vtype_find(name) : fr__inventor_type_find(name);
            if (type != NULL) { i == 0 ? write_node(type) : write_inventor_node(type); }
        }
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Models, meshes, octrees

static bool append_bytes(const void *bytes, size_t size, void *context) {
    void *place = fr_array_push(context, size);
    require(place != NULL, "no memory");
    memcpy(place, bytes, size);
    return true;
}

static void record_bytes(const void *bytes, size_t size, void *context) { append_bytes(bytes, size, context); }

static void write_octrees(const fr_mesh *mesh) {
    const fr_mesh_view *view = fr_mesh_get(mesh);
    for (uint32_t depth = 1; depth <= 4; depth++) {
        fr_octree_def def = fr_default_octree_def();
        def.depth = depth;
        def.min = view->bounds.min;
        def.edge = 1e-9 + fr_vec3_largest(fr_vec3_sub(view->bounds.max, view->bounds.min));
        fr_octree *octree;
        if (fr_octree_create(&def, &octree, NULL) != FR_OK) { continue; }
        for (uint32_t i = 0; i < view->triangle_count; i++) {
            fr_vec3 corners[3];
            fr_mesh_corners(mesh, i, corners);
            (void)fr_octree_add_points(octree, corners, 3, NULL);
        }
        char text[SEED_MAX_BYTES] = {(char)(8 * (depth - 1))}, packed[SEED_MAX_BYTES] = {(char)(8 * (depth - 1) + 1)};
        size_t letters = fr_octree_write_code(octree, text + 1, sizeof text - 1);
        size_t bytes = fr_octree_write_packed(octree, (uint8_t *)packed + 1, sizeof packed - 1);
        if (letters < sizeof text) { write_seed("octree", text, letters + 1); }
        if (bytes < sizeof packed) { write_seed("octree", packed, bytes + 1); }
        fr_octree_destroy(octree);
    }
}

// A record of a space that holds the mesh twice and moves it.
static void write_record(const fr_mesh *mesh) {
    fr_array bytes = fr_array_make(1, NULL);
    fr_space_def def = fr_default_space_def();
    fr_space *space;
    fr_part_def part = fr_default_part_def();
    part.mesh = mesh;
    fr_object_def object = fr_default_object_def();
    object.parts = &part;
    object.part_count = 1;
    fr_object_id ids[2];
    require(fr_space_create(&def, &space, NULL) == FR_OK && fr_space_record(space, record_bytes, &bytes, NULL) == FR_OK,
            "no space");
    bool is_made = fr_object_add(space, &object, &ids[0], NULL) == FR_OK;
    object.pose.position = fr_vec3_make(1.0, 0.5, 0.25);
    is_made = is_made && fr_object_add(space, &object, &ids[1], NULL) == FR_OK;
    fr_motion motion = fr_motion_still(&object.pose);
    motion.travel = fr_vec3_make(0.5, 0.0, 0.0);
    motion.turn = fr_vec3_make(0.0, 1.0, 0.0);
    fr_pose end = fr_motion_pose(&motion, 1.0);
    is_made = is_made && fr_object_set_motion(space, ids[1], &motion, &end, NULL) == FR_OK;
    is_made = is_made && fr_object_remove(space, ids[0], NULL) == FR_OK;
    if (is_made) { write_seed("replay", bytes.data, bytes.count); }
    fr_space_destroy(space);
    fr_array_destroy(&bytes);
}

static void write_mesh(const fr_mesh *mesh) {
    size_t size = fr_mesh_cook(mesh, NULL, 0);
    void *block = fr_allocate(NULL, size, 1, 64);
    require(block != NULL && fr_mesh_cook(mesh, block, size) == size, "a mesh cannot be cooked");
    write_seed("mesh_cook", block, size);
    fr_deallocate(NULL, block, size, 1);
    write_octrees(mesh);
    write_record(mesh);
}

static void convert(const char *noun, const char *bytes, size_t size) {
    static const char *const nouns[] = {
        [FR_MODEL_OBJ] = "obj", [FR_MODEL_STL] = "stl",   [FR_MODEL_PLY] = "ply", [FR_MODEL_OFF] = "off",
        [FR_MODEL_FRM] = "frm", [FR_MODEL_VRML] = "vrml", [FR_MODEL_GLB] = "gltf"};
    (void)noun;
    fr_model *model;
    if (size <= SEED_MAX_BYTES) { write_seed("detect", bytes, size); }
    if (fr_model_read(bytes, size, NULL, &model, NULL) != FR_OK) { return; }
    for (size_t format = 0; format < sizeof nouns / sizeof nouns[0]; format++) {
        fr_array out = fr_array_make(1, NULL);
        bool is_written = nouns[format] != NULL &&
                          fr_model_write(model, (fr_model_format)format, NULL, append_bytes, &out, NULL) == FR_OK;
        if (is_written) { write_seed(nouns[format], out.data, out.count); }
        fr_array_destroy(&out);
    }
    fr_mesh *mesh = NULL;
    if (fr_model_get(model)->placed_triangle_count <= 24 && fr_model_whole_mesh(model, NULL, &mesh, NULL) == FR_OK &&
        mesh != NULL) {
        write_mesh(mesh);
        fr_mesh_release(mesh);
    }
    fr_model_destroy(model);
}

// ---------------------------------------------------------------------------------------------------------------
// Worlds and messages

static void write_world(const char *noun, const char *bytes, size_t size) {
    (void)noun;
    fr_scene *scene;
    fr_world *world;
    if (fr_scene_read(bytes, size, NULL, &scene, NULL) != FR_OK) { return; }
    fr_array record = fr_array_make(1, NULL);
    fr_world_def def = fr_scene_world_def(scene);
    require(fr_world_create(&def, &world, NULL) == FR_OK, "no world");
    bool is_built =
        fr_scene_get(scene)->object_count <= 8 && fr_scene_build_world(scene, NULL, world, NULL, NULL) == FR_OK;
    if (is_built) {
        require(fr_world_record(world, record_bytes, &record, NULL) == FR_OK, "no record");
        for (int i = 0; i < TICKS; i++) {
            require(fr_world_tick(world, NULL, NULL) == FR_OK, "no tick");
        }
        (void)fr_world_record(world, NULL, NULL, NULL);
        write_seed("world_replay", record.data, record.count);
    }
    fr_world_destroy(world);
    fr_scene_destroy(scene);
    fr_array_destroy(&record);
}

static void append_message(fr_array *to, const fr_message *message) {
    require(fr_protocol_write(message, to, NULL) == FR_OK, "a message cannot be written");
}

// What the target sends over a WebSocket begins with a hello.
static fr_array begin_session(void) {
    fr_array session = fr_array_make(1, NULL);
    append_bytes("\1", 1, &session);
    append_message(&session, &(fr_message){.type = FR_MESSAGE_HELLO,
                                           .as.hello = {FR_PROTOCOL_VERSION, FR_WANTS_PAIRS | FR_WANTS_DRAW, "seed"}});
    return session;
}

static void send_message(const char *noun, const char *bytes, size_t size) {
    (void)noun;
    fr_array session = begin_session();
    append_bytes(bytes, size, &session);
    write_seed("web", session.data, session.count);
    fr_array_destroy(&session);
}

// Every request about an object that is there: alone, and after those before it.
static void write_sessions(void) {
    fr_array whole = begin_session();
    for (uint32_t object = 1; object <= 3; object++) {
        fr_ref ref = {object, 1};
        fr_pose pose = fr_pose_identity();
        pose.position.x = 0.5 * object;
        const fr_message messages[] = {
            {.type = FR_MESSAGE_GRAB, .as.grab = {1, ref}},
            {.type = FR_MESSAGE_MOVE, .as.move = {ref, 1, pose}},
            {.type = FR_MESSAGE_DROP, .as.drop = {2, ref}},
            {.type = FR_MESSAGE_UNDO, .as.undo = {3, object % 2 == 0}},
            {.type = FR_MESSAGE_PLAY, .as.play = {4, (uint8_t)object}},
            {.type = FR_MESSAGE_RESUME, .as.resume = {5, ref}},
            {.type = FR_MESSAGE_SET_STATE, .as.set_state = {6, ref, "open", 0.5}},
            {.type = FR_MESSAGE_OPEN, .as.open = {7, object == 1 ? "more" : "none"}},
            {.type = FR_MESSAGE_WANTS, .as.wants = {127}},
            {.type = FR_MESSAGE_PING, .as.ping = {8}},
            {.type = FR_MESSAGE_NOTE_CLASH, .as.note_clash = {9, object - 1, (uint8_t)(object % 3), "press fit"}},
        };
        for (size_t i = 0; i < sizeof messages / sizeof messages[0]; i++) {
            fr_array one = begin_session();
            append_message(&one, &messages[i]);
            append_message(&whole, &messages[i]);
            write_seed("web", one.data, one.count);
            write_seed("web", whole.data, whole.count);
            fr_array_destroy(&one);
        }
    }
    fr_array_destroy(&whole);
}

int main(int argc, char **argv) {
    static const char *const models[] = {"collada", "dxf", "gltf", "inventor", "obj", "off",
                                         "ply",     "stl", "vrml", "x3d",      "frm"};
    require(argc == 3, "usage: make_seeds FUZZ_FOLDER SEED_FOLDER");
    seed_folder = argv[2];
    (void)mkdir(seed_folder, 0755);
    write_nodes(argv[1]);
    for (size_t i = 0; i < sizeof models / sizeof models[0]; i++) {
        for_corpus(argv[1], models[i], convert);
    }
    for_corpus(argv[1], "scene", write_world);
    for_corpus(argv[1], "protocol", send_message);
    write_sessions();
    printf("make_seeds: %d inputs\n", seed_count);
    return EXIT_SUCCESS;
}
