// What there is of XML as text in a build without expat: nothing.
#include "xml.h"

fr_status fr__xml_create_text(fr__xml *xml, bool is_utf8) {
    (void)xml;
    (void)is_utf8;
    return FR_ERROR_UNSUPPORTED;
}

void fr__xml_free_text(fr__xml *xml) { (void)xml; }

fr_status fr__xml_parse_text(fr__xml *xml, const char *bytes, size_t size, bool is_last) {
    (void)xml;
    (void)bytes;
    (void)size;
    (void)is_last;
    return FR_ERROR_UNSUPPORTED;
}

void fr__xml_stop_text(fr__xml *xml) { (void)xml; }

int64_t fr__xml_index_text(const fr__xml *xml) {
    (void)xml;
    return -1;
}
