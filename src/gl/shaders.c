// The source text of all shaders.
#include "gl/shaders.h"

// ---------------------------------------------------------------------------------------------------------------
// Straight motion

#define VERSION "#version 330 core\n"

// A corner of a face. A vertex is known by its number alone; sixteen words of a face and eight of its slot stand in
// rows of texels. What leaves the slot is cut off, so that one drawing fills all slots.
static const char face_vertex[] =
    VERSION "uniform usamplerBuffer faces, slots;\n"
            "uniform vec2 scale;\n"
            "flat out uvec4 place, facts;\n"
            "flat out vec4 depths; // at the middle, its two slopes, least\n"
            "flat out float deepest;\n"
            "flat out ivec2 middle;\n"
            "flat out uvec2 name;\n"
            "out float gl_ClipDistance[4];\n"
            "void main() {\n"
            "    int face = gl_VertexID / 3, corner = gl_VertexID - 3 * face;\n"
            "    uvec4 a = texelFetch(faces, 4 * face), b = texelFetch(faces, 4 * face + 1);\n"
            "    uvec4 c = texelFetch(faces, 4 * face + 2), d = texelFetch(faces, 4 * face + 3);\n"
            "    place = texelFetch(slots, 2 * int(d.y));\n"
            "    facts = texelFetch(slots, 2 * int(d.y) + 1);\n"
            "    depths = uintBitsToFloat(uvec4(b.zw, c.x, c.w));\n"
            "    deepest = uintBitsToFloat(d.x);\n"
            "    middle = ivec2(c.yz);\n"
            "    name = d.zw;\n"
            "    vec2 at = uintBitsToFloat(corner == 0 ? a.xy : corner == 1 ? a.zw : b.xy);\n"
            "    gl_ClipDistance[0] = at.x;\n"
            "    gl_ClipDistance[1] = at.y;\n"
            "    gl_ClipDistance[2] = float(place.z) - at.x;\n"
            "    gl_ClipDistance[3] = float(place.w) - at.y;\n"
            "    gl_Position = vec4((vec2(place.xy) + at) * scale - 1.0, 0.0, 1.0);\n"
            "}\n";

// How deep the face is on the line of this pixel.
#define FACE_DEPTH                                                                                                     \
    "flat in uvec4 place, facts;\n"                                                                                    \
    "flat in vec4 depths;\n"                                                                                           \
    "flat in float deepest;\n"                                                                                         \
    "flat in ivec2 middle;\n"                                                                                          \
    "flat in uvec2 name;\n"                                                                                            \
    "ivec2 pixel() { return ivec2(gl_FragCoord.xy) - ivec2(place.xy); }\n"                                             \
    "float depth_at(ivec2 p) {\n"                                                                                      \
    "    vec2 off = vec2(p - middle);\n"                                                                               \
    "    return clamp(depths.x + depths.y * off.x + depths.z * off.y, depths.w, deepest);\n"                           \
    "}\n"

// One layer of a mover: the foremost of what lies behind the layer before. Of equal depths the earlier face comes
// first, so none is lost. The key grows with the depth, from 1/2 to 1; `facts.z` is the mover's extent.
static const char mask_fragment[] =
    VERSION FACE_DEPTH "uniform usampler2D before;\n"
                       "uniform bool is_first;\n"
                       "out uvec4 seen;\n"
                       "void main() {\n"
                       "    float z = depth_at(pixel());\n"
                       "    float extent = uintBitsToFloat(facts.z);\n"
                       "    float key = 0.5 + 0.5 * clamp(extent > 0.0 ? z / extent : 0.5, 0.0, 1.0);\n"
                       "    uint number = uint(gl_PrimitiveID);\n"
                       "    if (!is_first) {\n"
                       "        uvec4 last = texelFetch(before, ivec2(gl_FragCoord.xy), 0);\n"
                       "        float last_key = uintBitsToFloat(last.x);\n"
                       "        if (last.w == 0u || key > last_key || (key == last_key && number <= last.y)) discard;\n"
                       "    }\n"
                       "    gl_FragDepth = key;\n"
                       "    seen = uvec4(floatBitsToUint(key), number, floatBitsToUint(z), 1u);\n"
                       "}\n";

