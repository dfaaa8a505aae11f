import assert from "node:assert/strict";
import { test } from "node:test";
import { reasonAgainst, RoleGate } from "../src/role";

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

test("while the home server is gone nothing is in use, and the page says why", () => {
    (globalThis as { HTMLDetailsElement?: unknown }).HTMLDetailsElement ??= class {};
    const part = { dataset: { needs: "handle" }, inert: false, title: "", classList: { toggle: (): void => undefined } };
    const badge = { textContent: "", title: "", hidden: true };
    const gate = new RoleGate({ querySelectorAll: () => [part] } as unknown as ParentNode, badge as unknown as HTMLElement);
    gate.apply({ type: "role", role: 3, isLocked: 0 });
    assert.equal(part.inert, false);
    gate.apply({ type: "service", isReadOnly: 1, message: "Read only: the home server is gone." });
    assert.equal(part.inert, true);
    assert.equal(part.title, "Read only: the home server is gone.");
    assert.deepEqual([badge.textContent, badge.title, badge.hidden], ["read only", "Read only: the home server is gone.", false]);
    gate.apply({ type: "service", isReadOnly: 0, message: "" });
    assert.deepEqual([part.inert, part.title, badge.textContent, badge.hidden], [false, "", "", true]);
});
