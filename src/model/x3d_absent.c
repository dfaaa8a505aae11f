// What there is of X3D in XML in a build without expat.
#include "vrml.h"

fr_status fr__x3d_parse(fr__vrml *vrml) {
    return fr__vrml_fail(vrml, vrml->cursor->begin, FR_ERROR_UNSUPPORTED,
                         "this build reads no XML: save the file as VRML97 (.wrl) or X3D in VRML's notation (.x3dv)");
}
