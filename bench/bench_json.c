// Room json on texts like those of glTF: a tree of nodes, long arrays of numbers, bytes as base64; and writing them.
#include "bench.h"

#include "fureai/json.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool append(const void *bytes, size_t size, void *context) {
    void *place = fr_array_push(context, size);
    if (place != NULL) { memcpy(place, bytes, size); }
    return place != NULL;
}

// Nodes of a scene as glTF has them.
static void write_nodes(fr_json_writer *j, size_t count) {
    fr_random random = fr_random_seed(1);
    fr_json_write_object(j);
    fr_json_write_key(j, "nodes");
    fr_json_write_array(j);
    for (size_t i = 0; i < count; i++) {
        char name[32];
        double translation[3], rotation[4] = {0.0, 0.0, 0.0, 1.0};
        for (int k = 0; k < 3; k++) {
            translation[k] = (double)(int)fr_random_between(&random, -1e6, 1e6) / 1024.0;
        }
        snprintf(name, sizeof name, "node_%zu", i);
        fr_json_write_object(j);
        fr_json_write_string_field(j, "name", name);
        fr_json_write_uint_field(j, "mesh", i);
        fr_json_write_numbers_field(j, "translation", translation, 3);
        fr_json_write_numbers_field(j, "rotation", rotation, 4);
        fr_json_write_bool_field(j, "visible", true);
        fr_json_write_object_end(j);
    }
    fr_json_write_array_end(j);
    fr_json_write_object_end(j);
}

static void write_numbers(fr_json_writer *j, size_t count) {
    fr_random random = fr_random_seed(2);
    fr_json_write_array(j);
    for (size_t i = 0; i < count; i++) {
        fr_json_write_number(j, fr_random_between(&random, -1.0, 1.0));
    }
    fr_json_write_array_end(j);
}

static void write_base64(fr_json_writer *j, size_t count) {
    char *bytes = malloc(count);
    if (bytes == NULL) { return; }
    for (size_t i = 0; i < count; i++) {
        bytes[i] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"[i * 31 % 64];
    }
    fr_json_write_array(j);
    fr_json_write_bytes(j, bytes, count);
    fr_json_write_array_end(j);
    free(bytes);
}

static fr_array make_text(void (*write)(fr_json_writer *j, size_t count), size_t count, int indent) {
    fr_array bytes = fr_array_make(1, NULL);
    fr_json_writer writer = fr_json_writer_make(append, &bytes, 65536, NULL);
    writer.indent = indent;
    write(&writer, count);
    fr_json_writer_end(&writer);
    return bytes;
}

// Bytes are counted as items, so that a million items a second is a megabyte a second.
static void parse(bench *b, void (*write)(fr_json_writer *j, size_t count), size_t count, int indent) {
    fr_array bytes = make_text(write, count, indent);
    while (bench_repeat(b)) {
        fr_json *json;
        if (fr_json_create(bytes.data, bytes.count, NULL, &json, NULL) != FR_OK) {
            bench_skip(b, "no document");
            break;
        }
        bench_pause(b);
        bench_count(b, "values", fr_json_value_count(json));
        fr_json_destroy(json);
    }
    bench_items(b, (double)bytes.count);
    fr_array_destroy(&bytes);
}

static void parse_nodes(bench *b) { parse(b, write_nodes, bench_size(b, 10, 200000), 0); }

static void parse_nodes_indented(bench *b) { parse(b, write_nodes, bench_size(b, 10, 200000), 2); }

static void parse_numbers(bench *b) { parse(b, write_numbers, bench_size(b, 10, 2000000), 0); }

static void parse_base64(bench *b) { parse(b, write_base64, bench_size(b, 10, 32 << 20), 0); }

// Every number of every node, through the members by their keys.
static void read_nodes(bench *b) {
    static const char *const keys[] = {"mesh", "translation", "rotation"};
    fr_array bytes = make_text(write_nodes, bench_size(b, 10, 200000), 0);
    fr_json *json;
    if (fr_json_create(bytes.data, bytes.count, NULL, &json, NULL) != FR_OK) {
        bench_skip(b, "no document");
        return;
    }
    while (bench_repeat(b)) {
        double sum = 0.0;
        fr_json_value v = fr_json_first(json, fr_json_member(json, FR_JSON_ROOT, "nodes"));
        for (; v != FR_JSON_NONE; v = fr_json_next(json, v)) {
            fr_json_value members[3];
            uint64_t mesh = 0;
            double translation[3] = {0}, rotation[4] = {0};
            fr_json_members(json, v, keys, 3, members);
            fr_json_get_whole(json, members[0], &mesh);
            fr_json_get_numbers(json, members[1], 3, translation);
            fr_json_get_numbers(json, members[2], 4, rotation);
            sum += translation[0] + rotation[3] + (double)mesh;
        }
        bench_keep(&sum);
    }
    bench_items(b, (double)bytes.count);
    fr_json_destroy(json);
    fr_array_destroy(&bytes);
}

static void write_text(bench *b) {
    size_t count = bench_size(b, 10, 200000), size = 0;
    while (bench_repeat(b)) {
        fr_array bytes = make_text(write_nodes, count, 0);
        size = bytes.count;
        fr_array_destroy(&bytes);
    }
    bench_items(b, (double)size);
}

int main(int argc, char **argv) {
    static const bench_case cases[] = {
        {"parse_nodes_bytes", parse_nodes},     {"parse_nodes_indented_bytes", parse_nodes_indented},
        {"parse_numbers_bytes", parse_numbers}, {"parse_base64_bytes", parse_base64},
        {"read_nodes_bytes", read_nodes},       {"write_nodes_bytes", write_text},
    };
    return bench_main(argc, argv, "fureai", "json", cases, sizeof cases / sizeof cases[0]);
}
