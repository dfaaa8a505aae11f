// Files of few bytes that ask for much: trees of instances just within the limits, promises of counts, products of
// lists. Each is written by a function, so that tests of memory, time and stops have the same ones.
#ifndef FUREAI_TEST_MODEL_HOSTILE_FILE_H
#define FUREAI_TEST_MODEL_HOSTILE_FILE_H

#include "text_model.h"

#include <zlib.h>

// Appends formatted text.
static inline void put(fr_array *out, const char *format, ...) FR_PRINTF(2, 3);
static inline void put(fr_array *out, const char *format, ...) {
    char text[4096];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    assert_true(length >= 0 && (size_t)length < sizeof text && push_bytes(text, (size_t)length, out));
}

// ---------------------------------------------------------------------------------------------------------------
// Trees of instances: each level shows the one below twice, 2^23 nodes in all

#define LEVELS 20

static inline void put_vrml_use(fr_array *out) {
    put(out, "#VRML V2.0 utf8\nDEF g0 Shape{geometry Box{}}\n");
    for (int i = 1; i <= LEVELS; i++) {
        put(out, "DEF g%d Group{children[USE g%d USE g%d]}\n", i, i - 1, i - 1);
    }
}

// The same with a transform and a name at each level.
static inline void put_vrml_moved(fr_array *out) {
    put(out, "#VRML V2.0 utf8\nDEF g0 Shape{geometry Sphere{}}\n");
    for (int i = 1; i <= LEVELS; i++) {
        put(out,
            "DEF a_name_of_some_length_%d Transform{translation %d 0 0 scale 1 2 -1 children DEF g%d "
            "Group{children[USE g%d USE g%d]}}\n",
            i, i, i, i - 1, i - 1);
    }
}

static inline void put_vrml_proto(fr_array *out) {
    put(out, "#VRML V2.0 utf8\nPROTO P0[]{Shape{geometry Box{}}}\n");
    for (int i = 1; i <= LEVELS; i++) {
        put(out, "PROTO P%d[]{Group{children[P%d{}P%d{}]}}\n", i, i - 1, i - 1);
    }
    put(out, "P%d{}", LEVELS);
}

// Instances that hand a field down: each has nodes of its own.
static inline void put_vrml_proto_field(fr_array *out) {
    put(out, "#VRML V2.0 utf8\nPROTO P0[field SFVec3f s 1 1 1]{Shape{geometry Box{size IS s}}}\n");
    for (int i = 1; i <= 18; i++) {
        put(out, "PROTO P%d[field SFVec3f s 1 1 1]{Group{children[P%d{s IS s}P%d{s IS s}]}}\n", i, i - 1, i - 1);
    }
    put(out, "P18{}");
}

static inline void put_x3d_use(fr_array *out) {
    put(out, "<X3D><Scene><Group DEF='g0'><Shape><Box/></Shape></Group>");
    for (int i = 1; i <= LEVELS; i++) {
        put(out, "<Group DEF='g%d'><Group USE='g%d'/><Group USE='g%d'/></Group>", i, i - 1, i - 1);
    }
    put(out, "</Scene></X3D>");
}

static inline void put_x3d_proto(fr_array *out) {
    put(out, "<X3D><Scene><ProtoDeclare name='P0'><ProtoBody><Shape><Box/></Shape></ProtoBody></ProtoDeclare>");
    for (int i = 1; i <= LEVELS; i++) {
        put(out,
            "<ProtoDeclare name='P%d'><ProtoBody><Group><ProtoInstance name='P%d'/><ProtoInstance name='P%d'/>"
            "</Group></ProtoBody></ProtoDeclare>",
            i, i - 1, i - 1);
    }
    put(out, "<ProtoInstance name='P%d'/></Scene></X3D>", LEVELS);
}

static inline void put_inventor_use(fr_array *out) {
    put(out, "#Inventor V2.1 ascii\nDEF g0 Separator{Cube{}}\n");
    for (int i = 1; i <= LEVELS; i++) {
        put(out, "DEF g%d Separator{USE g%d USE g%d}\n", i, i - 1, i - 1);
    }
}

static inline void put_inventor_array(fr_array *out) {
    put(out, "#Inventor V2.1 ascii\nArray{numElements1 30000 numElements2 150 Cube{}}\n");
}

static inline void put_dxf_face(fr_array *out) {
    put(out, "0\n3DFACE\n8\n0\n10\n0\n20\n0\n30\n0\n11\n1\n21\n0\n31\n0\n12\n0\n22\n1\n32\n0\n");
}

