// Every shared VRML file read by us and by Coin, the reference of that language: both must show the same shapes at the
// same places. Compared are primitives by kind, size and matrix, and lists of polygons by their triangles and box; of
// VRML 1.0 the colours too, by their mean over the area. What differs must fall under one of the rules below, each of
// which looks at what it claims; whatever is left fails.
#include "fureai/model.h"

#include "frame.h"

#include <Inventor/SbMatrix.h>
#include <Inventor/SoDB.h>
#include <Inventor/SoFullPath.h>
#include <Inventor/SoInput.h>
#include <Inventor/SoPrimitiveVertex.h>
#include <Inventor/VRMLnodes/SoVRMLBox.h>
#include <Inventor/VRMLnodes/SoVRMLCone.h>
#include <Inventor/VRMLnodes/SoVRMLCylinder.h>
#include <Inventor/VRMLnodes/SoVRMLElevationGrid.h>
#include <Inventor/VRMLnodes/SoVRMLExtrusion.h>
#include <Inventor/VRMLnodes/SoVRMLGroup.h>
#include <Inventor/VRMLnodes/SoVRMLIndexedFaceSet.h>
#include <Inventor/VRMLnodes/SoVRMLLOD.h>
#include <Inventor/VRMLnodes/SoVRMLSphere.h>
#include <Inventor/actions/SoCallbackAction.h>
#include <Inventor/actions/SoSearchAction.h>
#include <Inventor/errors/SoDebugError.h>
#include <Inventor/errors/SoReadError.h>
#include <Inventor/nodes/SoCone.h>
#include <Inventor/nodes/SoCube.h>
#include <Inventor/nodes/SoCylinder.h>
#include <Inventor/nodes/SoFaceSet.h>
#include <Inventor/nodes/SoIndexedFaceSet.h>
#include <Inventor/nodes/SoIndexedTriangleStripSet.h>
#include <Inventor/nodes/SoLOD.h>
#include <Inventor/nodes/SoLevelOfDetail.h>
#include <Inventor/nodes/SoQuadMesh.h>
#include <Inventor/nodes/SoSeparator.h>
#include <Inventor/nodes/SoSphere.h>
#include <Inventor/nodes/SoTriangleStripSet.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <vector>

