// Bodies of H-Anim at rest and in motion, and nodes that are not known: what stands in them is never lost in silence.
#include "x3d_text.h"

// The place of a point of a node at a time.
static fr_vec3 point_at(const fr_model *model, const char *name, double time, fr_vec3 p) {
    fr_model_play *play;
    double m[12];
    assert_int_equal(fr_model_play_create(model, NULL, &play, NULL), FR_OK);
    fr_model_play_at(play, time);
    fr_model_play_matrix(play, find_node(model, name), m);
    fr_model_play_destroy(play);
    return fr_vec3_make(m[0] * p.x + m[1] * p.y + m[2] * p.z + m[3], m[4] * p.x + m[5] * p.y + m[6] * p.z + m[7],
                        m[8] * p.x + m[9] * p.y + m[10] * p.z + m[11]);
}

static void view_has_warning(const fr_model *model, const char *words) {
    const fr_model_view *view = fr_model_get(model);
    assert_int_equal(view->warning_count, 1);
    if (strstr(view->warnings[0].message, words) == NULL) { fail_msg("'%s'", view->warnings[0].message); }
}

static void is_at(fr_vec3 p, double x, double y, double z) {
    if (fabs(p.x - x) > 1e-6 || fabs(p.y - y) > 1e-6 || fabs(p.z - z) > 1e-6) {
        fail_msg("%g %g %g, not %g %g %g", p.x, p.y, p.z, x, y, z);
    }
}

// A body of two joints with segments, a site, a skin and the lists that name all of it again.
#define BODY_BEGIN                                                                                                     \
    "<HAnimHumanoid DEF='body' name='Body' version='2.0' translation='10 0 0' info='\"a=b\"'>"                         \
    "<HAnimJoint DEF='root' name='humanoid_root' containerField='skeleton' center='0 1 0'>"                            \
    "<HAnimSegment name='sacrum' mass='3'>" XSHAPE "</HAnimSegment>"                                                   \
    "<HAnimJoint DEF='hip' name='l_hip' center='0 1 0' rotation='0 0 1 1.5707963' skinCoordIndex='0 1'"                \
    " skinCoordWeight='1 0.5'><HAnimSegment DEF='thigh' name='l_thigh'>" XSHAPE                                        \
    "<HAnimSite DEF='tip' name='tip' translation='0 0 5'>" XSHAPE "</HAnimSite>"                                       \
    "<Coordinate DEF='own' point='0 0 0'/><HAnimDisplacer name='d' coordIndex='0' displacements='0 0 1'/>"             \
    "</HAnimSegment></HAnimJoint></HAnimJoint>\n"                                                                      \
    "<Coordinate DEF='skin' containerField='skinCoord' point='0 0 0 0 0 1 1 0 1'/>"                                    \
    "<Shape containerField='skin' DEF='cloth'><IndexedFaceSet coordIndex='0 1 2 -1'><Coordinate USE='skin'/>"          \
    "</IndexedFaceSet></Shape>\n"
#define BODY_LISTS                                                                                                     \
    "<HAnimJoint USE='root' containerField='joints'/><HAnimJoint USE='hip' containerField='joints'/>"                  \
    "<HAnimSegment USE='thigh' containerField='segments'/><HAnimSite USE='tip' containerField='sites'/>"
#define BODY_END "<Viewpoint containerField='viewpoints' description='from afar'/></HAnimHumanoid>\n"

