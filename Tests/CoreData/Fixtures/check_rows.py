#!/usr/bin/env python3
"""Checks what is in a store, fresh or used, ours or another framework's, against the rules of the format.

    check_rows.py STORE.sqlite [VERSION.xcdatamodel]

The model is the one that the store keeps of itself, unless it is named. Tables and columns are found by name, since a migrated
store has them in another order. Prints every difference; the status is 0 when there is none.
"""

import base64
import hashlib
import os
import pathlib
import plistlib
import re
import sqlite3
import struct
import sys
import uuid

from check_store import Model, Report, TYPES, sha256, yes
from model_archive import ArchiveModel

HISTORY = {16001: "ACHANGE", 16002: "ATRANSACTION", 16003: "ATRANSACTIONSTRING"}
# What SQLite may keep of a declared type.
KINDS = {
    "INTEGER": {"integer"}, "FLOAT": {"real", "integer"}, "TIMESTAMP": {"real", "integer"},
    "DECIMAL": {"real", "integer"}, "VARCHAR": {"text"}, "BLOB": {"blob"},
}


class CachedModel(Model):
    """The model of a store, with the entity numbers that the store has."""

    def __init__(self, database):
        (content,) = database.execute("SELECT Z_CONTENT FROM Z_MODELCACHE").fetchone()
        self.entities = ArchiveModel(content).entities
        self.composites = {}
        self.numbers = {}


