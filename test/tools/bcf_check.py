#!/usr/bin/env python3
"""Clashes as BCF 3.0: the archive and each file in it against the rules of the format, by readers of other hands.

bcf_check.py FUREAI
"""
import os
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as tree
import zipfile

GUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
DATE = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")


def number(text):
    float(text)


def guid(text):
    assert GUID.fullmatch(text), text


def date(text):
    assert DATE.fullmatch(text), text


def words(text):
    assert text and text.strip(), "an empty text"


def one_of(*values):
    def check(text):
        assert text in values, text
    return check


# An element: its attributes, then its children in their order as (name, least, most, element); a text has a check.
def vector():
    return {"children": [(axis, 1, 1, number) for axis in "XYZ"]}


COMPONENT = {"attributes": {}, "optional": {"IfcGuid": words},
             "children": [("OriginatingSystem", 0, 1, words), ("AuthoringToolId", 0, 1, words)]}
MANY = 10 ** 6
VERSION = {"attributes": {"VersionId": one_of("3.0")}, "children": []}
EXTENSIONS = {"children": [
    ("TopicTypes", 0, 1, {"children": [("TopicType", 0, MANY, words)]}),
    ("TopicStatuses", 0, 1, {"children": [("TopicStatus", 0, MANY, words)]}),
    ("Priorities", 0, 1, {"children": [("Priority", 0, MANY, words)]}),
    ("TopicLabels", 0, 1, {"children": [("TopicLabel", 0, MANY, words)]}),
    ("Users", 0, 1, {"children": [("User", 0, MANY, words)]})]}
COMMENT = {"attributes": {"Guid": guid}, "children": [
    ("Date", 1, 1, date), ("Author", 1, 1, words), ("Comment", 0, 1, words)]}
MARKUP = {"children": [("Topic", 1, 1, {
    "attributes": {"Guid": guid, "TopicType": words, "TopicStatus": words},
    "children": [
        ("Title", 1, 1, words), ("Priority", 0, 1, words), ("Index", 0, 1, number),
        ("Labels", 0, 1, {"children": [("Label", 0, MANY, words)]}),
        ("CreationDate", 1, 1, date), ("CreationAuthor", 1, 1, words), ("Description", 0, 1, words),
        ("Comments", 0, 1, {"children": [("Comment", 0, MANY, COMMENT)]}),
        ("Viewpoints", 0, 1, {"children": [("ViewPoint", 0, MANY, {
            "attributes": {"Guid": guid}, "children": [("Viewpoint", 0, 1, words)]})]})]})]}
VIEWPOINT = {"attributes": {"Guid": guid}, "children": [
    ("Components", 0, 1, {"children": [
        ("Selection", 0, 1, {"children": [("Component", 0, MANY, COMPONENT)]}),
        ("Visibility", 1, 1, {"attributes": {}, "optional": {"DefaultVisibility": one_of("true", "false")},
                              "children": []})]}),
    ("PerspectiveCamera", 1, 1, {"children": [
        ("CameraViewPoint", 1, 1, vector()), ("CameraDirection", 1, 1, vector()), ("CameraUpVector", 1, 1, vector()),
        ("FieldOfView", 1, 1, number), ("AspectRatio", 1, 1, number)]})]}


def check(element, rule, path):
    if callable(rule):
        assert len(element) == 0 and not element.attrib, path
        rule(element.text or "")
        return
    wanted, optional = rule.get("attributes", {}), rule.get("optional", {})
    for name, value in element.attrib.items():
        assert name in wanted or name in optional, f"{path}: attribute {name}"
        (wanted.get(name) or optional[name])(value)
    assert all(name in element.attrib for name in wanted), f"{path}: an attribute is missing"
    children = list(element)
    for name, least, most, below in rule["children"]:
        count = 0
        while children and children[0].tag == name:
            check(children.pop(0), below, f"{path}/{name}")
            count += 1
        assert least <= count <= most, f"{path}/{name}: {count} times"
    assert not children, f"{path}: {children[0].tag} is out of place"


def read(archive, name, root, rule):
    element = tree.fromstring(archive.read(name))
    assert element.tag == root, (name, element.tag)
    check(element, rule, root)
    return element


