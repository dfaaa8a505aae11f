#include "assimp_scene.h"

#ifdef FR_HAVE_ASSIMP

#include <assimp/cfileio.h>
#include <assimp/cimport.h>
#include <assimp/config.h>
#include <assimp/material.h>
#include <assimp/scene.h>

#include <math.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------------------------
// The bytes as a file

typedef struct memory_file {
    struct aiFile file;
    const char *bytes;
    size_t size, at;
} memory_file;

typedef struct memory_folder {
    const char *name; // of the one file in it
    memory_file file;
} memory_folder;

static size_t read_memory(struct aiFile *file, char *to, size_t size, size_t count) {
    memory_file *memory = (memory_file *)(void *)file->UserData;
    size_t left = size > 0 ? (memory->size - memory->at) / size : 0;
    size_t taken = count < left ? count : left;
    memcpy(to, memory->bytes + memory->at, taken * size);
    memory->at += taken * size;
    return taken;
}

static size_t write_nothing(struct aiFile *file, const char *from, size_t size, size_t count) {
    (void)file, (void)from, (void)size, (void)count;
    return 0;
}

static size_t tell_memory(struct aiFile *file) { return ((memory_file *)(void *)file->UserData)->at; }
static size_t size_memory(struct aiFile *file) { return ((memory_file *)(void *)file->UserData)->size; }
static void flush_nothing(struct aiFile *file) { (void)file; }

static enum aiReturn seek_memory(struct aiFile *file, size_t offset, enum aiOrigin origin) {
    memory_file *memory = (memory_file *)(void *)file->UserData;
    size_t from = origin == aiOrigin_SET ? 0 : origin == aiOrigin_CUR ? memory->at : memory->size;
    // Steps back come as large numbers.
    size_t to = from + offset;
    if (to > memory->size) { return aiReturn_FAILURE; }
    memory->at = to;
    return aiReturn_SUCCESS;
}

static struct aiFile *open_memory(struct aiFileIO *io, const char *name, const char *mode) {
    memory_folder *folder = (memory_folder *)(void *)io->UserData;
    if (strcmp(name, folder->name) != 0 || mode[0] != 'r') { return NULL; }
    folder->file.at = 0;
    folder->file.file = (struct aiFile){.ReadProc = read_memory,
                                        .WriteProc = write_nothing,
                                        .TellProc = tell_memory,
                                        .FileSizeProc = size_memory,
                                        .SeekProc = seek_memory,
                                        .FlushProc = flush_nothing,
                                        .UserData = (char *)&folder->file};
    return &folder->file.file;
}

static void close_memory(struct aiFileIO *io, struct aiFile *file) { (void)io, (void)file; }

// ---------------------------------------------------------------------------------------------------------------
// Meshes

static fr_status not_finite(fr__reader *reader) {
    return fr__cursor_fail(&reader->cursor, NULL, FR_ERROR_NOT_FINITE, "a coordinate is not finite");
}

static fr_status add_vertices(fr__reader *reader, const struct aiMesh *mesh) {
    for (unsigned i = 0; i < mesh->mNumVertices; i++) {
        const float p[3] = {mesh->mVertices[i].x, mesh->mVertices[i].y, mesh->mVertices[i].z};
        if (!isfinite(p[0]) || !isfinite(p[1]) || !isfinite(p[2])) { return not_finite(reader); }
        void *place = fr__builder_vertex(&reader->builder);
        if (place == NULL) { return fr__reader_fail_building(reader, NULL); }
        for (int k = 0; k < 3; k++) {
            if (reader->builder.is_double) {
                ((double *)place)[k] = (double)p[k];
            } else {
                ((float *)place)[k] = p[k];
            }
        }
    }
    return FR_OK;
}

static uint8_t channel(float value) {
    return (uint8_t)(value > 0.0f ? (value < 1.0f ? value * 255.0f + 0.5f : 255.0f) : 0.0f);
}

