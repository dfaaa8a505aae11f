// A watcher of a served world for benchmarks: the first bytes that it sends.
#ifndef FUREAI_BENCH_WATCHER_H
#define FUREAI_BENCH_WATCHER_H

#include "fureai/protocol.h"

#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

// Asks to become a WebSocket and says hello at once; the mask of its frame is zero.
static inline bool bench_greet(int socket, uint16_t port, uint32_t wants) {
    char text[512];
    int length = snprintf(text, sizeof text,
                          "GET / HTTP/1.1\r\nHost: 127.0.0.1:%u\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                          "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
                          "Sec-WebSocket-Protocol: " FR_PROTOCOL_NAME "\r\n\r\n",
                          (unsigned)port);
    fr_array frame = fr_array_make(1, NULL);
    fr_message hello = {.type = FR_MESSAGE_HELLO};
    hello.as.hello = (fr_message_hello){FR_PROTOCOL_VERSION, wants, "bench"};
    unsigned char *head = fr_array_push(&frame, 6);
    bool good = head != NULL && fr_protocol_write(&hello, &frame, NULL) == FR_OK;
    if (good) {
        head = frame.data;
        memset(head, 0, 6);
        head[0] = 0x82;
        head[1] = (unsigned char)(0x80 | (frame.count - 6));
        good = send(socket, text, (size_t)length, MSG_NOSIGNAL) == length &&
               send(socket, frame.data, frame.count, MSG_NOSIGNAL) == (ssize_t)frame.count;
    }
    fr_array_destroy(&frame);
    return good;
}

#endif
