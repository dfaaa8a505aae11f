// X3D in XML from text in a test.
#ifndef FUREAI_TEST_X3D_TEXT_H
#define FUREAI_TEST_X3D_TEXT_H

#include "vrml_text.h"

#define HEAD "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<X3D profile='Immersive' version='3.0'><Scene>\n"
#define TAIL "</Scene></X3D>\n"
#define FACES "<IndexedFaceSet coordIndex='0 1 2 -1'><Coordinate point='0 0 0, 1 0 0, 0 1 0'/></IndexedFaceSet>"
#define XSHAPE "<Shape>" FACES "</Shape>"

static inline fr_model *x3d(const char *text) {
    fr_model_read_input options = fr_default_model_read_input();
    options.name = "a.x3d";
    return vrml_with(text, &options);
}

#endif
