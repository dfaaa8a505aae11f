// The token that lets the page in: asked for in a form, kept in the tab's session storage at most. It is never part of an
// address.
import { element } from "./element";

const place = "fureai-token";

// The token that was typed in this tab; "" where none was, or the browser keeps nothing.
export function storedToken(): string {
    try {
        return window.sessionStorage.getItem(place) ?? "";
    } catch {
        return "";
    }
}

function storeToken(token: string): void {
    try {
        window.sessionStorage.setItem(place, token);
    } catch {
        // It is asked for again when the connection is lost.
    }
}

// The header that shows the token with a request; none without a token.
export function tokenHeader(token: string): Record<string, string> {
    return token === "" ? {} : { Authorization: `Bearer ${token}` };
}

// Follows a link to a file where a token must be shown with it, which a browser does not do by itself.
export async function fetchFile(link: HTMLAnchorElement, token: string): Promise<void> {
    const reply = await fetch(link.href, { headers: tokenHeader(token) });
    if (!reply.ok) {
        throw new Error((await reply.text()).trim());
    }
    const named = /filename="([^"]+)"/.exec(reply.headers.get("content-disposition") ?? "");
    const address = URL.createObjectURL(await reply.blob());
    element("a", { href: address, download: named?.[1] ?? "model" }).click();
    window.setTimeout(() => URL.revokeObjectURL(address), 10000);
}

// The form that asks for a token. A wrong one is asked for again, with the server's sentence.
export class TokenForm {
    private dialog: HTMLDialogElement | null = null;

    constructor(private readonly entered: (token: string) => void) {}

    ask(sentence: string): void {
        this.dialog?.remove();
        const input = element("input", { type: "password", id: "token", autocomplete: "off", required: "", maxlength: "128" });
        const form = element(
            "form",
            { class: "token" },
            element("h2", {}, "This server needs a token"),
            element("p", { role: "alert" }, sentence),
            element("label", { for: "token" }, "Token"),
            input,
            element("button", { type: "submit" }, "Enter"),
        );
        const dialog = element("dialog", { id: "token-form", "aria-label": "Token" }, form);
        form.addEventListener("submit", (event) => {
            event.preventDefault();
            const token = input.value.trim();
            if (token !== "") {
                storeToken(token);
                dialog.remove();
                this.dialog = null;
                this.entered(token);
            }
        });
        // Without a token there is nothing behind the form.
        dialog.addEventListener("cancel", (event) => event.preventDefault());
        document.body.append(dialog);
        dialog.showModal();
        input.focus();
        this.dialog = dialog;
    }
}
