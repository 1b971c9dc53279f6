import Foundation
import Testing

@testable import CoreData
@testable import CoreDataSamples

/// Stores with and without a history, opened with and without the option.
struct HistoryStoreTests {
  /// As sqlite_master of a store has it that Apple's framework made.
  private static let schema = [
    "CREATE TABLE ACHANGE ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, "
      + "ZCHANGETYPE INTEGER, ZENTITY INTEGER, ZENTITYPK INTEGER, ZTRANSACTIONID INTEGER, "
      + "ZCOLUMNS BLOB )",
    "CREATE TABLE ATRANSACTION ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, "
      + "ZAUTHORTS INTEGER, ZBUNDLEIDTS INTEGER, ZCONTEXTNAMETS INTEGER, ZPROCESSIDTS INTEGER, "
      + "ZTIMESTAMP FLOAT, ZAUTHOR VARCHAR, ZBUNDLEID VARCHAR, ZCONTEXTNAME VARCHAR, "
      + "ZPROCESSID VARCHAR, ZQUERYGEN BLOB )",
    "CREATE TABLE ATRANSACTIONSTRING ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, "
      + "ZNAME VARCHAR )",
    "CREATE INDEX ACHANGE_ZTRANSACTIONID_INDEX ON ACHANGE (ZTRANSACTIONID)",
    "CREATE INDEX ATRANSACTION_ZAUTHORTS_INDEX ON ATRANSACTION (ZAUTHORTS)",
    "CREATE INDEX ATRANSACTION_ZBUNDLEIDTS_INDEX ON ATRANSACTION (ZBUNDLEIDTS)",
    "CREATE INDEX ATRANSACTION_ZCONTEXTNAMETS_INDEX ON ATRANSACTION (ZCONTEXTNAMETS)",
    "CREATE INDEX ATRANSACTION_ZPROCESSIDTS_INDEX ON ATRANSACTION (ZPROCESSIDTS)",
    "CREATE INDEX Z_TRANSACTION_TransactionAuthorIndex ON ATRANSACTION (ZAUTHOR COLLATE BINARY ASC)",
    "CREATE INDEX Z_TRANSACTION_TransactionTimestampIndex ON ATRANSACTION "
      + "(ZTIMESTAMP COLLATE BINARY ASC)",
    "CREATE UNIQUE INDEX Z_TRANSACTIONSTRING_UNIQUE_NAME ON ATRANSACTIONSTRING "
      + "(ZNAME COLLATE BINARY ASC)",
  ]

  @Test func theTablesAreSpelledAsInAFileOfApple() throws {
    let stack = try HistoryStack(BatchModel.make())
    #expect(try stack.plain.schema.suffix(Self.schema.count) == Self.schema[...])
  }

  @Test func preservedAttributesHaveColumns() throws {
    let schema = try HistoryStack().plain.schema.filter { $0.hasPrefix("CREATE TABLE ACHANGE") }
    #expect(schema.first?.hasSuffix("ZCOLUMNS BLOB, ZTOMBSTONE0 BLOB, ZTOMBSTONE1 BLOB )") == true)
  }

  @Test func aStoreGetsAHistoryWhenTheOptionComesLater() throws {
    let stack = try HistoryStack(options: [:])
    try stack.write { $0.insert("Good", ["code": "a"]) }
    #expect(stack.coordinator.currentPersistentHistoryToken(fromStores: nil) == nil)
    try stack.close()
    let later = try stack.secondCoordinator()
    let context = stack.context(of: later)
    try context.performAndWait {
      context.insert("Good", ["code": "b"])
      try context.save()
    }
    #expect(
      try stack.plain.rows("SELECT ZCHANGETYPE, ZENTITYPK FROM ACHANGE") == ["0|2"])
  }

  @Test func withoutTheOptionAStoreWithHistoryIsReadOnly() throws {
    let stack = try HistoryStack()
    try stack.write { $0.insert("Good", ["code": "a"]) }
    try stack.close()
    let coordinator = try stack.secondCoordinator(options: [:])
    #expect(coordinator.persistentStores.first?.isReadOnly == true)
    let context = stack.context(of: coordinator)
    try context.performAndWait {
      #expect(try context.goods() == ["a:1"])
      let request = NSPersistentHistoryChangeRequest.fetchHistory(after: .distantPast)
      let result = try context.execute(request) as? NSPersistentHistoryResult
      #expect((result?.result as? [NSPersistentHistoryTransaction])?.count == 1)
      let deletion = NSPersistentHistoryChangeRequest.deleteHistory(before: .distantFuture)
      #expect(throws: (any Error).self) { try context.execute(deletion) }
    }
  }

  @Test func tablesOfAnEarlierFrameworkGetWhatTheyLack() throws {
    let stack = try HistoryStack(options: [:])
    try stack.close()
    for statement in Self.early { try stack.plain.execute(statement) }
    let coordinator = try stack.secondCoordinator()
    let context = stack.context(author: "new", of: coordinator)
    try context.performAndWait {
      context.insert("Good", ["code": "a"])
      try context.save()
      let request = NSPersistentHistoryChangeRequest.fetchHistory(after: .distantPast)
      let result = try context.execute(request) as? NSPersistentHistoryResult
      let transactions = result?.result as? [NSPersistentHistoryTransaction]
      #expect(transactions?.map(\.author) == ["old", "new"])
      #expect(transactions?.map(\.text) == ["insert Good 7", "insert Good 1"])
    }
  }

  private static let early = [
    "CREATE TABLE ACHANGE ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, "
      + "ZCHANGETYPE INTEGER, ZENTITY INTEGER, ZENTITYPK INTEGER, ZTRANSACTIONID INTEGER, "
      + "ZCOLUMNS BLOB )",
    "CREATE TABLE ATRANSACTION ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, "
      + "ZTIMESTAMP FLOAT, ZAUTHOR VARCHAR, ZBUNDLEID VARCHAR, ZCONTEXTNAME VARCHAR, "
      + "ZPROCESSID VARCHAR, ZQUERYGEN BLOB )",
    "INSERT INTO Z_PRIMARYKEY VALUES (16001, 'CHANGE', 0, 1), (16002, 'TRANSACTION', 0, 1)",
    "INSERT INTO ATRANSACTION (Z_PK, Z_ENT, ZTIMESTAMP, ZAUTHOR) VALUES (1, 16002, 5.0, 'old')",
    "INSERT INTO ACHANGE SELECT 1, 16001, NULL, 0, Z_ENT, 7, 1, NULL FROM Z_PRIMARYKEY "
      + "WHERE Z_NAME = 'Good'",
  ]

  @Test func requestsToAStoreWithoutHistoryAreAnError() throws {
    let stack = try HistoryStack(options: [:])
    let error = #expect(throws: NSError.self) { try stack.transactions() }
    #expect(error?.code == NSPersistentStoreUnsupportedRequestTypeError)
  }
}
