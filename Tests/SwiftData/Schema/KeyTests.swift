import CSQLite
import Foundation
import SwiftData
import Testing

/// What `#Unique`, `@Attribute(.unique)` and `#Index` may name: each kind of property, in both kinds of stores.
struct KeyTests {
  private static let classes: [any Keyed.Type] = [
    ByColumns.self, ByRank.self, ByGrade.self, ByMember.self, ByInherited.self,
  ]

  @Test(arguments: classes.indices, [false, true])
  func whatIsUniqueIsThereOnce(index: Int, isCustom: Bool) throws {
    try LibraryStore.withFile { url in try checkUnique(Self.classes[index], isCustom, url) }
  }

  private func checkUnique<M: Keyed>(_ type: M.Type, _ isCustom: Bool, _ url: URL) throws {
    let schema = Schema([type])
    let container =
      isCustom
      ? try ModelContainer(
        for: schema,
        configurations: [JSONStoreConfiguration(name: "keyed", schema: schema, url: url)])
      : try ModelContainer(for: schema, configurations: [ModelConfiguration(url: url)])
    let context = ModelContext(container)
    for number in 0..<3 { context.insert(M(number, "old")) }
    try context.save()
    let other = ModelContext(container)
    other.insert(M(1, "new"))
    try other.save()
    let notes = try ModelContext(container).fetch(FetchDescriptor<M>()).map(\.note)
    #expect(notes.sorted() == ["new", "old", "old"], "\(type)")
    #expect(try context.fetch(FetchDescriptor<M>()).map(\.note).sorted() == notes.sorted())
  }

  @Test func indexesNameTheColumns() throws {
    let made = try LibraryStore.withFile { url in
      let schema = Schema(Self.classes)
      _ = try ModelContainer(for: schema, configurations: [ModelConfiguration(url: url)])
      return try indexes(url)
    }
    let expected = [
      "CREATE INDEX Z_ByColumns_SwiftDataIndexOnBinaryname ON ZBYCOLUMNS (ZNAME COLLATE BINARY ASC)",
      "CREATE INDEX Z_ByColumns_SwiftDataIndexOnBinarynumbername ON ZBYCOLUMNS (ZNUMBER COLLATE BINARY ASC, ZNAME COLLATE BINARY ASC)",
      "CREATE UNIQUE INDEX Z_ByColumns_UNIQUE_name_number ON ZBYCOLUMNS (ZNAME COLLATE BINARY ASC, ZNUMBER COLLATE BINARY ASC)",
      "CREATE INDEX Z_ByRank_SwiftDataIndexOnBinaryrank ON ZBYRANK (ZRANK COLLATE BINARY ASC)",
      "CREATE INDEX Z_ByRank_SwiftDataIndexOnBinaryranknote ON ZBYRANK (ZRANK COLLATE BINARY ASC, ZNOTE COLLATE BINARY ASC)",
      "CREATE INDEX Z_ByGrade_SwiftDataIndexOnBinarygrade ON ZBYGRADE (ZGRADE COLLATE BINARY ASC)",
      "CREATE INDEX Z_ByMember_SwiftDataIndexOnBinarymood ON ZBYMEMBER (ZCALM COLLATE BINARY ASC, ZWILD COLLATE BINARY ASC)",
      "CREATE INDEX Z_ByMember_SwiftDataIndexOnBinaryden ON ZBYMEMBER (ZX COLLATE BINARY ASC, ZLABEL COLLATE BINARY ASC)",
      "CREATE INDEX Z_ByInherited_SwiftDataIndexOnBinarynamestripes ON ZCREATURE (ZNAME COLLATE BINARY ASC, ZSTRIPES COLLATE BINARY ASC)",
      "CREATE INDEX Z_ByInherited_SwiftDataIndexOnBinaryrank ON ZCREATURE (ZRANK COLLATE BINARY ASC)",
      "CREATE UNIQUE INDEX Z_ByInherited_UNIQUE_name_stripes ON ZCREATURE (ZNAME COLLATE BINARY ASC, ZSTRIPES COLLATE BINARY ASC)",
    ]
    let all = made.sorted().joined(separator: "\n")
    for statement in expected {
      #expect(made.contains(statement), "\(statement)\nis none of\n\(all)")
    }
    // By the columns alone: a name with a dot is quoted.
    for (kind, columns) in [
      ("INDEX", "(ZX COLLATE BINARY ASC)"),
      ("UNIQUE INDEX", "(ZX COLLATE BINARY ASC, ZNAME COLLATE BINARY ASC)"),
    ] {
      #expect(
        made.contains {
          $0.hasPrefix("CREATE \(kind)") && $0.hasSuffix("ON ZBYMEMBER \(columns)")
        }, "\(kind) \(columns) is none of\n\(all)")
    }
  }

  private func indexes(_ url: URL) throws -> [String] {
    var database: OpaquePointer?
    defer { sqlite3_close(database) }
    try #require(sqlite3_open(url.path, &database) == SQLITE_OK)
    var statement: OpaquePointer?
    defer { sqlite3_finalize(statement) }
    let query = "SELECT sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL"
    try #require(sqlite3_prepare_v2(database, query, -1, &statement, nil) == SQLITE_OK)
    var found: [String] = []
    while sqlite3_step(statement) == SQLITE_ROW {
      found.append(String(cString: sqlite3_column_text(statement, 0)))
    }
    return found
  }

  @Test func whatNoStoreCouldKeepToIsRefusedByName() throws {
    let refused: [(type: any PersistentModel.Type, name: String)] = [
      (UniqueByCases.self, "UniqueByCases.mood"), (UniqueByStructure.self, "UniqueByStructure.den"),
      (UniqueByComputed.self, "UniqueByComputed"), (IndexedByRelated.self, "IndexedByRelated"),
    ]
    for (type, name) in refused {
      let error = #expect(throws: SwiftDataError.self) {
        try ModelContainer(
          for: Schema([type]), configurations: [ModelConfiguration(isStoredInMemoryOnly: true)])
      }
      #expect(error == .unsupportedKeyPath && error?.localizedDescription.contains(name) == true)
    }
  }
}