static inline void put_dxf_minsert(fr_array *out) {
    put(out, "0\nSECTION\n2\nBLOCKS\n0\nBLOCK\n2\nb\n");
    put_dxf_face(out);
    put(out, "0\nENDBLK\n0\nENDSEC\n0\nSECTION\n2\nENTITIES\n0\nINSERT\n2\nb\n70\n2200\n71\n2200\n44\n2\n45\n2\n0\n"
             "ENDSEC\n0\nEOF\n");
}

static inline void put_dxf_insert(fr_array *out) {
    put(out, "0\nSECTION\n2\nBLOCKS\n0\nBLOCK\n2\nb0\n");
    put_dxf_face(out);
    put(out, "0\nENDBLK\n");
    for (int i = 1; i <= LEVELS; i++) {
        put(out, "0\nBLOCK\n2\nb%d\n0\nINSERT\n2\nb%d\n0\nINSERT\n2\nb%d\n10\n%d\n0\nENDBLK\n", i, i - 1, i - 1, i);
    }
    put(out, "0\nENDSEC\n0\nSECTION\n2\nENTITIES\n0\nINSERT\n2\nb%d\n0\nENDSEC\n0\nEOF\n", LEVELS);
}

static inline void put_collada_use(fr_array *out) {
    put(out, "<COLLADA><library_geometries><geometry id='g'><mesh><source id='p'><float_array id='a' count='9'>0 0 0 1 "
             "0 0 0 1 0</float_array><technique_common><accessor source='#a' count='3' stride='3'/></technique_common>"
             "</source><vertices id='v'><input semantic='POSITION' source='#p'/></vertices><triangles count='1'>"
             "<input semantic='VERTEX' source='#v' offset='0'/><p>0 1 2</p></triangles></mesh></geometry>"
             "</library_geometries><library_nodes><node id='n0'><instance_geometry url='#g'/></node>");
    for (int i = 1; i <= LEVELS; i++) {
        put(out,
            "<node id='n%d'><translate>1 0 0</translate><instance_node url='#n%d'/><instance_node url='#n%d'/>"
            "</node>",
            i, i - 1, i - 1);
    }
    put(out,
        "</library_nodes><library_visual_scenes><visual_scene id='s'><node><instance_node url='#n%d'/></node>"
        "</visual_scene></library_visual_scenes><scene><instance_visual_scene url='#s'/></scene></COLLADA>",
        LEVELS);
}

// ---------------------------------------------------------------------------------------------------------------
// Counts that a few letters promise

#define GLTF "{\"asset\":{\"version\":\"2.0\"},\"scenes\":[{\"nodes\":[0]}],\"scene\":0,"

// An accessor without a view is all zeros, as many as it says.
static inline void put_gltf_count(fr_array *out) {
    put(out, GLTF "\"nodes\":[{\"mesh\":0}],\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0,\"NORMAL\":0,"
                  "\"COLOR_0\":0}}]}],\"accessors\":[{\"componentType\":5126,\"type\":\"VEC3\",\"count\":29999997}]}");
}

// Many primitives with the same lists.
static inline void put_gltf_lists(fr_array *out) {
    put(out, GLTF "\"nodes\":[{\"mesh\":0}],\"meshes\":[{\"primitives\":[");
    for (int i = 0; i < 100; i++) {
        put(out, "%s{\"attributes\":{\"POSITION\":0,\"NORMAL\":0}}", i > 0 ? "," : "");
    }
    put(out, "]}],\"accessors\":[{\"componentType\":5126,\"type\":\"VEC3\",\"count\":300000}]}");
}

static inline void put_gltf_instances(fr_array *out) {
    put(out, GLTF "\"extensionsUsed\":[\"EXT_mesh_gpu_instancing\"],\"nodes\":[{\"mesh\":0,\"extensions\":{"
                  "\"EXT_mesh_gpu_instancing\":{\"attributes\":{\"SCALE\":1}}}}],\"meshes\":[{\"primitives\":[{"
                  "\"attributes\":{\"POSITION\":0}}]}],\"accessors\":[{\"componentType\":5126,\"type\":\"VEC3\","
                  "\"count\":3},{\"componentType\":5126,\"type\":\"VEC3\",\"count\":8000000}]}");
}

