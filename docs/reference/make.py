#!/usr/bin/env python3
"""The API reference: make.py INCLUDE OUT. A page for each public header, made of its comments and declarations, and a
page with a search over all names. No file but the headers is read, nothing but the standard library is used."""

import html
import json
import os
import re
import sys

RULE = re.compile(r"^// -{20,}$")
NAME = re.compile(r"\b(?:fr_[a-z0-9_]+|FR_[A-Z0-9_]+)\b")
HERE = os.path.dirname(os.path.abspath(__file__))


def uncommented(lines):
    return "\n".join(line[3:] if line.startswith("// ") else line[2:] for line in lines)


def names_of(code):
    """The names that a piece of code declares, the types first."""
    bare = re.sub(r"//[^\n]*", "", code)
    found = re.findall(r"\}\s*(fr_[a-z0-9_]+)\s*;", bare)
    found += re.findall(r"typedef\s+(?:struct|union|enum)\s+fr_[a-z0-9_]+\s+(fr_[a-z0-9_]+)\s*;", bare)
    found += re.findall(r"typedef\s+[^;{(]*?[ *](fr_[a-z0-9_]+)\s*(?:\([^;]*)?;", bare)
    found += re.findall(r"typedef\s+[^;{]*\(\s*\*?\s*(fr_[a-z0-9_]+)\s*\)\s*\(", bare)
    found += re.findall(r"^#define\s+((?:FR|fr)_[A-Za-z0-9_]+)", bare, re.M)
    found += re.findall(r"FR_API\s[^;{(]*?[ *](fr_[a-z0-9_]+)\s*\(", bare)
    found += re.findall(r"static inline\s[^;{(]*?[ *](fr_[a-z0-9_]+)\s*\(", bare)
    for body in re.findall(r"typedef enum[^{]*\{([^}]*)\}", bare):
        found += re.findall(r"\b(FR_[A-Z0-9_]+)\b(?=\s*(?:=|,|$))", body, re.M)
    return list(dict.fromkeys(found))


def read_header(path):
    """The introduction of a header, and its sections: title, introduction, items of comment and code."""
    with open(path, encoding="utf-8") as file:
        lines = file.read().split("\n")
    intro = []
    while lines and lines[0].startswith("//"):
        intro.append(lines.pop(0))
    sections = [{"title": "", "intro": "", "items": []}]
    block, index = [], 0
    while index <= len(lines):
        line = lines[index] if index < len(lines) else ""
        if RULE.match(line):
            comment = []
            index += 1
            while index < len(lines) and lines[index].startswith("//"):
                comment.append(lines[index])
                index += 1
            text = uncommented(comment)
            title, _, rest = text.partition("\n")
            sections.append({"title": title, "intro": rest.strip(), "items": []})
            block = []
            continue
        # A definition goes on over its empty lines, until its brace is closed.
        bare = [part.partition("//")[0] for part in block]
        depth = sum(part.count("{") - part.count("}") for part in bare if not part.startswith('extern "C"'))
        if line.strip() == "" and depth == 0:
            take_block(block, sections[-1])
            block = []
        else:
            block.append(line)
        index += 1
    return uncommented(intro), [s for s in sections if s["items"] or s["intro"]]


def take_block(block, section):
    comment = []
    while block and block[0].startswith("//"):
        comment.append(block.pop(0))
    code = "\n".join(line for line in block if not re.match(r"^#(?:if|endif|include|else|pragma|ifndef)|^extern \"C\"|^}$", line))
    names = names_of(code)
    if names:
        section["items"].append({"text": uncommented(comment), "code": code.strip("\n"), "names": names})
    elif comment:
        section["intro"] = (section["intro"] + "\n\n" + uncommented(comment)).strip()


