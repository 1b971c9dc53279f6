import CoreData
import Testing

@testable import CoreDataSamples

@Suite struct ChangeNotificationTests {
  @Test func namesAndKeysAreApplesRawStrings() {
    #expect(
      Notification.Name.NSManagedObjectContextObjectsDidChange.rawValue
        == "NSObjectsChangedInManagingContextNotification")
    #expect(
      Notification.Name.NSManagedObjectContextDidSave.rawValue
        == "NSManagingContextDidSaveChangesNotification")
    #expect(
      Notification.Name.NSManagedObjectContextWillSave.rawValue
        == "NSManagingContextWillSaveChangesNotification")
    #expect(
      [
        NSInsertedObjectsKey, NSUpdatedObjectsKey, NSDeletedObjectsKey, NSRefreshedObjectsKey,
        NSInvalidatedObjectsKey, NSInvalidatedAllObjectsKey,
      ] == ["inserted", "updated", "deleted", "refreshed", "invalidated", "invalidatedAll"])
  }

  @Test func eachChangeIsToldOnce() throws {
    let stack = try TestStack.company()
    try stack.withContext { context in
      let employee = try context.hire("Ann")
      let first = ContextNotes.of(context) { context.processPendingChanges() }
      #expect(first.map(\.summary) == ["inserted 1"])
      #expect(ContextNotes.of(context) { context.processPendingChanges() }.isEmpty)
      employee.name = "Bea"
      employee.name = "Cleo"
      let second = ContextNotes.of(context) { context.processPendingChanges() }
      #expect(second.map(\.summary) == ["updated 1"])
      context.delete(employee)
      let third = ContextNotes.of(context) { context.processPendingChanges() }
      #expect(third.map(\.summary) == ["deleted 1"])
      #expect(!context.hasChanges)
    }
  }

  @Test func manyInsertionsAreOneNotification() throws {
    let stack = try TestStack.company()
    try stack.withContext { context in
      for number in 0..<200 { try context.hire("\(number)").name = "x\(number)" }
      let notes = ContextNotes.of(context) { context.processPendingChanges() }
      #expect(notes.map(\.summary) == ["inserted 200"])
    }
  }

  @Test func anObjectThatComesAndGoesInOneEventIsToldAsDeletedAndNotSaved() throws {
    let stack = try TestStack.company()
    try stack.withContext { context in
      context.delete(try context.hire("Ann"))
      #expect(context.deletedObjects.isEmpty)
      let notes = ContextNotes.of(context) { context.processPendingChanges() }
      #expect(notes.map(\.summary) == ["deleted 1"])
      let saves = try ContextNotes.of(context, .NSManagedObjectContextDidSave) {
        try context.save()
      }
      #expect(saves.map(\.summary) == [""])
    }
  }

  @Test func aFetchTellsNothing() throws {
    let stack = try TestStack.company()
    try stack.withContext { context in
      _ = try context.hire("Ann")
      try context.save()
    }
    try stack.withContext { context in
      let notes = try ContextNotes.of(context) {
        let name = try context.employees().first?.name
        #expect(name == "Ann")
        context.processPendingChanges()
      }
      #expect(notes.isEmpty)
    }
  }

  @Test func fetchesAndSavesProcessWhatHasChanged() throws {
    let stack = try TestStack.company()
    try stack.withContext { context in
      _ = try context.hire("Ann")
      let fetched = try ContextNotes.of(context) { _ = try context.employees() }
      #expect(fetched.map(\.summary) == ["inserted 1"])
      _ = try context.hire("Bea")
      let saved = try ContextNotes.of(context) { try context.save() }
      #expect(saved.map(\.summary) == ["inserted 1"])
    }
  }

  @Test func performProcessesChangesAndPerformAndWaitDoesNot() async throws {
    let stack = try TestStack.company()
    let context = stack.makeContext()
    let waited = try ContextNotes.of(context) {
      try context.performAndWait { _ = try context.hire("Ann") }
    }
    #expect(waited.isEmpty)
    let log = try await withLog(context) {
      try await context.perform { _ = try context.hire("Bea") }
    }
    #expect(log == ["inserted 2"])
  }

  private func withLog(
    _ context: NSManagedObjectContext, _ body: () async throws -> Void
  ) async rethrows -> [String] {
    let box = UncheckedBox(Log())
    let token = NotificationCenter.default.addObserver(
      forName: .NSManagedObjectContextObjectsDidChange, object: context, queue: nil
    ) { box.value.summaries.append($0.summary) }
    try await body()
    NotificationCenter.default.removeObserver(token)
    return box.value.summaries
  }

  private final class Log { var summaries: [String] = [] }

  @Test func aResetIsOneNotificationWithAllIDs() throws {
    let stack = try TestStack.company()
    try stack.withContext { context in
      let employee = try context.hire("Ann")
      context.processPendingChanges()
      let id = employee.objectID
      context.insert("Task")
      let notes = ContextNotes.of(context) { context.reset() }
      #expect(notes.map(\.summary) == ["invalidatedAll 2"])
      let all = notes.first?.userInfo?[NSInvalidatedAllObjectsKey] as? [NSManagedObjectID]
      #expect(all?.contains(id) == true)
      let saves = try ContextNotes.of(context, .NSManagedObjectContextDidSave) {
        try context.save()
      }
      #expect(saves.map(\.summary) == [""])
    }
  }

  @Test func rollingBackTellsWhatGoesAndWhatComesBack() throws {
    let stack = try TestStack.company()
    try stack.withContext { context in
      let edited = try context.hire("Ann")
      let deleted = try context.hire("Bea")
      try context.save()
      edited.name = "x"
      context.delete(deleted)
      let new = try context.hire("New")
      let id = new.objectID
      context.processPendingChanges()
      let notes = ContextNotes.of(context) { context.rollback() }
      #expect(notes.map(\.summary) == ["deleted 1, inserted 1, updated 1"])
      #expect(edited.name == "Ann" && !deleted.isDeleted)
      #expect(context.registeredObject(for: id) == nil)
      #expect(context.insertedObjects.isEmpty && !context.hasChanges)
    }
  }
}
