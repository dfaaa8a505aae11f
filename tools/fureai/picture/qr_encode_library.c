// QR codes by libqrencode.
#include "qr_code.h"

#include <qrencode.h>
#include <string.h>

bool qr_code_encode(const char *text, qr_code *out) {
    QRcode *made = text[0] != '\0' ? QRcode_encodeString8bit(text, 0, QR_ECLEVEL_M) : NULL;
    bool is_good = made != NULL && made->width > 0 && made->width <= QR_CODE_WIDTH_MAX;
    *out = (qr_code){0};
    if (is_good) {
        out->width = made->width;
        for (int i = 0; i < made->width * made->width; i++) {
            out->is_dark[i] = made->data[i] & 1;
        }
    }
    if (made != NULL) { QRcode_free(made); }
    return is_good;
}
