import assert from "node:assert/strict";
import { test } from "node:test";
import { reasonAgainst } from "../src/role";

test("each role may do what its token allows", () => {
    const allowed = (role: number, isLocked: boolean): string =>
        (["handle", "change", "direct"] as const).filter((need) => reasonAgainst(need, role, isLocked) === "").join();
    assert.equal(allowed(1, false), "");
    assert.equal(allowed(2, false), "handle,change");
    assert.equal(allowed(3, false), "handle,change,direct");
    assert.equal(allowed(2, true), "handle");
    assert.equal(allowed(3, true), "handle");
    assert.match(reasonAgainst("direct", 2, false), /direct/);
    assert.match(reasonAgainst("handle", 1, false), /watch/);
    assert.match(reasonAgainst("direct", 3, true), /locked/);
});
