// The fields of every operation, in the order of a record. One function for each kind writes and reads them.
#include "space/operation.h"

#include <string.h>

const char *fr__operation_text(fr__operation_kind kind) {
    static const char *const texts[] = {
#define OPERATION_TEXT(name, text) text,
        FR__OPERATION_TABLE(OPERATION_TEXT)
#undef OPERATION_TEXT
    };
    return (unsigned)kind < FR__OPERATION_COUNT ? texts[kind] : "unknown";
}

// ---------------------------------------------------------------------------------------------------------------
// Parts of operations

// The space of an id is not recorded, because the player plays into another space.
static void code_object_id(fr__codec *codec, fr_object_id *id) {
    fr__code_u32(codec, &id->index1);
    fr__code_u32(codec, &id->generation);
}

static void code_joint_id(fr__codec *codec, fr_joint_id *id) {
    fr__code_u32(codec, &id->index1);
    fr__code_u32(codec, &id->generation);
}

static void code_filter(fr__codec *codec, fr_filter *filter) {
    uint32_t group;
    memcpy(&group, &filter->group, sizeof group);
    fr__code_u32(codec, &filter->layers);
    fr__code_u32(codec, &filter->mask);
    fr__code_u32(codec, &group);
    memcpy(&filter->group, &group, sizeof group);
}

static void code_motion(fr__codec *codec, fr_motion *motion) {
    fr__code_pose(codec, &motion->start);
    fr__code_vec3(codec, &motion->pivot_local);
    fr__code_vec3(codec, &motion->travel);
    fr__code_vec3(codec, &motion->turn);
}

static void code_joint(fr__codec *codec, fr_joint *joint) {
    uint32_t kind = (uint32_t)joint->kind;
    fr__code_u32(codec, &kind);
    joint->kind = (fr_joint_kind)(kind <= FR_JOINT_ATTACHED ? kind : FR_JOINT_ATTACHED + 1u);
    code_object_id(codec, &joint->parent);
    code_object_id(codec, &joint->child);
    fr__code_pose(codec, &joint->frame_parent);
    fr__code_pose(codec, &joint->frame_child);
    fr__code_double(codec, &joint->low);
    fr__code_double(codec, &joint->high);
    fr__code_double(codec, &joint->pitch);
    fr__code_double(codec, &joint->value);
}

