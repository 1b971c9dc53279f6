import CoreData
import ModelDocuments

/// A model for reading a store that contains none, derived from its tables.
///
///     Z_PRIMARYKEY        entities and their hierarchy
///     ZX.ZNAME VARCHAR    an attribute `name` of X, the root of the table's hierarchy
///     ZX.ZY with index    a to-one relationship `y`, if an entity has that name
///     ZX.Z3_Y             the destination of `y` is the entity of number 3
///
/// Names are in lower case, since columns are in upper case. Join tables yield no relationship.
struct GuessedModel {
  private struct Entity {
    let number: Int
    let name: String
    let parent: Int
  }

  private let inspector: StoreInspector
  private let entities: [Entity]

  init(_ url: URL) throws {
    inspector = try StoreInspector(url: url)
    guard try !inspector.rows("SELECT 1 FROM sqlite_master WHERE name = 'Z_PRIMARYKEY'").isEmpty
    else {
      throw ToolError(
        .badData,
        description:
          "The store at \(url.path) has no table Z_PRIMARYKEY, which names its entities: it is damaged, or no store of "
          + "Core Data.")
    }
    entities = try inspector.rows(
      "SELECT Z_ENT, Z_NAME, Z_SUPER FROM Z_PRIMARYKEY WHERE Z_ENT < 16000 ORDER BY Z_ENT"
    ).compactMap { row in
      guard let number = row[0] as? Int64, let name = row[1] as? String, !name.isEmpty else {
        return nil
      }
      return Entity(number: Int(number), name: name, parent: Int(row[2] as? Int64 ?? 0))
    }
  }

  func make() throws -> NSManagedObjectModel {
    var descriptions: [Int: NSEntityDescription] = [:]
    var names: Set<String> = []
    for entity in entities where names.insert(entity.name).inserted {
      let description = NSEntityDescription()
      description.name = entity.name
      descriptions[entity.number] = description
    }
    let isRoot = { (entity: Entity) in
      descriptions[entity.parent] == nil || entity.parent >= entity.number
    }
    for entity in entities where !isRoot(entity) {
      guard let child = descriptions[entity.number] else { continue }
      descriptions[entity.parent]?.subentities.append(child)
    }
    var found: [NSEntityDescription] = []
    for entity in entities {
      guard let description = descriptions[entity.number] else { continue }
      if isRoot(entity) {
        guard let properties = try properties(of: entity, descriptions) else { continue }
        description.properties = properties
      }
      found.append(description)
    }
    let model = NSManagedObjectModel()
    model.entities = found.filter { $0.superentity == nil || found.contains($0.superentity!) }
    return model
  }

  /// The properties of an entity; nil if it has no table.
  private func properties(
    of entity: Entity, _ descriptions: [Int: NSEntityDescription]
  ) throws -> [NSPropertyDescription]? {
    let table = "Z" + entity.name.uppercased()
    let columns = try inspector.rows(
      "SELECT name, type FROM pragma_table_info(?)", values: [.text(table)]
    )
    .map { (($0[0] as? String ?? "").uppercased(), ($0[1] as? String ?? "").uppercased()) }
    if columns.isEmpty { return nil }
    let kinds = kindColumns(columns.map(\.0))
    return try columns.filter { Self.isProperty($0.0) }.map { column, type in
      let destination = try destination(of: column, in: table, kinds)
      guard type == "INTEGER", let target = destination.flatMap({ descriptions[$0] }) else {
        return try attribute(column, type: type, table: table)
      }
      let relationship = NSRelationshipDescription()
      relationship.name = Self.name(column)
      relationship.destinationEntity = target
      relationship.maxCount = 1
      relationship.deleteRule = .noActionDeleteRule
      return relationship
    }
  }

  private static func isProperty(_ column: String) -> Bool {
    guard column.first == "Z", let second = column.dropFirst().first else { return false }
    return second != "_" && !second.isNumber
  }

  private static func name(_ column: String) -> String { column.dropFirst().lowercased() }

  /// The destination of each relationship with a kind column: `Z3_BOOK` beside `ZBOOK` means the
  /// entity 3.
  private func kindColumns(_ columns: [String]) -> [String: Int] {
    var kinds: [String: Int] = [:]
    for column in columns {
      guard let match = column.wholeMatch(of: /Z(\d+)_(.+)/), let number = Int(match.1) else {
        continue
      }
      kinds["Z" + match.2] = number
    }
    return kinds
  }