static void a_body_at_rest(void **state) {
    (void)state;
    fr_model *model = x3d(HEAD BODY_BEGIN BODY_LISTS BODY_END TAIL);
    const fr_model_view *view = fr_model_get(model);
    assert_int_equal(view->warning_count, 0);
    // Three shapes of segments and sites and the skin, each once.
    assert_int_equal(view->placed_triangle_count, 4);
    assert_int_equal(view->node_count, 10);
    // A name that DEF gave, else that of the body.
    find_node(model, "sacrum");
    assert_int_equal(view->nodes[find_node(model, "root")].parent, find_node(model, "body"));
    assert_int_equal(view->nodes[find_node(model, "hip")].parent, find_node(model, "root"));
    assert_int_equal(view->nodes[find_node(model, "tip")].parent, find_node(model, "thigh"));
    assert_int_equal(view->nodes[find_node(model, "cloth")].parent, find_node(model, "body"));
    // The hip turns about its centre.
    is_at(point_at(model, "thigh", 0.0, fr_vec3_make(0.0, 0.0, 0.0)), 11.0, 1.0, 0.0);
    is_at(point_at(model, "tip", 0.0, fr_vec3_make(0.0, 1.0, 0.0)), 10.0, 1.0, 5.0);
    is_at(point_at(model, "cloth", 0.0, fr_vec3_make(1.0, 0.0, 1.0)), 11.0, 0.0, 1.0);
    assert_int_equal(view->note_count, 1);
    fr_model_destroy(model);

    // Without the lists it is the same body.
    model = x3d(HEAD BODY_BEGIN BODY_END TAIL);
    assert_int_equal(fr_model_get(model)->placed_triangle_count, 4);
    assert_int_equal(fr_model_get(model)->node_count, 10);
    fr_model_destroy(model);
}

static void what_stands_in_a_list_alone_is_shown(void **state) {
    (void)state;
    // Joints that do not say skeleton, a body that is defined in the list and used in the skeleton, a site in a list.
    fr_model *model = x3d(HEAD "<HAnimHumanoid><HAnimJoint DEF='a'>" XSHAPE "</HAnimJoint>"
                               "<HAnimJoint DEF='b' containerField='joints'>" XSHAPE "</HAnimJoint>"
                               "<HAnimJoint USE='b' containerField='skeleton'/>"
                               "<HAnimSite DEF='c' containerField='sites' translation='1 0 0'>" XSHAPE
                               "</HAnimSite></HAnimHumanoid>" TAIL);
    assert_int_equal(fr_model_get(model)->warning_count, 0);
    assert_int_equal(fr_model_get(model)->placed_triangle_count, 3);
    fr_model_destroy(model);
}

#define TURN                                                                                                           \
    "<TimeSensor DEF='clock' cycleInterval='4' loop='true'/>"                                                          \
    "<OrientationInterpolator DEF='turn' key='0 1' keyValue='0 0 1 0, 0 0 1 3.1415926'/>"                              \
    "<PositionInterpolator DEF='go' key='0 1' keyValue='0 0 0, 4 0 0'/>"                                               \
    "<ROUTE fromNode='clock' fromField='fraction_changed' toNode='turn' toField='set_fraction'/>"                      \
    "<ROUTE fromNode='clock' fromField='fraction_changed' toNode='go' toField='set_fraction'/>"

static void joints_are_moved_by_routes(void **state) {
    (void)state;
    fr_model *model =
        x3d(HEAD BODY_BEGIN BODY_LISTS BODY_END TURN
            "<ROUTE fromNode='turn' fromField='value_changed' toNode='hip' toField='set_rotation'/>"
            "<ROUTE fromNode='go' fromField='value_changed' toNode='body' toField='set_translation'/>" TAIL);
    const fr_model_view *view = fr_model_get(model);
    assert_int_equal(view->warning_count, 0);
    // One place each: the lists are no places.
    assert_int_equal(view->track_count, 2);
    assert_int_equal(view->tracks[0].kind, FR_MODEL_ROTATION);
    assert_string_equal(view->nodes[view->tracks[0].target].name, "hip");
    assert_int_equal(view->tracks[1].kind, FR_MODEL_TRANSLATION);
    assert_string_equal(view->nodes[view->tracks[1].target].name, "body");
    // Half of the cycle is a right angle about the hip's centre, and 2 metres.
    is_at(point_at(model, "thigh", 2.0, fr_vec3_make(0.0, 0.0, 0.0)), 3.0, 1.0, 0.0);
    is_at(point_at(model, "thigh", 1.0, fr_vec3_make(0.0, 0.0, 0.0)), 1.0 + sin(0.25 * 3.14159265358979),
          1.0 - cos(0.25 * 3.14159265358979), 0.0);
    is_at(point_at(model, "cloth", 3.0, fr_vec3_make(0.0, 0.0, 0.0)), 3.0, 0.0, 0.0);
    fr_model_destroy(model);
}

