"""Reads the keyed archive of a model, as a store keeps it in Z_MODELCACHE, into the elements that a model
file would have."""

import plistlib
import xml.etree.ElementTree as ElementTree
import zlib

TYPES = {
    100: "Integer 16", 200: "Integer 32", 300: "Integer 64", 400: "Decimal", 500: "Double",
    600: "Float", 700: "String", 800: "Boolean", 900: "Date", 1000: "Binary", 1100: "UUID",
    1200: "URI", 1800: "Transformable", 2100: "Composite",
}


class Archive:
    def __init__(self, content):
        archive = plistlib.loads(zlib.decompress(content, -15))
        if archive.get("$archiver") != "NSKeyedArchiver":
            raise ValueError("no keyed archive")
        self.objects = archive["$objects"]
        top = archive["$top"]
        self.root = self.get(top.get("root", next(iter(top.values()))))

    def get(self, value):
        if isinstance(value, plistlib.UID):
            found = self.objects[value.data]
            return None if found == "$null" else found
        return value

    def name(self, record):
        return self.get(self.get(record["$class"])["$classname"])

    def array(self, value):
        record = self.get(value)
        if isinstance(record, list):
            return [self.get(item) for item in record]
        return [self.get(item) for item in record["NS.objects"]] if record else []

    def pairs(self, value):
        record = self.get(value)
        if not record:
            return {}
        if "NS.keys" in record:
            keys, values = record["NS.keys"], record["NS.objects"]
        else:
            # An NSKnownKeysDictionary1, whose mapping strategy has the keys.
            keys = self.array(self.get(record["searchMapping"])["keys"])
            values = self.get(record["values"])["NS.objects"]
        return {self.get(key): self.get(value) for key, value in zip(keys, values)}


def flag(record, key):
    return "YES" if record.get(key) else "NO"


class ArchiveModel:
    """Entities as XML elements, by name; the elements of a composite attribute are below it."""

    def __init__(self, content):
        archive = Archive(content)
        self.entities = {}
        for name, entity in archive.pairs(archive.root["NSEntities"]).items():
            self.entities[name] = self.element(archive, name, entity)

    def element(self, archive, name, entity):
        parent = archive.get(entity.get("NSSuperentity"))
        result = ElementTree.Element("entity", name=name, isAbstract=flag(entity, "NSIsAbstract"))
        if parent:
            result.set("parentEntity", archive.get(parent["NSEntityName"]))
        modifier = archive.get(entity.get("NSVersionHashModifier"))
        if modifier:
            result.set("versionHashModifier", modifier)
        inherited = set()
        while parent:
            inherited |= set(archive.pairs(parent["NSProperties"]))
            parent = archive.get(parent.get("NSSuperentity"))
        for key, record in archive.pairs(entity["NSProperties"]).items():
            if key not in inherited:
                self.add(archive, result, key, self.real(archive, record))
        self.add_constraints(archive, result, entity)
        return result

    def real(self, archive, record):
        while "NSUnderlyingProperty" in record:
            record = archive.get(record["NSUnderlyingProperty"])
        return record

    def add_constraints(self, archive, result, entity):
        tuples = archive.array(entity.get("NSUniqueTuples"))
        if tuples:
            group = ElementTree.SubElement(result, "uniquenessConstraints")
            for names in tuples:
                constraint = ElementTree.SubElement(group, "uniquenessConstraint")
                for name in archive.array(names):
                    ElementTree.SubElement(constraint, "constraint", value=name)

    def add(self, archive, entity, key, record):
        common = {
            "name": key, "optional": flag(record, "NSIsOptional"),
            "transient": flag(record, "NSIsTransient"),
        }
        modifier = archive.get(record.get("NSVersionHashModifier"))
        if modifier:
            common["versionHashModifier"] = modifier
        if "NSAttributeType" in record:
            flags = record.get("NSFlagsKey") or 0
            if archive.name(record) == "NSDerivedAttributeDescription":
                common["derived"] = "YES"
            attribute = ElementTree.SubElement(
                entity, "attribute", common,
                attributeType=TYPES.get(record["NSAttributeType"], "Undefined"),
                allowsExternalBinaryDataStorage="YES" if flags & 4 else "NO",
                preserveAfterDeletion="YES" if flags & 16 else "NO")
            for element in archive.array(record.get("NSCompositeElements")):
                self.add(archive, attribute, archive.get(element["NSPropertyName"]), element)
        elif "NSMaxCount" in record or "NSDeleteRule" in record:
            self.add_relationship(archive, entity, common, record)

    def add_relationship(self, archive, entity, common, record):
        most = record.get("NSMaxCount", 0)
        destination = archive.get(record.get("_NSDestinationEntityName")) or archive.get(
            archive.get(record["NSDestinationEntity"])["NSEntityName"])
        inverse = archive.get(record.get("_NSInverseRelationshipName"))
        if not inverse and archive.get(record.get("NSInverseRelationship")):
            inverse = archive.get(archive.get(record["NSInverseRelationship"])["NSPropertyName"])
        element = ElementTree.SubElement(
            entity, "relationship", common, destinationEntity=destination, maxCount=str(most),
            minCount=str(record.get("NSMinCount", 0)), toMany="NO" if most == 1 else "YES",
            ordered=flag(record, "NSIsOrdered"))
        if inverse:
            element.set("inverseName", inverse)
            element.set("inverseEntity", destination)
