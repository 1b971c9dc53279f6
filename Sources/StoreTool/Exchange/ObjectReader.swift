import CoreData

/// Reads objects from files; see ``ExchangeFormat``.
enum ObjectReader {
  /// JSON lines: `entity`, `id`, attributes; relationships are arrays of ids.
  static func lines(_ file: URL) throws -> [ExchangedObject] {
    let text = try String(contentsOf: file, encoding: .utf8)
    return try text.split(separator: "\n").enumerated().map { number, line in
      // What is wrong with the line is told by its number.
      guard let value = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any],
        let entity = value["entity"] as? String
      else {
        throw ToolError(
          .badData, "\(file.path), line \(number + 1): expected a JSON object with “entity”.")
      }
      var object = ExchangedObject(entity: entity, id: value["id"] as? String ?? "")
      for (key, value) in value where !["entity", "id"].contains(key) && !(value is NSNull) {
        if let names = value as? [String] {
          object.relationships[key] = names
        } else {
          object.attributes[key] = CellText.text(of: value)
        }
      }
      return object
    }
  }

  /// A folder of CSV: a file for each entity, with `id`.
  static func folder(_ folder: URL) throws -> [ExchangedObject] {
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter {
      $0.hasSuffix(".csv")
    }
    guard !names.isEmpty else { throw ToolError(.badData, "There is no .csv in \(folder.path).") }
    return try names.sorted().flatMap { try file(folder.appendingPathComponent($0)) }
  }

  private static func file(_ file: URL) throws -> [ExchangedObject] {
    let records = CSVText.records(try String(contentsOf: file, encoding: .utf8))
    guard let columns = records.first?.compactMap({ $0 }) else { return [] }
    let entity = file.deletingPathExtension().lastPathComponent
    return try records.dropFirst().enumerated().map { number, record in
      guard record.count == columns.count else {
        throw ToolError(
          .badData,
          "\(file.path), record \(number + 2): expected \(columns.count) fields, found \(record.count)."
        )
      }
      let values = Dictionary(zip(columns, record), uniquingKeysWith: { first, _ in first })
      var object = ExchangedObject(entity: entity, id: (values["id"] ?? nil) ?? "")
      for case let (key, text?) in values where key != "id" { object.attributes[key] = text }
      return object
    }
  }
}