// The vertices of a node at a time.
static void vertices_at(const fr_model *model, const char *name, double time, fr_vec3 *out) {
    fr_model_play *play;
    assert_int_equal(fr_model_play_create(model, NULL, &play, NULL), FR_OK);
    fr_model_play_at(play, time);
    fr_model_play_vertices(play, find_node(model, name), out);
    fr_model_play_destroy(play);
}

// The first vertex follows the hip, the second half of it, the third the body alone.
static void the_skin_follows_joints(void **state) {
    (void)state;
    fr_vec3 v[3];
    fr_model *model = x3d(HEAD BODY_BEGIN BODY_LISTS BODY_END TAIL);
    const fr_model_view *view = fr_model_get(model);
    uint32_t cloth = find_node(model, "cloth");
    assert_int_equal(view->warning_count, 0);
    assert_int_equal(view->skin_count, 1);
    assert_int_equal(view->skins[0].bone_count, 2);
    assert_int_equal(view->skins[0].nodes[0], find_node(model, "body"));
    assert_int_equal(view->skins[0].nodes[1], find_node(model, "hip"));
    assert_int_equal(view->nodes[cloth].skin, 0);
    vertices_at(model, "cloth", 0.0, v);
    is_at(v[0], 11.0, 1.0, 0.0);
    is_at(v[1], 10.5, 0.5, 1.0);
    is_at(v[2], 11.0, 0.0, 1.0);
    fr_model_destroy(model);

    model = x3d(HEAD BODY_BEGIN BODY_LISTS BODY_END TURN
                "<ROUTE fromNode='turn' fromField='value_changed' toNode='hip' toField='set_rotation'/>"
                "<ROUTE fromNode='go' fromField='value_changed' toNode='body' toField='set_translation'/>" TAIL);
    for (int i = 1; i < 8; i++) {
        double time = 0.5 * i, angle = 3.1415926 * time / 4.0, s = sin(angle), c = cos(angle);
        vertices_at(model, "cloth", time, v);
        is_at(v[0], time + s, 1.0 - c, 0.0);
        is_at(v[1], time + 0.5 * s, 0.5 * (1.0 - c), 1.0);
        is_at(v[2], time + 1.0, 0.0, 1.0);
    }
    fr_model_destroy(model);
}

#define SKINNED(joint) SKINNED_AND(joint, "")
#define SKINNED_AND(joint, more)                                                                                       \
    HEAD "<HAnimHumanoid DEF='body'><HAnimJoint DEF='root' containerField='skeleton' translation='0 0 3' " joint       \
         "</HAnimJoint><Coordinate DEF='skin' containerField='skinCoord' point='0 0 0 0 0 1 1 0 1'/>"                  \
         "<Shape containerField='skin' DEF='cloth'><IndexedFaceSet coordIndex='0 1 2 -1'><Coordinate USE='skin'/>"     \
         "</IndexedFaceSet></Shape></HAnimHumanoid>" more TAIL

static void displacers_are_shapes_of_the_skin(void **state) {
    (void)state;
    fr_vec3 v[3];
    fr_model *model = x3d(SKINNED("skinCoordIndex='0 2' skinCoordWeight='1 1'><HAnimDisplacer "
                                  "containerField='displacers' weight='0.5' coordIndex='2 1' displacements='0 4 0 2 0 "
                                  "0'/>"));
    const fr_model_view *view = fr_model_get(model);
    assert_int_equal(view->meshes[view->nodes[find_node(model, "cloth")].mesh].deform->target_count, 1);
    vertices_at(model, "cloth", 0.0, v);
    is_at(v[0], 0.0, 0.0, 3.0);
    is_at(v[1], 1.0, 0.0, 1.0);
    is_at(v[2], 1.0, 2.0, 4.0);
    fr_model_destroy(model);
}