  private func destination(
    of column: String, in table: String, _ kinds: [String: Int]
  ) throws -> Int? {
    if let known = kinds[column] { return hasChildren(known) ? known : nil }
    let index = "\(table)_\(column)_INDEX"
    guard
      try !inspector.rows(
        "SELECT 1 FROM sqlite_master WHERE type = 'index' AND upper(name) = ?",
        values: [.text(index)]
      ).isEmpty
    else { return nil }
    // A relationship without a kind column leads to an entity without subentities.
    let found = entities.filter { "Z" + $0.name.uppercased() == column && !hasChildren($0.number) }
    return found.count == 1 ? found[0].number : nil
  }

  private func hasChildren(_ number: Int) -> Bool { entities.contains { $0.parent == number } }

  private func attribute(
    _ column: String, type: String, table: String
  ) throws -> NSAttributeDescription {
    let attribute = NSAttributeDescription()
    attribute.name = Self.name(column)
    attribute.attributeType =
      switch type {
      case "INTEGER": .integer64AttributeType
      case "FLOAT": .doubleAttributeType
      case "TIMESTAMP": .dateAttributeType
      case "DECIMAL": .decimalAttributeType
      case "VARCHAR": .stringAttributeType
      default: try isUUID(column, table: table) ? .UUIDAttributeType : .binaryDataAttributeType
      }
    return attribute
  }

  private func isUUID(_ column: String, table: String) throws -> Bool {
    let (table, column) = (StoreInspector.quoted(table), StoreInspector.quoted(column))
    let lengths = try inspector.rows(
      "SELECT DISTINCT length(c) FROM (SELECT \(column) c FROM \(table) WHERE \(column) IS NOT NULL LIMIT 1000)"
    )
    return lengths.count == 1 && lengths[0][0] as? Int64 == 16
  }

  // MARK: - XML

  /// The model of an XML store, whose objects name their entities, attributes and types.
  ///
  /// Entities are named in upper case there; their names as the model has them are those of the
  /// version hashes, which have entities without objects, too.
  static func ofXML(_ url: URL) throws -> NSManagedObjectModel {
    var scanner = try XMLScanner(url)
    var properties: [String: [String: NSPropertyDescription]] = [:]
    var links: [(NSRelationshipDescription, String)] = []
    var entity = ""
    do {
      while let token = try scanner.next() {
        guard case .start(let element, let attributes) = token else { continue }
        let name = attributes["name"] ?? ""
        switch element {
        case "object":
          entity = attributes["type"] ?? ""
          if properties[entity] == nil { properties[entity] = [:] }
        case "attribute" where properties[entity]?[name] == nil:
          let attribute = NSAttributeDescription()
          attribute.name = name
          attribute.attributeType = type(named: attributes["type"] ?? "")
          properties[entity]?[name] = attribute
        case "relationship" where properties[entity]?[name] == nil:
          let relationship = NSRelationshipDescription()
          relationship.name = name
          // The type is the least and the greatest count: 0/1, 1/1; 0/0 has no greatest.
          relationship.maxCount = attributes["type"]?.hasSuffix("/1") == true ? 1 : 0
          relationship.isOrdered = attributes["ordered"] == "true"
          properties[entity]?[name] = relationship
          links.append((relationship, attributes["destination"] ?? ""))
        default: break
        }
      }
    } catch let damage as FileDamage {
      throw ToolError(
        .badData, description: "The file \(url.path) is no XML store, or damaged: \(damage.text).")
    }
    let metadata = try? NSPersistentStoreCoordinator.metadataForPersistentStore(
      ofType: NSXMLStoreType, at: url)
    let hashes = metadata?[NSStoreModelVersionHashesKey] as? [String: Data] ?? [:]
    var entities: [String: NSEntityDescription] = [:]
    for name in hashes.keys.sorted() + properties.keys.sorted()
    where entities[name.uppercased()] == nil {
      let entity = NSEntityDescription()
      entity.name = name
      entities[name.uppercased()] = entity
    }
    for (relationship, name) in links {
      relationship.destinationEntity = entities[name.uppercased()]
    }
    for (name, found) in properties {
      entities[name.uppercased()]?.properties = found.values.filter {
        !$0.name.isEmpty
          && ($0 as? NSRelationshipDescription).map { $0.destinationEntity != nil } != false
      }
    }
    let model = NSManagedObjectModel()
    model.entities = entities.values.sorted { ($0.name ?? "") < ($1.name ?? "") }
    return model
  }

  private static func type(named name: String) -> NSAttributeType {
    switch name {
    case "int16": .integer16AttributeType
    case "int32": .integer32AttributeType
    case "int64": .integer64AttributeType
    case "float": .floatAttributeType
    case "double": .doubleAttributeType
    case "decimal": .decimalAttributeType
    case "bool": .booleanAttributeType
    case "date": .dateAttributeType
    case "binary": .binaryDataAttributeType
    case "uuid": .UUIDAttributeType
    case "uri": .URIAttributeType
    default: .stringAttributeType
    }
  }
}
