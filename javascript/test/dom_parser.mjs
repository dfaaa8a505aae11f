// As much of a DOMParser as packXml asks for, for Node.js: elements, attributes, texts, sections, comments, the five entities
// and numbers of characters. What it does not understand it refuses, as a browser does.
const entities = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'" };

function plain(text) {
    return text.replace(/&(#x[0-9a-fA-F]+|#\d+|\w+);/g, (_all, name) => {
        if (name[0] !== "#") {
            return entities[name];
        }
        return String.fromCodePoint(name[1] === "x" ? parseInt(name.slice(2), 16) : Number(name.slice(1)));
    });
}

class Node {
    constructor(nodeType, nodeName, nodeValue = null) {
        Object.assign(this, { nodeType, nodeName, nodeValue, attributes: [], firstChild: null, lastChild: null, nextSibling: null, parentNode: null });
    }

    append(child) {
        child.parentNode = this;
        if (this.lastChild === null) {
            this.firstChild = child;
        } else {
            this.lastChild.nextSibling = child;
        }
        this.lastChild = child;
        return child;
    }
}

const token =
    /<\?[^]*?\?>|<!--[^]*?-->|<!\[CDATA\[([^]*?)\]\]>|<!DOCTYPE[^>]*>|<\/([^\s>]+)\s*>|<([^\s/>]+)((?:\s+[^\s=>/]+\s*=\s*(?:"[^"]*"|'[^']*'))*)\s*(\/?)>|([^<]+)/gy;

function parse(text) {
    const top = new Node(9, "#document");
    let [at, doctype] = [top, null];
    token.lastIndex = 0;
    while (token.lastIndex < text.length) {
        const begin = token.lastIndex;
        const found = token.exec(text);
        if (found === null) {
            const lines = text.slice(0, begin).split("\n");
            throw new Error(`error on line ${lines.length} at column ${lines.at(-1).length + 1}: not well-formed`);
        }
        const [all, section, ended, name, attributes, closed, words] = found;
        if (section !== undefined) {
            at.append(new Node(4, "#cdata-section", section));
        } else if (ended !== undefined) {
            if (ended !== at.nodeName) {
                throw new Error(`error on line ${text.slice(0, begin).split("\n").length} at column 1: Opening and ending tag mismatch`);
            }
            at = at.parentNode;
        } else if (name !== undefined) {
            const element = at.append(new Node(1, name));
            for (const [, key, , double, single] of attributes.matchAll(/([^\s=]+)\s*=\s*("([^"]*)"|'([^']*)')/g)) {
                element.attributes.push({ name: key, value: plain((double ?? single).replace(/[\t\n\r]/g, " ")) });
            }
            at = closed === "" ? element : at;
        } else if (words !== undefined && at !== top) {
            at.append(new Node(3, "#text", plain(words.replace(/\r\n?/g, "\n"))));
        } else if (all.startsWith("<!DOCTYPE")) {
            doctype = {};
        }
    }
    if (at !== top) {
        throw new Error("error on line 1 at column 1: Premature end of data");
    }
    let root = top.firstChild;
    while (root !== null && root.nodeType !== 1) {
        root = root.nextSibling;
    }
    return { documentElement: root, doctype, getElementsByTagName: () => [] };
}

export class DomParser {
    parseFromString(text) {
        try {
            return parse(text.replace(/^\ufeff/, ""));
        } catch (error) {
            return { getElementsByTagName: () => [{ textContent: error.message }] };
        }
    }
}