// The travel to a face from the nearest exit of the mover that it does not lie behind; the depth buffer holds the
// smallest.
static const char range_fragment[] = VERSION FACE_DEPTH
    "uniform samplerBuffer masks;\n"
    "out uvec4 seen;\n"
    "void main() {\n"
    "    ivec2 p = pixel();\n"
    "    float z = depth_at(p), depth = uintBitsToFloat(facts.z), slack = uintBitsToFloat(facts.w);\n"
    "    if (z > depth) discard;\n"
    "    int size = int(place.z * place.w), at = int(facts.x) + p.y * int(place.z) + p.x;\n"
    "    int layers = int(facts.y & 255u);\n"
    "    float nearest = -1e30;\n"
    "    for (int i = 0; i < layers; i++) {\n"
    "        float e = texelFetch(masks, at + i * size).x;\n"
    "        if (e <= z + slack) nearest = max(nearest, e);\n"
    "    }\n"
    "    if (nearest < -1e29) discard;\n"
    "    float travel = max(z - nearest, 0.0);\n"
    "    gl_FragDepth = travel / depth;\n"
    "    seen = uvec4(floatBitsToUint(travel), floatBitsToUint(z), name);\n"
    "}\n";

// Marks faces that lie in a closed mover: more exits than entries are beyond them.
static const char inside_fragment[] =
    VERSION FACE_DEPTH "uniform samplerBuffer masks;\n"
                       "out uint seen;\n"
                       "void main() {\n"
                       "    if ((facts.y & 256u) == 0u) discard;\n"
                       "    ivec2 p = pixel();\n"
                       "    float z = depth_at(p), slack = uintBitsToFloat(facts.w);\n"
                       "    int size = int(place.z * place.w), at = int(facts.x) + p.y * int(place.z) + p.x;\n"
                       "    int layers = int(facts.y & 255u), beyond = 0;\n"
                       "    for (int i = 0; i < layers; i++) {\n"
                       "        if (texelFetch(masks, at + i * size).x > z + slack) beyond++;\n"
                       "        if (texelFetch(masks, at + (layers + i) * size).x > z - slack) beyond--;\n"
                       "    }\n"
                       "    if (beyond <= 0) discard;\n"
                       "    seen = 1u;\n"
                       "}\n";

// ---------------------------------------------------------------------------------------------------------------
// Results

static const char whole_vertex[] = VERSION
    "void main() { gl_Position = vec4(4.0 * float(gl_VertexID & 1) - 1.0, 2.0 * float(gl_VertexID & 2) - 1.0, 0.0, "
    "1.0); }\n";

// One pixel a row of an image, images side by side: the shortest travel in it, its column, and whether something is
// inside.
static const char rows_fragment[] =
    VERSION "uniform usamplerBuffer slots;\n"
            "uniform usampler2D before, inside;\n"
            "uniform int first, has_inside;\n"
            "out uvec4 seen;\n"
            "void main() {\n"
            "    uvec4 place = texelFetch(slots, 2 * (first + int(gl_FragCoord.x)));\n"
            "    uint y = uint(gl_FragCoord.y);\n"
            "    seen = uvec4(0x7f800000u, 0u, 0u, 0u);\n"
            "    if (y >= place.w) return;\n"
            "    for (uint x = 0u; x < place.z; x++) {\n"
            "        ivec2 at = ivec2(place.xy + uvec2(x, y));\n"
            "        uint travel = texelFetch(before, at, 0).x;\n"
            "        if (uintBitsToFloat(travel) < uintBitsToFloat(seen.x)) seen.xy = uvec2(travel, x);\n"
            "        if (has_inside != 0) seen.z |= texelFetch(inside, at, 0).x;\n"
            "    }\n"
            "}\n";

