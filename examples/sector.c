// A batter swings: which balls are hit within this frame, which will be, and who stands in reach?
#include "fureai/sector.h"

#include <stdio.h>

int main(void) {
    // A bat of 0.8 m, held 0.3 m from the shoulder it turns about, 60 degrees in one frame.
    fr_oriented_box bat = {{0.7, 1.0, 0.0}, fr_mat3_identity(), {0.4, 0.03, 0.03}};
    fr_screw swing = {.point = {0.0, 1.0, 0.0}, .axis = {0.0, 1.0, 0.0}, .angle = fr_radians(60.0)};

    // One sector holds all that the bat sweeps: what is not in it cannot have been hit.
    fr_sector sector;
    fr_error error;
    if (fr_sector_of_box(&bat, &swing, &sector, &error) != FR_OK) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    printf("radius %.2f to %.2f m, %.1f degrees\n", sector.inner, sector.outer, fr_degrees(2.0 * sector.half_angle));

    // Three balls of 4 cm; the search for first contact gives the time.
    const float x[] = {0.6f, 0.0f, 0.5f}, y[] = {1.0f, 1.05f, 1.3f}, z[] = {-0.5f, -0.9f, -0.5f};
    const float radius[] = {0.04f, 0.04f, 0.04f};
    fr_spheres balls = {x, y, z, radius, 3};
    uint8_t bits[1];
    size_t candidates = fr_sector_spheres(&sector, &balls, NULL, bits);
    printf("%zu of 3 balls are in the sector\n", candidates);

    fr_prediction_input input = {.box = bat, .turn = swing, .frames = 3, .spheres = balls, .tolerance = 1e-6};
    fr_prediction predictions[3];
    size_t count;
    if (fr_predict(&input, predictions, 3, &count, &error) != FR_OK) { return 1; }
    for (size_t i = 0; i < count; i++) {
        printf("ball %u is hit after %.2f frames\n", (unsigned)predictions[i].index, predictions[i].frames);
    }

    // A sector by itself is a range: who is seen within 40 degrees to each side and 5 m?
    fr_sector view = {.axis = {0, 1, 0}, .bisector = {0, 0, -1}, .outer = 5.0, .half_angle = fr_radians(40.0)};
    view.half_thickness = 2.0;
    if (fr_sector_check(&view, &error) != FR_OK) { return 1; }
    fr_range_hit seen[3];
    count = fr_sector_range(&view, &balls, seen, 3);
    for (size_t i = 0; i < count; i++) {
        printf("ball %u is seen at %.1f degrees, %.2f m away\n", (unsigned)seen[i].index, fr_degrees(seen[i].angle),
               seen[i].distance);
    }
    return 0;
}
