// Where a server is reached: its address as people type it, and a QR code of it for those who wear a headset.
#ifndef FUREAI_TOOL_SERVE_ADDRESS_H
#define FUREAI_TOOL_SERVE_ADDRESS_H

#include "tool.h"

enum { SERVE_URL_BYTES = 256 };

// Writes the URL of a numeric address, IPv6 in brackets.
void serve_url(const char *scheme, const char *address, unsigned port, char *text, size_t size);

// The address by which other machines reach a server that listens on `address`: that one, or, for all addresses
// (0.0.0.0, ::), the first of this machine that is not its own loop. False where only this machine reaches it, or the
// machine has no such address.
bool serve_reached_address(const char *address, char *text, size_t size);

// Prints the URL by which other machines reach the server, with its QR code, on a terminal that shows them; nothing
// elsewhere, and for a server that only this machine reaches.
void serve_print_code(tool *t, const char *scheme, const char *address, unsigned port);

#endif