// Two pixels an image: what is met after the shortest travel of all its rows; above it where that is and whether
// something is inside.
static const char least_fragment[] =
    VERSION "uniform usamplerBuffer slots;\n"
            "uniform usampler2D before, rows;\n"
            "uniform int first;\n"
            "out uvec4 seen;\n"
            "void main() {\n"
            "    int column = int(gl_FragCoord.x);\n"
            "    uvec4 place = texelFetch(slots, 2 * (first + column));\n"
            "    uvec4 where = uvec4(0u);\n"
            "    uint least = 0x7f800000u;\n"
            "    for (int y = 0; y < int(place.w); y++) {\n"
            "        uvec4 row = texelFetch(rows, ivec2(column, y), 0);\n"
            "        where.z |= row.z;\n"
            "        if (!(uintBitsToFloat(row.x) < uintBitsToFloat(least))) continue;\n"
            "        least = row.x;\n"
            "        where.xy = uvec2(row.y, y);\n"
            "    }\n"
            "    seen = int(gl_FragCoord.y) == 0 ? texelFetch(before, ivec2(place.xy + where.xy), 0) : where;\n"
            "}\n";

// ---------------------------------------------------------------------------------------------------------------
// Turns

// The rectangle of pixels that a face may be seen in, once for each of the two angles at which a circle meets its
// plane.
static const char turn_vertex[] =
    VERSION "uniform usamplerBuffer faces;\n"
            "uniform vec2 scale;\n"
            "flat out vec4 plane; // offset, slope, cosine and sine of the middle\n"
            "flat out float middle;\n"
            "flat out vec4 sides[3];\n"
            "flat out uvec2 name;\n"
            "flat out uint number;\n"
            "flat out float branch;\n"
            "void main() {\n"
            "    int sheet = gl_VertexID / 6, corner = gl_VertexID - 6 * sheet, face = sheet / 2;\n"
            "    uvec4 box = texelFetch(faces, 6 * face), rest = texelFetch(faces, 6 * face + 2);\n"
            "    plane = uintBitsToFloat(texelFetch(faces, 6 * face + 1));\n"
            "    middle = uintBitsToFloat(rest.x);\n"
            "    for (int i = 0; i < 3; i++) sides[i] = uintBitsToFloat(texelFetch(faces, 6 * face + 3 + i));\n"
            "    name = rest.yz;\n"
            "    number = uint(sheet);\n"
            "    branch = (sheet & 1) == 0 ? -1.0 : 1.0;\n"
            "    bool is_right = corner == 1 || corner == 2 || corner == 4, is_top = corner == 2 || corner == 4 || "
            "corner == 5;\n"
            "    vec2 at = vec2(is_right ? box.z : box.x, is_top ? box.w : box.y);\n"
            "    gl_Position = vec4(at * scale - 1.0, 0.0, 1.0);\n"
            "}\n";

