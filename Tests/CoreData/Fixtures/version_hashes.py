#!/usr/bin/env python3
"""Recomputes version hashes, digest and checksum of model files straight from their XML.

Written apart from the Swift code on purpose: the tests compare the two. Prints the JSON that lies
beside it as VersionHashes.json. Usage: version_hashes.py MODEL.xcdatamodeld... > VersionHashes.json
"""
import base64, hashlib, json, os, struct, sys
import xml.etree.ElementTree as ET

TYPES = {"Undefined": 0, "Integer 16": 100, "Integer 32": 200, "Integer 64": 300, "Decimal": 400,
         "Double": 500, "Float": 600, "String": 700, "Boolean": 800, "Date": 900, "Binary": 1000,
         "UUID": 1100, "URI": 1200, "Transformable": 1800, "Composite": 2100}

def sha(data):
    return hashlib.sha256(data).digest()

def yes(element, name):
    return element.get(name) == "YES"

def property_hash(p):
    base = sha(p.get("name").encode() + bytes([yes(p, "optional"), 0])
               + (p.get("versionHashModifier") or "").encode())
    if p.tag == "attribute":
        return sha(base + struct.pack("<i", TYPES[p.get("attributeType")])
                   + (b"\1" if yes(p, "allowsExternalBinaryDataStorage") else b"")
                   + (b"\1" if yes(p, "preserveAfterDeletion") else b""))
    many = yes(p, "toMany")
    return sha(base + p.get("destinationEntity").encode() + (p.get("inverseName") or "").encode()
               + struct.pack("<ii", int(p.get("maxCount", 0 if many else 1)), int(p.get("minCount", 0)))
               + (b"\1\0" if yes(p, "ordered") else b""))

def hashes(root):
    entities = {e.get("name"): e for e in root.findall("entity")}

    def properties(e):
        own = [p for p in e if p.tag in ("attribute", "relationship") and not yes(p, "transient")]
        parent = entities.get(e.get("parentEntity"))
        return own + (properties(parent) if parent is not None else [])

    def entity_hash(e):
        parent = entities.get(e.get("parentEntity"))
        data = e.get("name").encode() + bytes([yes(e, "isAbstract")])
        data += entity_hash(parent) if parent is not None else b""
        for p in sorted(properties(e), key=lambda p: p.get("name")):
            data += property_hash(p)
        groups = e.findall("uniquenessConstraints/uniquenessConstraint")
        data += "".join(sorted(".".join(c.get("value") for c in group) for group in groups)).encode()
        return sha(data + (e.get("versionHashModifier") or "").encode())

    return {name: entity_hash(e) for name, e in sorted(entities.items())}

result = {}
for path in sys.argv[1:]:
    name = os.path.splitext(os.path.basename(path))[0]
    table = hashes(ET.parse(os.path.join(path, name + ".xcdatamodel", "contents")).getroot())
    result[name] = {
        "hashes": {entity: value.hex() for entity, value in table.items()},
        "checksum": base64.b64encode(sha(b"".join(table.values()))).decode(),
        "digest": base64.b64encode(hashlib.sha512(
            b"".join(k.encode() + v for k, v in table.items())).digest()).decode(),
    }
print(json.dumps(result, indent=1, sort_keys=True))
