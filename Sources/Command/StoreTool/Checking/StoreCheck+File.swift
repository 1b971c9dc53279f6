import CoreData
import ModelDocuments

// Checks of the file, its metadata, and the entity numbers.
extension StoreCheck {
  mutating func checkFile() throws {
    for row in try inspector.rows("PRAGMA integrity_check(20)") {
      guard let text = row[0] as? String, text != "ok" else { continue }
      note(
        .file, place: "database", problem: "SQLite finds: \(text)",
        repair: "makes the indexes anew", statements: ["REINDEX"])
    }
    if let encoding = try inspector.rows("PRAGMA encoding").first?.first as? String,
      encoding != "UTF-8"
    {
      note(.file, place: "database", problem: "the encoding is \(encoding), expected UTF-8")
    }
    for name in ["user_version", "application_id"] {
      let value = try inspector.integer("PRAGMA \(name)") ?? 0
      if value != 0 {
        note(
          .file, place: "database", problem: "\(name) is \(value), expected 0",
          repair: "sets it to 0",
          statements: ["PRAGMA \(name) = 0"])
      }
    }
    let tables = try inspector.rows(
      "SELECT name, sql FROM sqlite_master WHERE type = 'table' AND name LIKE 'Z%' AND sql IS NOT NULL"
    )
    for table in tables {
      for clause in TableStatement(table[1] as? String ?? "").foreignClauses {
        note(
          .schema, place: table[0] as? String ?? "",
          problem: "has \(clause), which no table of Core Data has")
      }
    }
  }

  mutating func checkMetadata() throws {
    let rows = try inspector.rows("SELECT Z_VERSION, Z_UUID FROM Z_METADATA")
    if rows.count != 1 {
      note(.metadata, place: "Z_METADATA", problem: "has \(rows.count) rows, expected 1")
    }
    if let version = rows.first?[0] as? Int64, version != 1 {
      note(.metadata, place: "Z_METADATA", problem: "Z_VERSION is \(version), expected 1")
    }
    let text = rows.first?[1] as? String ?? ""
    if UUID(uuidString: text)?.uuidString != text {
      note(.metadata, place: "Z_METADATA", problem: "Z_UUID is no UUID in capitals")
    }
    let metadata = store.metadata
    if metadata[NSStoreTypeKey] as? String != NSSQLiteStoreType {
      note(.metadata, place: "Z_METADATA", problem: "NSStoreType is not \(NSSQLiteStoreType)")
    }
    checkHashes(metadata)
    if try !inspector.rows("SELECT 1 FROM sqlite_master WHERE name = 'Z_MODELCACHE'").isEmpty {
      let count = try inspector.integer("SELECT COUNT(*) FROM Z_MODELCACHE") ?? 0
      if count != 1 {
        note(.metadata, place: "Z_MODELCACHE", problem: "has \(count) rows, expected 1")
      }
    }
    for warning in store.warnings
    where store.origin == .guessed && warning.hasPrefix("The model that") {
      note(.metadata, place: "Z_MODELCACHE", problem: warning)
    }
    if metadata["_NSAutoVacuumLevel"] as? String == "2",
      try inspector.integer("PRAGMA auto_vacuum") != 2
    {
      note(
        .metadata, place: "Z_METADATA",
        problem: "_NSAutoVacuumLevel is 2, but the file is not made for incremental vacuum")
    }
  }