// A part is the number of its mesh and its pose: 4 and 64 bytes.
static void code_parts(fr__codec *codec, fr__operation *o) {
    fr__code_u32(codec, &o->def.part_count);
    uint32_t count = o->def.part_count;
    fr__operation_part *parts = NULL;
    if (codec->is_reader) {
        parts = fr__codec_take(codec, 0, count, sizeof *parts, 68);
        o->parts = parts;
        if (parts == NULL) { return; }
        memset(parts, 0, count * sizeof *parts);
    }
    for (uint32_t i = 0; i < count; i++) {
        fr__operation_part part = o->parts[i];
        fr__code_u32(codec, &part.mesh);
        fr__code_pose(codec, &part.pose);
        if (codec->is_reader) { parts[i] = part; }
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Operations

static void code_MESH(fr__codec *codec, fr__operation *o) {
    fr__code_u32(codec, &o->index);
    fr__code_u64(codec, &o->byte_count);
    fr__code_bytes(codec, &o->bytes, o->byte_count);
}

static void code_nothing(fr__codec *codec, fr__operation *o) {
    (void)codec;
    (void)o;
}

static void code_HOLE(fr__codec *codec, fr__operation *o) { code_nothing(codec, o); }

static void code_PLACE(fr__codec *codec, fr__operation *o) {
    fr__code_u32(codec, &o->index);
    fr__code_u32(codec, &o->generation);
    fr__code_u64(codec, &o->versions.shape);
    fr__code_u64(codec, &o->versions.vertices);
    fr__code_u64(codec, &o->versions.pose);
    fr__code_u64(codec, &o->versions.filter);
}

static void code_JOINT_HOLE(fr__codec *codec, fr__operation *o) { code_nothing(codec, o); }

static void code_JOINT_PLACE(fr__codec *codec, fr__operation *o) {
    fr__code_u32(codec, &o->index);
    fr__code_u32(codec, &o->generation);
}

static void code_OBJECT_ADD(fr__codec *codec, fr__operation *o) {
    fr__code_pose(codec, &o->def.pose);
    fr__code_vec3(codec, &o->def.pivot_local);
    code_filter(codec, &o->def.filter);
    fr__code_u32(codec, &o->def.flags);
    code_parts(codec, o);
}

static void code_OBJECT_REMOVE(fr__codec *codec, fr__operation *o) { code_object_id(codec, &o->object); }

static void code_SET_POSE(fr__codec *codec, fr__operation *o) {
    code_object_id(codec, &o->object);
    fr__code_pose(codec, &o->pose);
}

static void code_SET_NEXT(fr__codec *codec, fr__operation *o) { code_SET_POSE(codec, o); }

static void code_SET_MOTION(fr__codec *codec, fr__operation *o) {
    code_object_id(codec, &o->object);
    code_motion(codec, &o->motion);
    fr__code_pose(codec, &o->pose);
}

static void code_SET_FILTER(fr__codec *codec, fr__operation *o) {
    code_object_id(codec, &o->object);
    code_filter(codec, &o->filter);
}

static void code_SET_FLAGS(fr__codec *codec, fr__operation *o) {
    code_object_id(codec, &o->object);
    fr__code_u32(codec, &o->flags);
}

static void code_SET_VERTICES(fr__codec *codec, fr__operation *o) {
    code_object_id(codec, &o->object);
    fr__code_u32(codec, &o->vertex_count);
    fr_vec3 *vertices = NULL;
    if (codec->is_reader) {
        vertices = fr__codec_take(codec, 1, o->vertex_count, sizeof *vertices, sizeof *vertices);
        o->vertices = vertices;
        if (vertices == NULL) { return; }
    }
    for (uint32_t i = 0; i < o->vertex_count; i++) {
        fr_vec3 vertex = codec->is_reader ? fr_vec3_make(0.0, 0.0, 0.0) : o->vertices[i];
        fr__code_vec3(codec, &vertex);
        if (codec->is_reader) { vertices[i] = vertex; }
    }
}

static void code_JOINT_ADD(fr__codec *codec, fr__operation *o) { code_joint(codec, &o->joint); }
static void code_JOINT_REMOVE(fr__codec *codec, fr__operation *o) { code_joint_id(codec, &o->joint_id); }

static void code_JOINT_SET(fr__codec *codec, fr__operation *o) {
    code_joint_id(codec, &o->joint_id);
    code_joint(codec, &o->joint);
}

static void code_COMMIT(fr__codec *codec, fr__operation *o) { code_nothing(codec, o); }
static void code_UPDATE(fr__codec *codec, fr__operation *o) { code_nothing(codec, o); }

static void code_SET_NEXT_VERTICES(fr__codec *codec, fr__operation *o) { code_SET_VERTICES(codec, o); }

static void code_SKIN(fr__codec *codec, fr__operation *o) { code_MESH(codec, o); }

static void code_SET_SKIN(fr__codec *codec, fr__operation *o) {
    code_object_id(codec, &o->object);
    fr__code_u32(codec, &o->part);
    fr__code_u32(codec, &o->index);
    fr__code_u32(codec, &o->method);
}

static void code_SET_BONES(fr__codec *codec, fr__operation *o) {
    code_object_id(codec, &o->object);
    fr__code_u32(codec, &o->bone_count);
    fr_pose *bones = NULL;
    if (codec->is_reader) {
        bones = fr__codec_take(codec, 1, o->bone_count, sizeof *bones, 64);
        o->bones = bones;
        if (bones == NULL) { return; }
    }
    for (uint32_t i = 0; i < o->bone_count; i++) {
        fr_pose bone = codec->is_reader ? fr_pose_identity() : o->bones[i];
        fr__code_pose(codec, &bone);
        if (codec->is_reader) { bones[i] = bone; }
    }
}

static void code_SET_NEXT_BONES(fr__codec *codec, fr__operation *o) { code_SET_BONES(codec, o); }

void fr__operation_code(fr__codec *codec, fr__operation *operation) {
    static void (*const codes[])(fr__codec * codec, fr__operation * operation) = {
#define OPERATION_CODE(name, text) code_##name,
        FR__OPERATION_TABLE(OPERATION_CODE)
#undef OPERATION_CODE
    };
    codes[operation->kind](codec, operation);
}