def read_all(path):
    """The topics by their titles: (guid, status, markup, viewpoint)."""
    topics = {}
    with zipfile.ZipFile(path) as archive:
        assert archive.testzip() is None
        names = archive.namelist()
        assert len(names) == len(set(names))
        read(archive, "bcf.version", "Version", VERSION)
        extensions = read(archive, "extensions.xml", "Extensions", EXTENSIONS)
        statuses = {e.text for e in extensions.iter("TopicStatus")}
        labels = {e.text for e in extensions.iter("TopicLabel")}
        for name in names[2:]:
            folder, base = name.split("/")
            guid(folder)
            if base == "viewpoint.bcfv":
                continue
            assert base == "markup.bcf", name
            markup = read(archive, name, "Markup", MARKUP)
            topic = markup.find("Topic")
            assert topic.get("Guid") == folder and topic.get("TopicStatus") in statuses
            assert all(e.text in labels for e in markup.iter("Label"))
            view = read(archive, folder + "/" + markup.find(".//Viewpoint").text, "VisualizationInfo", VIEWPOINT)
            assert view.get("Guid") == markup.find(".//ViewPoint").get("Guid")
            topics[topic.findtext("Title")] = (folder, topic.get("TopicStatus"), markup, view)
        assert len(names) == 2 + 2 * len(topics)
    return topics


def box(name, first, x):
    lines = [f"o {name}"]
    lines += [f"v {x + i % 2} {i // 2 % 2} {i // 4}" for i in range(8)]
    faces = [(0, 2, 1), (1, 2, 3), (4, 5, 6), (5, 7, 6), (0, 1, 4), (1, 5, 4), (2, 6, 3), (3, 6, 7), (0, 4, 2),
             (2, 4, 6), (1, 3, 5), (3, 7, 5)]
    lines += ["f " + " ".join(str(first + v) for v in face) for face in faces]
    return "\n".join(lines) + "\n"


def main():
    fureai = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        odd = 'a <b> & "c" \x01\u00e9'
        with open("parts.obj", "w", encoding="utf-8") as file:
            file.write(box(odd, 1, 0) + box("bolt.1", 9, 0.5) + box("bolt.2", 17, 1.25) + box("far", 25, 9.0))
        with open("notes.json", "w", encoding="utf-8") as file:
            file.write('{ "fureai": 1, "notes": [ { "a": "bolt.1", "b": "bolt.2", "verdict": "accepted", '
                       '"note": "press <fit>" } ] }')
        run = [fureai, "clash", "parts.obj", "--notes", "notes.json", "--bcf"]
        subprocess.run(run + ["one.bcfzip"], check=True, stdout=subprocess.DEVNULL)
        subprocess.run(run + ["two.bcfzip"], check=True, stdout=subprocess.DEVNULL)
        topics, again = read_all("one.bcfzip"), read_all("two.bcfzip")
        assert len(topics) == 2, list(topics)
        assert {t: v[0] for t, v in topics.items()} == {t: v[0] for t, v in again.items()}
        title = 'a <b> & "c" ?\u00e9 and bolt.1: protrusion'
        assert title in topics and topics[title][1] == "Open", list(topics)
        _, status, markup, view = topics["bolt.1 and bolt.2: protrusion"]
        assert status == "Accepted" and markup.findtext(".//Comment/Comment") == "press <fit>"
        assert [e.text for e in view.iter("AuthoringToolId")] == ["bolt.1", "bolt.2"]
        # The camera looks at the middle of what both share, 1.25 .. 1.5 by 0 .. 1 by 0 .. 1, with z up.
        camera = [[float(e.findtext(a)) for a in "XYZ"] for e in list(view.find("PerspectiveCamera"))[:3]]
        away = [t - e for t, e in zip((1.375, -0.5, 0.5), camera[0])]
        length = sum(c * c for c in away) ** 0.5
        assert all(abs(c / length - d) < 1e-9 for c, d in zip(away, camera[1])), camera
        assert abs(sum(d * u for d, u in zip(camera[1], camera[2]))) < 1e-3 and camera[2][2] > 0.5
        # Groups: the two clashes are unlike; without clashes there is an archive without topics.
        subprocess.run(run + ["three.bcfzip", "--groups"], check=True, stdout=subprocess.DEVNULL)
        assert len(read_all("three.bcfzip")) == 2
        subprocess.run(run + ["none.bcfzip", "--only", "x:y"], check=True, stdout=subprocess.DEVNULL)
        assert len(read_all("none.bcfzip")) == 0


main()
