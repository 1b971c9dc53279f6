import CoreData
import Testing

@testable import CoreDataSamples

@Suite struct MergeNotificationTests {
  /// A reader that holds what `names` gives, some of it realised, and a writer.
  private func withReader(
    _ kind: StoreKind = .inMemory, fired: Bool = true,
    _ body: (TestStack, NSManagedObjectContext, [Employee]) throws -> Void
  ) throws {
    let stack = try TestStack.company(kind)
    try stack.withContext { context in
      for name in ["Ann", "Bea", "Cleo"] { _ = try context.hire(name) }
      try context.save()
    }
    try stack.withContext { reader in
      let held = try reader.employees()
      if fired { for employee in held { _ = employee.name } }
      try body(stack, reader, held)
    }
  }

  /// Saves what `edit` does in another context, and returns the DidSave notification.
  private func save(
    _ stack: TestStack, _ edit: (NSManagedObjectContext, [Employee]) throws -> Void
  ) throws -> Notification {
    try stack.withContext { writer in
      let all = try writer.employees()
      try edit(writer, all)
      return try Notifications.ofSave(writer)
    }
  }

  @Test(arguments: StoreKind.all)
  func insertionsAreInsertedEditsRefreshedAndDeletionsDeleted(_ kind: StoreKind) throws {
    try withReader(kind) { stack, reader, held in
      let note = try save(stack) { writer, all in
        all[0].name = "Anna"
        all[1].name = "Beata"
        writer.delete(all[2])
        _ = try writer.hire("New")
      }
      var merged: [Notification] = []
      let changed = ContextNotes.of(reader) {
        merged = ContextNotes.of(reader, .NSManagedObjectContextDidMergeChangesObjectIDs) {
          reader.mergeChanges(fromContextDidSave: note)
        }
      }
      #expect(changed.map(\.summary) == ["deleted 1, inserted 1, refreshed 2"])
      #expect(changed.first?.objects("refreshed") == [held[0], held[1]])
      #expect(
        merged.map(\.summary) == [
          "deleted_objectIDs 1, inserted_objectIDs 1, refreshed_objectIDs 2, updated_objectIDs 2"
        ])
      #expect(held[0].name == "Anna" && !held[0].isUpdated)
    }
  }

  @Test func aDeletedObjectThatIsHeldCanBeReadAndIsNotFetched() throws {
    try withReader { stack, reader, held in
      let note = try save(stack) { writer, all in writer.delete(all[0]) }
      reader.mergeChanges(fromContextDidSave: note)
      #expect(held[0].isDeleted && !held[0].isFault && held[0].name == "Ann")
      #expect(reader.registeredObject(for: held[0].objectID) === held[0])
      #expect(reader.deletedObjects == [held[0]])
      #expect(try reader.employees().map(\.name) == ["Bea", "Cleo"])
      try reader.save()
      #expect(!reader.hasChanges)
    }
  }

  @Test func editsAndDeletionsOfFaultsAndStrangersTellNothing() throws {
    try withReader(fired: false) { stack, reader, held in
      let note = try save(stack) { writer, all in all[0].name = "Anna" }
      let notes = ContextNotes.of(reader) { reader.mergeChanges(fromContextDidSave: note) }
      #expect(notes.isEmpty)
      #expect(held[0].name == "Anna")
    }
    try withReader { stack, _, _ in
      try stack.withContext { stranger in
        let note = try save(stack) { writer, all in
          all[0].name = "Anna"
          writer.delete(all[1])
        }
        let notes = ContextNotes.of(stranger) {
          stranger.mergeChanges(fromContextDidSave: note)
        }
        #expect(notes.isEmpty && stranger.registeredObjects.isEmpty)
      }
    }
  }

  @Test func anInsertionIsToldThoughNobodyKeepsIt() throws {
    try withReader { stack, reader, _ in
      let note = try save(stack) { writer, _ in _ = try writer.hire("New") }
      let count = reader.registeredObjects.count
      do {
        let notes = ContextNotes.of(reader) { reader.mergeChanges(fromContextDidSave: note) }
        #expect(notes.map(\.summary) == ["inserted 1"])
        #expect(reader.registeredObjects.count == count + 1)
      }
      #expect(reader.registeredObjects.count == count)
    }
  }

  @Test(arguments: StoreKind.all)
  func aChangedRelationshipAloneRefreshesItsOwner(_ kind: StoreKind) throws {
    let stack = try TestStack.company(kind)
    let id = try stack.withContext { context in
      let department = context.insert("Department", ["name": "Sales"])
      _ = try context.hire("Ann")
      try context.save()
      return department.objectID
    }
    try stack.withContext { reader in
      let department = try reader.existingObject(with: id)
      #expect((department.value(forKey: "staff") as? NSSet)?.count == 0)
      let note = try save(stack) { writer, all in
        writer.object(with: id).setValue(NSSet(array: all), forKey: "staff")
      }
      let notes = ContextNotes.of(reader) { reader.mergeChanges(fromContextDidSave: note) }
      #expect(notes.first?.objects("refreshed").contains(department) == true)
      #expect((department.value(forKey: "staff") as? NSSet)?.count == 1)
    }
  }

  @Test func changesOfARemoteSaveAreIDsOrURIs() throws {
    try withReader(.sqlite) { stack, reader, held in
      let ids = held.map(\.objectID)
      _ = try save(stack) { writer, all in
        all[0].name = "Anna"
        writer.delete(all[1])
      }
      let notes = ContextNotes.of(reader) {
        NSManagedObjectContext.mergeChanges(
          fromRemoteContextSave: [
            NSUpdatedObjectsKey: [ids[0].uriRepresentation()], NSDeletedObjectsKey: [ids[1]],
          ], into: [reader])
      }
      #expect(notes.map(\.summary) == ["deleted 1, refreshed 1"])
      #expect(held[0].name == "Anna" && held[1].isDeleted)
    }
  }

  /// In debug builds a context stops the program when it is used from elsewhere.
  @Test func aMergeByItselfIsToldOnTheReadersQueueWhereverItWasSaved() throws {
    let stack = try TestStack.company()
    let id = try stack.withContext { context in
      let employee = try context.hire("Ann")
      try context.save()
      return employee.objectID
    }
    let reader = stack.makeContext()
    reader.automaticallyMergesChangesFromParent = true
    let held = try reader.performAndWait { try reader.existingObject(with: id) }
    let notes = try ContextNotes.of(reader) {
      let token = NotificationCenter.default.addObserver(
        forName: .NSManagedObjectContextObjectsDidChange, object: reader, queue: nil
      ) { _ in _ = reader.registeredObject(for: id) }
      defer { NotificationCenter.default.removeObserver(token) }
      try stack.withContext { writer in
        writer.object(with: id).setValue("Anna", forKey: "name")
        try writer.save()
      }
      reader.performAndWait {}
    }
    reader.performAndWait {
      #expect(notes.map(\.summary) == ["refreshed 1"])
      #expect(held.value(forKey: "name") as? String == "Anna")
    }
  }
}
