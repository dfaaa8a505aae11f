// The layer of a forecast: the sectors of what is watched and turns, red where something will be hit.
#include "actor/forecast.h"

#define TURN_SHOWN 0.1  // radians over the time ahead; what turns less is not drawn
#define SECTORS_MAX 256 // drawn in one tick

static const fr_color free_fill = {240, 190, 90, 60}, free_line = {200, 140, 40, 200};
static const fr_color hit_fill = {230, 60, 40, 80}, hit_line = {190, 30, 20, 220};

static bool has_hit(const fr_forecast *f, fr_object_id id) {
    for (size_t i = 0; i < f->hits.count; i++) {
        const fr_forecast_hit *hit = &f->hits.data[i];
        if (fr_object_id_equal(hit->a, id) || fr_object_id_equal(hit->b, id)) { return true; }
    }
    return false;
}

static void paint_sectors(const fr_draw *draw, void *user) {
    const fr_forecast *f = user;
    uint32_t drawn = 0;
    for (size_t i = 0; i < f->watched.count && drawn < SECTORS_MAX; i++) {
        const fr__forecast_body *body = &f->bodies.data[f->watched.data[i]];
        fr_sector sector;
        bool is_shown = body->is_moving && fr_vec3_length(body->now.turn) * body->seconds >= TURN_SHOWN &&
                        fr__forecast_sector(body, body->seconds, &sector);
        if (!is_shown) { continue; }
        bool is_hit = has_hit(f, body->id);
        fr_sector_draw(&sector, draw, is_hit ? hit_fill : free_fill, is_hit ? hit_line : free_line);
        drawn++;
    }
    for (size_t i = 0; i < f->hits.count; i++) {
        const double point[3] = {f->hits.data[i].point.x, f->hits.data[i].point.y, f->hits.data[i].point.z};
        fr_draw_points(draw, point, 1, hit_line, 6.0);
    }
}

void fr__forecast_paint(fr_painter *painter, const fr_proposal *proposal, void *user) {
    (void)proposal;
    const fr_cast_layer layer = {.name = FR_FORECAST_LAYER, .paint = paint_sectors, .user = user};
    fr_error error = {0};
    if (fr_painter_draw(painter, &layer, &error) != FR_OK) {
        fr_log(FR_LOG_WARNING, "the forecast is not drawn: %s", error.message);
    }
}
