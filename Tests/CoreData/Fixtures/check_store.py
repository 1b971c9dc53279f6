#!/usr/bin/env python3
"""Checks a fresh store against the model file that it was made from.

    check_store.py MODEL.xcdatamodeld STORE.sqlite

Works out tables, columns, indexes, entity numbers, version hashes, digest and checksum from the model's XML
alone, by another way than the package does, and compares them with what the file has. Prints every
difference; the status is 0 when there is none.
"""

import base64
import hashlib
import pathlib
import plistlib
import sqlite3
import struct
import sys
import xml.etree.ElementTree as ElementTree
import zlib

TYPES = {
    # XML name: (code in the hash, declared type, pass)
    "Integer 16": (100, "INTEGER", 1), "Integer 32": (200, "INTEGER", 1),
    "Integer 64": (300, "INTEGER", 1), "Boolean": (800, "INTEGER", 1),
    "Date": (900, "TIMESTAMP", 2), "Double": (500, "FLOAT", 2), "Float": (600, "FLOAT", 2),
    "Decimal": (400, "DECIMAL", 3), "String": (700, "VARCHAR", 4), "URI": (1200, "VARCHAR", 5),
    "UUID": (1100, "BLOB", 6), "Transformable": (1800, "BLOB", 7), "Binary": (1000, "BLOB", 8),
}

BOOKKEEPING = [
    "CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER)",
    "CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB)",
    "CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB)",
]


def yes(element, name):
    return element.get(name) == "YES"


def sha256(data):
    return hashlib.sha256(data).digest()