#define WEIGHT_ROUTE(name)                                                                                             \
    "<ScalarInterpolator DEF='grow" name "' key='0 1' keyValue='0 1'/>"                                                \
    "<ROUTE fromNode='clock' fromField='fraction_changed' toNode='grow" name "' toField='set_fraction'/>"              \
    "<ROUTE fromNode='grow" name "' fromField='value_changed' toNode='" name "' toField='set_weight'/>"

// Two displacers, each with a route of its own: both count.
static void weights_of_displacers_are_moved_by_routes(void **state) {
    (void)state;
    fr_vec3 v[3];
    fr_model *model =
        x3d(SKINNED_AND("skinCoordIndex='0' skinCoordWeight='1'><HAnimDisplacer DEF='d' containerField='displacers' "
                        "weight='0.5' coordIndex='2' displacements='0 4 0'/><HAnimDisplacer DEF='e' "
                        "containerField='displacers' coordIndex='2' displacements='0 0 8'/>",
                        "<TimeSensor DEF='clock' cycleInterval='4' loop='true'/>" WEIGHT_ROUTE("d") WEIGHT_ROUTE("e")));
    assert_int_equal(fr_model_get(model)->warning_count, 0);
    assert_int_equal(fr_model_get(model)->track_count, 2);
    for (int i = 1; i < 8; i++) {
        double t = i / 8.0;
        vertices_at(model, "cloth", 4.0 * t, v);
        is_at(v[2], 1.0, 4.0 * t, 1.0 + 8.0 * t);
    }
    fr_model_destroy(model);
}

// Sums over 1 are scaled, indices without a vertex are passed over with a word.
static void wrong_weights_of_joints(void **state) {
    (void)state;
    fr_vec3 v[3];
    fr_model *model = x3d(SKINNED("skinCoordIndex='0 1' skinCoordWeight='4 0.25'>"));
    vertices_at(model, "cloth", 0.0, v);
    is_at(v[0], 0.0, 0.0, 3.0);
    is_at(v[1], 0.0, 0.0, 1.75);
    fr_model_destroy(model);
    static const char *const lists[] = {"'0 3'", "'-1 0'", "'2147483647 1'"};
    char text[2000];
    for (int i = 0; i < 3; i++) {
        snprintf(text, sizeof text, SKINNED("skinCoordIndex=%s skinCoordWeight='1 1'>"), lists[i]);
        model = x3d(text);
        view_has_warning(model, "a joint has a weight, or a vertex of the skin, that cannot be");
        fr_model_destroy(model);
    }
}

// The prototypes of H-Anim 1.1, which files of VRML97 have.
#define FIELDS                                                                                                         \
    "exposedField SFVec3f center 0 0 0 exposedField SFRotation rotation 0 0 1 0 exposedField SFVec3f translation 0 0 " \
    "0 "
#define PROTOS                                                                                                         \
    "PROTO Humanoid [ " FIELDS "exposedField MFNode humanoidBody [ ] exposedField MFNode joints [ ] exposedField "     \
    "MFNode segments [ ] exposedField SFString name \"\" ] {\n Transform { center IS center rotation IS rotation "     \
    "translation IS translation children [ Group { children IS humanoidBody } ] } }\n"                                 \
    "PROTO Joint [ " FIELDS "exposedField MFNode children [ ] exposedField SFString name \"\" exposedField MFFloat "   \
    "ulimit [ ] ] {\n Transform { center IS center rotation IS rotation translation IS translation children IS "       \
    "children } }\nPROTO Segment [ exposedField MFNode children [ ] exposedField SFString name \"\" ] { Group { "      \
    "children IS children } }\n"
