import CSQLite
import CoreData
import SwiftData
import Testing

/// The tables that SwiftData's own stores have, letter by letter, and what else is in such a file.
struct SchemaStatementTests {
  private func statements(_ types: any PersistentModel.Type...) throws -> Set<String> {
    try LibraryStore.withFile { url in
      let schema = Schema(types)
      _ = try ModelContainer(
        for: schema, configurations: ModelConfiguration(schema: schema, url: url))
      return try Set(rows("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL", url))
    }
  }

  private func rows(_ query: String, _ url: URL) throws -> [String] {
    var database: OpaquePointer?
    defer { sqlite3_close(database) }
    try #require(sqlite3_open(url.path, &database) == SQLITE_OK)
    var statement: OpaquePointer?
    defer { sqlite3_finalize(statement) }
    try #require(sqlite3_prepare_v2(database, query, -1, &statement, nil) == SQLITE_OK)
    var rows: [String] = []
    while sqlite3_step(statement) == SQLITE_ROW {
      rows.append(String(cString: sqlite3_column_text(statement, 0)))
    }
    return rows
  }

  @Test func plainAttributes() throws {
    let found = try statements(Item.self, Name.self)
    for statement in [
      "CREATE TABLE ZITEM ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZTIMESTAMP TIMESTAMP )",
      "CREATE TABLE ZNAME ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZCOUNT INTEGER, ZDOB TIMESTAMP, ZENDDATE TIMESTAMP, "
        + "ZSTARTDATE TIMESTAMP, ZDBSOURCE VARCHAR, ZDBID VARCHAR, ZFIRSTNAME VARCHAR, ZGENDER VARCHAR, ZLASTNAME VARCHAR )",
    ] {
      #expect(
        found.contains(statement),
        "\(statement)\nis none of\n\(found.sorted().joined(separator: "\n"))")
    }
  }

  @Test func compositesEnumerationsIndexesAndRelationships() throws {
    let found = try statements(Cocktail.self, Garnish.self, Ingredient.self, IngredientBase.self)
    for statement in [
      "CREATE TABLE ZCOCKTAIL ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZCOLLECTION INTEGER, ZFAVORITE INTEGER, "
        + "ZISCUSTOMCOCKTAIL INTEGER, ZTITLECOCKTAIL INTEGER, ZPERSON VARCHAR, ZPLACE VARCHAR, ZYEAR VARCHAR, ZCOCKTAILNAME VARCHAR, "
        + "ZCOLLECTIONNAME VARCHAR, ZGLASSWARETYPE VARCHAR, ZALGONQUIN VARCHAR, ZALASKA VARCHAR, ZBETWEENTHESHEETS VARCHAR, "
        + "ZBLOODANDSAND VARCHAR, ZBRAMBLE VARCHAR, ZBOBBYBURNS VARCHAR, ZCHOCOLATECOCKTAIL VARCHAR, ZELDIABLO VARCHAR, ZFOGCUTTER VARCHAR, "
        + "ZGINFIZZ VARCHAR, ZGIMLET VARCHAR, ZSILVERFIZZ VARCHAR, ZHOTTODDY VARCHAR, ZMEXICANFIRINGSQUAD VARCHAR, ZMODERNCOCKTAIL VARCHAR, "
        + "ZICE VARCHAR, ZNOTES VARCHAR, ZVARIATION VARCHAR, ZVARIATIONNAME VARCHAR, ZID BLOB, ZID1 BLOB, ZINSTRUCTIONS BLOB, ZFLAVORS BLOB, "
        + "ZPROFILES BLOB, ZSTYLES BLOB, ZBOOZE BLOB, ZNA BLOB )",
      "CREATE TABLE Z_1GARNISH ( Z_1COCKTAILS INTEGER, Z_2GARNISH INTEGER, PRIMARY KEY (Z_1COCKTAILS, Z_2GARNISH) )",
      "CREATE TABLE ZGARNISH ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME VARCHAR )",
      "CREATE TABLE ZINGREDIENT ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZINGREDIENTBASE INTEGER, Z1SPEC INTEGER, "
        + "ZVALUE FLOAT, ZUNIT VARCHAR, ZID BLOB )",
      "CREATE INDEX Z_1GARNISH_Z_2GARNISH_INDEX ON Z_1GARNISH (Z_2GARNISH, Z_1COCKTAILS)",
      "CREATE INDEX Z_Cocktail_SwiftDataIndexOnBinarycocktailName ON ZCOCKTAIL (ZCOCKTAILNAME COLLATE BINARY ASC)",
      "CREATE INDEX Z_Cocktail_SwiftDataIndexOnBinarycocktailNamecollectionName ON ZCOCKTAIL (ZCOCKTAILNAME COLLATE BINARY ASC, "
        + "ZCOLLECTIONNAME COLLATE BINARY ASC)",
      "CREATE UNIQUE INDEX Z_Cocktail_UNIQUE_cocktailName ON ZCOCKTAIL (ZCOCKTAILNAME COLLATE BINARY ASC)",
      "CREATE UNIQUE INDEX Z_Garnish_UNIQUE_name ON ZGARNISH (ZNAME COLLATE BINARY ASC)",
      "CREATE INDEX ZINGREDIENT_ZINGREDIENTBASE_INDEX ON ZINGREDIENT (ZINGREDIENTBASE)",
      "CREATE INDEX ZINGREDIENT_Z1SPEC_INDEX ON ZINGREDIENT (Z1SPEC)",
    ] {
      #expect(
        found.contains(statement),
        "\(statement)\nis none of\n\(found.sorted().joined(separator: "\n"))")
    }
  }

  @Test func settingsAndMetadataOfTheFile() throws {
    try LibraryStore.withFile { url in
      try {
        let container = try LibraryStore.container(at: url)
        let context = ModelContext(container)
        context.author = "Tester"
        context.insert(Book(title: "A"))
        try context.save()
      }()
      #expect(try rows("PRAGMA page_size", url) == ["4096"])
      #expect(try rows("PRAGMA auto_vacuum", url) == ["2"])
      #expect(try rows("PRAGMA user_version", url) == ["0"])
      #expect(try rows("PRAGMA journal_mode", url) == ["wal"])
      #expect(try rows("SELECT Z_OPT FROM ZBOOK", url) == ["1"])
      #expect(try rows("SELECT count(*) FROM ATRANSACTION", url) == ["1"])
      #expect(try rows("SELECT ZNAME FROM ATRANSACTIONSTRING", url).contains("Tester"))
      #expect(
        try rows("SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = 'TRANSACTION'", url) == ["16002"])
      let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
        type: .sqlite, at: url)
      #expect(metadata[NSStoreModelVersionIdentifiersKey] as? [String] == ["1.0.0"])
      #expect(metadata["NSStoreModelVersionHashesVersion"] as? Int == 3)
      #expect(metadata["_NSAutoVacuumLevel"] as? String == "2")
    }
  }

  /// The same file from both sides.
  @MainActor @Test func coreDataAndSwiftDataOpenEachOthersStores() throws {
    try LibraryStore.withFile { url in
      let types: [any PersistentModel.Type] = [Author.self, Book.self, Shelf.self]
      let model = try #require(NSManagedObjectModel.makeManagedObjectModel(for: types))
      func container() throws -> NSPersistentContainer {
        let container = NSPersistentContainer(name: "Library", managedObjectModel: model)
        let description = NSPersistentStoreDescription(url: url)
        description.setOption(true as NSNumber, forKey: NSPersistentHistoryTrackingKey)
        description.shouldMigrateStoreAutomatically = false
        container.persistentStoreDescriptions = [description]
        var failure: (any Error)?
        container.loadPersistentStores { failure = $1 }
        if let failure { throw failure }
        return container
      }
      try {
        let context = try container().viewContext
        let author = NSEntityDescription.insertNewObject(forEntityName: "Author", into: context)
        author.setValue("Austen", forKey: "name")
        let book = NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
        book.setValue("Emma", forKey: "title")
        book.setValue(author, forKey: "author")
        book.setValue(["genre": "drama"], forKey: "genre")
        book.setValue(["lost": "lost"], forKey: "state")
        book.setValue(["width": 1.0, "height": 2.0, "unit": "m"], forKey: "size")
        for key in ["added", "identifier", "tags", "notes", "counts"]
        where book.value(forKey: key) == nil {
          book.setValue(
            [
              "added": Date(), "identifier": UUID(), "tags": ["x"], "notes": Data("[]".utf8),
              "counts": Data("{}".utf8),
            ][key], forKey: key)
        }
        try context.save()
      }()
      try {
        let context = ModelContext(try LibraryStore.container(at: url))
        let book = try #require(try context.fetch(FetchDescriptor<Book>()).first)
        #expect(book.title == "Emma" && book.author?.name == "Austen" && book.genre == .drama)
        #expect(book.state == .lost && book.size == Size(width: 1, height: 2, unit: "m"))
        book.tags = ["one", "two"]
        book.state = .sold
        context.insert(Shelf(label: "S", books: [book]))
        try context.save()
      }()
      let context = try container().viewContext
      let book = try #require(
        try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Book")).first)
      #expect(book.value(forKey: "tags") as? [String] == ["one", "two"])
      #expect(book.value(forKey: "state") as? [String: String] == ["sold": "sold"])
      #expect((book.value(forKey: "shelves") as? NSSet)?.count == 1)
    }
  }
}
