// Files of classes that tests read: all keys, and what is made of them.
#ifndef FUREAI_TEST_LIBRARY_CLASS_TEXT_H
#define FUREAI_TEST_LIBRARY_CLASS_TEXT_H

#include "fureai/library.h"

#include <string.h>

// An object with every key.
static const char whole_object[] =
    "{\"fureai\":1,\"title\":\"A cup\",\"about\":\"to drink from\",\"shapes\":[\"cup.obj\",\"parts/handle.obj\"],"
    "\"looks\":{\"color\":[1,20,255],\"textures\":[\"cup.png\"]},\"size\":[0.08,0.1,0.12],\"mass\":0.25,"
    "\"static\":false,\"grip\":{\"position\":[0,0.05,0.06],\"axis_angle_deg\":[0,1,0,90],\"diameter\":0.02},"
    "\"seat\":{\"position\":[0,0.45,0],\"facing_deg\":30},"
    "\"joint\":{\"kind\":\"screw\",\"position\":[0,1,0],\"axis\":[0,2,0],\"limits_deg\":[-90,270],\"value_deg\":45,"
    "\"pitch\":0.01},"
    "\"frames\":[{\"name\":\"rim\",\"position\":[0,0.1,0],\"rotation\":[1,0,0,0]},"
    "{\"name\":\"foot\",\"position\":[0,0,0]}],"
    "\"extra\":{\"capacity\":0.2,\"hot\":true,\"label\":\"tea\",\"stripe\":[1,2,3]},"
    "\"states\":[{\"name\":\"standing\",\"affords\":["
    "{\"motion\":\"take\",\"words\":[\"take in hand\",\"grasp\"],\"human\":[{\"skill\":\"walk\"},{\"skill\":\"slerp\","
    "\"start\":20,\"frames\":40,\"data\":\"reach.ahmc\",\"parameters\":{\"hand\":\"right\"}}],"
    "\"object\":{\"skill\":\"follow_hand\",\"parameters\":{\"threshold\":0.15}},\"data\":[\"take.ahmc\"],"
    "\"asks\":[\"frames\",\"goal\"],\"parameters\":{\"hand\":\"right\"}}]},"
    "{\"name\":\"held\",\"affords\":[{\"motion\":\"drink\",\"human\":[{\"skill\":\"slerp\"},{\"skill\":\"hold_arm\"}],"
    "\"in_order\":true}]}]}";

// An object with every key of states.
static const char whole_machine[] =
    "{\"fureai\":1,\"shapes\":[\"nut.obj\"],\"frames\":[{\"name\":\"axis\",\"position\":[0,0,0]}],"
    "\"states\":[{\"name\":\"on\",\"affords\":[],\"constraint\":{\"joint\":{\"kind\":\"screw\",\"position\":[0,0,0],"
    "\"axis\":[0,1,0],\"pitch\":0.0015,\"limits_deg\":[0,1800]},\"parent\":\"base\",\"driver\":{\"object\":\"wrench*\","
    "\"frame\":\"head\"}},\"looks\":{\"color\":[1,2,3],\"hidden\":false},"
    "\"transitions\":[{\"on\":{\"limit\":\"max\"},\"to\":\"off\"},{\"when\":{\"all\":["
    "{\"dist\":[{\"frame\":\"axis\"},{\"object\":\"wrench*\",\"frame\":\"head\"}],\"below\":0.01,\"within_deg\":10},"
    "{\"not\":{\"state\":\"lying\",\"of\":\"wrench*\",\"at_least\":1}},{\"any\":[{\"angle\":[\"base\",{}],"
    "\"above_deg\":5},{\"value\":\"at_least\",\"than_deg\":90},{\"value\":\"below\",\"than\":0.1,\"of\":\"drawer\"},"
    "{\"dist\":[{},\"base\"],\"above\":1},{\"angle\":[{},{}],\"below_deg\":1}]}]},\"to\":\"off\"}]},"
    "{\"name\":\"off\",\"affords\":[],\"constraint\":{\"kind\":\"falling\"},\"transitions\":["
    "{\"on\":{\"event\":\"grasp\",\"of\":\"base\"},\"to\":\"in_hand\",\"do\":[{\"set\":0.5},{\"set_deg\":90},"
    "{\"emit\":\"taken\",\"value\":2},{\"attach\":\"tray\"},{\"detach\":true}]},"
    "{\"on\":{\"contact\":\"begin\",\"with\":\"floor\"},\"to\":\"on\"},"
    "{\"on\":{\"contact\":\"end\",\"class\":\"table\"},\"to\":\"on\"}]},"
    "{\"name\":\"in_hand\",\"affords\":[],\"constraint\":{\"kind\":\"attached\",\"parent\":\"tray\"},"
    "\"transitions\":[{\"on\":{\"seconds\":1.5},\"to\":\"off\"},{\"on\":{\"state\":\"open\",\"of\":\"door\"},"
    "\"to\":\"off\"},{\"on\":{\"limit\":\"min\"},\"when\":{\"all\":[]},\"to\":\"on\"}]},"
    "{\"name\":\"left\",\"affords\":[],\"constraint\":{\"kind\":\"fixed\",\"parent\":\"wall\"}}]}";

// A person with every key.
static const char whole_person[] =
    "{\"fureai\":1,\"title\":\"Ann\",\"about\":\"an operator\",\"shapes\":[\"ann.glb\"],"
    "\"looks\":{\"color\":[1,2,3],\"textures\":[\"a.png\"],\"curves\":0.5,\"seed\":7},"
    "\"body\":{\"stature\":1.62,\"mass\":58,\"head\":0.14,\"leg\":0.52,\"arm\":0.33,\"shoulder_width\":0.22,"
    "\"hip_width\":0.11,\"foot\":0.14},\"speed\":1.25,\"extra\":{\"shift\":\"night\"},"
    "\"affords\":[{\"motion\":\"shake_hand\",\"human\":[{\"skill\":\"ik_reach\"}],\"asks\":[\"start\"]}]}";

static inline fr_status read_class(const char *text, fr_class_kind kind, const fr_allocator *allocator, fr_class **out,
                                   fr_error *error) {
    fr_class_read_input input = fr_default_class_read_input();
    input.name = "thing";
    input.kind = kind;
    if (allocator != NULL) { input.allocator = *allocator; }
    return fr_class_read(text, strlen(text), &input, out, error);
}

#endif
