import CoreData
import CoreDataSupport
import PostgreSQLServer
import Testing
import TestSupport

@testable import PostgreSQLStore

/// Sessions with settings that an administrator may have made for a user, a database or a server.
@Suite(.enabled(if: PostgreSQLServer.isAvailable)) struct SettingsTests {
  @Test(arguments: [
    "DateStyle=SQL,DMY", "DateStyle=Postgres", "TimeZone=Pacific/Chatham", "IntervalStyle=iso_8601",
    "bytea_output=escape", "extra_float_digits=-15", "transform_null_equals=on",
    "standard_conforming_strings=off", "default_transaction_isolation=serializable",
    "default_transaction_deferrable=on", "array_nulls=off", "quote_all_identifiers=on",
    "enable_indexscan=off", "plan_cache_mode=force_generic_plan", "work_mem=64kB",
    "client_encoding=LATIN1", "lc_numeric=C", "row_security=off", "jit=off",
    "default_with_oids=off",
  ])
  func objectsAreTheSame(setting: String) throws {
    // A setting that this server does not have says nothing of the store.
    let escaped =
      "-c\(setting.replacing(" ", with: "\\ "))"
      .addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    let text =
      try PostgreSQLServer.url(schema: TestName.make("settings")).absoluteString + "%20" + escaped
    let url = try #require(URL(string: text))
    if setting.hasPrefix("default_with_oids"),
      (try? PostgreSQLConnection(ServerAddress(url), timeout: nil)) == nil
    {
      return
    }
    func contents(_ type: NSPersistentStore.StoreType, _ url: URL) throws -> [String] {
      let coordinator = NSPersistentStoreCoordinator(managedObjectModel: ShelfModel.make())
      try coordinator.addPersistentStore(
        type: type, at: url, options: [NSPersistentHistoryTrackingKey: true])
      let context = coordinator.makeContext()
      return try context.performAndWait { () throws in
        try ShelfModel.fill(context, shelves: 7, "it's \\n \"é\"")
        var found: [String] = []
        for format in [
          "title == nil", "title != nil", "price == 12345.25", "date < %@", "date IN %@",
          "number == %@", "title CONTAINS 's \\\\'", "weight > 0.3", "isRead == YES",
          "ANY tags.name BEGINSWITH 'tag'", "title IN {'a', 'it\\'s \\\\n \"é\" 1.0', NULL}",
          "link == %@",
        ] {
          let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
          let date = Date(timeIntervalSinceReferenceDate: 3.25)
          let argument: Any =
            switch format.prefix(6) {
            case "date I": (0..<20).map { Date(timeIntervalSinceReferenceDate: Double($0) + 0.25) }
            case "date <": date
            case "number": UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F") as Any
            default: URL(string: "https://a.example/3") as Any
            }
          request.predicate = NSPredicate(
            format: format, argumentArray: format.contains("%@") ? [argument] : nil)
          request.sortDescriptors = [
            NSSortDescriptor(key: "date", ascending: true),
            NSSortDescriptor(key: "title", ascending: false),
          ]
          let titles = try context.fetch(request).map {
            "\($0.value(forKey: "title") ?? "") \($0.value(forKey: "price") ?? "") "
              + "\(($0.value(forKey: "date") as? Date)?.timeIntervalSinceReferenceDate ?? 0) "
              + "\(($0.value(forKey: "cover") as? Data)?.count ?? 0)"
          }
          found.append("\(format): \(titles)")
        }
        return found
      }
    }
    let folder = try TestFolder()
    let file = try contents(.sqlite, folder.file("a.sqlite"))
    #expect(try contents(.postgreSQL, url) == file)
  }

  /// The same store in sessions with a setting.
  private func open(
    _ stack: ServerStack, _ setting: String
  ) throws -> NSPersistentStoreCoordinator {
    try ServerStack.open(#require(URL(string: "\(stack.url.absoluteString)%20-c\(setting)")))
  }

  /// A fetch that takes longer than the server allows is an error that says so, and the connection serves the next.
  @Test func aStatementThatTakesTooLongIsAnErrorWithAdvice() throws {
    let stack = try ServerStack()
    try stack.add("a")
    // Enough for what nobody blocks.
    let limit = Patience.stretched(.seconds(1)).components.seconds * 1000
    let limited = try open(stack, "statement_timeout%3D\(limit)")
    let blocker = try stack.connection()
    try blocker.execute("BEGIN; LOCK TABLE \"Book\" IN ACCESS EXCLUSIVE MODE")
    let context = stack.context(limited)
    for isSave in [false, true] {
      context.performAndWait {
        let error = #expect(throws: NSError.self) {
          guard isSave else {
            return _ = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Book"))
          }
          let book = NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
          book.setValue("b", forKey: "title")
          try context.save()
        }
        let reason = error?.localizedFailureReason ?? ""
        #expect(reason.contains("57014") && reason.contains("statement_timeout"), "\(reason)")
      }
    }
    try blocker.execute("ROLLBACK")
    #expect(try stack.titles() == ["a"])
    try context.performAndWait { try context.save() }
    #expect(try stack.titles() == ["a", "b"])
  }

  /// The same of a lock that is not given in time.
  @Test func aLockThatIsNotGivenIsAnErrorWithAdvice() throws {
    let stack = try ServerStack()
    try stack.add("a")
    let context = stack.context(try open(stack, "lock_timeout%3D300"))
    let books = try context.performAndWait { () throws in
      try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Book"))
    }
    let blocker = try stack.connection()
    try blocker.execute("BEGIN; SELECT * FROM \"Book\" FOR UPDATE")
    context.performAndWait {
      books[0].setValue(7, forKey: "pages")
      let error = #expect(throws: NSError.self) { try context.save() }
      #expect(error?.localizedFailureReason?.contains("lock_timeout") == true, "\(error as Any)")
    }
    try blocker.execute("ROLLBACK")
    try context.performAndWait { try context.save() }
  }

  /// A server that ends idle sessions ends no store.
  @Test func idleSessionsThatWereEndedAreMadeAnew() throws {
    let server = try PostgreSQLConnection(
      ServerAddress(PostgreSQLServer.url(schema: "public")), timeout: nil)
    let name = "idle_\(UUID().uuidString)"
    func sessions() throws -> Int64 {
      try server.query(
        "SELECT count(*) FROM pg_stat_activity WHERE application_name = $1",
        parameters: [.text(name)]
      ).integer(0, column: 0)
    }
    // More than passes between two statements of the same work.
    let limit = Int(300 * Patience.stretch)
    let stack = try ServerStack(settings: "-cidle_session_timeout=\(limit)", name: name)
    func waitUntilEnded() throws {
      try Patience.wait(for: "the end of the sessions") { try sessions() == 0 }
    }
    try stack.add("a")
    try waitUntilEnded()
    #expect(try stack.titles() == ["a"])
    try waitUntilEnded()
    try stack.add("b")
    #expect(try stack.titles() == ["a", "b"])
  }
}