namespace {

// A shape where it stands: a primitive with its size, or polygons, whose box is in the model's frame.
struct shape {
    int kind = -1; // fr_model_primitive_kind; -1 for polygons
    double size[3] = {0, 0, 0};
    double matrix[12] = {};
    bool has_side = true, has_top = true, has_bottom = true;
    size_t triangles = 0;
    size_t flat = 0; // triangles without area among them; of Coin alone, as the next
    size_t caps = 0; // triangles that the caps of an Extrusion along a closed spine come to
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    double area = 0.0, color[3] = {0, 0, 0}; // of polygons in VRML 1.0: the colour times the area
};

struct reading {
    bool is_read = false;
    bool is_old = false; // VRML 1.0 or Inventor
    std::vector<shape> shapes;
    std::vector<std::string> words; // what the reader has to say
    double diagonal = 1.0;
};

void grow(shape &s, const double p[3]) {
    for (int k = 0; k < 3; k++) {
        s.low[k] = std::min(s.low[k], p[k]);
        s.high[k] = std::max(s.high[k], p[k]);
    }
}

// Adds a triangle in the model's frame with the mean colour of its corners.
void paint(shape &s, const fr_vec3 p[3], const double color[3]) {
    double area = fr_vec3_length(fr_vec3_cross(fr_vec3_sub(p[1], p[0]), fr_vec3_sub(p[2], p[0])));
    s.area += area;
    for (int k = 0; k < 3; k++) {
        s.color[k] += area * color[k];
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Coin

reading *coin_now;

void take_error(const SoError *error, void *) { coin_now->words.emplace_back(error->getDebugString().getString()); }

void take_matrix(SoCallbackAction *action, shape &s) {
    SbMatrix m = action->getModelMatrix();
    // Rows of theirs are columns of ours.
    for (int row = 0; row < 3; row++) {
        for (int column = 0; column < 4; column++) {
            s.matrix[4 * row + column] = static_cast<double>(m[column][row]);
        }
    }
}

// The triangles of both caps, where the spine ends where it begins; 0 where it does not.
size_t caps_of(const SoVRMLExtrusion *extrusion) {
    int points = extrusion->crossSection.getNum(), last = extrusion->spine.getNum() - 1;
    if (points < 3 || last < 2 || extrusion->spine[0] != extrusion->spine[last]) { return 0; }
    bool is_closed = extrusion->crossSection[0] == extrusion->crossSection[points - 1];
    int caps = (extrusion->beginCap.getValue() != 0) + (extrusion->endCap.getValue() != 0);
    return static_cast<size_t>(caps * (points - (is_closed ? 3 : 2)));
}

// The primitives of VRML 1.0.
void take_old_primitive(const SoNode *node, shape &s) {
    if (node->isOfType(SoCube::getClassTypeId())) {
        auto *cube = static_cast<const SoCube *>(node);
        s.kind = FR_MODEL_BOX;
        s.size[0] = static_cast<double>(cube->width.getValue());
        s.size[1] = static_cast<double>(cube->height.getValue());
        s.size[2] = static_cast<double>(cube->depth.getValue());
    } else if (node->isOfType(SoSphere::getClassTypeId())) {
        s.kind = FR_MODEL_SPHERE;
        s.size[0] = static_cast<double>(static_cast<const SoSphere *>(node)->radius.getValue());
    } else if (node->isOfType(SoCylinder::getClassTypeId())) {
        auto *cylinder = static_cast<const SoCylinder *>(node);
        int parts = cylinder->parts.getValue();
        s.kind = FR_MODEL_CYLINDER;
        s.size[0] = static_cast<double>(cylinder->radius.getValue());
        s.size[1] = static_cast<double>(cylinder->height.getValue());
        s.has_side = (parts & SoCylinder::SIDES) != 0;
        s.has_top = (parts & SoCylinder::TOP) != 0;
        s.has_bottom = (parts & SoCylinder::BOTTOM) != 0;
    } else if (node->isOfType(SoCone::getClassTypeId())) {
        auto *cone = static_cast<const SoCone *>(node);
        int parts = cone->parts.getValue();
        s.kind = FR_MODEL_CONE;
        s.size[0] = static_cast<double>(cone->bottomRadius.getValue());
        s.size[1] = static_cast<double>(cone->height.getValue());
        s.has_side = (parts & SoCone::SIDES) != 0;
        s.has_bottom = (parts & SoCone::BOTTOM) != 0;
    }
}

SoCallbackAction::Response begin_shape(void *, SoCallbackAction *action, const SoNode *node) {
    shape s;
    take_matrix(action, s);
    if (node->isOfType(SoVRMLBox::getClassTypeId())) {
        s.kind = FR_MODEL_BOX;
        for (int k = 0; k < 3; k++) {
            s.size[k] = static_cast<double>(static_cast<const SoVRMLBox *>(node)->size.getValue()[k]);
        }
    } else if (node->isOfType(SoVRMLSphere::getClassTypeId())) {
        s.kind = FR_MODEL_SPHERE;
        s.size[0] = static_cast<double>(static_cast<const SoVRMLSphere *>(node)->radius.getValue());
    } else if (node->isOfType(SoVRMLCylinder::getClassTypeId())) {
        auto *cylinder = static_cast<const SoVRMLCylinder *>(node);
        s.kind = FR_MODEL_CYLINDER;
        s.size[0] = static_cast<double>(cylinder->radius.getValue());
        s.size[1] = static_cast<double>(cylinder->height.getValue());
        s.has_side = cylinder->side.getValue() != 0;
        s.has_top = cylinder->top.getValue() != 0;
        s.has_bottom = cylinder->bottom.getValue() != 0;
    } else if (node->isOfType(SoVRMLCone::getClassTypeId())) {
        auto *cone = static_cast<const SoVRMLCone *>(node);
        s.kind = FR_MODEL_CONE;
        s.size[0] = static_cast<double>(cone->bottomRadius.getValue());
        s.size[1] = static_cast<double>(cone->height.getValue());
        s.has_side = cone->side.getValue() != 0;
        s.has_bottom = cone->bottom.getValue() != 0;
    } else if (node->isOfType(SoVRMLExtrusion::getClassTypeId())) {
        s.caps = caps_of(static_cast<const SoVRMLExtrusion *>(node));
    }
    take_old_primitive(node, s);
    coin_now->shapes.push_back(s);
    return SoCallbackAction::CONTINUE;
}

void take_triangle(void *, SoCallbackAction *action, const SoPrimitiveVertex *a, const SoPrimitiveVertex *b,
                   const SoPrimitiveVertex *c) {
    const SoPrimitiveVertex *corners[3] = {a, b, c};
    shape &s = coin_now->shapes.back();
    SbMatrix matrix = action->getModelMatrix();
    SbVec3f area = (b->getPoint() - a->getPoint()).cross(c->getPoint() - a->getPoint());
    s.triangles++;
    s.flat += area == SbVec3f(0.0F, 0.0F, 0.0F);
    fr_vec3 points[3];
    double mean[3] = {0, 0, 0};
    for (int i = 0; i < 3; i++) {
        SbVec3f p;
        matrix.multVecMatrix(corners[i]->getPoint(), p);
        const double numbers[3] = {static_cast<double>(p[0]), static_cast<double>(p[1]), static_cast<double>(p[2])};
        grow(s, numbers);
        points[i] = {numbers[0], numbers[1], numbers[2]};
        SbColor ambient, diffuse, specular, emission;
        float shininess, transparency;
        action->getMaterial(ambient, diffuse, specular, emission, shininess, transparency,
                            corners[i]->getMaterialIndex());
        for (int k = 0; k < 3; k++) {
            mean[k] += static_cast<double>(diffuse[k]) / 3.0;
        }
    }
    paint(s, points, mean);
}

// Coin takes a level by the distance of a camera that is not there; we take the first.
void keep_first_levels(SoNode *root) {
    for (SoType kind : {SoVRMLLOD::getClassTypeId(), SoLOD::getClassTypeId(), SoLevelOfDetail::getClassTypeId()}) {
        SoSearchAction search;
        search.setType(kind);
        search.setInterest(SoSearchAction::ALL);
        search.setSearchingAll(TRUE);
        search.apply(root);
        for (int i = 0; i < search.getPaths().getLength(); i++) {
            auto *lod = static_cast<SoGroup *>(static_cast<SoFullPath *>(search.getPaths()[i])->getTail());
            while (lod->getNumChildren() > 1) {
                lod->removeChild(lod->getNumChildren() - 1);
            }
        }
    }
}

reading read_by_coin(const std::filesystem::path &path, bool is_old) {
    const SoType kinds[] = {SoVRMLBox::getClassTypeId(),
                            SoVRMLSphere::getClassTypeId(),
                            SoVRMLCylinder::getClassTypeId(),
                            SoVRMLCone::getClassTypeId(),
                            SoVRMLExtrusion::getClassTypeId(),
                            SoVRMLElevationGrid::getClassTypeId(),
                            SoVRMLIndexedFaceSet::getClassTypeId(),
                            SoCube::getClassTypeId(),
                            SoSphere::getClassTypeId(),
                            SoCylinder::getClassTypeId(),
                            SoCone::getClassTypeId(),
                            SoIndexedFaceSet::getClassTypeId(),
                            SoFaceSet::getClassTypeId(),
                            SoTriangleStripSet::getClassTypeId(),
                            SoQuadMesh::getClassTypeId(),
                            SoIndexedTriangleStripSet::getClassTypeId()};
    reading result;
    coin_now = &result;
    SoInput::addDirectoryFirst(path.parent_path().c_str());
    SoInput input;
    SoGroup *group = nullptr;
    if (input.openFile(path.c_str())) {
        group = is_old ? static_cast<SoGroup *>(SoDB::readAll(&input)) : SoDB::readAllVRML(&input);
    }
    result.is_read = group != nullptr;
    if (group != nullptr) {
        group->ref();
        keep_first_levels(group);
        SoCallbackAction action;
        for (SoType kind : kinds) {
            action.addPreCallback(kind, begin_shape, nullptr);
            action.addTriangleCallback(kind, take_triangle, nullptr);
        }
        action.apply(group);
        group->unref();
    }
    SoInput::removeDirectory(path.parent_path().c_str());
    return result;
}

// ---------------------------------------------------------------------------------------------------------------
// Ours

std::string bytes_of(const std::filesystem::path &path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

fr_status load_beside(const char *path, const void **bytes, size_t *size, void *context, fr_error *) {
    auto full = *static_cast<const std::filesystem::path *>(context) / path;
    if (!std::filesystem::is_regular_file(full)) { return FR_ERROR_FILE; }
    std::string text = bytes_of(full);
    char *copy = new char[text.size() + 1];
    std::memcpy(copy, text.data(), text.size());
    *bytes = copy;
    *size = text.size();
    return FR_OK;
}

void unload_beside(const void *bytes, size_t, void *) { delete[] static_cast<const char *>(bytes); }

// The polygons of a node with their colours, as fans.
void paint_polygons(const fr_model_view *view, const fr_model_node &node, shape &s) {
    const fr_model_mesh &mesh = view->meshes[node.mesh];
    for (uint32_t face = 0; face < mesh.face_count; face++) {
        uint32_t begin = fr_model_face_begin(&mesh, face), end = fr_model_face_end(&mesh, face);
        for (uint32_t c = begin + 2; c < end; c++) {
            const uint32_t corners[3] = {begin, c - 1, c};
            fr_vec3 points[3];
            double mean[3] = {0, 0, 0};
            for (int i = 0; i < 3; i++) {
                const float *v = mesh.positions_float + size_t{3} * mesh.corners[corners[i]];
                const double *m = s.matrix, x = static_cast<double>(v[0]), y = static_cast<double>(v[1]),
                             z = static_cast<double>(v[2]);
                points[i] = {m[0] * x + m[1] * y + m[2] * z + m[3], m[4] * x + m[5] * y + m[6] * z + m[7],
                             m[8] * x + m[9] * y + m[10] * z + m[11]};
                const fr_color *color = mesh.corner_colors != nullptr ? &mesh.corner_colors[corners[i]]
                                        : mesh.face_colors != nullptr ? &mesh.face_colors[face]
                                                                      : nullptr;
                const float *diffuse = view->materials[node.material].diffuse;
                mean[0] += (color != nullptr ? color->r / 255.0 : static_cast<double>(diffuse[0])) / 3.0;
                mean[1] += (color != nullptr ? color->g / 255.0 : static_cast<double>(diffuse[1])) / 3.0;
                mean[2] += (color != nullptr ? color->b / 255.0 : static_cast<double>(diffuse[2])) / 3.0;
            }
            paint(s, points, mean);
        }
    }
}

shape shape_of_node(const fr_model *model, uint32_t index) {
    const fr_model_view *view = fr_model_get(model);
    const fr_model_node &node = view->nodes[index];
    const fr_model_mesh &mesh = view->meshes[node.mesh];
    shape s;
    fr_model_node_matrix(model, index, s.matrix);
    if (mesh.primitive != nullptr) {
        s.kind = mesh.primitive->kind;
        std::copy_n(mesh.primitive->size, 3, s.size);
        bool is_round = s.kind == FR_MODEL_CYLINDER || s.kind == FR_MODEL_CONE;
        s.has_side = !is_round || mesh.primitive->has_side;
        s.has_top = s.kind != FR_MODEL_CYLINDER || mesh.primitive->has_top;
        s.has_bottom = !is_round || mesh.primitive->has_bottom;
    }
    if (view->format == FR_MODEL_VRML_1 || view->format == FR_MODEL_INVENTOR) { paint_polygons(view, node, s); }
    uint32_t corners = fr_model_face_begin(&mesh, mesh.face_count);
    s.triangles = corners - size_t{2} * mesh.face_count;
    for (uint32_t c = 0; c < corners; c++) {
        const float *v = mesh.positions_float + size_t{3} * mesh.corners[c];
        double p[3];
        for (int row = 0; row < 3; row++) {
            const double *m = s.matrix + 4 * row;
            p[row] = m[0] * static_cast<double>(v[0]) + m[1] * static_cast<double>(v[1]) +
                     m[2] * static_cast<double>(v[2]) + m[3];
        }
        grow(s, p);
    }
    return s;
}

reading read_by_us(const std::filesystem::path &path) {
    reading result;
    std::filesystem::path folder = path.parent_path();
    std::string bytes = bytes_of(path), name = path.string();
    fr_model_read_input options = fr_default_model_read_input();
    options.name = name.c_str();
    options.files = {load_beside, unload_beside, &folder};
    fr_model *model = nullptr;
    fr_error error;
    result.is_read = fr_model_read(bytes.data(), bytes.size(), &options, &model, &error) == FR_OK;
    if (!result.is_read) {
        result.words.emplace_back(error.message);
        return result;
    }
    const fr_model_view *view = fr_model_get(model);
    result.is_old = view->format == FR_MODEL_VRML_1 || view->format == FR_MODEL_INVENTOR;
    for (uint32_t i = 0; i < view->node_count; i++) {
        bool is_shown = (view->nodes[i].flags & (FR_MODEL_HIDDEN | FR_MODEL_PROXY)) == 0;
        if (view->nodes[i].mesh != FR_NONE && is_shown) { result.shapes.push_back(shape_of_node(model, i)); }
    }
    for (uint32_t i = 0; i < view->listed_warning_count; i++) {
        result.words.emplace_back(view->warnings[i].message);
    }
    if (view->bounds.min.x <= view->bounds.max.x) {
        result.diagonal = fr_vec3_length(fr_vec3_sub(view->bounds.max, view->bounds.min));
    }
    fr_model_destroy(model);
    return result;
}

// ---------------------------------------------------------------------------------------------------------------
// Comparing

bool are_near(const double *a, const double *b, int count, double tolerance) {
    for (int i = 0; i < count; i++) {
        if (!(std::fabs(a[i] - b[i]) <= tolerance)) { return false; }
    }
    return true;
}

// The colours of two shapes; ours have one at least where they are of VRML 1.0.
bool have_same_color(const shape &coin, const shape &ours) {
    if (!(ours.area > 0.0) || !(coin.area > 0.0)) { return true; }
    for (int k = 0; k < 3; k++) {
        if (std::fabs(coin.color[k] / coin.area - ours.color[k] / ours.area) > 0.01) { return false; }
    }
    return true;
}

bool are_same(const shape &a, const shape &b, double tolerance) {
    if (a.kind != b.kind || !have_same_color(a, b)) { return false; }
    if (a.kind >= 0) {
        return a.has_side == b.has_side && a.has_top == b.has_top && a.has_bottom == b.has_bottom &&
               are_near(a.size, b.size, 3, tolerance) && are_near(a.matrix, b.matrix, 12, tolerance);
    }
    if (a.triangles != b.triangles) { return false; }
    return a.triangles == 0 || (are_near(a.low, b.low, 3, tolerance) && are_near(a.high, b.high, 3, tolerance));
}

bool have_same_box(const shape &a, const shape &b, double tolerance) {
    return a.kind < 0 && b.kind < 0 && are_near(a.low, b.low, 3, tolerance) && are_near(a.high, b.high, 3, tolerance);
}

// Takes out of both lists what `same` finds to be a pair; how many pairs there were.
template <typename Same> size_t take_pairs(std::vector<shape> &coin, std::vector<shape> &ours, Same same) {
    size_t pairs = 0;
    std::vector<shape> left;
    for (const shape &s : coin) {
        auto twin = std::find_if(ours.begin(), ours.end(), [&](const shape &o) { return same(s, o); });
        if (twin == ours.end()) {
            left.push_back(s);
        } else {
            ours.erase(twin);
            pairs++;
        }
    }
    coin = left;
    return pairs;
}

void drop_empty(std::vector<shape> &shapes) {
    auto is_empty = [](const shape &s) { return s.kind < 0 && s.triangles == 0; };
    shapes.erase(std::remove_if(shapes.begin(), shapes.end(), is_empty), shapes.end());
}

// ---------------------------------------------------------------------------------------------------------------
// Rules

// What is left of a file once the pairs are taken out.
struct difference {
    const reading &coin, &ours;
    std::vector<shape> coin_left, ours_left;
    double tolerance;
};

bool says(const reading &r, const std::string &words) {
    return std::any_of(r.words.begin(), r.words.end(),
                       [&](const std::string &w) { return w.find(words) != std::string::npos; });
}

// Coin keeps polygons without area, which we leave out: its triangles are more by no more than it has without area.
void explain_flat(difference &d, std::map<std::string, size_t> &rules) {
    rules["polygons without area, which we leave out"] +=
        take_pairs(d.coin_left, d.ours_left, [&](const shape &c, const shape &o) {
            return have_same_box(c, o, d.tolerance) && c.triangles > o.triangles && c.triangles - o.triangles <= c.flat;
        });
}

// VRML97 6.18 makes caps whatever the spine, Coin none where it is closed.
void explain_caps(difference &d, std::map<std::string, size_t> &rules) {
    rules["caps of a closed spine, which Coin leaves out"] +=
        take_pairs(d.coin_left, d.ours_left, [&](const shape &c, const shape &o) {
            return have_same_box(c, o, d.tolerance) && c.caps > 0 && o.triangles == c.triangles + c.caps;
        });
}

// Where the first url of an Inline is no file Coin gives up, and we go on to the next.
void explain_urls(difference &d, std::map<std::string, size_t> &rules) {
    bool is_next = false;
    for (const std::string &words : d.coin.words) {
        const std::string before = "Could not find '";
        size_t at = words.find(before), end = at == std::string::npos ? at : words.find('\'', at + before.size());
        if (end == std::string::npos) { continue; }
        std::string name = words.substr(at + before.size(), end - at - before.size());
        is_next = is_next || says(d.ours, "the file " + name + " cannot be read");
    }
    if (!is_next || !d.coin_left.empty()) { return; }
    rules["files of a second url, which Coin does not try"] += d.ours_left.size();
    d.ours_left.clear();
}

// Coin shows some instances of a PROTO twice at one place.
void explain_doubles(difference &d, std::map<std::string, size_t> &rules) {
    std::vector<shape> left;
    for (const shape &s : d.coin_left) {
        auto count = std::count_if(d.coin.shapes.begin(), d.coin.shapes.end(),
                                   [&](const shape &o) { return are_same(s, o, d.tolerance); });
        if (count < 2) { left.push_back(s); }
    }
    rules["shapes that Coin shows twice at one place"] += d.coin_left.size() - left.size();
    d.coin_left = left;
}

// Coin shows primitives whose size is 0 or below it.
void explain_sizes(difference &d, std::map<std::string, size_t> &rules) {
    auto end = std::remove_if(d.coin_left.begin(), d.coin_left.end(), [](const shape &s) {
        int sizes = s.kind == FR_MODEL_BOX ? 3 : s.kind == FR_MODEL_SPHERE ? 1 : 2;
        return s.kind >= 0 && std::any_of(s.size, s.size + sizes, [](double size) { return !(size > 0.0); });
    });
    rules["primitives without a size, which we leave out"] += static_cast<size_t>(d.coin_left.end() - end);
    d.coin_left.erase(end, d.coin_left.end());
}

// Where a file has fewer colours than it binds, Coin reads past the last, and we take grey with a warning.
void explain_colors(difference &d, std::map<std::string, size_t> &rules) {
    if (!says(d.ours, "colours that are not there")) { return; }
    rules["colours that are not there"] += take_pairs(d.coin_left, d.ours_left, [&](const shape &c, const shape &o) {
        return have_same_box(c, o, d.tolerance) && c.triangles == o.triangles;
    });
}

// What Coin says where it reads nothing, and we do.
const char *reason_of_refusal(const reading &coin) {
    static const char *const known[] = {"Unknown field", "Not a valid Inventor file", "Missing terminating quote",
                                        "Unable to read identifier after DEF", "Could not find"};
    for (const char *words : known) {
        if (says(coin, words)) { return words; }
    }
    return nullptr;
}

// ---------------------------------------------------------------------------------------------------------------
// All files

struct totals {
    size_t agreed = 0, explained = 0, refused = 0, old = 0, old_shapes = 0, failed = 0, shapes = 0;
    std::map<std::string, size_t> rules;
};

void compare(const std::filesystem::path &path, totals &sum) {
    reading ours = read_by_us(path), coin;
    if (!ours.is_read) {
        sum.failed++;
        printf("%s: %s\n", path.c_str(), ours.words.front().c_str());
        return;
    }
    coin = read_by_coin(path, ours.is_old);
    if (!coin.is_read) {
        const char *reason = reason_of_refusal(coin);
        sum.refused += reason != nullptr;
        sum.failed += reason == nullptr;
        if (reason == nullptr) {
            printf("%s: Coin reads nothing: %s\n", path.c_str(), coin.words.empty() ? "" : coin.words.front().c_str());
        } else {
            sum.rules[std::string("Coin refuses it: ") + reason]++;
        }
        return;
    }
    difference d = {coin, ours, coin.shapes, ours.shapes, 1e-4 * std::max(1.0, ours.diagonal)};
    drop_empty(d.coin_left);
    drop_empty(d.ours_left);
    size_t pairs = take_pairs(d.coin_left, d.ours_left,
                              [&](const shape &c, const shape &o) { return are_same(c, o, d.tolerance); });
    sum.shapes += pairs;
    sum.old_shapes += ours.is_old ? pairs : 0;
    if (d.coin_left.empty() && d.ours_left.empty()) {
        sum.agreed++;
        sum.old += ours.is_old;
        return;
    }
    explain_flat(d, sum.rules);
    explain_caps(d, sum.rules);
    explain_urls(d, sum.rules);
    explain_doubles(d, sum.rules);
    explain_sizes(d, sum.rules);
    explain_colors(d, sum.rules);
    bool is_explained = d.coin_left.empty() && d.ours_left.empty();
    sum.explained += is_explained;
    sum.failed += !is_explained;
    if (!is_explained) {
        printf("%s: %zu shapes of Coin and %zu of ours have no twin\n", path.c_str(), d.coin_left.size(),
               d.ours_left.size());
    }
}

} // namespace

int main() {
    static const char *const sets[] = {"vrml-assimp",   "vrml-choreonoid", "vrml-coin",           "vrml-create3000",
                                       "vrml-nist-wrl", "vrml-threejs",    "vrml97-spec-examples"};
    std::filesystem::path data = std::filesystem::path(test_shared_folder()) / "data";
    SoDB::init();
    SoReadError::setHandlerCallback(take_error, nullptr);
    SoDebugError::setHandlerCallback(take_error, nullptr);
    totals sum;
    for (const char *set : sets) {
        for (const auto &entry : std::filesystem::recursive_directory_iterator(data / set)) {
            std::string ending = entry.path().extension().string();
            std::transform(ending.begin(), ending.end(), ending.begin(),
                           [](unsigned char c) { return std::tolower(c); });
            if (ending == ".wrl") { compare(entry.path(), sum); }
        }
    }
    printf("%zu files agree in %zu shapes, %zu of them of VRML 1.0 in %zu; %zu differ by a rule, %zu Coin refuses, %zu "
           "fail\n",
           sum.agreed, sum.shapes, sum.old, sum.old_shapes, sum.explained, sum.refused, sum.failed);
    for (const auto &[rule, count] : sum.rules) {
        printf("  %zu %s\n", count, rule.c_str());
    }
    // A comparison that compares nothing would pass otherwise.
    return sum.failed == 0 && sum.agreed >= 400 ? EXIT_SUCCESS : EXIT_FAILURE;
}
