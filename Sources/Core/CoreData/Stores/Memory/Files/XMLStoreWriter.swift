/// Writes the elements of an XML store's file; the format is described at ``XMLStoreFile``.
struct XMLStoreWriter {
  static let prolog = """
    <?xml version="1.0" standalone="no"?>
    <!DOCTYPE database SYSTEM "file:///System/Library/DTDs/CoreData.dtd">

    <database>
        
    """

  private let entities: [String: Entity]

  private struct Entity {
    let name: String
    let properties: [String: Property]
  }

  private struct Property {
    let name: String
    /// The type of an attribute, or the minimum and maximum count of a relationship.
    let type: String
    let destination: String
  }

  init(layouts: [EntityLayout]) {
    let names = Self.names(layouts.compactMap(\.entity.name)) { $0.uppercased() }
    entities = Dictionary(
      layouts.map { layout in
        let name = layout.entity.name ?? ""
        let entity = Entity(
          name: names[name] ?? name, properties: Self.properties(layout, entities: names))
        return (name, entity)
      }, uniquingKeysWith: { $1 })
  }

  private static func properties(
    _ layout: EntityLayout, entities: [String: String]
  ) -> [String: Property] {
    let all: [(name: String, property: NSPropertyDescription)] =
      layout.slots.map { ($0.name, $0.property) } + layout.toMany.map { ($0.name, $0) }
    let names = names(all.map(\.name)) { $0.lowercased() }
    return Dictionary(
      all.map { name, property in
        let relationship = property as? NSRelationshipDescription
        let destination = relationship?.destinationEntity?.name ?? ""
        return (
          name,
          Property(
            name: escaped(names[name] ?? name), type: type(of: property),
            destination: escaped(entities[destination] ?? destination))
        )
      }, uniquingKeysWith: { $1 })
  }

  /// Each name in the file's case, or unchanged where two names would become equal.
  private static func names(
    _ names: [String], change: (String) -> String
  ) -> [String: String] {
    let counts = Dictionary(names.map { (change($0), 1) }, uniquingKeysWith: +)
    return Dictionary(
      names.map { ($0, counts[change($0)] == 1 ? change($0) : $0) }, uniquingKeysWith: { $1 })
  }

  private static func type(of property: NSPropertyDescription) -> String {
    switch property {
    case let attribute as NSAttributeDescription:
      return XMLValue.typeNames[attribute.attributeType] ?? "undefined"
    case let relationship as NSRelationshipDescription:
      return "\(relationship.minCount)/\(relationship.maxCount)"
    default: return "undefined"
    }
  }

  // MARK: - Elements

  static func info(_ metadata: [String: Any], lastKey: Int64) throws -> String {
    var metadata = metadata
    let uuid = metadata.removeValue(forKey: NSStoreUUIDKey) as? String ?? ""
    metadata[NSStoreTypeKey] = nil
    let list = try PropertyListSerialization.data(
      fromPropertyList: metadata, format: .xml, options: 0)
    let text = String(decoding: list, as: UTF8.self)
    let plist = text.range(of: "<plist").map { String(text[$0.lowerBound...]) } ?? ""
    return """
      <databaseInfo>
              <version>\(XMLStoreFile.version)</version>
              <UUID>\(escaped(uuid))</UUID>
              <nextObjectID>\(lastKey + 1)</nextObjectID>
              <metadata>\(plist)</metadata>
          </databaseInfo>
      """
  }

  func element(_ object: StoredObject) -> String {
    let entity = entities[object.entity]
    let name = entity?.name ?? object.entity
    var text = "\n    <object type=\"\(Self.escaped(name))\" id=\"z\(object.key)\">\n"
    for (name, value) in object.attributes {
      guard let property = entity?.properties[name] else { continue }
      text += "        <attribute name=\"\(property.name)\" type=\"\(property.type)\""
      text += "\(XMLValue.content(value, type: property.type))</attribute>\n"
    }
    for (name, keys) in object.relationships {
      guard let property = entity?.properties[name] else { continue }
      let members = keys.map { "z\($0)" }.joined(separator: " ")
      text += "        <relationship name=\"\(property.name)\" type=\"\(property.type)\""
      text += " destination=\"\(property.destination)\""
      text += members.isEmpty ? "></relationship>\n" : " idrefs=\"\(members)\"></relationship>\n"
    }
    return text + "    </object>"
  }

  static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "\r": result += "&#13;"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
