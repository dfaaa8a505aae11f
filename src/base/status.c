// Names and sentences of the status codes.
#include "fureai/base.h"

const char *fr_status_text(fr_status status) {
    switch (status) {
#define STATUS_TEXT(name, text)                                                                                        \
    case name: return text;
        FR_STATUS_TABLE(STATUS_TEXT)
#undef STATUS_TEXT
    case FR_STATUS_COUNT: break;
    }
    return "unknown status";
}

const char *fr_status_name(fr_status status) {
    switch (status) {
#define STATUS_NAME(name, text)                                                                                        \
    case name: return #name;
        FR_STATUS_TABLE(STATUS_NAME)
#undef STATUS_NAME
    case FR_STATUS_COUNT: break;
    }
    return "unknown status";
}
