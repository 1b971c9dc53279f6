import CoreDataSupport
import Foundation
import Testing

@testable import CoreData
@testable import CoreDataSamples

/// What saves and batch requests leave in the history.
struct HistoryWritingTests {
  @Test(arguments: StoreKind.all.filter(\.hasHistory))
  func aSaveIsOneTransactionWithItsAuthorAndContext(_ kind: StoreKind) throws {
    let stack = try HistoryStack(kind)
    try stack.write("me", name: "editor") { context in
      context.insert("Good", ["code": "a"])
      context.insert("Good", ["code": "b"])
      context.insert("Toy", ["code": "c", "age": 3])
    }
    let transactions = try stack.transactions()
    #expect(transactions.map(\.text) == ["insert Good 1, insert Good 2, insert Toy 3"])
    let transaction = try #require(transactions.first)
    #expect(transaction.author == "me")
    #expect(transaction.contextName == "editor")
    #expect(transaction.processID == ProcessInfo.processInfo.processName)
    #expect(!transaction.bundleID.isEmpty)
    #expect(transaction.storeID == (try stack.store.identifier))
    #expect(abs(transaction.timestamp.timeIntervalSinceNow) < 3600)
    #expect(transaction.changes?.first?.transaction == transaction)
  }

  @Test func aSaveOfNothingLeavesNoTransaction() throws {
    let stack = try HistoryStack()
    try stack.write { _ in }
    #expect(try stack.transactions().isEmpty)
    #expect(try stack.plain.rows("SELECT COUNT(*) FROM ATRANSACTION") == ["0"])
  }

