import CoreData
import Foundation
import Testing

@testable import CoreDataSamples

/// Requests for parts of the history.
struct HistoryFetchTests {
  /// Three transactions: a and b by “app”, c by “import”.
  private func makeStack(_ kind: StoreKind) throws -> HistoryStack {
    let stack = try HistoryStack(kind)
    for (code, author) in [("a", "app"), ("b", "app"), ("c", "import")] {
      try stack.write(author, name: "context \(code)") { $0.insert("Good", ["code": code]) }
    }
    return stack
  }

  private func numbers(
    _ stack: HistoryStack, _ request: NSPersistentHistoryChangeRequest
  ) throws -> [Int64] {
    try stack.transactions(request).map(\.transactionNumber)
  }

  @Test(arguments: StoreKind.all.filter(\.hasHistory))
  func historyBeginsAfterATokenATransactionOrADate(_ kind: StoreKind) throws {
    let stack = try makeStack(kind)
    let all = try stack.transactions()
    #expect(all.map(\.transactionNumber) == [1, 2, 3])
    #expect(try numbers(stack, .fetchHistory(after: all[0])) == [2, 3])
    #expect(try numbers(stack, .fetchHistory(after: all[1].token)) == [3])
    #expect(try numbers(stack, .fetchHistory(after: all[1].timestamp)) == [3])
    #expect(try numbers(stack, .fetchHistory(after: all[2].token)).isEmpty)
  }

  @Test(arguments: StoreKind.all.filter(\.hasHistory))
  func everyTypeOfResultIsWhatItSays(_ kind: StoreKind) throws {
    let stack = try makeStack(kind)
    func result(_ type: NSPersistentHistoryResultType) throws -> Any? {
      let request = NSPersistentHistoryChangeRequest.fetchHistory(after: .distantPast)
      request.resultType = type
      return try stack.execute(request)
    }
    #expect(try result(.statusOnly) as? Bool == true)
    #expect(try result(.count) as? Int == 3)
    #expect((try result(.objectIDs) as? [NSManagedObjectID])?.count == 3)
    let transactions = try result(.transactionsOnly) as? [NSPersistentHistoryTransaction]
    #expect(transactions?.map(\.changes) == [nil, nil, nil])
    let changes = try result(.changesOnly) as? [NSPersistentHistoryChange]
    #expect(changes?.map(\.changeID) == [1, 2, 3])
    #expect(changes?.map(\.transaction?.transactionNumber) == [1, 2, 3])
    let both = try result(.transactionsAndChanges) as? [NSPersistentHistoryTransaction]
    #expect(both?.map(\.changes?.count) == [1, 1, 1])
  }

  @Test(arguments: StoreKind.all.filter(\.hasHistory))
  func predicatesChooseTransactions(_ kind: StoreKind) throws {
    let stack = try makeStack(kind)
    #expect(try stack.numbers("author == %@", "import") == [3])
    #expect(try stack.numbers("contextName BEGINSWITH 'context' AND author == 'app'") == [1, 2])
    #expect(try stack.numbers("author == %@ OR author == %@", "import", "nobody") == [3])
    #expect(try stack.numbers("transactionNumber > 1") == [2, 3])
    let transactions = try stack.transactions()
    #expect(try stack.numbers("timestamp > %@", transactions[1].timestamp as NSDate) == [3])
    #expect(try stack.numbers("token > %@", transactions[0].token) == [2, 3])
    #expect(try stack.numbers("token >= %@", transactions[1].token) == [2, 3])
    #expect(try stack.numbers("token == %@", transactions[1].token) == [2])
    #expect(try stack.numbers("token < %@ AND author = 'app'", transactions[1].token) == [1])
  }

  @Test(arguments: StoreKind.all.filter(\.hasHistory))
  func aPredicateAndABeginningCountTogether(_ kind: StoreKind) throws {
    let stack = try makeStack(kind)
    let first = try #require(try stack.transactions().first)
    let request = NSPersistentHistoryChangeRequest.fetchHistory(after: first)
    request.fetchRequest = NSPersistentHistoryTransaction.fetchRequest
    request.fetchRequest?.predicate = NSPredicate(format: "author == 'app'")
    #expect(try numbers(stack, request) == [2])
  }

  @Test(arguments: StoreKind.all.filter(\.hasHistory))
  func sortDescriptorsAndLimitsCount(_ kind: StoreKind) throws {
    let stack = try makeStack(kind)
    let fetch = try #require(NSPersistentHistoryTransaction.fetchRequest)
    fetch.sortDescriptors = [NSSortDescriptor(key: "transactionNumber", ascending: false)]
    fetch.fetchLimit = 2
    #expect(try numbers(stack, .fetchHistory(withFetch: fetch)) == [3, 2])
    fetch.fetchOffset = 2
    #expect(try numbers(stack, .fetchHistory(withFetch: fetch)) == [1])
  }

