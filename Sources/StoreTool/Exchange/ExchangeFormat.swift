import CoreData

/// How objects are exchanged.
package enum ExchangeFormat: String, CaseIterable, Sendable {
  /// A folder with a file for each entity.
  case csv
  /// One file, an object a line.
  case jsonl
  /// One file with tables by the names of the model; only to be written.
  case sql
}

/// Writes every object of a store by the names of its model, relationships included.
package struct Export {
  private let pages: ObjectPages
  private let bar: ProgressBar

  /// The number of objects. Throws when there is something at the destination already.
  @discardableResult package static func run(
    _ store: OpenedStore, as format: ExchangeFormat, to destination: URL
  ) throws -> Int {
    do {
      guard !FileManager.default.fileExists(atPath: destination.path) else {
        throw ToolError(
          .cannotCreate,
          "There is something at \(destination.path) already; name another place, or remove it.")
      }
      let pages = ObjectPages(store: store)
      let count = try pages.count()
      let export = Export(pages: pages, bar: ProgressBar("Exporting", total: count))
      switch format {
      case .csv: try export.writeCSV(to: destination)
      case .jsonl: try export.writeFile(destination, export.writeLines)
      case .sql: try export.writeFile(destination, export.writeSQL)
      }
      export.bar.end()
      return count
    } catch { throw ToolError(error) }
  }

  private func writeFile(_ file: URL, _ body: (ByteWriter) throws -> Void) throws {
    let descriptor = open(file.path, O_WRONLY | O_CREAT | O_EXCL, 0o644)
    guard descriptor >= 0 else {
      throw ToolError(
        .cannotCreate, "\(file.path) cannot be made: \(String(cString: strerror(errno))).")
    }
    defer { close(descriptor) }
    let bytes = ByteWriter(descriptor: descriptor)
    try body(bytes)
    try bytes.flush()
  }

  // MARK: - JSON

  private func writeLines(_ bytes: ByteWriter) throws {
    for entity in pages.entities {
      let isNumber = Self.numbers(of: entity)
      try pages.forEach(of: entity) { object in
        bytes.write(
          "{\"entity\":\(JSONText.text(object.entity)),\"id\":\(JSONText.text(object.id))")
        for (key, text) in object.attributes.sorted(by: { $0.key < $1.key }) {
          bytes.write(
            ",\(JSONText.text(key)):\(isNumber.contains(key) ? text : JSONText.text(text))")
        }
        for (key, names) in object.relationships.sorted(by: { $0.key < $1.key }) {
          bytes.write(
            ",\(JSONText.text(key)):[\(names.map { JSONText.text($0) }.joined(separator: ","))]")
        }
        bytes.write("}\n")
        try bytes.endRow()
        bar.advance()
      }
    }
  }

  /// Whole numbers alone: others would lose digits in the hands of some readers.
  private static func numbers(of entity: NSEntityDescription) -> Set<String> {
    let types: [NSAttributeType] = [
      .integer16AttributeType, .integer32AttributeType, .integer64AttributeType,
    ]
    return Set(
      entity.attributesByName.values.filter { types.contains($0.attributeType) }.map(\.name))
  }

  // MARK: - CSV

  private func writeCSV(to folder: URL) throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for entity in pages.entities {
      let columns = Self.columns(of: entity)
      try writeFile(folder.appendingPathComponent("\(entity.name ?? "").csv")) { bytes in
        bytes.write((["id"] + columns).map(CSVText.field).joined(separator: ",") + "\r\n")
        try pages.forEach(of: entity) { object in
          let fields = columns.map { key in
            (object.attributes[key] ?? object.relationships[key]?.joined(separator: " ")).map(
              CSVText.field) ?? ""
          }
          bytes.write(([object.id] + fields).joined(separator: ",") + "\r\n")
          try bytes.endRow()
          bar.advance()
        }
      }
    }
  }

  private static func columns(of entity: NSEntityDescription) -> [String] {
    entity.properties.sorted { $0.name < $1.name }.flatMap { property -> [String] in
      if property.isTransient || property is NSFetchedPropertyDescription
        || property is NSDerivedAttributeDescription
      {
        return []
      }
      guard let composite = property as? NSCompositeAttributeDescription else {
        return [property.name]
      }
      return elements(of: composite, composite.name)
    }
  }

  private static func elements(of composite: NSCompositeAttributeDescription, _ path: String)
    -> [String]
  {
    composite.elements.flatMap { element in
      (element as? NSCompositeAttributeDescription).map { elements(of: $0, "\(path).\($0.name)") }
        ?? ["\(path).\(element.name)"]
    }
  }

  // MARK: - SQL

  private func writeSQL(_ bytes: ByteWriter) throws {
    bytes.write("BEGIN;\n")
    for entity in pages.entities {
      let name = entity.name ?? ""
      let many = entity.relationshipsByName.values.filter { $0.isToMany && !$0.isTransient }
        .sorted { $0.name < $1.name }
      let columns = Self.columns(of: entity).filter { key in !many.contains { $0.name == key } }
      let declared = columns.map { "\(StoreInspector.quoted($0)) \(Self.type(of: $0, entity))" }
      bytes.write(
        "CREATE TABLE \(StoreInspector.quoted(name)) (\((["id TEXT PRIMARY KEY"] + declared).joined(separator: ", ")));\n"
      )
      for relationship in many {
        bytes.write(
          "CREATE TABLE \(StoreInspector.quoted("\(name)_\(relationship.name)")) (id TEXT, member TEXT, position INTEGER);\n"
        )
      }
      try pages.forEach(of: entity) { object in
        let values = columns.map {
          Self.literal(object.attributes[$0] ?? object.relationships[$0]?.first)
        }
        bytes.write(
          "INSERT INTO \(StoreInspector.quoted(name)) VALUES (\(([Self.literal(object.id)] + values).joined(separator: ", ")));\n"
        )
        for relationship in many {
          for (position, member) in (object.relationships[relationship.name] ?? []).enumerated() {
            bytes.write(
              "INSERT INTO \(StoreInspector.quoted("\(name)_\(relationship.name)")) VALUES "
                + "(\(Self.literal(object.id)), \(Self.literal(member)), \(position));\n")
          }
        }
        try bytes.endRow()
        bar.advance()
      }
    }
    bytes.write("COMMIT;\n")
  }

  private static func type(of key: String, _ entity: NSEntityDescription) -> String {
    switch entity.attributesByName[key]?.attributeType {
    case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType,
      .booleanAttributeType:
      "INTEGER"
    case .doubleAttributeType, .floatAttributeType: "REAL"
    case .decimalAttributeType: "NUMERIC"
    default: "TEXT"
    }
  }

  private static func literal(_ text: String?) -> String {
    text.map { "'\($0.replacing("'", with: "''").replacing("\0", with: ""))'" } ?? "NULL"
  }
}
