// The layout of an intermediate file, version 1. Little endian; every chunk begins at a multiple of 64 bytes and every
// array in it at a multiple of 8, so that a mapped file is used where it lies.
//
//   header    64 bytes, see FR__FRM_HEADER
//   chunks    arrays first, then the lists that point into them, cooked meshes and their list last
//   table     32 bytes a chunk: tag, checksum, offset, size, 0
//   trailer   32 bytes: offset of the table, count of chunks, checksum of header and table, mark, size of the file
//
// Chunks of arrays: VERT positions, FACE polygons, GSET what is only for drawing, DATA pictures, KEYS tracks, BONE
// skins and shapes, COOK cooked meshes, TEXT words, each ended by a zero byte. Lists of records: XFRM transforms, PLAC
// placements, NODE, MESH, MATL, TEXR, CLCK, ANIM, SOND, NOTE, WARN, DFRM, SKIN, FLLW, CKIX. A reader passes over chunks
// that it does not know. Offsets are counted from the beginning of the file, those of words from the beginning of TEXT;
// offset 0 stands for no array, or for "".
#ifndef FUREAI_MODEL_FRM_H
#define FUREAI_MODEL_FRM_H

#include "model.h"

#define FR__FRM_MARK "\211FRM\r\n\032\n"
#define FR__FRM_END_MARK "FRMTABLE"
#define FR__FRM_VERSION 1
#define FR__FRM_ALIGN 64

// mark 8, version 4, flags 4, unit 8, up 4, 0 4, lines 8, points 8, warnings 8, 0 8
#define FR__FRM_HEADER 64
#define FR__FRM_ENTRY 32
#define FR__FRM_TRAILER 32
#define FR__FRM_DOUBLES 1u // flag of the header: positions are doubles

typedef enum fr__frm_tag {
    FR__FRM_VERT,
    FR__FRM_FACE,
    FR__FRM_GSET,
    FR__FRM_DATA,
    FR__FRM_KEYS,
    FR__FRM_TEXT,
    FR__FRM_XFRM, // 12 doubles each
    FR__FRM_PLAC, // 17 doubles: translation, center, scale, rotation, scale orientation
    FR__FRM_NODE, // name 8, parent, mesh, material, placement, flags, transform, first child, next sibling 4 each,
                  // polygons of its own and of its subtree 8 each, bounds of both in the model's frame 6 doubles each
    FR__FRM_MESH, // vertices, polygons, corners, first polygon's number, flags, primitive 4 each; offsets of positions,
                  // corners, starts, numbers, colours, materials, normals, uvs, colours of corners 8 each; bounds 6
                  // doubles; size of the primitive 3 doubles
    FR__FRM_MATL, // name 8; diffuse, emissive, specular 3 floats each; ambient, shininess, transparency; flags, texture
    FR__FRM_TEXR, // path, bytes, their count, pixels 8 each; width, height, components, flags 4; 7 floats; 0 4
    FR__FRM_CLCK, // name 8; cycle, start, stop doubles; flags, 0 4
    FR__FRM_ANIM, // kind, target, clock, keys, width, 0 4 each; offsets of keys and values 8 each
    FR__FRM_SOND, // path, description 8; node, flags 4; 14 doubles
    FR__FRM_NOTE, // kind, name, text 8
    FR__FRM_WARN, // line, column 4; message 8
    FR__FRM_BONE, // arrays
    FR__FRM_DFRM, // mesh, influences, bones, shapes 4 each; offsets of bones, weights, shapes, their weights 8 each
    FR__FRM_SKIN, // name 8; bones, root 4; offsets of nodes and inverse binds 8 each
    FR__FRM_FLLW, // node, skin 4 each
    FR__FRM_COOK,
    FR__FRM_CKIX, // offset and size of each mesh's cooked form 8 each
    FR__FRM_TAG_COUNT
} fr__frm_tag;

// The four letters of a tag, and the bytes of a record; 1 for chunks without.
extern const char fr__frm_letters[FR__FRM_TAG_COUNT][5];
extern const uint32_t fr__frm_record_bytes[FR__FRM_TAG_COUNT];

// Flags of records.
#define FR__FRM_TWO_SIDED 1u // of meshes
#define FR__FRM_PRIMITIVE 2u
#define FR__FRM_SIDE 4u
#define FR__FRM_TOP 8u
#define FR__FRM_BOTTOM 16u
#define FR__FRM_UNLIT 1u    // of materials
#define FR__FRM_REPEAT_S 1u // of textures
#define FR__FRM_REPEAT_T 2u
#define FR__FRM_LOOP 1u    // of clocks and sounds
#define FR__FRM_ENABLED 2u // of clocks
#define FR__FRM_SPATIAL 2u // of sounds

typedef struct fr__frm_chunk {
    uint64_t offset, size;
    uint32_t checksum;
    bool is_there;
} fr__frm_chunk;

// A file being read. `base` is where the bytes of the chunks are kept.
typedef struct fr__frm_file {
    const char *base;
    fr__frm_chunk chunks[FR__FRM_TAG_COUNT];
    uint64_t used[FR__FRM_TAG_COUNT]; // bytes of each chunk that arrays were found in
    fr_error *error;
    const char *name;
} fr__frm_file;

// Fails, with the file's name.
fr_status fr__frm_fail(const fr__frm_file *file, fr_status status, const char *format, ...) FR_PRINTF(3, 4);

// Records of a chunk, and the first byte of one.
uint64_t fr__frm_count(const fr__frm_file *file, fr__frm_tag tag);
const char *fr__frm_record(const fr__frm_file *file, fr__frm_tag tag, uint64_t index);

// `count` elements of `size` bytes at an offset, which must lie in the chunk; *out is NULL for offset 0. All arrays of
// one chunk together have no more bytes than it has, so that none is gone through twice.
fr_status fr__frm_array(fr__frm_file *file, fr__frm_tag tag, uint64_t offset, uint64_t count, uint32_t size,
                        const void **out);

// The words at an offset.
fr_status fr__frm_text(const fr__frm_file *file, uint64_t offset, const char **out);

// The lists: each fills its part of the model.
fr_status fr__frm_read_nodes(fr__frm_file *file, fr_model *model);
fr_status fr__frm_read_meshes(fr__frm_file *file, fr_model *model, bool is_mapped);
fr_status fr__frm_read_looks(fr__frm_file *file, fr_model *model);
fr_status fr__frm_read_motion(fr__frm_file *file, fr_model *model);
fr_status fr__frm_read_skins(fr__frm_file *file, fr_model *model);
fr_status fr__frm_read_words(fr__frm_file *file, fr_model *model);

// Reads a file; mapped, its bytes stay where they are.
fr_status fr__read_frm(fr__reader *reader, bool is_mapped, fr_model **out);

#endif
