// Any bytes over a connection to a server: as HTTP, as messages of a WebSocket whose frames are right, or as what comes
// after its handshake. The server serves on, and forgets the connection when it ends.
#include "server/server.h"

#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MAX_BYTES = 4096, MAX_ROUNDS = 64, QUIET_ROUNDS = 2, HANDSHAKE_ROUNDS = 10000, FRAME_HEAD_BYTES = 8 };

static void require(bool holds) {
    if (!holds) { abort(); }
}

// ---------------------------------------------------------------------------------------------------------------
// One server for all inputs

static const char scene_text[] = "{ \"fureai\": 1, \"step\": 0.02, \"objects\": ["
                                 "{ \"name\": \"a\", \"shape\": \"box\", \"position\": [0, 0, 0] },"
                                 "{ \"name\": \"b\", \"shape\": \"box\", \"position\": [1.5, 0, 0] },"
                                 "{ \"name\": \"c\", \"shape\": \"box\", \"position\": [0, 3, 0] } ],"
                                 "\"touch\": { \"operated\": \"c\" } }";

static fr_scene *scene;

static fr_status restart_scene(void *world, fr_error *error) { return fr_scene_restart_world(scene, world, error); }

static fr_status open_scene(const char *name, fr_served_scene *out, void *user, fr_error *error) {
    (void)name;
    (void)user;
    fr_world_def def = fr_scene_world_def(scene);
    *out = (fr_served_scene){.title = "cubes", .restart = restart_scene};
    fr_status status = fr_world_create(&def, &out->world, error);
    if (status == FR_OK) { status = fr_scene_build_world(scene, NULL, out->world, NULL, error); }
    if (status == FR_OK) { status = fr_scene_cast(scene, out->world, NULL, &out->cast, error); }
    require(status == FR_OK);
    out->user = out->world;
    return status;
}

static void close_scene(fr_served_scene *served, void *user) {
    (void)user;
    fr_cast_destroy(served->cast);
    fr_world_destroy(served->world);
}

static fr_server *the_server(void) {
    static fr_server *server;
    if (server != NULL) { return server; }
    require(fr_scene_read(scene_text, sizeof scene_text - 1, NULL, &scene, NULL) == FR_OK);
    fr_server_def def = fr_default_server_def();
    static const fr_scene_entry entries[] = {{"cubes", "Cubes", "Three cubes", NULL, NULL},
                                             {"more", "More", "The same", NULL, NULL}};
    def.provider = (fr_scene_provider){entries, 2, "cubes", open_scene, close_scene, NULL};
    def.port = 0;
    def.viewer_folder = "";
    def.messages_per_second = 1000000;
    require(fr_server_create(&def, &server, NULL) == FR_OK);
    return server;
}

// ---------------------------------------------------------------------------------------------------------------
// One connection

// What the server sends is read and dropped; false when it has closed the connection.
static bool drain(int connection, bool *is_quiet) {
    char bytes[4096];
    ssize_t got = recv(connection, bytes, sizeof bytes, MSG_DONTWAIT);
    *is_quiet = got < 0;
    return got != 0;
}

// Lets the server work until nothing comes any more, or the connection is closed.
static bool serve(fr_server *server, int connection) {
    bool is_open = true;
    for (int round = 0, quiet = 0; is_open && round < MAX_ROUNDS && quiet < QUIET_ROUNDS; round++) {
        bool is_quiet;
        require(fr__sockets_service(server, 0));
        is_open = drain(connection, &is_quiet);
        quiet = is_quiet ? quiet + 1 : 0;
    }
    return is_open;
}

static bool send_all(fr_server *server, int connection, const void *bytes, size_t size) {
    return size == 0 || (send(connection, bytes, size, MSG_NOSIGNAL) == (ssize_t)size && serve(server, connection));
}

static bool shake_hands(fr_server *server, int connection) {
    char text[512];
    int length = snprintf(text, sizeof text,
                          "GET /world HTTP/1.1\r\nHost: 127.0.0.1:%u\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                          "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n"
                          "Sec-WebSocket-Protocol: " FR_PROTOCOL_NAME "\r\n\r\n",
                          (unsigned)fr_server_port(server));
    uint64_t before = server->stats.clients_ever;
    bool is_open = send_all(server, connection, text, (size_t)length);
    for (int round = 0; is_open && round < HANDSHAKE_ROUNDS && server->stats.clients_ever == before; round++) {
        is_open = serve(server, connection);
    }
    require(server->stats.clients_ever == before + 1);
    return is_open;
}

// One binary frame, masked by zeros.
static bool send_frame(fr_server *server, int connection, const uint8_t *data, size_t size) {
    uint8_t frame[FRAME_HEAD_BYTES + MAX_BYTES] = {0x82, 0x80 | 126, (uint8_t)(size >> 8), (uint8_t)size};
    size_t head = FRAME_HEAD_BYTES;
    if (size < 126) {
        frame[1] = (uint8_t)(0x80 | size);
        frame[2] = frame[3] = 0;
        head = 6;
    }
    memcpy(frame + head, data, size);
    return send_all(server, connection, frame, head + size);
}

// Messages of the protocol, each in a frame of its own, a tick after each.
static void send_messages(fr_server *server, int connection, const uint8_t *data, size_t size) {
    for (size_t at = 0; at < size;) {
        fr_frame frame = {data + at, size - at, 0, FR_READER_SERVER};
        fr_packet packet;
        fr_status status;
        size_t bytes = fr_frame_next(&frame, &packet, &status, NULL) ? frame.at : size - at;
        if (!send_frame(server, connection, data + at, bytes)) { return; }
        require(fr__served_tick(server, false, NULL) == FR_OK);
        if (!serve(server, connection)) { return; }
        at += bytes;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < 1 || size > MAX_BYTES) { return 0; }
    fr_server *server = the_server();
    int connection = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(fr_server_port(server))};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    require(connection >= 0 && connect(connection, (struct sockaddr *)&address, sizeof address) == 0);

    switch (data[0] % 3) {
    case 0: send_all(server, connection, data + 1, size - 1); break;
    case 1:
        if (shake_hands(server, connection)) { send_messages(server, connection, data + 1, size - 1); }
        break;
    default:
        if (shake_hands(server, connection)) { send_all(server, connection, data + 1, size - 1); }
        break;
    }

    // It ends without waiting, so that no port stays taken.
    struct linger at_once = {1, 0};
    require(setsockopt(connection, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once) == 0);
    close(connection);
    for (int round = 0; round < MAX_ROUNDS && fr_server_get_stats(server).clients > 0; round++) {
        require(fr__sockets_service(server, 0));
    }
    require(fr_server_get_stats(server).clients == 0 && server->leases.list.count == 0);
    require(fr__served_restart(server, NULL) == FR_OK);
    return 0;
}