  /// Stores read no more than a limit, but where a predicate or an order chooses first.
  @Test(arguments: StoreKind.all.filter(\.hasHistory))
  func limitsCountFromTheOldest(_ kind: StoreKind) throws {
    let stack = try makeStack(kind)
    func fetch(
      _ limit: Int, from offset: Int = 0, where format: String? = nil
    ) throws -> NSFetchRequest<NSFetchRequestResult> {
      let fetch = try #require(NSPersistentHistoryTransaction.fetchRequest)
      (fetch.fetchLimit, fetch.fetchOffset) = (limit, offset)
      fetch.predicate = format.map { NSPredicate(format: $0) }
      return fetch
    }
    for (limit, offset, found) in [
      (1, 0, [1]), (2, 0, [1, 2]), (3, 0, [1, 2, 3]), (0, 1, [2, 3]), (1, 1, [2]), (5, 2, [3]),
      (.max, 1, [2, 3]), (2, 3, []),
    ] as [(Int, Int, [Int64])] {
      #expect(try numbers(stack, .fetchHistory(withFetch: fetch(limit, from: offset))) == found)
    }
    #expect(
      try numbers(stack, .fetchHistory(withFetch: fetch(1, where: "author == 'import'"))) == [3])
    let first = try #require(try stack.transactions().first)
    for type in [NSPersistentHistoryResultType.transactionsOnly, .transactionsAndChanges] {
      let request = NSPersistentHistoryChangeRequest.fetchHistory(after: first)
      request.resultType = type
      request.fetchRequest = try fetch(1)
      #expect(try numbers(stack, request) == [2])
    }
    let changes = try #require(NSPersistentHistoryChange.fetchRequest)
    changes.fetchLimit = 1
    let request = NSPersistentHistoryChangeRequest.fetchHistory(withFetch: changes)
    request.resultType = .changesOnly
    #expect(try (stack.execute(request) as? [NSPersistentHistoryChange])?.count == 1)
  }

  @Test(arguments: StoreKind.all.filter(\.hasHistory))
  func predicatesChooseChanges(_ kind: StoreKind) throws {
    let stack = try makeStack(kind)
    try stack.write { context in
      context.insert("Toy", ["code": "d"])
      let a = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Good"))[0]
      a.setValue(9, forKey: "count")
    }
    func changes(_ format: String, _ arguments: Any...) throws -> [Int64] {
      let fetch = try #require(NSPersistentHistoryChange.fetchRequest)
      fetch.predicate = NSPredicate(format: format, argumentArray: arguments)
      let request = NSPersistentHistoryChangeRequest.fetchHistory(withFetch: fetch)
      request.resultType = .changesOnly
      return try #require(try stack.execute(request) as? [NSPersistentHistoryChange]).map(
        \.changeID)
    }
    let type = NSPersistentHistoryChangeType.update.rawValue
    #expect(try changes("changeType == %d", type) == [4])
    let toy = try #require(stack.model.entitiesByName["Toy"])
    let good = try #require(stack.model.entitiesByName["Good"])
    #expect(try changes("changedEntity == %@", toy) == [5])
    #expect(try changes("changedEntity == %@", good) == [1, 2, 3, 4])
    let first = try #require(try stack.transactions().first)
    let identity = try #require(first.changes?.first?.changedObjectID)
    #expect(try changes("changedObjectID == %@", identity) == [1, 4])
    #expect(try changes("token > %@", first.token) == [2, 3, 4, 5])
    #expect(try changes("transaction.author == 'import'") == [3])
  }

  @Test(arguments: StoreKind.all.filter(\.hasHistory))
  func onlyTransactionsWithMatchingChangesAreFound(_ kind: StoreKind) throws {
    let stack = try makeStack(kind)
    let fetch = try #require(NSPersistentHistoryChange.fetchRequest)
    fetch.predicate = NSPredicate(format: "changedID == 2")
    let found = try stack.transactions(.fetchHistory(withFetch: fetch))
    #expect(found.map(\.text) == ["insert Good 2"])
    #expect(found.map(\.transactionNumber) == [2])
  }

  @Test(arguments: StoreKind.all.filter(\.hasHistory))
  func aKeyThatHistoryDoesNotHaveIsAnError(_ kind: StoreKind) throws {
    let stack = try makeStack(kind)
    #expect(throws: NSError.self) { try stack.numbers("nonsense == 1") }
    let fetch = try #require(NSPersistentHistoryChange.fetchRequest)
    fetch.predicate = NSPredicate(format: "author == 'app'")
    #expect(throws: NSError.self) { try stack.transactions(.fetchHistory(withFetch: fetch)) }
  }

  @Test(arguments: StoreKind.all.filter(\.hasHistory))
  func entitiesOfTheHistoryAreKnownByContext(_ kind: StoreKind) throws {
    let context = try HistoryStack().context()
    #expect(NSPersistentHistoryTransaction.entityDescription(with: context)?.name == "TRANSACTION")
    #expect(NSPersistentHistoryChange.entityDescription(with: context)?.name == "CHANGE")
    let fetch = NSFetchRequest<NSFetchRequestResult>()
    fetch.entity = NSPersistentHistoryTransaction.entityDescription(with: context)
    let stack = try makeStack(kind)
    #expect(try numbers(stack, .fetchHistory(withFetch: fetch)) == [1, 2, 3])
  }

  @Test func deletionLeavesWhatComesAtAndAfterItsPoint() throws {
    let stack = try makeStack(.sqlite)
    let all = try stack.transactions()
    #expect(try stack.execute(.deleteHistory(before: all[0])) as? Bool == true)
    #expect(try stack.transactions().count == 3)
    #expect(try stack.execute(.deleteHistory(before: all[1].token)) as? Bool == true)
    #expect(try stack.transactions().map(\.transactionNumber) == [2, 3])
    #expect(try stack.plain.rows("SELECT Z_PK FROM ACHANGE") == ["2", "3"])
    #expect(try stack.execute(.deleteHistory(before: .distantFuture)) as? Bool == true)
    #expect(try stack.transactions().isEmpty)
    try stack.write { $0.insert("Good", ["code": "z"]) }
    #expect(try stack.transactions().map(\.transactionNumber) == [4])
    #expect(try stack.plain.rows("SELECT Z_PK FROM ACHANGE") == ["4"])
  }

  /// Names of contexts that are others each time do not pile up.
  @Test func textsOfDeletedTransactionsGo() throws {
    let stack = try HistoryStack()
    for name in ["first", "second", "third"] {
      try stack.write { context in
        context.name = name
        context.insert("Good", ["code": name])
      }
    }
    let names = "SELECT ZNAME FROM ATRANSACTIONSTRING ORDER BY Z_PK"
    #expect(try Set(stack.plain.rows(names)).isSuperset(of: ["first", "second", "third"]))
    let all = try stack.transactions()
    _ = try stack.execute(.deleteHistory(before: all[2]))
    let left = try stack.plain.rows(names)
    #expect(!left.contains("first") && !left.contains("second") && left.contains("third"))
    let last = try #require(try stack.transactions().first)
    #expect(last.contextName == "third" && last.processID == all[2].processID)
    try stack.write { context in
      context.name = "first"
      context.insert("Good", ["code": "again"])
    }
    #expect(try stack.transactions().map(\.contextName) == ["third", "first"])
  }

  @Test(arguments: StoreKind.all.filter(\.hasHistory))
  func aDeletionMayChooseAuthors(_ kind: StoreKind) throws {
    let stack = try makeStack(kind)
    let request = NSPersistentHistoryChangeRequest.deleteHistory(before: .distantFuture)
    request.fetchRequest = NSPersistentHistoryTransaction.fetchRequest
    request.fetchRequest?.predicate = NSPredicate(format: "author == 'app'")
    #expect(try stack.execute(request) as? Bool == true)
    #expect(try stack.transactions().map(\.author) == ["import"])
  }

  @Test(arguments: StoreKind.all.filter(\.hasHistory))
  func requestsGoToSeveralStores(_ kind: StoreKind) throws {
    let stack = try makeStack(kind)
    try stack.coordinator.addPersistentStore(
      type: .sqlite, at: stack.folder.appendingPathComponent("Other.sqlite"),
      options: HistoryStack.tracking)
    let other = stack.coordinator.persistentStores[1]
    try stack.write { context in
      context.assign(context.insert("Good", ["code": "x"]), to: other)
    }
    #expect(try stack.transactions().count == 4)
    let request = NSPersistentHistoryChangeRequest.fetchHistory(after: .distantPast)
    request.affectedStores = [other]
    let found = try stack.transactions(request)
    #expect(found.map(\.storeID) == [other.identifier])
    let token = stack.coordinator.currentPersistentHistoryToken(fromStores: nil)
    #expect(try stack.transactions(.fetchHistory(after: token)).isEmpty)
    #expect(stack.coordinator.currentPersistentHistoryToken(fromStores: [other]) == found[0].token)
  }
}
