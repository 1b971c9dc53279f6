import CoreData
import Foundation
import Testing

@testable import CoreDataSamples

/// Points in the history.
struct HistoryTokenTests {
  @Test(arguments: StoreKind.all.filter(\.hasHistory))
  func aNewStoreHasATokenAndNoTransactions(_ kind: StoreKind) throws {
    let stack = try HistoryStack(kind)
    let token = try #require(stack.coordinator.currentPersistentHistoryToken(fromStores: nil))
    #expect(try stack.transactions().isEmpty)
    try stack.write { $0.insert("Good", ["code": "a"]) }
    #expect(try stack.transactions(.fetchHistory(after: token)).count == 1)
  }

  @Test(arguments: StoreKind.all.filter(\.hasHistory))
  func theCurrentTokenIsThatOfTheLastTransactionForEveryCoordinator(_ kind: StoreKind) throws {
    let stack = try HistoryStack(kind)
    let other = try stack.secondCoordinator()
    for code in ["a", "b"] {
      try stack.write { $0.insert("Good", ["code": code]) }
      let last = try #require(try stack.transactions().last)
      #expect(stack.coordinator.currentPersistentHistoryToken(fromStores: nil) == last.token)
      #expect(other.currentPersistentHistoryToken(fromStores: []) == last.token)
    }
  }

  @Test(arguments: StoreKind.all.filter(\.hasHistory))
  func aTokenSurvivesItsArchive(_ kind: StoreKind) throws {
    let stack = try HistoryStack(kind)
    try stack.write { $0.insert("Good", ["code": "a"]) }
    let token = try #require(stack.coordinator.currentPersistentHistoryToken(fromStores: nil))
    let data = try NSKeyedArchiver.archivedData(
      withRootObject: token, requiringSecureCoding: true)
    let read = try NSKeyedUnarchiver.unarchivedObject(
      ofClass: NSPersistentHistoryToken.self, from: data)
    #expect(read == token)
    #expect(read?.hash == token.hash)
    #expect(token.copy() as? NSPersistentHistoryToken == token)
  }

  @Test(arguments: StoreKind.all.filter(\.hasHistory))
  func theDescriptionNamesStoreAndNumber(_ kind: StoreKind) throws {
    let stack = try HistoryStack(kind)
    try stack.write { $0.insert("Good", ["code": "a"]) }
    let token = try #require(stack.coordinator.currentPersistentHistoryToken(fromStores: nil))
    let uuid = try #require(try stack.store.identifier)
    #expect(token.description == "<NSPersistentHistoryToken - {\n    \"\(uuid)\" = 1;\n}>")
  }

  @Test(
    arguments: [
      NSNotification.Name.NSManagedObjectContextDidSave, .NSManagedObjectContextDidSaveObjectIDs,
    ], [NSPersistentHistoryTokenKey, "newChangeToken"])
  func savesTellTheirToken(_ name: NSNotification.Name, _ key: String) throws {
    let stack = try HistoryStack()
    let context = stack.context()
    let notes = try context.performAndWait {
      try ContextNotes.of(context, name) {
        context.insert("Good", ["code": "a"])
        try context.save()
      }
    }
    let token = notes.first?.userInfo?[key] as? NSPersistentHistoryToken
    #expect(token == stack.coordinator.currentPersistentHistoryToken(fromStores: nil))
  }

  @Test(arguments: StoreKind.all.filter(\.hasHistory))
  func withoutHistorySavesTellNoToken(_ kind: StoreKind) throws {
    let context = try HistoryStack(kind, options: [:]).context()
    let notes = try context.performAndWait {
      try ContextNotes.of(context, .NSManagedObjectContextDidSave) {
        context.insert("Good", ["code": "a"])
        try context.save()
      }
    }
    #expect(notes.count == 1)
    #expect(notes.first?.userInfo?[NSPersistentHistoryTokenKey] == nil)
    #expect(notes.first?.userInfo?["newChangeToken"] == nil)
  }

  @Test(arguments: StoreKind.all.filter(\.hasHistory))
  func aTokenWhoseHistoryIsGoneHasExpired(_ kind: StoreKind) throws {
    let stack = try HistoryStack(kind)
    let start = try #require(stack.coordinator.currentPersistentHistoryToken(fromStores: nil))
    for code in ["a", "b", "c"] { try stack.write { $0.insert("Good", ["code": code]) } }
    let all = try stack.transactions()
    _ = try stack.execute(.deleteHistory(before: all[1]))
    let error = #expect(throws: NSError.self) {
      try stack.transactions(.fetchHistory(after: start))
    }
    #expect(error?.domain == NSCocoaErrorDomain)
    #expect(error?.code == NSPersistentHistoryTokenExpiredError)
    // Nothing between the first transaction and what is left has gone.
    #expect(try stack.transactions(.fetchHistory(after: all[0])).count == 2)
    _ = try stack.execute(.deleteHistory(before: .distantFuture))
    #expect(throws: NSError.self) { try stack.transactions(.fetchHistory(after: all[1])) }
    #expect(try stack.transactions(.fetchHistory(after: all[2])).isEmpty)
  }

  @Test(arguments: StoreKind.all.filter(\.hasHistory))
  func aTokenOfAnotherStoreIsAnError(_ kind: StoreKind) throws {
    let stack = try HistoryStack(kind)
    let other = try HistoryStack(kind)
    let token = other.coordinator.currentPersistentHistoryToken(fromStores: nil)
    let error = #expect(throws: NSError.self) {
      try stack.transactions(.fetchHistory(after: token))
    }
    #expect(error?.code == 134501)
    let uuid = try #require(try stack.store.identifier)
    let reason = error?.userInfo["Reason"] as? String
    #expect(reason?.hasPrefix("Store - ( \"\(uuid)\" ) not found in token - ") == true)
  }

  @Test(arguments: StoreKind.all.filter(\.hasHistory))
  func theInitialTokenCannotBeComparedInAPredicate(_ kind: StoreKind) throws {
    let stack = try HistoryStack(kind)
    let start = try #require(stack.coordinator.currentPersistentHistoryToken(fromStores: nil))
    let error = #expect(throws: NSError.self) { try stack.numbers("token > %@", start) }
    #expect(error?.code == NSPersistentHistoryTokenExpiredError)
  }
}
