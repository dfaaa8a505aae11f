#!/bin/sh
# The API reference: reference.sh ROOT. Every symbol of docs/api.json has a place in its pages, and every link leads to a
# place that is there. Skipped where Python is not installed.
set -eu

command -v python3 >/dev/null 2>&1 || { echo "reference: skipped, python3 is not installed"; exit 0; }
root=$1
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
python3 "$root/docs/reference/make.py" "$root/include/fureai" "$out/pages"

cat >"$out/check.py" <<'CHECK'
import glob, html.parser, json, os, re, sys

include, pages = sys.argv[1:]


class Page(html.parser.HTMLParser):
    def __init__(self, path):
        super().__init__()
        self.ids, self.links = set(), []
        with open(path, encoding="utf-8") as file:
            self.feed(file.read())

    def handle_starttag(self, tag, attributes):
        for key, value in attributes:
            if key == "id":
                self.ids.add(value)
            elif key == "href":
                self.links.append(value)


made = {os.path.basename(path): Page(path) for path in glob.glob(pages + "/*.html")}
wrong = []
functions = 0
with open(include + "/../../docs/api.json", encoding="utf-8") as file:
    headers = json.load(file)["headers"]
for header, symbols in headers.items():
    with open(include + "/" + header, encoding="utf-8") as file:
        text = file.read()
    ids = made[header.replace(".h", ".html")].ids
    for name, what in symbols.items():
        functions += what["kind"] == "function"
        # What a macro declares is written nowhere; the macro itself has this array beside it.
        if name != "fr_byte_array" and name not in ids and re.search(r"(?:#define|\}|FR_API [^;(]*|typedef [^;{]*|inline [^;(]*[ *])\s*\**" + name + r"\b", text):
            wrong.append(name + " has no place")
for name, page in made.items():
    for link in page.links:
        file, _, place = link.partition("#")
        file = file or name
        if not os.path.exists(os.path.join(pages, file)) or (place and place not in made[file].ids):
            wrong.append(name + ": " + link + " leads nowhere")
print("\n".join(wrong[:20]))
print(f"reference: {functions} functions, {sum(len(p.links) for p in made.values())} links")
sys.exit(1 if wrong or functions < 1000 else 0)
CHECK
python3 "$out/check.py" "$root/include/fureai" "$out/pages"

# The check can fail.
sed -i 's/id="fr_collide_move"/id="fr_collide_moved"/' "$out/pages/collide.html"
if python3 "$out/check.py" "$root/include/fureai" "$out/pages" >/dev/null; then
    echo "reference: the check accepts a function without a place"
    exit 1
fi