class Model:
    def __init__(self, path):
        path = pathlib.Path(path)
        one = path / "contents"
        contents = one if one.exists() else sorted(path.glob("*.xcdatamodel/contents"))[0]
        root = ElementTree.parse(contents).getroot()
        self.entities = {entity.get("name"): entity for entity in root.findall("entity")}
        self.composites = {c.get("name"): c for c in root.findall("composite")}
        self.numbers = {}
        self.number(None)

    # Entity numbers

    def children(self, name):
        found = [n for n, e in self.entities.items() if e.get("parentEntity") == name]
        return sorted(found, key=lambda n: (n.lower(), n))

    def number(self, name):
        for child in self.children(name):
            self.numbers[child] = len(self.numbers) + 1
            self.number(child)

    def root(self, name):
        while self.entities[name].get("parentEntity"):
            name = self.entities[name].get("parentEntity")
        return name

    def family(self, root):
        return sorted(
            (n for n in self.entities if self.root(n) == root), key=lambda n: self.numbers[n])

    def own(self, name, tag):
        found = [e for e in self.entities[name].findall(tag) if not yes(e, "transient")]
        return sorted(found, key=lambda e: e.get("name"))

    def inverse(self, relationship):
        target, name = relationship.get("inverseEntity"), relationship.get("inverseName")
        for candidate in self.entities[target].findall("relationship") if target else []:
            if candidate.get("name") == name:
                return candidate
        return None

    # Composite attributes

    def elements(self, attribute):
        """In the order of their declaration; None for an attribute that is no composite."""
        if attribute.get("attributeType") != "Composite":
            return None
        declared = self.composites.get(attribute.get("composite"), attribute)
        return declared.findall("attribute")

    def leaves(self, attribute, path=""):
        """What has a column: key path and element."""
        path += attribute.get("name")
        elements = self.elements(attribute)
        if elements is None:
            return [(path, attribute)]
        return [leaf for e in elements for leaf in self.leaves(e, path + ".")]

    # Hashes

    def base_hash(self, element):
        data = element.get("name").encode() + bytes([yes(element, "optional"), 0])
        return sha256(data + (element.get("versionHashModifier") or "").encode())

    def attribute_hash(self, element):
        elements = self.elements(element)
        if elements is not None:
            elements = sorted(elements, key=lambda e: e.get("name"))
            return sha256(b"".join(self.attribute_hash(e) for e in elements))
        data = self.base_hash(element) + struct.pack("<i", TYPES[element.get("attributeType")][0])
        if yes(element, "allowsExternalBinaryDataStorage"):
            data += b"\1"
        if yes(element, "preserveAfterDeletion"):
            data += b"\1"
        return sha256(data)

    def relationship_hash(self, element, owner):
        most = int(element.get("maxCount") or (0 if yes(element, "toMany") else 1))
        data = self.base_hash(element) + (element.get("destinationEntity") or "").encode()
        if (element.get("inverseName"), element.get("destinationEntity")) != (element.get("name"), owner):
            data += (element.get("inverseName") or "").encode()
        data += struct.pack("<ii", most, int(element.get("minCount") or 0))
        return sha256(data + (b"\1\0" if yes(element, "ordered") else b""))

    def properties(self, name):
        parent = self.entities[name].get("parentEntity")
        found = dict(self.properties(parent)) if parent else {}
        for element in self.own(name, "attribute"):
            found[element.get("name")] = self.attribute_hash(element)
        for element in self.own(name, "relationship"):
            found[element.get("name")] = self.relationship_hash(element, name)
        return found

    def entity_hash(self, name):
        element = self.entities[name]
        data = name.encode() + bytes([yes(element, "isAbstract")])
        if element.get("parentEntity"):
            data += self.entity_hash(element.get("parentEntity"))
        data += b"".join(value for _, value in sorted(self.properties(name).items()))
        constraints = [
            ".".join(c.get("value") for c in constraint.findall("constraint"))
            for constraint in element.findall("uniquenessConstraints/uniquenessConstraint")]
        data += "".join(sorted(constraints)).encode()
        return sha256(data + (element.get("versionHashModifier") or "").encode())

    # Schema

    def layout(self, root):
        """The columns in their order: (entity, property or key path, column, type). A name that is taken
        gets a number."""
        family, result, positions, taken = self.family(root), [], [], set()

        def add(name, key, column, kind):
            unique, suffix = column, 0
            while unique in taken:
                suffix += 1
                unique = column + str(suffix)
            taken.add(unique)
            result.append((name, key, unique, kind))
            return unique

        def add_attributes(order):
            for attribute in self.own(name, "attribute"):
                for path, leaf in self.leaves(attribute):
                    _, kind, own_order = TYPES[leaf.get("attributeType")]
                    if own_order == order:
                        add(name, path, "Z" + leaf.get("name").upper(), kind)

        for name in family:
            add_attributes(1)
            for relationship in self.own(name, "relationship"):
                if yes(relationship, "toMany"):
                    continue
                key = relationship.get("name")
                column = add(name, key, "Z" + key.upper(), "INTEGER")
                target = relationship.get("destinationEntity")
                if self.children(target):
                    add(name, key + ":entity", "Z%d_%s" % (self.numbers[target], column[1:]), "INTEGER")
                inverse = self.inverse(relationship)
                if inverse is not None and yes(inverse, "toMany") and yes(inverse, "ordered"):
                    positions.append((name, key + ":position", "Z_FOK_" + column[1:]))
        for name, key, column in positions:
            add(name, key, column, "INTEGER")
        for order in range(2, 9):
            for name in family:
                add_attributes(order)
        return result

    def columns(self, root):
        return ["%s %s" % (column, kind) for _, _, column, kind in self.layout(root)]

    def joins(self, name, taken):
        """`taken` has the names of the columns of earlier tables."""
        def numbered(column):
            unique, suffix = column, 0
            while unique in taken:
                suffix += 1
                unique = column + str(suffix)
            taken.add(unique)
            return unique

        for relationship in self.own(name, "relationship"):
            inverse = self.inverse(relationship)
            if inverse is None or not (yes(relationship, "toMany") and yes(inverse, "toMany")):
                continue
            other = relationship.get("inverseEntity")
            mine, theirs = self.numbers[name], self.numbers[other]
            if mine > theirs or (mine == theirs and relationship.get("name") < inverse.get("name")):
                continue
            first = numbered("Z_%d%s" % (mine, inverse.get("name").upper()))
            second = numbered("Z_%d%s" % (theirs, relationship.get("name").upper()))
            orders = [
                column.replace("Z_", "Z_FOK_", 1)
                for column, side in ((first, inverse), (second, relationship))
                if yes(side, "ordered")
            ]
            yield "Z_%d%s" % (mine, relationship.get("name").upper()), first, second, orders

    def schema(self):
        tables, indexes, taken = [], [], set()
        for root in sorted(self.children(None), key=lambda n: self.numbers[n]):
            table, family = "Z" + root.upper(), self.family(root)
            columns = ["Z_PK INTEGER PRIMARY KEY", "Z_ENT INTEGER", "Z_OPT INTEGER"]
            tables.append(
                "CREATE TABLE %s ( %s )" % (table, ", ".join(columns + self.columns(root))))
            names = {(n, key): column for n, key, column, _ in self.layout(root)}
            for name in family:
                for relationship in self.own(name, "relationship"):
                    if not yes(relationship, "toMany"):
                        column = names[name, relationship.get("name")]
                        indexes.append(
                            "CREATE INDEX %s_%s_INDEX ON %s (%s)" % (table, column, table, column))
            if len(family) > 1:
                indexes.append("CREATE INDEX %s_Z_ENT_INDEX ON %s (Z_ENT)" % (table, table))
            for name in family:
                for join, first, second, orders in self.joins(name, taken):
                    parts = ["%s INTEGER" % c for c in [first, second] + orders]
                    tables.append(
                        "CREATE TABLE %s ( %s, PRIMARY KEY (%s, %s) )"
                        % (join, ", ".join(parts), first, second))
                    indexes.append(
                        "CREATE INDEX %s_%s_INDEX ON %s (%s, %s)"
                        % (join, second, join, second, first))
                for index in self.own(name, "fetchIndex"):
                    elements = ", ".join(
                        "%s COLLATE BINARY %s" % (
                            names[name, element.get("property")],
                            "DESC" if element.get("order") == "descending" else "ASC")
                        for element in index.iter("fetchIndexElement"))
                    indexes.append(
                        "CREATE INDEX Z_%s_%s ON %s (%s)" % (name, index.get("name"), table, elements))
        return tables + indexes + BOOKKEEPING