class Writer:
    def __init__(self, places):
        self.places = places  # name -> page

    def linked(self, text, page, own=()):
        """Escaped text with links to the names in it, but for those that are declared here."""
        done, at = [], 0
        for match in NAME.finditer(text):
            name = match.group(0)
            done.append(html.escape(text[at : match.start()]))
            at = match.end()
            place = self.places.get(name)
            if place is None or name in own:
                done.append(html.escape(name))
            else:
                done.append(f'<a href="{"" if place == page else place}#{name}">{name}</a>')
        done.append(html.escape(text[at:]))
        return "".join(done)

    def prose(self, text, page, own=()):
        paragraphs = [p for p in re.split(r"\n\s*\n", text) if p.strip()]
        out = []
        for paragraph in paragraphs:
            body = self.linked(paragraph, page, own)
            body = re.sub(r"`([^`]+)`", r"<code>\1</code>", body)
            body = re.sub(r"(?<!\w)\*([a-z][a-z -]*)\*(?!\w)", r"<em>\1</em>", body)
            # Lines of a list or a table begin with a dash or a blank.
            body = re.sub(r"\n(?=- | )", "<br>", body)
            out.append(f"<p>{body}</p>")
        return "\n".join(out)

    def item(self, item, page):
        anchors = "".join(f'<a id="{name}"></a>' for name in item["names"])
        shown = [n for n in item["names"] if not n.startswith("FR_") or item["code"].lstrip().startswith("#")]
        title = html.escape(", ".join(shown[:4] or item["names"][:1]) + (", ..." if len(shown) > 4 else ""))
        code = self.linked(item["code"], page, item["names"]).replace("FR_API ", "")
        return (
            f'<section class="item">{anchors}<h3>{title}</h3>\n'
            f'{self.prose(item["text"], page, item["names"])}\n<pre tabindex="0">{code}</pre></section>\n'
        )

    def page(self, header, intro, sections, headers):
        page = header.replace(".h", ".html")
        body = [f'<h1>fureai/{header}</h1>\n<div class="intro">{self.prose(intro, page)}</div>\n']
        if any(s["title"] for s in sections):
            links = "".join(
                f'<li><a href="#s{i}">{html.escape(s["title"].split(":")[0])}</a></li>'
                for i, s in enumerate(sections)
                if s["title"]
            )
            body.append(f"<ul class=contents>{links}</ul>\n")
        for i, section in enumerate(sections):
            if section["title"]:
                body.append(f'<h2 id="s{i}">{html.escape(section["title"])}</h2>\n')
            body.append(self.prose(section["intro"], page))
            body += [self.item(item, page) for item in section["items"]]
        return frame(f"fureai/{header}", "".join(body), headers, page)


def frame(title, body, headers, current):
    links = "".join(
        f'<li><a href="{h.replace(".h", ".html")}"{" aria-current=page" if h.replace(".h", ".html") == current else ""}>{h}</a></li>'
        for h in headers
    )
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{html.escape(title)} - Fureai</title>
<link rel="stylesheet" href="reference.css">
<script src="names.js" defer></script>
<script src="reference.js" defer></script>
</head>
<body>
<nav aria-label="Headers">
<p><a href="index.html"><b>Fureai</b> reference</a></p>
<label>Search <input id="search" type="search" autocomplete="off" placeholder="fr_collide ..."></label>
<ul id="found" aria-live="polite"></ul>
<ul id="headers">{links}</ul>
</nav>
<main>
{body}
</main>
</body>
</html>
"""


def first_sentence(text, most=160):
    flat = re.sub(r"\s+", " ", text).strip()
    match = re.match(r".*?\.(?= [A-Z]|$)", flat)
    sentence = match.group(0) if match else flat
    return sentence if len(sentence) <= most else sentence[:most].rsplit(" ", 1)[0] + " ..."


def main():
    include, out = sys.argv[1], sys.argv[2]
    headers = sorted(name for name in os.listdir(include) if name.endswith(".h"))
    read = {header: read_header(os.path.join(include, header)) for header in headers}
    places, names = {}, []
    for header in headers:
        page = header.replace(".h", ".html")
        for section in read[header][1]:
            for item in section["items"]:
                for name in item["names"]:
                    if name not in places:
                        places[name] = page
                        names.append([name, page, first_sentence(item["text"])])
    os.makedirs(out, exist_ok=True)
    writer = Writer(places)

    def write(name, text):
        with open(os.path.join(out, name), "w", encoding="utf-8") as file:
            file.write(text)

    for header in headers:
        write(header.replace(".h", ".html"), writer.page(header, *read[header], headers))
    rows = "".join(
        f'<tr><td><a href="{h.replace(".h", ".html")}">{h}</a></td><td>{writer.linked(first_sentence(re.sub(r"^Fureai[a-z, -]*: ", "", read[h][0]), 300), "index.html")}</td></tr>\n'
        for h in headers
    )
    write("index.html", frame("reference", f"<h1>Fureai: the public headers</h1>\n<table>{rows}</table>", headers, "index.html"))
    write("names.js", "window.fureaiNames = " + json.dumps(sorted(names)) + ";\n")
    for name in ("reference.css", "reference.js"):
        with open(os.path.join(HERE, name), encoding="utf-8") as file:
            write(name, file.read())
    print(f"reference: {len(names)} names of {len(headers)} headers in {out}")


main()