// The angle at which this pixel's circle meets the face, if it does: where the plane is met, from the cosine of the
// angle to its middle, and then whether that lies on the inner side of all three edges. The arc of a cosine is found by
// a polynomial for the arc tangent of 0 .. 1, within 1e-7, since drivers' own are far less exact.
#define CIRCLE_ANGLE                                                                                                   \
    "flat in vec4 plane;\n"                                                                                            \
    "flat in float middle;\n"                                                                                          \
    "flat in vec4 sides[3];\n"                                                                                         \
    "flat in uvec2 name;\n"                                                                                            \
    "flat in uint number;\n"                                                                                           \
    "flat in float branch;\n"                                                                                          \
    "uniform vec3 image; // distance of the left side from the axis, edge of a pixel, slack\n"                         \
    "const float pi = 3.14159265359;\n"                                                                                \
    "float arc_tangent(float t) {\n"                                                                                   \
    "    float u = t * t, sum = -0.00170117011;\n"                                                                     \
    "    sum = sum * u + 0.0104876496;\n"                                                                              \
    "    sum = sum * u - 0.0303518642;\n"                                                                              \
    "    sum = sum * u + 0.057089556;\n"                                                                               \
    "    sum = sum * u - 0.0834972486;\n"                                                                              \
    "    sum = sum * u + 0.109323412;\n"                                                                               \
    "    sum = sum * u - 0.142600164;\n"                                                                               \
    "    sum = sum * u + 0.199980751;\n"                                                                               \
    "    sum = sum * u - 0.333332777;\n"                                                                               \
    "    return (sum * u + 1.0) * t;\n"                                                                                \
    "}\n"                                                                                                              \
    "float circle_angle() {\n"                                                                                         \
    "    float r = image.x + gl_FragCoord.x * image.y, h = gl_FragCoord.y * image.y;\n"                                \
    "    float q = (plane.x - plane.y * h) / r;\n"                                                                     \
    "    if (!(abs(q) <= 1.0 + 1e-6)) discard;\n"                                                                      \
    "    q = clamp(q, -1.0, 1.0);\n"                                                                                   \
    "    float s = sqrt((1.0 - q) * (1.0 + q));\n"                                                                     \
    "    float sine = plane.w * q + branch * plane.z * s, cosine = plane.z * q - branch * plane.w * s;\n"              \
    "    vec3 p = vec3(r * cosine, r * sine, h);\n"                                                                    \
    "    for (int i = 0; i < 3; i++) {\n"                                                                              \
    "        if (!(dot(sides[i].xyz, p) - sides[i].w >= -image.z)) discard;\n"                                         \
    "    }\n"                                                                                                          \
    "    float a = abs(q), half_angle = s <= a ? arc_tangent(s / a) : 0.5 * pi - arc_tangent(a / s);\n"                \
    "    if (q < 0.0) half_angle = pi - half_angle;\n"                                                                 \
    "    float angle = middle + branch * half_angle;\n"                                                                \
    "    return angle > pi ? angle - 2.0 * pi : angle < -pi ? angle + 2.0 * pi : angle;\n"                             \
    "}\n"

static const char turn_mask_fragment[] = VERSION CIRCLE_ANGLE
    "uniform usampler2D before;\n"
    "uniform bool is_first;\n"
    "out uvec4 seen;\n"
    "void main() {\n"
    "    float angle = circle_angle();\n"
    "    float key = 0.5 + 0.5 * clamp((angle + pi) / (2.0 * pi), 0.0, 1.0);\n"
    "    if (!is_first) {\n"
    "        uvec4 last = texelFetch(before, ivec2(gl_FragCoord.xy), 0);\n"
    "        float last_key = uintBitsToFloat(last.x);\n"
    "        if (last.w == 0u || key > last_key || (key == last_key && number <= last.y)) discard;\n"
    "    }\n"
    "    gl_FragDepth = key;\n"
    "    seen = uvec4(floatBitsToUint(key), number, floatBitsToUint(angle), 1u);\n"
    "}\n";

// The turn from one layer of the mover to a face; the depth buffer holds the smallest of all layers.
static const char turn_range_fragment[] =
    VERSION CIRCLE_ANGLE "uniform usampler2D before;\n"
                         "out uvec4 seen;\n"
                         "void main() {\n"
                         "    uvec4 front = texelFetch(before, ivec2(gl_FragCoord.xy), 0);\n"
                         "    if (front.w == 0u) discard;\n"
                         "    float angle = circle_angle(), travel = angle - uintBitsToFloat(front.z);\n"
                         "    if (travel < 0.0) travel += 2.0 * pi;\n"
                         "    if (travel > 2.0 * pi - 4e-6) travel = 0.0;\n"
                         "    gl_FragDepth = travel / (2.0 * pi);\n"
                         "    seen = uvec4(floatBitsToUint(travel), floatBitsToUint(angle), name);\n"
                         "}\n";

