// The search: names that hold every word, those that begin with the first word first. Enter goes to the first.
const field = document.getElementById("search");
const list = document.getElementById("found");
const MOST = 40;

function find(text) {
    const words = text.toLowerCase().split(/\s+/).filter((word) => word !== "");
    if (words.length === 0) {
        return [];
    }
    const hits = window.fureaiNames.filter(([name, , about]) => {
        const all = `${name} ${about}`.toLowerCase();
        return words.every((word) => all.includes(word));
    });
    const rank = ([name]) => {
        const at = name.toLowerCase().indexOf(words[0]);
        return at < 0 ? 1000 : at + name.length / 100;
    };
    return hits.sort((a, b) => rank(a) - rank(b)).slice(0, MOST);
}

function show() {
    list.replaceChildren(
        ...find(field.value).map(([name, page, about]) => {
            const row = document.createElement("li");
            const link = document.createElement("a");
            const more = document.createElement("small");
            link.href = `${page}#${name}`;
            link.textContent = name;
            more.textContent = about;
            row.append(link, more);
            return row;
        }),
    );
}

field.addEventListener("input", show);
field.addEventListener("keydown", (event) => {
    const first = list.querySelector("a");
    if (event.key === "Enter" && first !== null) {
        first.click();
    }
});
document.addEventListener("keydown", (event) => {
    if (event.key === "/" && document.activeElement !== field) {
        event.preventDefault();
        field.focus();
    }
});
