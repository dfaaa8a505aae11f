// Clashes to look at: drawn, and on a page.
#ifndef FUREAI_TOOL_CLASH_PICTURE_H
#define FUREAI_TOOL_CLASH_PICTURE_H

#include "assembly.h"
#include "picture.h"

// Draws all parts in the colours of their files, light grey where there are none, so that they are seen through,
// colliding faces in a colour that no part has (red where it can be), contact regions as dark lines. Anything but DONE:
// return it.
exit_status clash_draw(tool *t, picture *p, const assembly *a, const fr_clash_output *found);

// Draws the two parts of one clash, each in a colour of its own.
exit_status clash_draw_one(tool *t, picture *p, const assembly *a, const fr_clash_output *found, const fr_clash *c);

// Writes an HTML page that needs no other file: the clashes from the deepest on, with a picture of each of the first.
// Anything but DONE: return it.
exit_status clash_page_write(tool *t, const char *path, const assembly *a, const fr_clash_output *found);

#endif
