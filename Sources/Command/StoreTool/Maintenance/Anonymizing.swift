import CoreData

/// Makes a copy of a store without readable texts, data and addresses, for bug reports.
///
/// Letters are replaced by other letters and digits by other digits: lengths, punctuation and empty
/// values stay. Equal texts stay equal, and different texts stay different as far as their length
/// allows. Bytes become zeros. Numbers, dates, UUIDs and relationships stay. The history is
/// removed, and free pages contain nothing of the old texts.
package struct Anonymizing {
  private let inspector: StoreInspector
  private let key = UInt64.random(in: .min ... .max)

  /// Makes the copy, and returns the number of replaced values.
  package static func run(_ request: StoreRequest, to copy: URL) throws -> Int {
    do {
      let format = try StoreFormat(at: request.store)
      guard format == .sqlite || !format.isFile else {
        throw ToolError(
          .usage,
          description:
            "Only stores of SQLite and of servers can be anonymized; “coredata migrate STORE --into Copy.sqlite” makes "
            + "one of SQLite.")
      }
      guard !FileManager.default.fileExists(atPath: copy.path) else {
        throw ToolError(
          .cannotCreate,
          description: "There is a file at \(copy.path) already; name another one, or remove it.")
      }
      try StoreCopying.copy(request.store, format: format, to: copy)
      do {
        return try anonymize(request, copy: copy)
      } catch {
        // An unfinished copy still contains texts.
        for suffix in ["", "-wal", "-shm"] {
          try? FileManager.default.removeItem(atPath: copy.path + suffix)
        }
        throw error
      }
    } catch { throw ToolError(error) }
  }

  private static func anonymize(_ request: StoreRequest, copy: URL) throws -> Int {
    var own = request
    own.store = copy
    let store = try OpenedStore(own)
    guard let mapping = try store.store.sqlMapping else { return 0 }
    let folder = store.store.externalDataFolder
    store.close()
    let anonymizing = Anonymizing(inspector: try StoreInspector(url: copy, isWriting: true))
    _ = try anonymizing.inspector.rows("PRAGMA secure_delete = ON")
    let count = try anonymizing.inspector.transaction {
      try anonymizing.removeHistory()
      return try anonymizing.replaceAll(mapping)
    }
    if let folder { try emptyFiles(in: folder) }
    _ = try anonymizing.inspector.rows("VACUUM")
    _ = try anonymizing.inspector.rows("PRAGMA wal_checkpoint(TRUNCATE)")
    return count
  }

  private init(inspector: StoreInspector) { self.inspector = inspector }

  private func removeHistory() throws {
    for table in ["ACHANGE", "ATRANSACTION", "ATRANSACTIONSTRING"]
    where try !inspector.rows("SELECT 1 FROM sqlite_master WHERE name = ?", values: [.text(table)])
      .isEmpty
    {
      _ = try inspector.rows("DELETE FROM \(table)")
    }
  }

  private func replaceAll(_ mapping: SQLMapping) throws -> Int {
    var count = 0
    var seen: Set<String> = []
    for entity in mapping.allEntities {
      for case let column? in entity.columns
      where seen.insert("\(entity.table).\(column.name)").inserted {
        switch column.kind {
        case .text, .uri: count += try replaceTexts(column.name, in: entity.table)
        case .data, .transformable: count += try replaceData(column.name, in: entity.table)
        default: break
        }
      }
    }
    return count
  }

  private func replaceTexts(_ column: String, in table: String) throws -> Int {
    let (table, column) = (StoreInspector.quoted(table), StoreInspector.quoted(column))
    var replaced: [(Int64, String)] = []
    try inspector.forEachRow(
      "SELECT Z_PK, \(column) FROM \(table) WHERE \(column) IS NOT NULL AND \(column) <> ''"
    ) { row in
      if let key = row[0] as? Int64, let text = row[1] as? String {
        replaced.append((key, scrambled(text)))
      }
      return true
    }
    // Set to NULL first: a unique index compares each new text with old ones.
    for (key, _) in replaced {
      _ = try inspector.rows(
        "UPDATE \(table) SET \(column) = NULL WHERE Z_PK = ?", values: [.integer(key)])
    }
    for (key, text) in replaced {
      _ = try inspector.rows(
        "UPDATE \(table) SET \(column) = ? WHERE Z_PK = ?", values: [.text(text), .integer(key)])
    }
    return replaced.count
  }

  /// Replaces data by zeros. The first byte is kept where it marks external data.
  private func replaceData(_ column: String, in table: String) throws -> Int {
    let (table, column) = (StoreInspector.quoted(table), StoreInspector.quoted(column))
    let condition =
      "\(column) IS NOT NULL AND NOT (length(\(column)) = 38 AND hex(substr(\(column), 1, 1)) = '02')"
    let count = try inspector.integer("SELECT COUNT(*) FROM \(table) WHERE \(condition)") ?? 0
    _ = try inspector.rows(
      "UPDATE \(table) SET \(column) = CAST(CASE hex(substr(\(column), 1, 1)) WHEN '01' THEN x'01' || "
        + "zeroblob(length(\(column)) - 1) ELSE zeroblob(length(\(column))) END AS BLOB) WHERE \(condition)"
    )
    return Int(count)
  }

  private static func emptyFiles(in folder: URL) throws {
    guard FileManager.default.fileExists(atPath: folder.path) else { return }
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path)
    where UUID(uuidString: name) != nil {
      let file = folder.appendingPathComponent(name)
      let size =
        (try FileManager.default.attributesOfItem(atPath: file.path)[.size] as? NSNumber)?.intValue
        ?? 0
      try Data(count: size).write(to: file)
    }
  }

  /// The replacement of a text. Equal texts have equal replacements, by a random key that is not
  /// stored.
  private func scrambled(_ text: String) -> String {
    var state = key
    for byte in text.utf8 { state = (state ^ UInt64(byte)) &* 0x100_0000_01B3 }
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let number = UInt32(truncatingIfNeeded: state >> 33)
      let category = scalar.properties.generalCategory
      switch category {
      case .uppercaseLetter, .titlecaseLetter: result.append(Self.scalar("A", offset: number % 26))
      case .lowercaseLetter, .otherLetter, .modifierLetter:
        result.append(Self.scalar("a", offset: number % 26))
      case .decimalNumber, .otherNumber, .letterNumber:
        result.append(Self.scalar("0", offset: number % 10))
      case .nonspacingMark, .spacingMark, .enclosingMark: continue
      case .otherSymbol: result.append("☆")
      default: result.append(scalar)
      }
    }
    return String(result)
  }

  private static func scalar(_ start: Unicode.Scalar, offset: UInt32) -> Unicode.Scalar {
    Unicode.Scalar(start.value + offset) ?? start
  }
}
