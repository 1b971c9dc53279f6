"""Reads declarations: those of symbol graphs, and those of lists of Apple's API. For api-table and api-uses."""

import glob
import json
import re


class Symbols:
    """The public names of some modules, by type; of all modules in a folder, or of those that are wanted."""

    def __init__(self, folder, wanted=lambda module: True):
        self.members = {}  # type → names
        self.modules = {}  # (type, name) → module
        self.parents = {}  # type → supertypes and protocols
        self.declared = {}  # (type, name) → [(identifier, declaration)]
        names = {}
        documents = []
        for path in sorted(glob.glob(f"{folder}/**/*.symbols.json", recursive=True)):
            with open(path) as file:
                document = json.load(file)
            if wanted(document["module"]["name"]):
                documents.append((path, document))
        for path, document in documents:
            module = document["module"]["name"]
            for symbol in document["symbols"]:
                path = symbol["pathComponents"]
                names[symbol["identifier"]["precise"]] = ".".join(path)
                if symbol["kind"]["identifier"] != "swift.extension" and is_available(symbol):
                    for name in calls(path[-1], spelling(symbol)):
                        self.add(".".join(path[:-1]), name, module)
                        found = (symbol["identifier"]["precise"], spelling(symbol))
                        self.declared.setdefault((".".join(path[:-1]), name), []).append(found)
                if symbol["kind"]["identifier"] == "swift.typealias":
                    target = [
                        fragment["spelling"]
                        for fragment in symbol["declarationFragments"]
                        if fragment["kind"] == "typeIdentifier"
                    ]
                    if target:
                        self.parents.setdefault(".".join(path), set()).add(target[-1])
        for _, document in documents:
            for relation in document["relationships"]:
                if relation["kind"] in ("inheritsFrom", "conformsTo", "extensionTo"):
                    source = names.get(relation["source"])
                    target = names.get(relation["target"]) or relation.get("targetFallback", "")
                    if source and target:
                        target = re.sub(r"^(Foundation|FoundationEssentials|Swift)\.", "", target)
                        self.parents.setdefault(source, set()).add(target)

    def add(self, type, name, module):
        self.members.setdefault(type, set()).add(name)
        known = self.modules.get((type, name))
        if known is None or not known.startswith("Foundation"):
            self.modules[type, name] = module

    def module(self, type, name, seen=None):
        """The module that declares the name in the type or in what it inherits from."""
        if (type, name) in self.modules:
            return self.modules[type, name]
        seen = seen or set()
        seen.add(type)
        for parent in sorted(self.parents.get(type, ())):
            if parent not in seen:
                found = self.module(parent, name, seen)
                if found:
                    return found
        return None


def is_available(symbol):
    return not any(entry.get("isUnconditionallyUnavailable") for entry in symbol.get("availability", []))


def spelling(symbol):
    return "".join(part["spelling"] for part in symbol.get("declarationFragments", []))


def parts_of(parameters):
    """The parameters between two parentheses."""
    parts, depth, start = [], 0, 0
    for index, character in enumerate(parameters):
        if character in "([<":
            depth += 1
        elif character in ")]" or character == ">" and parameters[index - 1] != "-":
            depth -= 1
        elif character == "," and depth == 0:
            parts.append(parameters[start:index])
            start = index + 1
    return parts + [parameters[start:]]


def inside(text, start):
    """What stands before the parenthesis that closes the one before `start`."""
    depth, end = 1, start
    while end < len(text) and depth:
        depth += {"(": 1, ")": -1}.get(text[end], 0)
        end += 1
    return text[start : end - 1]


def calls(name, declaration):
    """The names under which a function can be called: with its defaults and without."""
    if not name.endswith(":)") or " = " not in declaration:
        return [name]
    base, labels = name[:-1].split("(")
    labels = labels.split(":")[:-1]
    start = re.search(re.escape(base) + r"[?!]?(<[^(]*>)?\(", declaration)
    parts = parts_of(inside(declaration, start.end())) if start else []
    if len(parts) != len(labels):
        return [name]
    result = [[]]
    for label, part in zip(labels, parts):
        result = [r + [label] for r in result] + (result if " = " in part else [])
    return [f"{base}({''.join(label + ':' for label in r)})" for r in result]


def labels(parameters):
    """The labels of a parameter list: `a b: T, _ c: U` gives `a:_:`; `a:b:` stays."""
    result = ""
    for part in parts_of(parameters):
        part = part.strip().replace("`", "")
        bare = re.match(r"(\w+:)+", part)
        result += bare.group(0) if bare else part.split()[0].rstrip(":") + ":" if part else ""
    return result


def names_of(declaration, kind):
    """The names of a line of Apple's list, which may stand for several."""
    if kind == "conformance":
        return [declaration]
    if declaration.startswith("properties: "):
        return declaration.removeprefix("properties: ").split(", ")
    names = [name_of(part) for part in declaration.split(" / ")]
    return [] if None in names else names


def name_of(declaration):
    """The name by which a symbol graph knows a declaration."""
    text = declaration.replace("`", "")
    macro = re.search(r"\bmacro (\w+)(?:<[^(]*>)?\(", text)
    if macro:
        return f"{macro.group(1)}({labels(inside(text, macro.end()).strip())})"
    text = re.sub(r"^(@\S+ )+", "", text)
    words = r"(?:(?:open|public|convenience|final|static|class|override|mutating|nonisolated|required|func|indirect) )*"
    kinds = r"(?:let|var|case|typealias|associatedtype|struct|enum|protocol|actor)"
    match = re.match(words + kinds + r" ([\w.]+)", text)
    if match:
        name = match.group(1)
        values = re.match(r"(?:indirect )?case \w+\(", text)
        return f"{name}({value_labels(inside(text, values.end()))})" if values else name
    match = re.match(r"(?:(?:open|public|final) )*class (?!func |var |let |override )([\w.]+)( ?[:<{]| where |$)", text)
    if match:
        return match.group(1)
    match = re.match(words + r"(init[?!]?|subscript|[\w]+|[=<>!~]+)\s*(<[^(]*>)?\s*\(", text)
    if not match:
        return None
    names = labels(inside(text, match.end()).strip())
    if match.group(1) == "subscript":  # whose single names are no labels
        parts = parts_of(inside(text, match.end()))
        names = "".join("_:" if len(p.split(":")[0].split()) < 2 else p.split()[0] + ":" for p in parts)
    elif not re.match(r"\w", match.group(1)):  # an operator, which has none
        names = "_:" * names.count(":")
    return f"{match.group(1).rstrip('?!')}({names})"


def value_labels(values):
    """The labels of what comes with a case of an enumeration, which need none."""
    found = [re.match(r"\s*(\w+)\s*:", part) for part in parts_of(values)]
    return "".join((label.group(1) if label else "_") + ":" for label in found)


def conforms(symbols, type, protocol, seen=None):
    seen = seen or set()
    seen.add(type)
    parents = symbols.parents.get(type, ())
    return protocol in {p.split(".")[-1] for p in parents} or any(
        conforms(symbols, p, protocol, seen) for p in parents if p not in seen)