class Report:
    def __init__(self):
        self.count = 0

    def compare(self, what, expected, found):
        if expected != found:
            self.count += 1
            print("%s\n  expected %s\n  found    %s" % (what, expected, found))


def check(model, database):
    report = Report()
    schema = [row[0] for row in database.execute(
        "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY rowid")]
    report.compare("schema", "\n".join(model.schema()), "\n".join(schema))
    parents = {n: e.get("parentEntity") for n, e in model.entities.items()}
    numbers = sorted((v, k, model.numbers.get(parents[k], 0)) for k, v in model.numbers.items())
    report.compare(
        "entity numbers", numbers,
        list(database.execute("SELECT Z_ENT, Z_NAME, Z_SUPER FROM Z_PRIMARYKEY ORDER BY Z_ENT")))
    check_metadata(model, database, report)
    check_keys(model, database, report)
    (cache,) = database.execute("SELECT Z_CONTENT FROM Z_MODELCACHE").fetchone()
    archive = plistlib.loads(zlib.decompress(cache, -15))
    report.compare("model cache", "NSKeyedArchiver", archive.get("$archiver"))
    report.compare("integrity", ("ok",), database.execute("PRAGMA integrity_check").fetchone())
    report.compare("page size", (4096,), database.execute("PRAGMA page_size").fetchone())
    report.compare("auto vacuum", (2,), database.execute("PRAGMA auto_vacuum").fetchone())
    report.compare("journal", ("wal",), database.execute("PRAGMA journal_mode").fetchone())
    return report.count


def check_metadata(model, database, report):
    rows = list(database.execute("SELECT Z_VERSION, Z_UUID, Z_PLIST FROM Z_METADATA"))
    report.compare("rows of metadata", [1], [row[0] for row in rows])
    report.compare("UUID", rows[0][1].upper(), rows[0][1])
    metadata = plistlib.loads(rows[0][2])
    hashes = {name: model.entity_hash(name) for name in model.entities}
    in_order = sorted(hashes.items())
    expected = {
        "NSStoreType": "SQLite", "NSStoreModelVersionHashes": hashes,
        "NSStoreModelVersionHashesVersion": 3, "_NSAutoVacuumLevel": "2",
        "NSStoreModelVersionHashesDigest": base64.b64encode(
            hashlib.sha512(b"".join(k.encode() + v for k, v in in_order)).digest()).decode(),
        "NSStoreModelVersionChecksumKey": base64.b64encode(
            sha256(b"".join(v for _, v in in_order))).decode(),
    }
    for key, value in expected.items():
        report.compare(key, value, metadata.get(key))
    report.compare("UUID in the list", None, metadata.get("NSStoreUUID"))
    report.compare("framework version", int, type(metadata.get("NSPersistenceFrameworkVersion")))
    report.compare("identifiers", list, type(metadata.get("NSStoreModelVersionIdentifiers")))


def check_keys(model, database, report):
    for root in model.children(None):
        (highest,) = database.execute(
            "SELECT IFNULL(MAX(Z_PK), 0) FROM Z%s" % root.upper()).fetchone()
        (last,) = database.execute(
            "SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_NAME = ?", (root,)).fetchone()
        report.compare("last key of %s is at least the highest" % root, True, last >= highest)
        (early,) = database.execute(
            "SELECT COUNT(*) FROM Z%s WHERE Z_OPT IS NULL OR Z_OPT < 1" % root.upper()).fetchone()
        report.compare("rows of %s without a version" % root, 0, early)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    sys.exit(1 if check(Model(sys.argv[1]), sqlite3.connect(sys.argv[2])) else 0)