  @Test(arguments: StoreKind.all.filter(\.hasHistory))
  func updatesNameTheirAttributesAndRelationships(_ kind: StoreKind) throws {
    let stack = try HistoryStack(kind)
    try stack.write { context in
      let shop = context.insert("Shop", ["name": "one"])
      context.insert("Good", ["code": "a", "shop": shop])
      context.insert("Toy", ["code": "t"])
    }
    try stack.write { context in
      for good in try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Good")) {
        good.setValue("title", forKey: "title")
        good.setValue(nil, forKey: "shop")
        if good.entity.name == "Toy" { good.setValue(7, forKey: "age") }
      }
    }
    #expect(
      try stack.transactions().last?.text
        == "update Good 1 (shop title), update Toy 2 (age title), update Shop 1 (goods)")
  }

  @Test func deletionsKeepPreservedValues() throws {
    let stack = try HistoryStack()
    try stack.write { context in
      context.insert("Good", ["code": "a", "title": "first"])
      context.insert("Toy", ["code": "b"])
    }
    try stack.write { context in
      for good in try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Good")) {
        context.delete(good)
      }
    }
    let changes = try #require(try stack.transactions().last?.changes)
    #expect(changes.map(\.changeType) == [.delete, .delete])
    #expect(changes[0].tombstone as? [String: String] == ["code": "a", "title": "first"])
    #expect(changes[1].tombstone as? [String: String] == ["code": "b"])
    #expect(try stack.transactions().first?.changes?.first?.tombstone == nil)
    #expect(
      try stack.plain.rows("SELECT ZTOMBSTONE0, ZTOMBSTONE1 FROM ACHANGE WHERE ZCHANGETYPE = 2")
        == ["a|first", "b|NULL"])
  }

  @Test(arguments: StoreKind.all.filter(\.hasHistory))
  func batchInsertionsAreNoted(_ kind: StoreKind) throws {
    let stack = try HistoryStack(kind)
    let context = stack.context(author: "batch")
    try context.performAndWait {
      context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
      try context.insertGoods([["code": "a"], ["code": "b"]])
      try context.insertGoods([["code": "b", "title": "new"], ["code": "c"]])
    }
    let transactions = try stack.transactions()
    // A server gives keys before it looks for what is there.
    let last = kind == .sqlite ? 3 : 4
    #expect(
      transactions.map(\.text) == [
        "insert Good 1, insert Good 2", "update Good 2 (code title), insert Good \(last)",
      ])
    #expect(transactions.map(\.author) == ["batch", "batch"])
  }

  @Test(arguments: StoreKind.all.filter(\.hasHistory))
  func batchUpdatesAreNoted(_ kind: StoreKind) throws {
    let stack = try HistoryStack(kind)
    try stack.write { context in
      context.insert("Good", ["code": "a"])
      context.insert("Toy", ["code": "b"])
      context.insert("Good", ["code": "c"])
    }
    let request = NSBatchUpdateRequest(entityName: "Good")
    request.predicate = NSPredicate(format: "code != 'c'")
    request.propertiesToUpdate = ["count": 5, "title": "x"]
    let context = stack.context()
    try context.performAndWait { _ = try context.execute(request) }
    #expect(
      try stack.transactions().last?.text
        == "update Good 1 (count title), update Toy 3 (count title)")
  }

  @Test(arguments: StoreKind.all.filter(\.hasHistory))
  func batchDeletionsAreNotedWithWhatTheirRulesDo(_ kind: StoreKind) throws {
    let stack = try HistoryStack(kind)
    try stack.write { context in
      let owner = context.insert("Owner", ["name": "o"])
      let shop = context.insert("Shop", ["name": "s", "owner": owner])
      context.insert("Good", ["code": "a", "shop": shop, "title": "t"])
    }
    let context = stack.context()
    func delete(_ entity: String) throws {
      let fetch = NSFetchRequest<NSManagedObject>(entityName: entity)
      try context.performAndWait {
        _ = try context.execute(NSBatchDeleteRequest(fetchRequest: fetch))
      }
    }
    try delete("Owner")
    try delete("Shop")
    let transactions = try stack.transactions().dropFirst()
    #expect(
      transactions.map(\.text) == [
        "delete Owner 1, update Shop 1 (owner)", "delete Shop 1, delete Good 1",
      ])
    #expect(
      transactions.last?.changes?.last?.tombstone as? [String: String] == [
        "code": "a", "title": "t",
      ])
  }

  @Test(arguments: StoreKind.all.filter(\.hasHistory))
  func aFailedSaveLeavesNoHistory(_ kind: StoreKind) throws {
    let stack = try HistoryStack(kind)
    try stack.write { $0.insert("Good", ["code": "a"]) }
    #expect(throws: (any Error).self) {
      try stack.write { $0.insert("Good", ["code": "a"]) }
    }
    #expect(try stack.transactions().count == 1)
    try stack.write { $0.insert("Good", ["code": "b"]) }
    #expect(try stack.transactions().map(\.transactionNumber) == [1, 2])
  }

  @Test func textsAreNotedOnceAndNumbersGoOn() throws {
    let stack = try HistoryStack()
    for code in ["a", "b"] { try stack.write("me") { $0.insert("Good", ["code": code]) } }
    #expect(
      try stack.plain.rows("SELECT Z_PK, Z_ENT, Z_OPT, ZNAME FROM ATRANSACTIONSTRING LIMIT 1")
        == ["1|16003|NULL|me"])
    #expect(
      try stack.plain.rows("SELECT Z_NAME, Z_SUPER, Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT > 16000")
        == ["CHANGE|0|2", "TRANSACTION|0|2", "TRANSACTIONSTRING|0|\(try texts(stack))"])
    #expect(
      try stack.plain.rows("SELECT Z_ENT, Z_OPT, ZCOLUMNS, ZENTITY, ZENTITYPK FROM ACHANGE")
        == ["16001|NULL|NULL|\(number(stack))|1", "16001|NULL|NULL|\(number(stack))|2"])
  }

  private func texts(_ stack: HistoryStack) throws -> String {
    try #require(stack.plain.rows("SELECT COUNT(*) FROM ATRANSACTIONSTRING").first)
  }

  private func number(_ stack: HistoryStack) throws -> String {
    try #require(stack.plain.rows("SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = 'Good'").first)
  }

  @Test func numbersGoOnAfterAToolThatLeftThemBehind() throws {
    let stack = try HistoryStack()
    try stack.write { $0.insert("Good", ["code": "a"]) }
    try stack.plain.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = 0 WHERE Z_ENT > 16000")
    try stack.write("me") { $0.insert("Good", ["code": "b"]) }
    #expect(try stack.transactions().map(\.text) == ["insert Good 1", "insert Good 2"])
  }

  @Test(arguments: StoreKind.all.filter(\.hasHistory))
  func theDictionaryFormOfTheOptionCounts(_ kind: StoreKind) throws {
    let stack = try HistoryStack(kind, options: [NSPersistentHistoryTrackingKey: ["anything": 1]])
    try stack.write { $0.insert("Good", ["code": "a"]) }
    #expect(try stack.transactions().count == 1)
  }

  @Test func aStoreInMemoryNotesItsHistory() throws {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: HistoryStack.shops())
    try coordinator.addPersistentStore(
      type: .sqlite, at: URL(fileURLWithPath: "/dev/null"), options: HistoryStack.tracking)
    let context = coordinator.makeContext()
    try context.performAndWait {
      context.insert("Good", ["code": "a"])
      try context.save()
      let request = NSPersistentHistoryChangeRequest.fetchHistory(after: .distantPast)
      let result = try context.execute(request) as? NSPersistentHistoryResult
      #expect((result?.result as? [NSPersistentHistoryTransaction])?.count == 1)
    }
  }
}
