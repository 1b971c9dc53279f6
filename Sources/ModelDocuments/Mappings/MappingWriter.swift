import Foundation

/// Writes the `xcmapping.xml` of a document. Equal documents give equal bytes.
///
/// The format is described at `MappingReader`. The editor's copies of the models are omitted: it
/// makes them again from the paths.
struct MappingWriter {
  private static let firstIdentifier = 102
  /// The version hashes of the editor's own entities.
  private static let hashes = [
    "XDDevAttributeMapping": "0plcXXRN7XHKl5CcF+fwriFmUpON3ZtcI/AfK748aWc=",
    "XDDevEntityMapping": "qeN1Ym3TkWN1G6dU9RfX6Kd2ccEvcDVWHpd3LpLgboI=",
    "XDDevMappingModel": "EqtMzvRnVZWkXwBHu4VeVGy8UyoOe+bi67KC79kphlQ=",
    "XDDevPropertyMapping": "XN33V44TTGY4JETlMoOB5yyTKxB+u4slvDIinv0rtGA=",
    "XDDevRelationshipMapping": "akYY9LhehVA/mCb4ATLWuI9XGLcjpm14wWL1oEBtIcs=",
  ]

  private let document: MappingDocument
  private var count = firstIdentifier
  private var objects: [ModelElement] = []

  static func text(_ document: MappingDocument) -> String {
    var writer = MappingWriter(document: document)
    return writer.text()
  }

  private init(document: MappingDocument) {
    self.document = document
  }

  private mutating func text() -> String {
    let model = identifier()
    let mappings = document.entities.enumerated().map { add($1, number: $0 + 1, model: model) }
    objects.insert(
      Self.object(
        "XDDEVMAPPINGMODEL", model,
        [
          Self.attribute("sourcemodelpath", "string", document.source.path),
          Self.attribute("destinationmodelpath", "string", document.destination.path),
          Self.relationship("entitymappings", "0/0", "XDDEVENTITYMAPPING", mappings),
        ]), at: 0)
    let database = ModelElement(name: "database", children: [information()] + objects)
    return "<?xml version=\"1.0\" standalone=\"yes\"?>\n"
      + "<!DOCTYPE database SYSTEM \"file:///System/Library/DTDs/CoreData.dtd\">\n\n"
      + database.lines
  }

  private mutating func identifier() -> String {
    defer { count += 1 }
    return "z\(count)"
  }

  private mutating func add(_ entity: MappedEntity, number: Int, model: String) -> String {
    let own = identifier()
    let place = objects.count
    let attributes = entity.attributes.map { add($0, "ATTRIBUTE", of: own) }
    let relationships = entity.relationships.map { add($0, "RELATIONSHIP", of: own) }
    objects.insert(
      Self.object(
        "XDDEVENTITYMAPPING", own,
        [
          Self.attribute("migrationpolicyclassname", "string", entity.policyClassName),
          Self.attribute("sourcename", "string", entity.sourceName),
          Self.attribute("mappingtypename", "string", "Undefined"),
          Self.attribute("mappingnumber", "int16", String(number)),
          Self.attribute("destinationname", "string", entity.destinationName),
          Self.attribute("autogenerateexpression", "bool", "1"),
          Self.relationship("mappingmodel", "1/1", "XDDEVMAPPINGMODEL", [model]),
          Self.relationship("attributemappings", "0/0", "XDDEVATTRIBUTEMAPPING", attributes),
          Self.relationship(
            "relationshipmappings", "0/0", "XDDEVRELATIONSHIPMAPPING", relationships),
        ]), at: place)
    return own
  }

  private mutating func add(_ property: MappedProperty, _ kind: String, of entity: String) -> String
  {
    let own = identifier()
    let isRelationship = kind == "RELATIONSHIP"
    objects.append(
      Self.object(
        "XDDEV\(kind)MAPPING", own,
        [
          Self.attribute(
            "valueexpressiondata", "binary", property.expression?.base64EncodedString()),
          Self.attribute("sourcemappingname", "string", property.mappingName),
          Self.attribute("sourcekeypath", "string", property.keyPath),
          Self.attribute(
            "autogenerateexpression", "bool",
            isRelationship ? (property.isAutomatic ? "1" : "0") : nil),
          Self.attribute("name", "string", property.name),
          Self.relationship("entitymapping", "1/1", "XDDEVENTITYMAPPING", [entity]),
        ]))
    return own
  }

  private static func object(
    _ type: String, _ identifier: String, _ children: [ModelElement?]
  ) -> ModelElement {
    ModelElement(
      name: "object", attributes: ["type": type, "id": identifier],
      children: children.compactMap(\.self))
  }

  private static func attribute(_ name: String, _ type: String, _ text: String?) -> ModelElement? {
    text.map {
      ModelElement(name: "attribute", attributes: ["name": name, "type": type], content: $0)
    }
  }

  private static func relationship(
    _ name: String, _ type: String, _ destination: String, _ list: [String]
  ) -> ModelElement {
    var attributes = ["name": name, "type": type, "destination": destination]
    if !list.isEmpty { attributes["idrefs"] = list.joined(separator: " ") }
    return ModelElement(name: "relationship", attributes: attributes)
  }

  // MARK: - Store metadata

  private func information() -> ModelElement {
    let digest = Self.hashes.compactMapValues { Data(base64Encoded: $0) }
    let hashes = Self.hashes.sorted { $0.key < $1.key }.flatMap { name, hash in
      [Self.element("key", name), Self.element("data", hash)]
    }
    let table = ModelElement(
      name: "dict",
      children: [
        Self.element("key", "NSPersistenceFrameworkVersion"), Self.element("integer", "1044"),
        Self.element("key", "NSStoreModelVersionHashes"),
        ModelElement(name: "dict", children: hashes),
        Self.element("key", "NSStoreModelVersionHashesDigest"),
        Self.element("string", VersionHash.digest(of: digest)),
        Self.element("key", "NSStoreModelVersionHashesVersion"), Self.element("integer", "3"),
        Self.element("key", "NSStoreModelVersionIdentifiers"),
        ModelElement(name: "array", children: [Self.element("string", "")]),
      ])
    let list = ModelElement(name: "plist", attributes: ["version": "1.0"], children: [table])
    return ModelElement(
      name: "databaseInfo",
      children: [
        Self.element("version", "134481920"), Self.element("UUID", storeIdentifier),
        Self.element("nextObjectID", String(count)),
        ModelElement(name: "metadata", children: [list]),
      ])
  }

  private static func element(_ name: String, _ text: String) -> ModelElement {
    ModelElement(name: name, content: text)
  }

  /// The store's UUID, derived from the contents so that equal documents give equal files.
  private var storeIdentifier: String {
    let text = objects.map(\.lines).joined()
    var bytes = Array(SHA256Digest.hash(Array(text.utf8)).prefix(16))
    bytes[6] = bytes[6] & 0x0F | 0x50
    bytes[8] = bytes[8] & 0x3F | 0x80
    return bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }.uuidString
  }
}

extension MappingDocument {
  /// The text of the `xcmapping.xml`.
  package var text: String { MappingWriter.text(self) }
}