// What stands at a vertex is given to the corner that was added last.
static bool add_attributes(fr__builder *builder, const struct aiMesh *mesh, unsigned vertex) {
    bool done = true;
    if (mesh->mNormals != NULL) {
        struct aiVector3D n = mesh->mNormals[vertex];
        const float normal[3] = {isfinite(n.x) ? n.x : 0.0f, isfinite(n.y) ? n.y : 0.0f, isfinite(n.z) ? n.z : 0.0f};
        done = fr__builder_normal_corner(builder, normal);
    }
    if (mesh->mTextureCoords[0] != NULL && done) {
        struct aiVector3D t = mesh->mTextureCoords[0][vertex];
        const float uv[2] = {isfinite(t.x) ? t.x : 0.0f, isfinite(t.y) ? t.y : 0.0f};
        done = fr__builder_uv_corner(builder, uv);
    }
    if (mesh->mColors[0] != NULL && done) {
        struct aiColor4D c = mesh->mColors[0][vertex];
        done = fr__builder_color_corner(builder, (fr_color){channel(c.r), channel(c.g), channel(c.b), channel(c.a)});
    }
    return done;
}

static fr_status add_face(fr__reader *reader, const struct aiMesh *mesh, const struct aiFace *face) {
    fr__builder *builder = &reader->builder;
    if (face->mNumIndices < 3) {
        builder->point_count += face->mNumIndices == 1;
        builder->line_count += face->mNumIndices == 2;
        return FR_OK;
    }
    for (unsigned k = 0; k < face->mNumIndices; k++) {
        unsigned vertex = face->mIndices[k];
        if (vertex >= mesh->mNumVertices) {
            return fr__cursor_fail(&reader->cursor, NULL, FR_ERROR_CORRUPT, "a polygon has vertex %u of %u", vertex,
                                   mesh->mNumVertices);
        }
        if (!fr__builder_corner(builder, vertex) || !add_attributes(builder, mesh, vertex)) {
            return fr__reader_fail_building(reader, NULL);
        }
    }
    return fr__builder_end_face(builder, face->mNumIndices) ? FR_OK : fr__reader_fail_building(reader, NULL);
}