class Checker:
    def __init__(self, path, model=None):
        self.path = pathlib.Path(path)
        self.database = sqlite3.connect(path)
        self.report = Report()
        self.keeps_model = model is None
        self.model = Model(model) if model else CachedModel(self.database)
        self.tables = {}
        names = self.rows("SELECT name FROM sqlite_master WHERE type = 'table'")
        for (name,) in names:
            columns = self.rows('SELECT name, type FROM pragma_table_info("%s")' % name)
            self.tables[name.upper()] = {column.upper(): kind for column, kind in columns}

    def rows(self, sql, *values):
        return self.database.execute(sql, values).fetchall()

    def expect(self, what, rows):
        """No row may be there."""
        self.report.compare(what, [], rows[:5])

    def check(self):
        self.check_file()
        self.check_metadata()
        self.check_numbers()
        for name in self.model.entities:
            self.check_entity(name)
        for root in self.model.children(None):
            self.check_table(root)
        self.check_external()
        self.check_history()
        return self.report.count

    # The file

    def check_file(self):
        self.expect("integrity", [r for r in self.rows("PRAGMA integrity_check") if r != ("ok",)])
        self.report.compare("encoding", [("UTF-8",)], self.rows("PRAGMA encoding"))
        for name in ("user_version", "application_id"):
            self.report.compare(name, [(0,)], self.rows("PRAGMA %s" % name))
        sql = "SELECT sql FROM sqlite_master WHERE type = 'table' AND sql LIKE '%%%s%%'"
        for word in ("FOREIGN KEY", "NOT NULL", "DEFAULT "):
            self.expect(word, self.rows(sql % word))

    # Z_METADATA and Z_MODELCACHE

    def check_metadata(self):
        rows = self.rows("SELECT Z_VERSION, Z_UUID, Z_PLIST FROM Z_METADATA")
        self.report.compare("rows of metadata", [1], [row[0] for row in rows])
        self.report.compare("UUID", str(uuid.UUID(rows[0][1])).upper(), rows[0][1])
        metadata = plistlib.loads(rows[0][2])
        self.report.compare("type", "SQLite", metadata.get("NSStoreType"))
        self.report.compare("UUID in the list", None, metadata.get("NSStoreUUID"))
        self.report.compare("hashes' version", 3, metadata.get("NSStoreModelVersionHashesVersion"))
        hashes = metadata["NSStoreModelVersionHashes"]
        self.report.compare("hashed entities", set(self.model.entities), set(hashes))
        for name in self.model.entities:
            if not self.is_derived(name):
                self.report.compare("hash of %s" % name, hashes[name], self.model.entity_hash(name))
        in_order = sorted(hashes.items())
        digest = hashlib.sha512(b"".join(k.encode() + v for k, v in in_order)).digest()
        checksum = sha256(b"".join(v for _, v in in_order))
        for key, value in (("NSStoreModelVersionHashesDigest", digest),
                           ("NSStoreModelVersionChecksumKey", checksum)):
            if key in metadata:
                self.report.compare(key, base64.b64encode(value).decode(), metadata[key])
        if self.keeps_model:
            self.report.compare("models", [(1,)], self.rows("SELECT COUNT(*) FROM Z_MODELCACHE"))
        if metadata.get("_NSAutoVacuumLevel") == "2":
            self.report.compare("auto vacuum", [(2,)], self.rows("PRAGMA auto_vacuum"))

    def is_derived(self, name):
        while name:
            if any(yes(e, "derived") for e in self.model.entities[name].findall("attribute")):
                return True
            name = self.model.entities[name].get("parentEntity")
        return False

    # Z_PRIMARYKEY

    def check_numbers(self):
        found = {}
        for number, name, parent, last in self.rows(
                "SELECT Z_ENT, Z_NAME, Z_SUPER, Z_MAX FROM Z_PRIMARYKEY"):
            if number in HISTORY:
                (highest,) = self.rows(
                    "SELECT IFNULL(MAX(Z_PK), 0) FROM %s" % HISTORY[number])[0]
                self.report.compare("last key of %s" % name, True, last >= highest)
            else:
                found[name] = (number, parent, last)
        # A migrated store may have a renamed entity under its old name.
        unknown = [name for name in found if name not in self.model.entities]
        missing = [name for name in self.model.entities if name not in found]
        if len(unknown) == len(missing) == 1:
            found[missing[0]] = found.pop(unknown[0])
        self.report.compare("entities of Z_PRIMARYKEY", set(self.model.entities), set(found))
        self.model.numbers = {name: number for name, (number, _, _) in found.items()}
        for name, (number, parent, last) in found.items():
            above = self.model.entities[name].get("parentEntity")
            self.report.compare(
                "parent of %s" % name, self.model.numbers[above] if above else 0, parent)
            if above:
                self.report.compare("last key of %s" % name, 0, last)
            else:
                (highest,) = self.rows(
                    "SELECT IFNULL(MAX(Z_PK), 0) FROM %s" % self.table(name))[0]
                self.report.compare("last key of %s" % name, True, last >= highest)

    def table(self, name):
        return "Z" + self.model.root(name).upper()

    def kinds(self, name):
        result = [self.model.numbers[name]]
        for child in self.model.children(name):
            result += self.kinds(child)
        return result

    def list(self, numbers):
        return ", ".join(map(str, numbers))

    # Rows

    def check_table(self, root):
        table = self.table(root)
        concrete = [
            self.model.numbers[n] for n in self.model.family(root)
            if not yes(self.model.entities[n], "isAbstract")]
        self.expect("rows of %s of no entity of it" % table, self.rows(
            "SELECT Z_PK, Z_ENT FROM %s WHERE Z_ENT IS NULL OR Z_ENT NOT IN (%s)" % (
                table, self.list(concrete))))
        self.expect("rows of %s without a version" % table, self.rows(
            "SELECT Z_PK FROM %s WHERE Z_OPT IS NULL OR Z_OPT < 1" % table))
        self.expect("keys of %s" % table, self.rows(
            "SELECT Z_PK FROM %s WHERE Z_PK < 1" % table))
        for column, kind in self.tables[table].items():
            allowed = ", ".join("'%s'" % k for k in KINDS.get(kind, set()) | {"null"})
            # A decimal that is no number is this text.
            number = " AND %s <> 'NaN'" % column if kind == "DECIMAL" else ""
            self.expect("%s.%s" % (table, column), self.rows(
                "SELECT Z_PK, typeof(%s) FROM %s WHERE typeof(%s) NOT IN (%s)%s" % (
                    column, table, column, allowed, number)))

    def check_entity(self, name):
        for attribute in self.model.own(name, "attribute"):
            self.check_attribute(name, attribute)
        for relationship in self.model.own(name, "relationship"):
            if yes(relationship, "toMany"):
                self.check_members(name, relationship)
            else:
                self.check_target(name, relationship)

    def column(self, name, element, path=None):
        """None for a name that two properties of a table have when the table is not that of a new store:
        which column is whose is not told then."""
        root = self.model.root(name)
        columns = self.tables[self.table(name)]
        layout = self.model.layout(root)
        if {c for _, _, c, _ in layout} == set(columns) - {"Z_PK", "Z_ENT", "Z_OPT"}:
            key = path or element.get("name")
            return next(c for n, k, c, _ in layout if (n, k) == (name, key))
        column = "Z" + element.get("name").upper()
        if sum(c.rstrip("0123456789") == column.rstrip("0123456789") for _, _, c, _ in layout) > 1:
            return None
        self.report.compare("column %s" % column, True, column in columns)
        return column if column in columns else None

    def check_attribute(self, name, attribute):
        for path, leaf in self.model.leaves(attribute):
            self.check_leaf(name, path, leaf)

    def check_leaf(self, name, path, attribute):
        kind = attribute.get("attributeType")
        column, table = self.column(name, attribute, path), self.table(name)
        if not column:
            return
        self.report.compare(
            "type of %s" % column, TYPES[kind][1], self.tables[table][column])
        self.expect("%s of other entities" % column, self.rows(
            "SELECT Z_PK FROM %s WHERE %s IS NOT NULL AND Z_ENT NOT IN (%s)" % (
                table, column, self.list(self.kinds(name)))))
        rule = {
            "Boolean": "{0} NOT IN (0, 1)", "UUID": "length({0}) <> 16",
            "Integer 16": "{0} NOT BETWEEN -32768 AND 32767",
            "Integer 32": "{0} NOT BETWEEN -2147483648 AND 2147483647",
        }.get(kind)
        if rule:
            self.expect("%s as %s" % (column, kind), self.rows(
                "SELECT Z_PK FROM %s WHERE %s" % (table, rule.format(column))))

    # Relationships

    def check_target(self, name, relationship):
        column, table = self.column(name, relationship), self.table(name)
        if not column:
            return
        destination = relationship.get("destinationEntity")
        target, kinds = self.table(destination), self.kinds(destination)
        self.expect("%s.%s leads nowhere" % (table, column), self.rows(
            "SELECT a.Z_PK FROM %s a LEFT JOIN %s b ON b.Z_PK = a.%s "
            "WHERE a.%s IS NOT NULL AND (b.Z_PK IS NULL OR b.Z_ENT NOT IN (%s))" % (
                table, target, column, column, self.list(kinds))))
        if self.model.children(destination):
            kind = "Z%d_%s" % (self.model.numbers[destination], column[1:])
            self.report.compare("column %s" % kind, True, kind in self.tables[table])
            self.expect("%s.%s" % (table, kind), self.rows(
                "SELECT a.Z_PK FROM %s a LEFT JOIN %s b ON b.Z_PK = a.%s "
                "WHERE a.%s IS NOT b.Z_ENT" % (table, target, column, kind)))
        inverse = self.model.inverse(relationship)
        if inverse is not None and not yes(inverse, "toMany") and not yes(inverse, "transient"):
            self.check_both(name, relationship, column, destination, inverse)
        if (inverse is not None and yes(inverse, "toMany") and yes(inverse, "ordered")
                and not yes(inverse, "transient")):
            self.check_positions(table, column, "Z_FOK_" + column[1:])

    def check_both(self, name, relationship, column, destination, inverse):
        other = self.column(destination, inverse)
        if other:
            self.expect("both sides of %s" % relationship.get("name"), self.rows(
                "SELECT a.Z_PK FROM %s a JOIN %s b ON b.Z_PK = a.%s WHERE b.%s IS NOT a.Z_PK" % (
                    self.table(name), self.table(destination), column, other)))

    def check_positions(self, table, owner, position):
        self.report.compare("column %s" % position, True, position in self.tables[table])
        self.expect("%s of members" % position, self.rows(
            "SELECT rowid FROM %s WHERE %s IS NOT NULL AND %s IS NULL" % (table, owner, position)))
        self.expect("one %s twice" % position, self.rows(
            "SELECT %s, %s FROM %s WHERE %s IS NOT NULL GROUP BY 1, 2 HAVING COUNT(*) > 1" % (
                owner, position, table, owner)))

    def check_members(self, name, relationship):
        inverse = self.model.inverse(relationship)
        if inverse is None or not yes(inverse, "toMany"):
            return
        other = relationship.get("inverseEntity")
        found = self.join_tables(name, relationship, other, inverse)
        self.report.compare("join table of %s" % relationship.get("name"), 1, len(found))
        if len(found) != 1:
            return
        table, owner, member = found[0]
        for column, entity in ((member, other), (owner, name)):
            self.expect("%s.%s leads nowhere" % (table, column), self.rows(
                'SELECT j.rowid FROM "%s" j LEFT JOIN %s b ON b.Z_PK = j."%s" '
                "WHERE b.Z_PK IS NULL OR b.Z_ENT NOT IN (%s)" % (
                    table, self.table(entity), column, self.list(self.kinds(entity)))))
        if yes(relationship, "ordered"):
            named = owner if inverse is relationship else member
            self.check_positions(table, owner, named.replace("Z_", "Z_FOK_", 1))

    def join_tables(self, name, relationship, other, inverse):
        """Tables with a column for both sides: each is named by the entity whose rows it holds and the
        relationship that leads to them, with a number behind it where an earlier table has that name. A
        migrated store may have other entity numbers in them."""
        for number in ("%d", "[0-9]+"):
            found = []
            for table, columns in self.tables.items():
                sides = []
                for entity, side in ((name, inverse), (other, relationship)):
                    start = number % self.model.numbers[entity] if "%" in number else number
                    form = "Z_%s%s" % (start, re.escape(side.get("name").upper()))
                    # One that is its own inverse has one name for both columns.
                    is_second = inverse is relationship and len(sides) == 1
                    form = "REFLEXIVE" if is_second else form + "[0-9]*"
                    sides.append([c for c in columns if re.fullmatch(form, c)])
                for owner, member in ((o, m) for o in sides[0] for m in sides[1] if o != m):
                    numbered = sum(
                        not column.endswith(side.get("name").upper())
                        for column, side in ((owner, inverse), (member, relationship)))
                    if table.startswith("Z_"):
                        found.append((numbered, table, owner, member))
            if found:
                # Those with the fewest numbers behind the names: `items1` may be a name as well.
                return [f[1:] for f in found if f[0] == min(found)[0]]
        return []

    # External data

    def check_external(self):
        name = self.path.name[: -len(self.path.suffix)] if self.path.suffix else self.path.name
        folder = self.path.parent / (".%s_SUPPORT" % name) / "_EXTERNAL_DATA"
        files = set(os.listdir(folder)) if folder.exists() else set()
        named = []
        for entity in self.model.entities:
            for attribute in self.model.own(entity, "attribute"):
                for path, leaf in self.model.leaves(attribute):
                    if yes(leaf, "allowsExternalBinaryDataStorage"):
                        named += self.external_names(entity, path, leaf)
        self.report.compare("external files", sorted(named), sorted(files))

    def external_names(self, entity, path, leaf):
        column, names = self.column(entity, leaf, path), []
        for (value,) in self.rows("SELECT %s FROM %s WHERE %s IS NOT NULL" % (
                column, self.table(entity), column)):
            names += self.external_name(column, value)
        return names

    def external_name(self, column, value):
        if value[:1] == b"\1":
            return []
        form = len(value) == 38 and value[:1] == b"\2" and value[37:] == b"\0"
        self.report.compare("mark of %s" % column, True, form)
        text = value[1:37].decode()
        self.report.compare("name of a file", str(uuid.UUID(text)).upper(), text)
        return [text]

    # History

    def check_history(self):
        if "ACHANGE" not in self.tables:
            return
        for number, table in HISTORY.items():
            if table in self.tables:
                self.expect("Z_ENT and Z_OPT of %s" % table, self.rows(
                    "SELECT Z_PK FROM %s WHERE Z_ENT <> ? OR Z_OPT IS NOT NULL" % table, number))
        self.expect("kinds of changes", self.rows(
            "SELECT Z_PK FROM ACHANGE WHERE ZCHANGETYPE NOT IN (0, 1, 2)"))
        self.expect("columns of changes", self.rows(
            "SELECT Z_PK FROM ACHANGE WHERE ZCOLUMNS IS NOT NULL AND ZCHANGETYPE <> 1"))
        self.expect("transactions of changes", self.rows(
            "SELECT Z_PK FROM ACHANGE WHERE ZTRANSACTIONID NOT IN (SELECT Z_PK FROM ATRANSACTION)"))
        self.expect("entities of changes", self.rows(
            "SELECT Z_PK FROM ACHANGE WHERE ZENTITY NOT IN (SELECT Z_ENT FROM Z_PRIMARYKEY)"))
        self.expect("times of transactions", self.rows(
            "SELECT Z_PK FROM ATRANSACTION WHERE ZTIMESTAMP IS NULL"))
        for column in ("AUTHOR", "BUNDLEID", "CONTEXTNAME", "PROCESSID"):
            if "Z%sTS" % column in self.tables["ATRANSACTION"]:
                self.expect("texts of transactions", self.rows(
                    "SELECT Z_PK FROM ATRANSACTION WHERE Z%s IS NOT NULL OR Z%sTS NOT IN "
                    "(SELECT Z_PK FROM ATRANSACTIONSTRING)" % (column, column)))


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    sys.exit(1 if Checker(*sys.argv[1:]).check() else 0)