// ---------------------------------------------------------------------------------------------------------------
// Sectors

// A group tests 2048 balls against one sector: 64 side by side, 32 times, so that neighbours read neighbours. Few meet,
// so their bits are put together by atomic operations. What is farther than the whole sector reaches is passed over.
// The distance is that of the kernel of room sector.
static const char spheres_compute[] =
    "#version 430 core\n"
    "layout(local_size_x = 64) in;\n"
    "struct one_sector { vec4 center, bisector, side, axis, sizes, angle; }; // center.w: slack, sizes.w: reach\n"
    "layout(std430, binding = 0) readonly buffer balls { float lanes[]; };\n"
    "layout(std430, binding = 1) readonly buffer all { one_sector sectors[]; };\n"
    "layout(std430, binding = 2) writeonly buffer found { uint bits[]; };\n"
    "layout(std430, binding = 3) buffer counts { uint hits[]; };\n"
    "uniform uint count, words, first_word, has_bits;\n"
    "shared uint together[64];\n"
    "bool meets(one_sector s, vec3 d, float reach) {\n"
    "    float x = dot(s.bisector.xyz, d), y = abs(dot(s.side.xyz, d)), z = abs(dot(s.axis.xyz, d));\n"
    "    float across = x * s.angle.y - y * s.angle.x, along = x * s.angle.x + y * s.angle.y;\n"
    "    bool is_inside = across > 0.0;\n"
    "    float u = is_inside ? sqrt(x * x + y * y) : along, e = is_inside ? 0.0 : across;\n"
    "    float m = max(max(s.sizes.x - u, u - s.sizes.y), 0.0), n = max(z - s.sizes.z, 0.0);\n"
    "    return m * m + e * e + n * n <= reach * reach;\n"
    "}\n"
    "void main() {\n"
    "    uint lane = gl_LocalInvocationID.x, k = gl_WorkGroupID.y, word = first_word + 64u * gl_WorkGroupID.x;\n"
    "    one_sector s = sectors[k];\n"
    "    together[lane] = 0u;\n"
    "    barrier();\n"
    "    for (uint i = 0u; i < 32u; i++) {\n"
    "        uint at = 64u * i + lane, b = 32u * word + at;\n"
    "        if (b >= count) break;\n"
    "        vec3 d = vec3(lanes[b], lanes[count + b], lanes[2u * count + b]) - s.center.xyz;\n"
    "        float reach = lanes[3u * count + b] * s.angle.z + s.center.w, far = reach + s.sizes.w;\n"
    "        if (dot(d, d) <= far * far && meets(s, d, reach)) atomicOr(together[at / 32u], 1u << (at & 31u));\n"
    "    }\n"
    "    barrier();\n"
    "    uint mine = together[lane];\n"
    "    if (has_bits != 0u && word + lane < words) bits[k * words + word + lane] = mine;\n"
    "    if (mine != 0u) atomicAdd(hits[k], uint(bitCount(mine)));\n"
    "}\n";

const fr__gl_text *fr__gl_text_of(fr__gl_program program) {
    static const fr__gl_text texts[FR__GL_PROGRAM_COUNT] = {
        [FR__GL_MASK] = {face_vertex, mask_fragment, false},
        [FR__GL_RANGE] = {face_vertex, range_fragment, false},
        [FR__GL_INSIDE] = {face_vertex, inside_fragment, false},
        [FR__GL_ROWS] = {whole_vertex, rows_fragment, false},
        [FR__GL_LEAST] = {whole_vertex, least_fragment, false},
        [FR__GL_TURN_MASK] = {turn_vertex, turn_mask_fragment, false},
        [FR__GL_TURN_RANGE] = {turn_vertex, turn_range_fragment, false},
        [FR__GL_SPHERES] = {spheres_compute, NULL, true},
    };
    return &texts[program];
}