#define EXTERNS                                                                                                        \
    "EXTERNPROTO Humanoid [ exposedField SFVec3f translation exposedField MFNode humanoidBody exposedField MFNode "    \
    "joints exposedField MFNode segments exposedField SFString name ] \"urn:inet:h-anim.org:Humanoid\"\n"              \
    "EXTERNPROTO Joint [ exposedField SFVec3f center exposedField SFRotation rotation exposedField MFNode children "   \
    "exposedField SFString name exposedField MFFloat ulimit ] \"h-anim.wrl#Joint\"\n"                                  \
    "EXTERNPROTO Segment [ exposedField MFNode children exposedField SFString name ] \"h-anim.wrl#Segment\"\n"
#define CLASSIC                                                                                                        \
    "DEF body Humanoid { name \"b\" translation 10 0 0 humanoidBody [ DEF root Joint { center 0 1 0 children [ "       \
    "DEF sacrum Segment { children " SHAPE " }\n DEF hip Joint { center 0 1 0 ulimit [ 1 2 3 ] children DEF thigh "    \
    "Segment { children " SHAPE " } } ] } ] joints [ USE root USE hip ] segments [ USE sacrum USE thigh ] }\n"         \
    "DEF clock TimeSensor { cycleInterval 4 loop TRUE } DEF turn OrientationInterpolator { key [ 0 1 ] keyValue [ "    \
    "0 0 1 0, 0 0 1 3.1415926 ] }\nROUTE clock.fraction_changed TO turn.set_fraction\n"                                \
    "ROUTE turn.value_changed TO hip.set_rotation\n"

static void bodies_of_prototypes(void **state) {
    (void)state;
    // The second names files that are not there.
    static const char *const texts[] = {V2 PROTOS CLASSIC, V2 EXTERNS CLASSIC};
    for (int i = 0; i < 2; i++) {
        fr_model *model = vrml(texts[i]);
        const fr_model_view *view = fr_model_get(model);
        assert_int_equal(view->placed_triangle_count, 2);
        assert_int_equal(view->track_count, 1);
        is_at(point_at(model, "thigh", 2.0, fr_vec3_make(0.0, 0.0, 0.0)), 11.0, 1.0, 0.0);
        fr_model_destroy(model);
    }
    says(V2 EXTERNS "Humanoid { humanoidBody " SHAPE " }", 2, 1,
         "no file gives the prototype Humanoid; the node HAnimHumanoid is taken for it");
    fr_model *model = vrml(V2 "EXTERNPROTO HAnimSite [ exposedField SFVec3f translation exposedField MFNode children ] "
                              "\"http://www.web3d.org/site.wrl\"\nPROTO P [ field MFNode k [ ] ] { HAnimSite { "
                              "translation 0 3 0 children IS k } }\nP { k DEF s " SHAPE " }");
    is_at(point_at(model, "s", 0.0, fr_vec3_make(0.0, 0.0, 0.0)), 0.0, 3.0, 0.0);
    fr_model_destroy(model);
}

// ---------------------------------------------------------------------------------------------------------------
// Nodes that are not known