  private mutating func checkHashes(_ metadata: [String: Any]) {
    guard let hashes = metadata[NSStoreModelVersionHashesKey] as? [String: Data] else {
      return note(.metadata, place: "Z_METADATA", problem: "there are no version hashes")
    }
    if let version = metadata["NSStoreModelVersionHashesVersion"] as? NSNumber, version != 3 {
      note(
        .metadata, place: "Z_METADATA",
        problem: "NSStoreModelVersionHashesVersion is \(version), expected 3")
    }
    let digests = [
      ("NSStoreModelVersionHashesDigest", VersionHash.digest(of: hashes)),
      (NSPersistentStoreModelVersionChecksumKey, VersionHash.checksum(of: hashes)),
    ]
    for (key, expected) in digests {
      if let found = metadata[key] as? String, found != expected {
        note(.metadata, place: "Z_METADATA", problem: "\(key) is not that of the hashes")
      }
    }
    guard store.origin != .guessed else { return }
    for entity in store.model.entities {
      let name = entity.name ?? ""
      let isKnown = !entity.properties.contains { $0 is NSDerivedAttributeDescription }
      if hashes[name] == nil {
        note(.metadata, place: "Z_METADATA", problem: "there is no version hash of \(name)")
      } else if isKnown, hashes[name] != entity.versionHash {
        note(
          .metadata, place: "Z_METADATA",
          problem: "the version hash of \(name) is not that of the model")
      }
    }
  }

  mutating func checkNumbers() throws {
    let rows = try inspector.rows("SELECT Z_ENT, Z_NAME, Z_SUPER, Z_MAX FROM Z_PRIMARYKEY")
    let known = Dictionary(
      mapping.allEntities.map { ($0.entityNumber, $0) }, uniquingKeysWith: { first, _ in first })
    for row in rows {
      let number = Int(row[0] as? Int64 ?? 0)
      let name = row[1] as? String ?? "?"
      let last = row[3] as? Int64 ?? 0
      if let table = Self.historyTables[number] {
        try checkLastKey(table, name: name, number: number, last: last)
      } else if let entity = known[number] {
        try checkNumber(entity, parent: Int(row[2] as? Int64 ?? 0), last: last)
      } else {
        note(
          .numbers, place: "Z_PRIMARYKEY",
          problem: "the entity \(number), \(name), is not in the model")
      }
    }
  }

  private static let historyTables = [
    16001: "ACHANGE", 16002: "ATRANSACTION", 16003: "ATRANSACTIONSTRING",
  ]

  private mutating func checkNumber(
    _ entity: EntityMapping, parent: Int, last: Int64
  ) throws {
    let name = entity.layout.entity.name ?? ""
    let expected =
      entity.layout.entity.superentity.flatMap { mapping[$0.layout]?.entityNumber } ?? 0
    if parent != expected, store.origin != .guessed {
      note(
        .numbers, place: "Z_PRIMARYKEY",
        problem: "Z_SUPER of \(name) is \(parent), expected \(expected)",
        repair: "sets it",
        statements: [
          "UPDATE Z_PRIMARYKEY SET Z_SUPER = \(expected) WHERE Z_ENT = \(entity.entityNumber)"
        ])
    }
    if entity.entityNumber == entity.rootEntityNumber {
      try checkLastKey(entity.table, name: name, number: entity.entityNumber, last: last)
    } else if last != 0 {
      note(
        .keys, place: "Z_PRIMARYKEY",
        problem: "Z_MAX of \(name) is \(last), expected 0: the root of the hierarchy counts",
        repair: "sets it to 0",
        statements: ["UPDATE Z_PRIMARYKEY SET Z_MAX = 0 WHERE Z_ENT = \(entity.entityNumber)"])
    }
  }

  private mutating func checkLastKey(
    _ table: String, name: String, number: Int, last: Int64
  ) throws {
    guard
      try !inspector.rows(
        "SELECT 1 FROM sqlite_master WHERE upper(name) = upper(?)", values: [.text(table)]
      ).isEmpty
    else { return }
    let highest =
      try inspector.integer("SELECT MAX(Z_PK) FROM \(StoreInspector.quoted(table))") ?? 0
    guard last < highest else { return }
    note(
      .keys, place: "Z_PRIMARYKEY",
      problem:
        "Z_MAX of \(name) is \(last), but \(table) has the key \(highest): the next new objects would get keys that are taken",
      repair: "sets it to \(highest)",
      statements: ["UPDATE Z_PRIMARYKEY SET Z_MAX = \(highest) WHERE Z_ENT = \(number)"])
  }
}
