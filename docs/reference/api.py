#!/usr/bin/env python3
"""The API as data: api.py INCLUDE [CC] prints every public declaration of the headers as JSON, a symbol a line; api.py
--compare OLD NEW says how two of such files differ. docs/api.json is the one of this version. The compiler's
preprocessor unfolds tables; nothing else but the standard library is used."""

import json
import os
import re
import subprocess
import sys

TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|\'(?:[^\'\\]|\\.)*\'|[A-Za-z_]\w*|\.\.\.|\d[\w.+-]*|<<|>>|\S')


def preprocessed(include, header, cc):
    """The lines of a header and of nothing that it includes, its own macros unfolded."""
    path = os.path.join(include, header)
    command = [cc, "-std=c17", "-E", "-I", os.path.dirname(include), "-x", "c", path]
    text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    own, lines = False, []
    for line in text.split("\n"):
        marker = re.match(r'# \d+ "(.*?)"', line)
        if marker:
            own = marker.group(1) == path
        elif own and not line.startswith("#"):
            lines.append(line)
    return "\n".join(lines)


def declarations(text):
    """Top-level declarations as lists of tokens; of a function with a body its head alone."""
    found, one, depth = [], [], 0
    for token in TOKEN.findall(text):
        if token in "{(":
            depth += 1
        elif token in "})":
            depth -= 1
        one.append(token)
        is_body = token == "}" and depth == 0 and "typedef" not in one and is_function(one)
        if (token == ";" and depth == 0) or is_body:
            found.append(one[: one.index("{")] if is_body else one[:-1])
            one = []
    return [without_attributes(d) for d in found if d]


def is_function(tokens):
    head = tokens[: tokens.index("{")] if "{" in tokens else tokens
    return ")" in head


def without_attributes(tokens):
    out, i = [], 0
    while i < len(tokens):
        if tokens[i] == "__attribute__":
            i = closing(tokens, i + 1) + 1
            continue
        out.append("bool" if tokens[i] == "_Bool" else tokens[i])
        i += 1
    return out


def closing(tokens, at):
    depth = 0
    for i in range(at, len(tokens)):
        depth += tokens[i] in "({["
        depth -= tokens[i] in ")}]"
        if depth == 0:
            return i
    raise ValueError("no end: " + spelled(tokens))


def spelled(tokens):
    text = " ".join(tokens)
    text = re.sub(r"\* (?=\*)", "*", text)
    text = re.sub(r"\* (?=\w)", "*", text)
    text = re.sub(r" ?([\[\](),;]) ?", lambda m: {"(": "(", ")": ")", "[": "[", "]": "]"}.get(m.group(1), m.group(1) + " "), text)
    text = re.sub(r"(\w|\*)\(\*", r"\1 (*", text)
    return re.sub(r"\s+", " ", text).strip()


def split(tokens, separator):
    parts, depth, one = [], 0, []
    for token in tokens:
        depth += token in "({["
        depth -= token in ")}]"
        if token == separator and depth == 0:
            parts.append(one)
            one = []
        else:
            one.append(token)
    return parts + [one]


def argument(tokens):
    """Type and name of an argument or field."""
    if tokens in (["void"], ["..."]):
        return [spelled(tokens), ""]
    if "(" in tokens:  # a pointer to a function, or an array of them
        name = next(t for i, t in enumerate(tokens) if tokens[i - 1] == "*" and tokens[i - 2] == "(")
        return [spelled(tokens).replace(name, "", 1), name]
    names = [i for i, t in enumerate(tokens) if re.match(r"[A-Za-z_]", t) and "[" not in tokens[:i]]
    at = names[-1]
    return [spelled(tokens[:at] + tokens[at + 1 :]), tokens[at]]


def fields_of(body):
    fields = []
    for one in split(body, ";"):
        if not one:
            continue
        if "{" in one:  # a struct or union in it
            end = closing(one, one.index("{"))
            fields.append([spelled(one[: end + 1]), spelled(one[end + 1 :])])
            continue
        parts = split(one, ",")
        kind, first = argument(parts[0])
        fields.append([kind, first])
        plain = re.sub(r"[\s*]*(\[.*)?$", "", kind)
        for part in parts[1:]:
            more = argument([plain, *part])
            fields.append(more)
    return fields


def values_of(body):
    values, known, last = [], {}, -1
    for one in split(body, ","):
        if not one:
            continue
        name = one[0]
        if len(one) > 1:
            text = "".join(re.sub(r"^(\d\w*?)[uUlL]+$", r"\1", t) for t in one[2:])
            last = int(eval(text, {"__builtins__": {}}, known))  # numbers, shifts and values before
        else:
            last += 1
        known[name] = last
        values.append([name, last])
    return values