// Many nodes of one mesh, which nothing but the nodes themselves may cost.
static inline void put_gltf_nodes(fr_array *out) {
    put(out, GLTF "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}],\"accessors\":[{\"componentType\":"
                  "5126,\"type\":\"VEC3\",\"count\":30000}],\"nodes\":[{\"mesh\":0,\"children\":[1");
    for (int i = 2; i <= 2000; i++) {
        put(out, ",%d", i);
    }
    put(out, "]}");
    for (int i = 1; i <= 2000; i++) {
        put(out, ",{\"mesh\":0,\"translation\":[%d,0,0]}", i);
    }
    put(out, "]}");
}

static inline void put_collada_counts(fr_array *out) {
    put(out,
        "<COLLADA><library_geometries><geometry id='g'><mesh><source id='p'><float_array id='a' "
        "count='4294967295'>0 0 0</float_array><technique_common><accessor source='#a' count='1431655765' "
        "stride='3'/></technique_common></source><vertices id='v'><input semantic='POSITION' source='#p'/>"
        "</vertices><polylist count='4294967295'><input semantic='VERTEX' source='#v' offset='4294967295'/><vcount>"
        "4294967295</vcount><p>0</p></polylist></mesh></geometry></library_geometries><library_visual_scenes>"
        "<visual_scene id='s'><node><instance_geometry url='#g'/></node></visual_scene></library_visual_scenes>"
        "<scene><instance_visual_scene url='#s'/></scene></COLLADA>");
}

static inline void put_ply_counts(fr_array *out) {
    put(out, "ply\nformat binary_little_endian 1.0\nelement vertex 4294967294\nproperty float x\nproperty float y\n"
             "property float z\nelement face 4294967294\nproperty list uint uint vertex_indices\nend_header\nabcdefgh");
}

static inline void put_ply_list(fr_array *out) {
    put(out, "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\n"
             "element face 1\nproperty list uint uint vertex_indices\nend_header\n0 0 0 1 0 0 0 1 0\n4294967294 0 1 2");
}

static inline void put_stl_count(fr_array *out) {
    char head[84] = {0};
    memset(head + 80, 0xff, 4);
    assert_true(push_bytes(head, sizeof head, out));
    char triangle[50] = {0};
    assert_true(push_bytes(triangle, sizeof triangle, out));
}

static inline void put_off_counts(fr_array *out) { put(out, "OFF 4294967294 4294967294 0\n0 0 0\n"); }

static inline void put_frm_counts(fr_array *out) {
    fr_model *model = read_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", FR_MODEL_OBJ);
    fr_array bytes = written(model, FR_MODEL_FRM);
    fr_model_destroy(model);
    // Every word of the table that is small becomes as large as it can.
    for (size_t i = 16; i + 8 <= bytes.count && i < 512; i += 8) {
        unsigned char *at = (unsigned char *)bytes.data + i;
        if (i % 24 == 16) { memset(at, 0x7f, 4); }
    }
    assert_true(push_bytes(bytes.data, bytes.count, out));
    fr_array_destroy(&bytes);
}

// ---------------------------------------------------------------------------------------------------------------
// Products of lists

// A section of `points` along a spine of as many.
static inline void put_extrusion(fr_array *out, int points, const char *fields) {
    put(out, "#VRML V2.0 utf8\nShape{geometry Extrusion{%s crossSection[", fields);
    for (int i = 0; i < points; i++) {
        put(out, "%d %d ", i, i % 7);
    }
    put(out, "]spine[");
    for (int i = 0; i < points; i++) {
        put(out, "%d %d 0 ", i, i % 2);
    }
    put(out, "]}}");
}

static inline void put_vrml_extrusion(fr_array *out) { put_extrusion(out, 2000, ""); }
static inline void put_vrml_crease(fr_array *out) { put_extrusion(out, 1200, "creaseAngle 2"); }

// Spheres that no two share, and those of two radii by turns.
static inline void put_vrml_spheres(fr_array *out) {
    put(out, "#VRML V2.0 utf8\n");
    for (int i = 0; i < 2000; i++) {
        put(out, "Shape{geometry Sphere{radius %d}}\n", i + 1);
    }
}

static inline void put_vrml_equal_spheres(fr_array *out) {
    put(out, "#VRML V2.0 utf8\n");
    for (int i = 0; i < 40000; i++) {
        put(out, "Shape{geometry Sphere{radius %d}}\n", i % 5000 + 1);
    }
}

