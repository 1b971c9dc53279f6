#!/usr/bin/env python3
"""Makes a store what this package wrote before the rules for composite attributes and for several uniqueness
constraints were known.

    make_former_store.py STORE.sqlite

A composite attribute was hashed as any attribute, with its elements behind; constraints counted in the order of
their declaration; the model that the store keeps had the elements of a composite under another key.
"""

import base64
import hashlib
import plistlib
import sqlite3
import struct
import sys
import zlib

from check_rows import CachedModel
from check_store import sha256, yes


class FormerModel(CachedModel):
    def attribute_hash(self, element):
        elements = self.elements(element)
        if elements is None:
            return super().attribute_hash(element)
        data = self.base_hash(element) + struct.pack("<i", 2100)
        for flag in ("allowsExternalBinaryDataStorage", "preserveAfterDeletion"):
            data += b"\1" if yes(element, flag) else b""
        elements = sorted(elements, key=lambda e: e.get("name"))
        return sha256(data + b"".join(self.attribute_hash(e) for e in elements))

    def entity_hash(self, name):
        element = self.entities[name]
        data = name.encode() + bytes([yes(element, "isAbstract")])
        if element.get("parentEntity"):
            data += self.entity_hash(element.get("parentEntity"))
        data += b"".join(value for _, value in sorted(self.properties(name).items()))
        for constraint in element.findall("uniquenessConstraints/uniquenessConstraint"):
            data += ".".join(c.get("value") for c in constraint.findall("constraint")).encode()
        return sha256(data + (element.get("versionHashModifier") or "").encode())


def make_former(database):
    hashes = {n: FormerModel(database).entity_hash(n) for n in FormerModel(database).entities}
    in_order = sorted(hashes.items())
    (content,) = database.execute("SELECT Z_PLIST FROM Z_METADATA").fetchone()
    metadata = plistlib.loads(content)
    metadata["NSStoreModelVersionHashes"] = hashes
    metadata["NSStoreModelVersionHashesDigest"] = base64.b64encode(
        hashlib.sha512(b"".join(k.encode() + v for k, v in in_order)).digest()).decode()
    metadata["NSStoreModelVersionChecksumKey"] = base64.b64encode(
        sha256(b"".join(v for _, v in in_order))).decode()
    database.execute(
        "UPDATE Z_METADATA SET Z_PLIST = ?", (plistlib.dumps(metadata, fmt=plistlib.FMT_BINARY),))
    (cache,) = database.execute("SELECT Z_CONTENT FROM Z_MODELCACHE").fetchone()
    archive = plistlib.loads(zlib.decompress(cache, -15))
    for record in archive["$objects"]:
        if isinstance(record, dict) and "NSCompositeElements" in record:
            record["NSCompositeAttributeElements"] = record.pop("NSCompositeElements")
    deflate = zlib.compressobj(wbits=-15)
    plain = plistlib.dumps(archive, fmt=plistlib.FMT_BINARY)
    database.execute(
        "UPDATE Z_MODELCACHE SET Z_CONTENT = ?", (deflate.compress(plain) + deflate.flush(),))
    database.commit()


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    make_former(sqlite3.connect(sys.argv[1]))
