// Lengths as people say them: with a unit that suits, and no exponent.
const units: readonly [string, number][] = [
    ["m", 1],
    ["mm", 1e-3],
    ["µm", 1e-6],
];

// Five digits that count. What is below a nanometre is nothing: coordinates are no finer.
export function lengthText(metres: number): string {
    const size = Math.abs(metres);
    if (size < 1e-9) {
        return "0 mm";
    }
    const [name, metre] = units.find(([, each]) => size >= each) ?? units[units.length - 1]!;
    const value = Number((metres / metre).toPrecision(5));
    return `${value.toLocaleString("en", { maximumFractionDigits: 9, useGrouping: false })} ${name}`;
}