static fr_status add_meshes(fr__reader *reader, const struct aiScene *scene) {
    for (unsigned m = 0; m < scene->mNumMeshes; m++) {
        const struct aiMesh *mesh = scene->mMeshes[m];
        if (!fr__builder_begin_part(&reader->builder, (fr__span){"", 0})) {
            return fr__reader_fail_building(reader, NULL);
        }
        FR__TRY(add_vertices(reader, mesh));
        for (unsigned f = 0; f < mesh->mNumFaces; f++) {
            FR__TRY(add_face(reader, mesh, &mesh->mFaces[f]));
        }
        FR__TRY(fr__cursor_check_now(&reader->cursor));
    }
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// Nodes

typedef struct tree {
    fr__reader *reader;
    const struct aiScene *scene;
    const fr__assimp_names *names;
} tree;

// The number in a name that we gave, a letter and digits; FR_NONE for another.
static uint32_t number_of(const struct aiString *name, char letter, uint32_t count) {
    if (name->length < 2 || name->length > 10 || name->data[0] != letter) { return FR_NONE; }
    uint64_t number = 0;
    for (unsigned i = 1; i < name->length; i++) {
        if (name->data[i] < '0' || name->data[i] > '9') { return FR_NONE; }
        number = 10 * number + (uint64_t)(name->data[i] - '0');
    }
    return number < count ? (uint32_t)number : FR_NONE;
}

// The transform of a node; *out is NULL where it changes nothing.
static fr_status take_transform(tree *t, const struct aiMatrix4x4 *m, const double **out) {
    const float *numbers = &m->a1;
    bool is_identity = true;
    *out = NULL;
    for (int i = 0; i < 12; i++) {
        if (!isfinite(numbers[i])) { return not_finite(t->reader); }
        is_identity = is_identity && numbers[i] == (i % 5 == 0 ? 1.0f : 0.0f);
    }
    if (is_identity) { return FR_OK; }
    double *matrix = fr__builder_alloc(&t->reader->builder, 12, sizeof(double), sizeof(double));
    if (matrix == NULL) { return fr__reader_fail_building(t->reader, NULL); }
    for (int i = 0; i < 12; i++) {
        matrix[i] = (double)numbers[i];
    }
    *out = matrix;
    return FR_OK;
}

// The builder's material of a mesh, by the name that we gave it: assimp counts them in an order of its own.
static uint32_t material_of(const tree *t, const struct aiMesh *mesh) {
    struct aiString name;
    if (mesh->mMaterialIndex >= t->scene->mNumMaterials) { return FR_NONE; }
    const struct aiMaterial *material = t->scene->mMaterials[mesh->mMaterialIndex];
    if (aiGetMaterialString(material, AI_MATKEY_NAME, &name) != aiReturn_SUCCESS) { return FR_NONE; }
    return number_of(&name, 'm', t->names->material_count);
}

static fr_status add_one(tree *t, fr_model_node node, unsigned mesh, uint32_t *index) {
    if (mesh < t->scene->mNumMeshes) {
        node.mesh = mesh;
        node.material = material_of(t, t->scene->mMeshes[mesh]);
    }
    *index = fr__builder_add_node(&t->reader->builder, &node);
    return *index != FR_NONE ? FR_OK : fr__reader_fail_building(t->reader, NULL);
}

// A node with its meshes, one on the node itself, several on nodes below it, and all below it. The depth is bounded, as
// that of the bytes is.
static fr_status add_node(tree *t, const struct aiNode *source, uint32_t parent, uint32_t depth) {
    if (depth > t->reader->builder.limits.nesting + 2) {
        return fr__cursor_fail(&t->reader->cursor, NULL, FR_ERROR_LIMIT, "more than %u nodes in one another, the limit",
                               t->reader->builder.limits.nesting);
    }
    fr_model_node node = fr_default_model_node();
    node.parent = parent;
    FR__TRY(take_transform(t, &source->mTransformation, &node.transform));
    uint32_t number = number_of(&source->mName, 'n', t->names->node_count), index = parent;
    if (number != FR_NONE) { node.name = t->names->node_name(number, t->names->context); }
    if (node.name == NULL) { return fr__reader_fail_building(t->reader, NULL); }
    // Nodes that assimp puts above all others say nothing.
    bool says_something = number != FR_NONE || source->mNumMeshes > 0 || node.transform != NULL;
    if (says_something) {
        unsigned own = source->mNumMeshes == 1 ? source->mMeshes[0] : t->scene->mNumMeshes;
        FR__TRY(add_one(t, node, own, &index));
        if (number != FR_NONE && t->names->placed != NULL) { t->names->placed[number] = index; }
        for (unsigned i = 0; i < source->mNumMeshes && source->mNumMeshes > 1; i++) {
            fr_model_node part = fr_default_model_node();
            uint32_t part_index = 0;
            part.name = node.name;
            part.parent = index;
            FR__TRY(add_one(t, part, source->mMeshes[i], &part_index));
        }
    }
    for (unsigned i = 0; i < source->mNumChildren; i++) {
        FR__TRY(add_node(t, source->mChildren[i], index, depth + 1));
    }
    return FR_OK;
}

fr_status fr__assimp_read(fr__reader *reader, const char *file_name, const void *bytes, size_t size,
                          const fr__assimp_names *names) {
    memory_folder folder = {.name = file_name, .file = {.bytes = bytes, .size = size}};
    folder.file.file.UserData = (char *)&folder.file;
    struct aiFileIO io = {.OpenProc = open_memory, .CloseProc = close_memory, .UserData = (char *)&folder};
    // A scene without meshes is to stay so, without bones that stand for its nodes.
    struct aiPropertyStore *properties = aiCreatePropertyStore();
    if (properties == NULL) { return fr__reader_fail_building(reader, NULL); }
    aiSetImportPropertyInteger(properties, AI_CONFIG_IMPORT_NO_SKELETON_MESHES, 1);
    const struct aiScene *scene = aiImportFileExWithProperties(file_name, 0, &io, properties);
    aiReleasePropertyStore(properties);
    if (scene == NULL) {
        return fr__cursor_fail(&reader->cursor, NULL, FR_ERROR_CORRUPT, "assimp cannot read it: %.160s",
                               aiGetErrorString());
    }
    fr__builder_set_double(&reader->builder, reader->precision == FR_MODEL_DOUBLE);
    tree t = {reader, scene, names};
    fr_status status = add_meshes(reader, scene);
    if (status == FR_OK && scene->mRootNode != NULL) { status = add_node(&t, scene->mRootNode, FR_NONE, 1); }
    aiReleaseImport(scene);
    return status;
}

#else

fr_status fr__assimp_read(fr__reader *reader, const char *file_name, const void *bytes, size_t size,
                          const fr__assimp_names *names) {
    (void)file_name, (void)bytes, (void)size, (void)names;
    return fr__cursor_fail(&reader->cursor, NULL, FR_ERROR_UNSUPPORTED,
                           "glTF and Collada are read by assimp, which this library was built without");
}

#endif
