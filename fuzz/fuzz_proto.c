// Any bytes as choices of a small grammar of prototypes: declarations in declarations, IS, instances, routes and names,
// most of them right, so that expansion is reached deeply.
#include "placed_bytes.h"

static const char *const words[] = {
    "PROTO A [ field SFVec3f v 1 2 3 field MFNode n [ ] eventIn SFVec3f go ] { ",
    "PROTO B [ exposedField SFVec3f v 0 0 0 field SFNode n NULL ] { ",
    "PROTO C [ ] { ",
    "EXTERNPROTO D [ field SFVec3f v field MFNode n ] \"aa#A\" ",
    "EXTERNPROTO A [ ] [ \"b\" \"dddd#C\" ] ",
    "} ",
    "] ",
    "A { ",
    "B { ",
    "C { ",
    "D { ",
    "v IS v ",
    "n IS n ",
    "children IS n ",
    "translation IS v ",
    "set_translation IS go ",
    "go IS go ",
    "n [ ",
    "n ",
    "v 4 5 6 ",
    "DEF x ",
    "DEF y ",
    "USE x ",
    "USE y ",
    "Transform { ",
    "Group { ",
    "children [ ",
    "children ",
    "Shape { geometry Box { size IS v } } ",
    "Shape { geometry IndexedFaceSet { coord Coordinate { point [ 0 0 0 1 0 0 0 1 0 ] } coordIndex [ 0 1 2 ] } } ",
    "DEF t TimeSensor { loop TRUE } ",
    "DEF p PositionInterpolator { key [ 0 1 ] keyValue [ 0 0 0 1 1 1 ] } ",
    "ROUTE t.fraction_changed TO p.set_fraction ",
    "ROUTE p.value_changed TO x.translation ",
    "ROUTE p.value_changed TO x.go ",
    "Inline { url \"aa\" } ",
    "Switch { whichChoice 0 choice [ ",
    "Script { field SFNode n IS n } ",
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fr_array text = fr_array_make(1, NULL);
    push_bytes("#VRML V2.0 utf8\n", 16, &text);
    for (size_t i = 0; i < size && i < 2000; i++) {
        const char *word = words[data[i] % (sizeof words / sizeof words[0])];
        push_bytes(word, strlen(word), &text);
    }
    int result = try_placed_bytes(text.data, text.count, FR_MODEL_VRML);
    fr_array_destroy(&text);
    return result;
}
