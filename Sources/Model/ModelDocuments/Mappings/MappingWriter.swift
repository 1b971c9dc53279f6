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
        "XDDEVMAPPINGMODEL", identifier: model,
        children: [
          Self.attribute("sourcemodelpath", type: "string", text: document.source.path),
          Self.attribute("destinationmodelpath", type: "string", text: document.destination.path),
          Self.relationship(
            "entitymappings", type: "0/0", destination: "XDDEVENTITYMAPPING", list: mappings),
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
    let attributes = entity.attributes.map { add($0, kind: "ATTRIBUTE", of: own) }
    let relationships = entity.relationships.map { add($0, kind: "RELATIONSHIP", of: own) }
    objects.insert(
      Self.object(
        "XDDEVENTITYMAPPING", identifier: own,
        children: [
          Self.attribute("migrationpolicyclassname", type: "string", text: entity.policyClassName),
          Self.attribute("sourcename", type: "string", text: entity.sourceName),
          Self.attribute("mappingtypename", type: "string", text: "Undefined"),
          Self.attribute("mappingnumber", type: "int16", text: String(number)),
          Self.attribute("destinationname", type: "string", text: entity.destinationName),
          Self.attribute("autogenerateexpression", type: "bool", text: "1"),
          Self.relationship(
            "mappingmodel", type: "1/1", destination: "XDDEVMAPPINGMODEL", list: [model]),
          Self.relationship(
            "attributemappings", type: "0/0", destination: "XDDEVATTRIBUTEMAPPING", list: attributes
          ),
          Self.relationship(
            "relationshipmappings", type: "0/0", destination: "XDDEVRELATIONSHIPMAPPING",
            list: relationships),
        ]), at: place)
    return own
  }

  private mutating func add(_ property: MappedProperty, kind: String, of entity: String) -> String {
    let own = identifier()
    let isRelationship = kind == "RELATIONSHIP"
    objects.append(
      Self.object(
        "XDDEV\(kind)MAPPING", identifier: own,
        children: [
          Self.attribute(
            "valueexpressiondata", type: "binary", text: property.expression?.base64EncodedString()),
          Self.attribute("sourcemappingname", type: "string", text: property.mappingName),
          Self.attribute("sourcekeypath", type: "string", text: property.keyPath),
          Self.attribute(
            "autogenerateexpression", type: "bool",
            text: isRelationship ? (property.isAutomatic ? "1" : "0") : nil),
          Self.attribute("name", type: "string", text: property.name),
          Self.relationship(
            "entitymapping", type: "1/1", destination: "XDDEVENTITYMAPPING", list: [entity]),
        ]))
    return own
  }

  private static func object(
    _ type: String, identifier: String, children: [ModelElement?]
  ) -> ModelElement {
    ModelElement(
      name: "object", attributes: ["type": type, "id": identifier],
      children: children.compactMap(\.self))
  }

  private static func attribute(_ name: String, type: String, text: String?) -> ModelElement? {
    text.map {
      ModelElement(name: "attribute", attributes: ["name": name, "type": type], content: $0)
    }
  }

  private static func relationship(
    _ name: String, type: String, destination: String, list: [String]
  ) -> ModelElement {
    var attributes = ["name": name, "type": type, "destination": destination]
    if !list.isEmpty { attributes["idrefs"] = list.joined(separator: " ") }
    return ModelElement(name: "relationship", attributes: attributes)
  }

  // MARK: - Store metadata

  private func information() -> ModelElement {
    let digest = Self.hashes.compactMapValues { Data(base64Encoded: $0) }
    let hashes = Self.hashes.sorted { $0.key < $1.key }.flatMap { name, hash in
      [Self.element("key", text: name), Self.element("data", text: hash)]
    }
    let table = ModelElement(
      name: "dict",
      children: [
        Self.element("key", text: "NSPersistenceFrameworkVersion"),
        Self.element("integer", text: "1044"),
        Self.element("key", text: "NSStoreModelVersionHashes"),
        ModelElement(name: "dict", children: hashes),
        Self.element("key", text: "NSStoreModelVersionHashesDigest"),
        Self.element("string", text: VersionHash.digest(of: digest)),
        Self.element("key", text: "NSStoreModelVersionHashesVersion"),
        Self.element("integer", text: "3"),
        Self.element("key", text: "NSStoreModelVersionIdentifiers"),
        ModelElement(name: "array", children: [Self.element("string", text: "")]),
      ])
    let list = ModelElement(name: "plist", attributes: ["version": "1.0"], children: [table])
    return ModelElement(
      name: "databaseInfo",
      children: [
        Self.element("version", text: "134481920"), Self.element("UUID", text: storeIdentifier),
        Self.element("nextObjectID", text: String(count)),
        ModelElement(name: "metadata", children: [list]),
      ])
  }

  private static func element(_ name: String, text: String) -> ModelElement {
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