static void nodes_in_nodes_that_are_not_known(void **state) {
    (void)state;
    static const struct {
        const char *text;
        uint64_t triangles;
    } cases[] = {
        {V2 "Odd { }", 0},
        {V2 "Odd { children " SHAPE " }", 1},
        {V2 "Odd { children [ " SHAPE ", Transform { children [ " SHAPE " ] } ] }", 2},
        // Words and values of any kind between the nodes.
        {V2 "Odd { a 1 b -2.5e3, .5 c \"text } {\" d [ 1 2, \"]\" ] e TRUE f NULL # }\n g " SHAPE " h IS x }", 1},
        {V2 "Odd { eventIn SFTime go field SFNode n DEF x " SHAPE " } USE x", 2},
        {V2 "Odd { { { Shape } } [ [ ] ] Odd { Odd { any " SHAPE " } } }", 1},
        {V2 "Odd { PROTO P [ ] { " SHAPE " } P { } ROUTE a.b TO c.d }", 1},
        // A USE is shown where it stands for a child, and refers to what is shown elsewhere in other fields.
        {V2 "DEF s " SHAPE " Odd { watch [ USE s ] }", 1},
        {V2 "DEF s " SHAPE " Odd { children [ USE s USE s ] }", 3},
        {V2 "Switch { choice DEF s " SHAPE " } Odd { x 1 children USE s }", 1},
        {V2 "Group { children [ Odd { children " SHAPE " } " SHAPE " ] }", 2},
        {V2 "Odd { children " SHAPE, 1},
        {V2 "Shape { geometry Odd { coord Coordinate { point 0 0 0 } } } " SHAPE, 1},
        {HEAD "<Odd>" XSHAPE "<Transform>" XSHAPE "</Transform></Odd>" TAIL, 2},
        {HEAD "<Odd a='b'><Part containerField='parts'>" XSHAPE "</Part><IS><connect nodeField='a' protoField='b'/>"
              "</IS></Odd>" TAIL,
         1},
        {HEAD "<Shape DEF='s'>" FACES "</Shape><Odd><Shape USE='s'/><Shape USE='s' containerField='watch'/></Odd>" TAIL,
         2},
        {HEAD "<ProtoInstance name='Odd'><fieldValue name='children'>" XSHAPE "</fieldValue><fieldValue name='x' "
              "value='1'/><fieldValue name='y'>" XSHAPE "</fieldValue></ProtoInstance>" TAIL,
         2},
        // Prototypes whose file is missing.
        {V2 "EXTERNPROTO P [ field MFNode children field SFNode n field SFNode m ] \"gone.wrl\" DEF s " SHAPE
            " P { children USE s n " SHAPE " m USE s }",
         3},
        {V2 "EXTERNPROTO P [ field MFNode children ] \"gone.wrl\" PROTO Q [ field MFNode k [ ] ] { P { children IS k } "
            "} Q { k " SHAPE " } Q { k [ " SHAPE " " SHAPE " ] }",
         3},
        // The nodes that an instance gives to one.
        {V2 "PROTO Q [ field MFNode k [ ] field SFBool b TRUE ] { Odd { on IS b parts [ " SHAPE
            " ] children IS k } } Q { k [ " SHAPE " " SHAPE " ] } Q { }",
         4},
        {HEAD
         "<ProtoDeclare name='Q'><ProtoInterface><field name='k' type='MFNode' accessType='inputOutput'/>"
         "</ProtoInterface><ProtoBody><Odd><IS><connect nodeField='children' protoField='k'/></IS></Odd></ProtoBody>"
         "</ProtoDeclare><ProtoInstance name='Q'><fieldValue name='k'>" XSHAPE "</fieldValue></ProtoInstance>" TAIL,
         1},
        // One with an empty body stands for nothing.
        {V2 "PROTO P [ field MFNode children [ ] ] { } P { children " SHAPE " }", 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint64_t triangles = vrml_triangles(cases[i].text);
        if (triangles != cases[i].triangles) { fail_msg("%s: %u triangles", cases[i].text, (unsigned)triangles); }
    }
    warns(V2 SHAPE "\n Odd { children " SHAPE " }", 3, 2, "the node Odd is not known; the nodes in it are shown");
    warns(HEAD "<Group>\n<Odd>" XSHAPE "</Odd></Group>" TAIL, 4, 1, "the node Odd is not known; the nodes in it");
    fr_model *model = vrml(V2 "DEF o Odd { children DEF s " SHAPE " }");
    assert_int_equal(fr_model_get(model)->nodes[find_node(model, "s")].parent, find_node(model, "o"));
    fr_model_destroy(model);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_body_at_rest),
        cmocka_unit_test(what_stands_in_a_list_alone_is_shown),
        cmocka_unit_test(joints_are_moved_by_routes),
        cmocka_unit_test(the_skin_follows_joints),
        cmocka_unit_test(displacers_are_shapes_of_the_skin),
        cmocka_unit_test(weights_of_displacers_are_moved_by_routes),
        cmocka_unit_test(wrong_weights_of_joints),
        cmocka_unit_test(bodies_of_prototypes),
        cmocka_unit_test(nodes_in_nodes_that_are_not_known),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
