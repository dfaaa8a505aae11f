// A small GLB file with a skin: a strip of 6 vertices, 2 m long, that two bones bend, the upper one by a right angle
// over 2 seconds; and a shape that widens it by 1 m.
#ifndef FUREAI_TEST_SKINNED_GLB_H
#define FUREAI_TEST_SKINNED_GLB_H

#include <stdint.h>
#include <stdio.h>
#include <string.h>

// The binary part; tests spoil it.
typedef struct skinned_binary {
    float positions[18];
    uint8_t joints[24];
    float weights[24];
    float binds[32];
    uint16_t triangles[12];
    float times[2];
    float turns[8];
    float widening[18];
    float shape_weights[2];
} skinned_binary;

_Static_assert(sizeof(skinned_binary) == 464, "the lists stand at the offsets that the JSON says");

static inline skinned_binary skinned_lists(void) {
    skinned_binary b = {
        .positions = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0, 0, 2, 0, 1, 2, 0},
        .joints = {0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0},
        .weights = {1, 0, 0, 0, 1, 0, 0, 0, 0.5f, 0.5f, 0, 0, 0.5f, 0.5f, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0},
        .binds = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, -1, 0, 1},
        .triangles = {0, 1, 2, 1, 3, 2, 2, 3, 4, 3, 5, 4},
        .times = {0, 2},
        .turns = {0, 0, 0, 1, 0, 0, 0.70710678f, 0.70710678f},
        .widening = {0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0},
        .shape_weights = {0, 1}};
    return b;
}

// The JSON; `joints` is the list of a skin's bones, `targets` the shapes of the mesh and `channels` what moves beside
// the upper bone, as text.
#define SKINNED_JSON_WITH(joints, targets, channels)                                                                   \
    "{\"asset\":{\"version\":\"2.0\"},\"buffers\":[{\"byteLength\":464}],\"bufferViews\":["                            \
    "{\"buffer\":0,\"byteOffset\":0,\"byteLength\":72},{\"buffer\":0,\"byteOffset\":72,\"byteLength\":24},"            \
    "{\"buffer\":0,\"byteOffset\":96,\"byteLength\":96},{\"buffer\":0,\"byteOffset\":192,\"byteLength\":128},"         \
    "{\"buffer\":0,\"byteOffset\":320,\"byteLength\":24},{\"buffer\":0,\"byteOffset\":344,\"byteLength\":8},"          \
    "{\"buffer\":0,\"byteOffset\":352,\"byteLength\":32},{\"buffer\":0,\"byteOffset\":384,\"byteLength\":72},"         \
    "{\"buffer\":0,\"byteOffset\":456,\"byteLength\":8}],\"accessors\":["                                              \
    "{\"bufferView\":0,\"componentType\":5126,\"type\":\"VEC3\",\"count\":6},"                                         \
    "{\"bufferView\":1,\"componentType\":5121,\"type\":\"VEC4\",\"count\":6},"                                         \
    "{\"bufferView\":2,\"componentType\":5126,\"type\":\"VEC4\",\"count\":6},"                                         \
    "{\"bufferView\":3,\"componentType\":5126,\"type\":\"MAT4\",\"count\":2},"                                         \
    "{\"bufferView\":4,\"componentType\":5123,\"type\":\"SCALAR\",\"count\":12},"                                      \
    "{\"bufferView\":5,\"componentType\":5126,\"type\":\"SCALAR\",\"count\":2},"                                       \
    "{\"bufferView\":6,\"componentType\":5126,\"type\":\"VEC4\",\"count\":2},"                                         \
    "{\"bufferView\":7,\"componentType\":5126,\"type\":\"VEC3\",\"count\":6},"                                         \
    "{\"bufferView\":8,\"componentType\":5126,\"type\":\"SCALAR\",\"count\":2}],"                                      \
    "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0,\"JOINTS_0\":1,\"WEIGHTS_0\":2},\"indices\":"        \
    "4" targets "]}],"                                                                                                 \
    "\"skins\":[{\"name\":\"arm\",\"skeleton\":1,\"inverseBindMatrices\":3,\"joints\":" joints "}],"                   \
    "\"nodes\":[{\"name\":\"strip\",\"mesh\":0,\"skin\":0,\"translation\":[7,7,7]},"                                   \
    "{\"name\":\"lower\",\"children\":[2]},{\"name\":\"upper\",\"translation\":[0,1,0]}],"                             \
    "\"scene\":0,\"scenes\":[{\"nodes\":[0,1]}],"                                                                      \
    "\"animations\":[{\"name\":\"bend\",\"samplers\":[{\"input\":5,\"output\":6},{\"input\":5,\"output\":8}],"         \
    "\"channels\":[{\"sampler\":0,\"target\":{\"node\":2,\"path\":\"rotation\"}}" channels "]}]}"

#define SKINNED_JSON_OF(joints)                                                                                        \
    SKINNED_JSON_WITH(joints, ",\"targets\":[{\"POSITION\":7}]}],\"weights\":[0.0",                                    \
                      ",{\"sampler\":1,\"target\":{\"node\":0,\"path\":\"weights\"}}")

#define SKINNED_JSON SKINNED_JSON_OF("[1,2]")

// Without the shape: bones alone move it.
#define BONED_JSON SKINNED_JSON_WITH("[1,2]", "}", "")

#endif
