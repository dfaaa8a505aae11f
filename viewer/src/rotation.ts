// The rotation nearest to a matrix, as the library finds it.
import type { Quat } from "./vector";

type Rows = number[]; // of 3 numbers each

const square = (m: Rows): number => m.reduce((sum, value) => sum + value * value, 0);

// The rows of the transposed inverse times the determinant.
function cofactors(m: Rows): Rows {
    return m.map((_, i) => {
        const [row, column] = [Math.floor(i / 3), i % 3];
        const at = (r: number, c: number): number => m[3 * ((row + r) % 3) + ((column + c) % 3)]!;
        return at(1, 1) * at(2, 2) - at(1, 2) * at(2, 1);
    });
}

const determinant = (m: Rows, c: Rows): number => m[0]! * c[0]! + m[1]! * c[1]! + m[2]! * c[2]!;

// A matrix of rows of 4, of which the last column is not looked at: its rotation, or its rotation times -1 where it is
// mirrored. `left` takes the 9 numbers that, turned by it, are the matrix. Null where it is flat.
export function findRotation(rows: ArrayLike<number>, left: { [at: number]: number }): Quat | null {
    const given = [0, 1, 2, 4, 5, 6, 8, 9, 10].map((at) => rows[at]!);
    const size = Math.sqrt(square(given));
    let m = given.map((value) => value / size);
    const sign = Math.sign(determinant(m, cofactors(m)));
    if (!(size > 0) || !(Math.abs(determinant(m, cofactors(m))) > 1e-12)) {
        return null;
    }
    m = m.map((value) => sign * value);
    for (let i = 0; i < 60; i++) {
        const opposite = cofactors(m);
        const inverse = 1 / determinant(m, opposite);
        const scale = Math.sqrt(Math.sqrt((square(opposite) * inverse * inverse) / square(m)));
        const next = m.map((value, at) => 0.5 * scale * value + ((0.5 * inverse) / scale) * opposite[at]!);
        const change = square(next.map((value, at) => value - m[at]!));
        m = next;
        if (change < 1e-30) {
            break;
        }
    }
    for (let row = 0; row < 3; row++) {
        for (let column = 0; column < 3; column++) {
            left[3 * row + column] = [0, 1, 2].reduce((sum, k) => sum + m[3 * k + row]! * given[3 * k + column]!, 0);
        }
    }
    return turnOf(m);
}

// The turn of the rows of a rotation, by its largest number.
function turnOf(m: Rows): Quat {
    const e = (row: number, column: number): number => m[3 * row + column]!;
    const squares = [
        1 + e(0, 0) + e(1, 1) + e(2, 2),
        1 + e(0, 0) - e(1, 1) - e(2, 2),
        1 - e(0, 0) + e(1, 1) - e(2, 2),
        1 - e(0, 0) - e(1, 1) + e(2, 2),
    ];
    const [yz, zx, xy] = [e(2, 1) - e(1, 2), e(0, 2) - e(2, 0), e(1, 0) - e(0, 1)];
    const [sx, sy, sz] = [e(0, 1) + e(1, 0), e(0, 2) + e(2, 0), e(1, 2) + e(2, 1)];
    const largest = squares.indexOf(Math.max(...squares));
    const four = squares[largest]!; // times the largest, each number is this much
    const products = [
        [four, yz, zx, xy],
        [yz, four, sx, sy],
        [zx, sx, four, sz],
        [xy, sy, sz, four],
    ][largest]!;
    const [w, x, y, z] = products.map((product) => product / (2 * Math.sqrt(four)));
    return { w: w!, x: x!, y: y!, z: z! };
}