def function(tokens):
    at = next(i for i, t in enumerate(tokens) if t == "(" and re.match(r"[A-Za-z_]", tokens[i - 1]))
    end = closing(tokens, at)
    skipped = ("static", "inline", "extern", "typedef")
    returns = spelled([t for t in tokens[: at - 1] if t not in skipped])
    return tokens[at - 1], {"returns": returns, "arguments": [argument(a) for a in split(tokens[at + 1 : end], ",")]}


def take(tokens, out):
    if tokens[0] == "typedef":
        if tokens[1] in ("struct", "union", "enum") and "{" in tokens:
            begin = tokens.index("{")
            end = closing(tokens, begin)
            body = tokens[begin + 1 : end]
            key = "values" if tokens[1] == "enum" else "fields"
            out[tokens[-1]] = {"kind": tokens[1], key: values_of(body) if key == "values" else fields_of(body)}
        elif tokens[1] == "struct" and len(tokens) == 4 and tokens[2] == tokens[3]:
            out[tokens[-1]] = {"kind": "opaque"}
        elif ")" in tokens:
            rest = tokens[1:]
            pointer = next((i for i, t in enumerate(rest) if t == "(" and rest[i + 1] == "*"), None)
            if pointer is not None and rest[pointer + 3] == ")":
                rest = rest[:pointer] + [rest[pointer + 2]] + rest[pointer + 4 :]
            name, what = function(rest)
            out[name] = {"kind": "callback", **what}
        else:
            kind, name = argument(tokens[1:])
            if kind != "struct " + name and kind != name:
                out[name] = {"kind": "alias", "type": kind}
    elif ")" in tokens:
        name, what = function(tokens)
        out[name] = {"kind": "inline" if "static" in tokens else "function", **what}
    elif tokens[0] == "extern":
        kind, name = argument(tokens[1:])
        out[name] = {"kind": "variable", "type": kind}


def macros_of(path, out):
    with open(path, encoding="utf-8") as file:
        text = file.read().replace("\\\n", " ")
    for name, arguments, body in re.findall(r"^#define (FR_\w+)(\([^)]*\))?[ \t]*(.*)$", text, re.M):
        body = re.sub(r"\s+", " ", re.sub(r"/\*.*?\*/|//.*", "", body)).strip()
        if not re.search(r"^#undef " + name + r"\b", text, re.M):
            out.setdefault(name, {"kind": "macro", "arguments": arguments, "text": body})


def api_of(include, cc):
    headers = {}
    include = include.rstrip("/")
    for header in sorted(name for name in os.listdir(include) if name.endswith(".h")):
        symbols = headers[header] = {}
        macros_of(os.path.join(include, header), symbols)
        for one in declarations(preprocessed(include, header, cc)):
            take(one, symbols)
    base = headers["base.h"]
    version = ".".join(base[f"FR_VERSION_{part}"]["text"] for part in ("MAJOR", "MINOR", "PATCH"))
    for part in ("MAJOR", "MINOR", "PATCH"):
        del base[f"FR_VERSION_{part}"]
    return {"version": version, "headers": headers}


def write(api, out):
    def line(value):
        return json.dumps(value, ensure_ascii=False)

    out.write('{ "version": ' + line(api["version"]) + ',\n  "headers": {')
    for i, (header, symbols) in enumerate(api["headers"].items()):
        out.write(("," if i else "") + f"\n    {line(header)}: {{")
        rows = [f"\n      {line(name)}: {line(symbols[name])}" for name in sorted(symbols)]
        out.write(",".join(rows) + (" }" if rows else "}"))
    out.write(" } }\n")


def flat(api):
    return {name: (header, what) for header, symbols in api["headers"].items() for name, what in symbols.items()}


def compare(old, new):
    """Prints the differences; 0 none, 1 additions alone under one version, 2 a change or loss under one version, 3 a new
    version."""
    before, after = flat(old), flat(new)
    rows = [f"removed: {name} ({before[name][0]})" for name in before if name not in after]
    rows += [f"changed: {name} ({after[name][0]})" for name in before if name in after and before[name] != after[name]]
    breaking = len(rows)
    rows += [f"added: {name} ({after[name][0]})" for name in after if name not in before]
    print("\n".join(rows[:40] + ([f"and {len(rows) - 40} more"] if len(rows) > 40 else [])))
    if old["version"] != new["version"]:
        print(f"version {old['version']} -> {new['version']}")
        return 3
    return 2 if breaking else 1 if rows else 0


def main():
    if len(sys.argv) == 4 and sys.argv[1] == "--compare":
        files = []
        for path in sys.argv[2:]:
            with open(path, encoding="utf-8") as file:
                files.append(json.load(file))
        sys.exit(compare(*files))
    if len(sys.argv) not in (2, 3):
        sys.exit("usage: api.py INCLUDE [CC] | api.py --compare OLD NEW")
    write(api_of(sys.argv[1], sys.argv[2] if len(sys.argv) == 3 else os.environ.get("CC", "cc")), sys.stdout)


main()
