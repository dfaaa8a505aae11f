// Checks of strict readings of VRML97. They do nothing where a reading is lenient, or the file is X3D, VRML
// 1.0 or Inventor.
#ifndef FUREAI_MODEL_VRML_STRICT_H
#define FUREAI_MODEL_VRML_STRICT_H

#include "vrml.h"

// Whether what is read now is checked.
bool fr__strict(const fr__vrml *vrml);

// The first line, and that all bytes are UTF-8.
fr_status fr__strict_header(fr__vrml *vrml, const fr__source *source);

// A name of a node, a field or a prototype; a node's type.
fr_status fr__strict_name(fr__vrml *vrml, fr__span name);
fr_status fr__strict_type(fr__vrml *vrml, const fr__vtype *type, fr__span name);

// Whether a node of a type, NULL for the word NULL, may stand in the field that what is open awaits.
fr_status fr__strict_slot(fr__vrml *vrml, const fr__vtype *type, const char *at);

// A field of the node that is open: a value is given for it, or it IS one of the prototype's interface.
fr_status fr__strict_field(fr__vrml *vrml, uint32_t field, fr__span name, bool is_redirect);
fr_status fr__strict_redirect(fr__vrml *vrml, uint32_t field, fr__span name, fr__span interface);

// Declarations, which begin with `word`: of a prototype, of a Script. At its end the Script gets a type of its own.
fr_status fr__strict_interface(fr__vrml *vrml, const fr__field *field, fr__span word);
fr_status fr__strict_script_field(fr__vrml *vrml, const fr__field *field, fr__span word);
fr_status fr__strict_script_redirect(fr__vrml *vrml, const fr__field *field, fr__span interface);
fr_status fr__strict_end_script(fr__vrml *vrml, const fr__open_frame *frame);

fr_status fr__strict_route(fr__vrml *vrml, const fr__route *route);
fr_status fr__strict_body(fr__vrml *vrml, const fr__proto *proto);
fr_status fr__strict_extern(fr__vrml *vrml, const fr__proto *proto); // what was found has its interface

// The values of a node that is read or copied (vrml_range.c): numbers and words outside of what VRML97 allows.
fr_status fr__strict_values(fr__vrml *vrml, const fr__vnode *node);

#endif
