#!/usr/bin/env python3
"""Makes src/human/gait_table.c from the table of measured gait: gait_table.py FOLDER > gait_table.c

FOLDER has gait_fourier.csv. The curves are those of fr__gait_curve, in its order. With --check FILE nothing is printed,
and the exit status says whether FILE is what would be printed."""
import csv
import sys

HEADER = """// Measured Fourier coefficients of the curves of human walking, with their slopes by speed and their spreads.
//
// Origin: means and spreads over 406 strides of 28 people. The data used was obtained from mocap.cs.cmu.edu; that
// database was created with funding from NSF EIA-0196217; conversion to BVH by B. Hahne (cgspeed). No captured frame
// is here. Angles are in degrees, lengths in leg lengths; the columns are the fields of fr__gait_term. Made by
// test/human/gait_table.py.
#include "human/gait.h"

// clang-format off
const fr__gait_term fr__gait_terms[FR__GAIT_CURVES][FR__GAIT_ORDERS] = {
"""
CURVES = (
    "pelvis_up", "pelvis_lat", "pelvis_fwd", "pelvis_rot", "pelvis_tilt", "pelvis_obl", "chest_rot", "chest_flex",
    "chest_bend", "headW_rot", "headW_pitch", "headW_bend", "hip_flex", "hip_abd", "hip_int", "knee_flex",
    "ankle_dors", "footW_pitch", "footW_toeout", "sho_flex", "sho_abd", "sho_int", "elbow_flex", "fore_pron",
    "wrist_dev", "wrist_flex", "ank_fwd", "ank_lat", "ank_up",
)
COLUMNS = ("a", "b", "a_slope", "b_slope", "sd_a", "sd_b", "sd_within_a", "sd_within_b", "sd_between_a", "sd_between_b")
ORDERS = 6


def table(folder):
    rows = {}
    with open(folder + "/gait_fourier.csv", newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            rows[row["curve"], int(row["k"])] = row
    text = HEADER
    for curve in CURVES:
        text += "    {   // %s\n" % curve
        for k in range(ORDERS):
            values = (format(float(rows[curve, k][c] or 0) + 0.0, "g") for c in COLUMNS)
            text += "        {%s},\n" % ", ".join(values)
        text += "    },\n"
    return text + "};\n// clang-format on\n"


def main():
    made = table(sys.argv[1])
    if len(sys.argv) == 4 and sys.argv[2] == "--check":
        with open(sys.argv[3], encoding="utf-8") as file:
            same = file.read() == made
        print("gait_table: the table %s the figures of %s" % ("has" if same else "does not have", sys.argv[1]))
        sys.exit(0 if same else 1)
    sys.stdout.write(made)


main()
