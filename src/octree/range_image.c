// What a range image sees, and what it sees through.
#include "octree/octree.h"

typedef struct camera {
    const fr_range_image *image;
    fr_pose back; // from the world to the camera
} camera;

static fr_status check_image(const fr_range_image *image, fr_pose *pose, fr_error *error) {
    const uint32_t most = 65536;
    if (image->columns < 1 || image->columns > most || image->rows < 1 || image->rows > most) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "a range image has 1 .. 65536 columns and rows");
    }
    if (!(image->tan_x > 0.0 && image->tan_x < 1e6 && image->tan_y > 0.0 && image->tan_y < 1e6)) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "the angle of view of a range image is not in 0 .. pi");
    }
    if (!(image->farthest >= 0.0 && image->farthest <= FR_LENGTH_MAX)) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "the farthest range of an image is no length");
    }
    *pose = image->pose;
    return fr_pose_check(pose, error);
}

// The range of a pixel; 0 where nothing was seen.
static double range_at(const fr_range_image *image, uint32_t column, uint32_t row) {
    double depth = (double)image->depth[(size_t)row * image->columns + column];
    return isfinite(depth) && depth > 0.0 ? depth : 0.0;
}

// The pixel that sees a point of the camera's frame; false outside the image or behind the camera.
static bool pixel_of(const fr_range_image *image, fr_vec3 p, uint32_t *column, uint32_t *row) {
    if (!(p.z < 0.0)) { return false; }
    double u = (p.x / -p.z / image->tan_x + 1.0) * 0.5 * image->columns;
    double v = (1.0 - p.y / -p.z / image->tan_y) * 0.5 * image->rows;
    if (!(u >= 0.0 && v >= 0.0 && u < image->columns && v < image->rows)) { return false; }
    *column = (uint32_t)u;
    *row = (uint32_t)v;
    return true;
}

// Whether the image sees more than a voxel's diagonal beyond the middle of a voxel.
static bool is_free(const camera *c, fr_vec3 middle, double diagonal) {
    fr_vec3 p = fr_pose_apply(&c->back, middle);
    uint32_t column, row;
    if (!pixel_of(c->image, p, &column, &row)) { return false; }
    double range = range_at(c->image, column, row);
    if (range == 0.0) { range = c->image->farthest; }
    return range > -p.z + diagonal;
}

static void carve_free(fr_octree *t, const camera *c) {
    double diagonal = sqrt(3.0) * t->voxel;
    uint32_t n = 1u << t->def.depth;
    for (uint32_t z = 0; z < n; z++) {
        for (uint32_t y = 0; y < n; y++) {
            uint32_t x = 0;
            while (x < n) {
                fr_cell leaf = fr_octree_leaf(t, x, y, z);
                uint32_t end = leaf.x + (1u << leaf.level);
                for (; x < end && leaf.color == FR_CELL_BLACK; x++) {
                    fr_vec3 middle = {t->def.min.x + (x + 0.5) * t->voxel, t->def.min.y + (y + 0.5) * t->voxel,
                                      t->def.min.z + (z + 0.5) * t->voxel};
                    if (!is_free(c, middle, diagonal)) { continue; }
                    const int64_t low[3] = {x, y, z}, high[3] = {x + 1, y + 1, z + 1};
                    fr_octree_fill(t, low, high, FR_CELL_WHITE);
                }
                x = end;
            }
        }
    }
}

fr_status fr_octree_add_range_image(fr_octree *t, const fr_range_image *image, bool may_carve, fr_error *error) {
    if (t->dimension != 3) { return fr_error_set(error, FR_ERROR_ARGUMENT, "range images are seen in 3 dimensions"); }
    fr_pose pose;
    fr_status status = check_image(image, &pose, error);
    if (status != FR_OK) { return status; }
    camera c = {image, fr_pose_inverse(&pose)};
    if (may_carve) { carve_free(t, &c); }
    for (uint32_t row = 0; row < image->rows; row++) {
        for (uint32_t column = 0; column < image->columns; column++) {
            double range = range_at(image, column, row);
            if (range == 0.0) { continue; }
            fr_vec3 local = {(2.0 * (column + 0.5) / image->columns - 1.0) * image->tan_x * range,
                             (1.0 - 2.0 * (row + 0.5) / image->rows) * image->tan_y * range, -range};
            fr_vec3 point = fr_pose_apply(&pose, local);
            if (!fr_vec3_is_finite(point)) { continue; }
            status = fr_octree_add_points(t, &point, 1, error);
            if (status != FR_OK) { return status; }
        }
    }
    return FR_OK;
}
