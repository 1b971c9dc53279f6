import CoreData
import PostgreSQLServer
import Testing

@testable import PostgreSQLStore

/// Connections that are cut, answers that are lost, and what must not be done twice.
@Suite(.enabled(if: PostgreSQLServer.isAvailable)) struct FailureTests {
  @Test func readsAndSavesGoOnAfterTheirConnectionsWereCut() throws {
    let stack = try ServerStack()
    try stack.add("first")
    let contents = try stack.contents
    // What the pool keeps is ended by the server, as after its restart.
    let pids = try contents.pool.with { connection in
      try connection.query("SELECT pg_backend_pid()").integer(0, column: 0)
    }
    try stack.connection().query(
      "SELECT pg_terminate_backend($1::integer)", parameters: [.integer(pids)])
    #expect(try stack.titles() == ["first"])
    try stack.connection().query(
      "SELECT pg_terminate_backend($1::integer)",
      parameters: [
        .integer(
          try contents.pool.with { try $0.query("SELECT pg_backend_pid()").integer(0, column: 0) })
      ])
    try stack.add("second")
    #expect(try stack.titles() == ["first", "second"])
  }

  @Test func aSaveThatWasUndoneForOthersIsDoneAgain() throws {
    let stack = try ServerStack()
    try stack.add("a")
    let contents = try stack.contents
    var attempts = 0
    try contents.write([.init(sql: "SELECT 1", parameters: [])]) { _ in
      attempts += 1
      if attempts < 3 {
        throw PostgreSQLError(state: "40001", message: "tried", isConnectionLost: false)
      }
    }
    #expect(attempts == 3)
  }

  @Test func whatTheServerCommittedIsNotDoneTwiceWhenTheAnswerIsLost() throws {
    let stack = try ServerStack()
    let contents = try stack.contents
    var attempts = 0
    let table = "\"Book\" (_key, _version, _entity, title)"
    try contents.write([
      .init(sql: "INSERT INTO \(table) VALUES (5000, 1, 1, 'once')", parameters: [])
    ]) { _ in
      attempts += 1
    } commit: { connection in
      // The server does what it is asked to, and the answer never comes.
      try connection.execute("COMMIT")
      throw PostgreSQLError(state: "", message: "cut", isConnectionLost: true)
    }
    #expect(attempts == 1)
    #expect(try stack.titles() == ["once"])
  }

  @Test func whatTheServerDidNotCommitIsDoneAgainWhenTheAnswerIsLost() throws {
    let stack = try ServerStack()
    let contents = try stack.contents
    var attempts = 0
    let table = "\"Book\" (_key, _version, _entity, title)"
    try contents.write([
      .init(sql: "INSERT INTO \(table) VALUES (5000, 1, 1, 'once')", parameters: [])
    ]) { _ in
      attempts += 1
    } commit: { connection in
      if attempts > 1 { return try connection.execute("COMMIT") }
      try connection.execute("ROLLBACK")
      throw PostgreSQLError(state: "", message: "cut", isConnectionLost: true)
    }
    #expect(attempts == 2)
    #expect(try stack.titles() == ["once"])
  }

  @Test func aReadOnlySessionRefusesSavesWithAClearError() throws {
    let stack = try ServerStack()
    try stack.add("a")
    let readOnly = try #require(
      URL(string: stack.url.absoluteString + "%20-cdefault_transaction_read_only%3Don"))
    let coordinator = try ServerStack.open(readOnly)
    let context = stack.context(coordinator)
    context.performAndWait {
      let book = NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
      book.setValue("b", forKey: "title")
      let error = #expect(throws: NSError.self) { try context.save() }
      #expect(error?.localizedFailureReason?.contains("read-only") == true)
    }
    #expect(try stack.titles() == ["a"])
  }

  @Test func hostileTextsAreTextsAndNULIsRefusedWithItsAttribute() throws {
    let stack = try ServerStack()
    let titles = ["'; DROP TABLE \"Book\"; --", "\\", "\"", "$1", "{\"a\",NULL}", "%_", "𝄞é", ""]
    for title in titles { try stack.add(title) }
    #expect(try Set(stack.titles()) == Set(titles))
    for title in titles {
      #expect(try stack.count("title == %@", title) == 1)
      #expect(try stack.count("title IN %@", [title] + (1...40).map { "no \($0)" }) == 1)
    }
    let error = #expect(throws: NSError.self) { try stack.add("a\0b") }
    #expect(error?.localizedFailureReason?.contains("U+0000") == true)
    #expect(error?.localizedFailureReason?.contains("title") == true)
  }

  @Test func conflictsOfTwoSaversAreToldAndNothingIsLost() throws {
    let stack = try ServerStack()
    try stack.add("a")
    let contexts = [stack.context(), stack.context(try ServerStack.open(stack.url))]
    let books = try contexts.map { context in
      try context.performAndWait {
        try #require(
          try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Book")).first)
      }
    }
    for (number, book) in books.enumerated() {
      contexts[number].performAndWait { book.setValue(Int64(number + 1), forKey: "pages") }
    }
    try contexts[0].performAndWait { try contexts[0].save() }
    let error = contexts[1].performAndWait {
      #expect(throws: NSError.self) { try contexts[1].save() }
    }
    #expect(error?.code == NSManagedObjectMergeError)
    try contexts[1].performAndWait {
      contexts[1].mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
      try contexts[1].save()
    }
    let result = try stack.connection().query("SELECT pages, _version FROM \"Book\"")
    #expect(result.integer(0, column: 0) == 2)
    #expect(result.integer(0, column: 1) == 3)
  }

  @Test func twoThatTakeOneUniqueValueAreToldOfTheConstraint() throws {
    let stack = try ServerStack()
    try stack.add("a")
    let error = #expect(throws: NSError.self) { try stack.add("a") }
    #expect(error?.code == NSManagedObjectConstraintMergeError)
    #expect(try stack.titles() == ["a"])
  }
}