static inline void put_vrml_grid(fr_array *out) {
    put(out, "#VRML V2.0 utf8\nShape{geometry ElevationGrid{xDimension 46340 zDimension 46340 height[0 1 2]}}\n");
    put(out, "Shape{geometry ElevationGrid{creaseAngle 2 xDimension 300 zDimension 300 height[");
    for (int i = 0; i < 90000; i++) {
        put(out, "%d ", i % 10);
    }
    put(out, "]}}");
}

// One polygon of as many corners as the limit allows, a saw whose every second corner is a reflex one.
static inline void put_vrml_polygon(fr_array *out) {
    const int corners = 65536;
    put(out, "#VRML V2.0 utf8\nShape{geometry IndexedFaceSet{convex FALSE coord Coordinate{point[");
    for (int i = 0; i < corners; i++) {
        int k = i < corners / 2 ? i : corners - 1 - i;
        put(out, "%d %d 0 ", k, (i < corners / 2 ? 0 : 3) + k % 2 * 2);
    }
    put(out, "]}coordIndex[");
    for (int i = 0; i < corners; i++) {
        put(out, "%d ", i);
    }
    put(out, "-1]}}");
}

static inline void put_obj_polygon(fr_array *out) {
    put(out, "v 0 0 0\nv 1 0 0\nv 0 1 0\n");
    for (int i = 0; i < 20; i++) {
        put(out, "f");
        for (int k = 0; k < 60000; k++) {
            put(out, " %d", k % 3 + 1);
        }
        put(out, "\n");
    }
}

static inline void put_obj_parts(fr_array *out) {
    put(out, "v 0 0 0\nv 1 0 0\nv 0 1 0\n");
    for (int i = 0; i < 50000; i++) {
        put(out, "o\nf 1 2 3\n");
    }
}

static inline void put_gzip_bomb(fr_array *out) {
    const size_t size = (size_t)64 << 20;
    char *text = malloc(size);
    unsigned char *packed = malloc(1 << 20);
    assert_true(text != NULL && packed != NULL);
    memset(text, ' ', size);
    memcpy(text, "#VRML V2.0 utf8\n", 16);
    z_stream stream = {.next_in = (Bytef *)text, .avail_in = (uInt)size, .next_out = packed, .avail_out = 1 << 20};
    assert_int_equal(deflateInit2(&stream, 9, Z_DEFLATED, 15 + 16, 9, Z_DEFAULT_STRATEGY), Z_OK);
    assert_int_equal(deflate(&stream, Z_FINISH), Z_STREAM_END);
    assert_true(push_bytes(packed, stream.total_out, out));
    deflateEnd(&stream);
    free(packed);
    free(text);
}

typedef struct hostile_file {
    const char *name; // with the ending that says the format
    void (*put)(fr_array *out);
} hostile_file;

static const hostile_file hostile_files[] = {{"use.wrl", put_vrml_use},
                                             {"moved.wrl", put_vrml_moved},
                                             {"proto.wrl", put_vrml_proto},
                                             {"proto_field.wrl", put_vrml_proto_field},
                                             {"use.x3d", put_x3d_use},
                                             {"proto.x3d", put_x3d_proto},
                                             {"use.iv", put_inventor_use},
                                             {"array.iv", put_inventor_array},
                                             {"minsert.dxf", put_dxf_minsert},
                                             {"insert.dxf", put_dxf_insert},
                                             {"use.dae", put_collada_use},
                                             {"count.gltf", put_gltf_count},
                                             {"lists.gltf", put_gltf_lists},
                                             {"instances.gltf", put_gltf_instances},
                                             {"nodes.gltf", put_gltf_nodes},
                                             {"counts.dae", put_collada_counts},
                                             {"counts.ply", put_ply_counts},
                                             {"list.ply", put_ply_list},
                                             {"count.stl", put_stl_count},
                                             {"counts.off", put_off_counts},
                                             {"counts.frm", put_frm_counts},
                                             {"extrusion.wrl", put_vrml_extrusion},
                                             {"crease.wrl", put_vrml_crease},
                                             {"spheres.wrl", put_vrml_spheres},
                                             {"equal_spheres.wrl", put_vrml_equal_spheres},
                                             {"grid.wrl", put_vrml_grid},
                                             {"polygon.wrl", put_vrml_polygon},
                                             {"polygon.obj", put_obj_polygon},
                                             {"parts.obj", put_obj_parts},
                                             {"bomb.wrz", put_gzip_bomb}};
#define HOSTILE_COUNT (sizeof hostile_files / sizeof hostile_files[0])

#endif
