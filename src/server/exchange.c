// Requests about models: what is common to those that bring files and those that fetch them.
#include "server/exchange.h"

#include <string.h>

unsigned fr__exchange_http_status(fr_status status) {
    switch (status) {
    case FR_OK: return FR__HTTP_OK;
    case FR_ERROR_LIMIT: return 413;
    case FR_ERROR_BUSY: return FR__HTTP_BUSY;
    case FR_ERROR_MEMORY:
    case FR_ERROR_STOPPED:
    case FR_ERROR_SYSTEM: return FR__HTTP_FAILED;
    default: return 422;
    }
}

static bool append_reply(const void *bytes, size_t size, void *context) {
    unsigned char *place = fr_byte_array_push(context, size);
    if (place != NULL) { memcpy(place, bytes, size); }
    return place != NULL;
}

void fr__exchange_respond(fr__exchange *exchange, const fr__exchange_reply *reply) {
    if (exchange->requester == NULL) {
        fr_byte_array bytes = reply->bytes;
        fr_byte_array_destroy(&bytes);
        return;
    }
    exchange->respond(exchange, reply);
    exchange->requester = NULL;
}

void fr__exchange_respond_json(fr__exchange *exchange, unsigned status, const char *message, const char *key,
                               const char *const *list, uint32_t count) {
    if (exchange->requester == NULL) { return; }
    fr__exchange_reply reply = {status, "application/json", NULL, fr_byte_array_make(&exchange->server->allocator)};
    fr_json_writer j = fr_json_writer_make(append_reply, &reply.bytes, 0, &exchange->server->allocator);
    fr_json_write_object(&j);
    fr_json_write_string_field(&j, "message", message);
    if (key != NULL) {
        fr_json_write_key(&j, key);
        fr_json_write_array(&j);
        for (uint32_t i = 0; i < count; i++) {
            fr_json_write_string(&j, list[i]);
        }
        fr_json_write_array_end(&j);
    }
    fr_json_write_object_end(&j);
    if (!fr_json_writer_end(&j)) {
        // Half a document says nothing: the status alone goes out.
        reply.status = FR__HTTP_FAILED;
        reply.bytes.count = 0;
    }
    fr__exchange_respond(exchange, &reply);
}

bool fr__exchange_start(fr__exchange *exchange, fr__exchange_refusal *refusal) {
    exchange->is_at_work = fr__jobs_add(&exchange->server->jobs, &exchange->job);
    if (!exchange->is_at_work) {
        *refusal = (fr__exchange_refusal){FR__HTTP_BUSY, "too many files are being read; try again"};
    }
    return exchange->is_at_work;
}

void fr__exchange_leave(fr__exchange *exchange) {
    if (exchange == NULL) { return; }
    exchange->requester = NULL;
    if (exchange->is_at_work) {
        atomic_store(&exchange->job.is_stopped, true);
    } else {
        exchange->discard(exchange);
    }
}
