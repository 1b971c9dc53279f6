import CoreData

/// Reads objects from files; see ``ExchangeFormat`` and ``ExchangeName``.
///
/// Files of earlier versions, and files written by hand, may use `entity` and `id` instead of
/// `$entity` and `$id` if the entity has no property of these names.
struct ObjectReader {
  let store: OpenedStore

  /// Reads JSON lines: `$entity`, `$id` and attributes; relationships are arrays of identifiers.
  func lines(_ file: URL) throws -> [ExchangedObject] {
    let lines = try Data(contentsOf: file).split(separator: UInt8(ascii: "\n"))
    return try lines.enumerated().map { number, line in
      let place = "\(file.path), line \(number + 1)"
      // The thrown error contains the number of the line.
      guard let value = try? JSONSerialization.jsonObject(with: Data(line)) as? [String: Any],
        let entity = (value[ExchangeName.entity] ?? value[ExchangeName.formerEntity]) as? String
      else {
        throw ToolError(
          .badData, description: "\(place): expected a JSON object with “\(ExchangeName.entity)”.")
      }
      var own = Set([ExchangeName.entity, ExchangeName.id, ExchangeName.missing])
      if value[ExchangeName.entity] == nil {
        let former = [ExchangeName.formerEntity, ExchangeName.formerID].filter {
          value[$0] != nil
        }
        try check(former, of: entity, place: place)
        own.formUnion(former)
      }
      let id =
        value[ExchangeName.id]
        ?? (own.contains(ExchangeName.formerID) ? value[ExchangeName.formerID] : nil)
      var object = ExchangedObject(entity: entity, id: id as? String ?? "")
      for (key, value) in value where !own.contains(key) {
        if value is NSNull {
          object.cleared = (object.cleared ?? []) + [key]
        } else if let names = value as? [String] {
          object.relationships[key] = names
        } else {
          object.attributes[key] = CellText.text(of: value)
        }
      }
      return object
    }
  }

  /// Throws if the entity has a property with one of these old names.
  private func check(_ names: [String], of entity: String, place: String) throws {
    let properties = store.model.entitiesByName[entity]?.propertiesByName ?? [:]
    guard let name = names.first(where: { properties[$0] != nil }) else { return }
    throw ToolError(
      .badData,
      description:
        "\(place): “\(name)” may be the property of \(entity) or what the object is called. Say “$\(name)” for what it "
        + "is called; \(ExchangeName.entity) and \(ExchangeName.id) are what “coredata export” writes."
    )
  }

  /// Reads a folder of CSV files, one for each entity, with a column `$id`.
  func folder(_ folder: URL) throws -> [ExchangedObject] {
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter {
      $0.hasSuffix(".csv")
    }
    guard !names.isEmpty else {
      throw ToolError(.badData, description: "There is no .csv in \(folder.path).")
    }
    return try names.sorted().flatMap { try self.file(folder.appendingPathComponent($0)) }
  }

  private func file(_ file: URL) throws -> [ExchangedObject] {
    let records = CSVText.records(try String(contentsOf: file, encoding: .utf8))
    guard let columns = records.first?.compactMap({ $0 }) else { return [] }
    let entity = file.deletingPathExtension().lastPathComponent
    let isFormer = !columns.contains(ExchangeName.id)
    if isFormer, columns.contains(ExchangeName.formerID) {
      try check([ExchangeName.formerID], of: entity, place: file.path)
    }
    let id = isFormer ? ExchangeName.formerID : ExchangeName.id
    return try records.dropFirst().enumerated().map { number, record in
      guard record.count == columns.count else {
        throw ToolError(
          .badData,
          description:
            "\(file.path), record \(number + 2): expected \(columns.count) fields, found \(record.count)."
        )
      }
      let values = Dictionary(zip(columns, record), uniquingKeysWith: { first, _ in first })
      var object = ExchangedObject(entity: entity, id: (values[id] ?? nil) ?? "")
      for case let (key, text?) in values where key != id && key != ExchangeName.missing {
        object.attributes[key] = text
      }
      if !isFormer {
        object.cleared = values.filter { $0.value == nil && $0.key != ExchangeName.missing }.map(
          \.key)
      }
      return object
    }
  }
}
