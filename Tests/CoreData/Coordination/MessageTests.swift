import CoreData
import Testing

@testable import CoreDataSamples

/// The notifications of contexts and coordinators as messages with types, there and back.
@Suite struct MessageTests {
  private func notifications(
    _ names: [Notification.Name], _ body: () throws -> Void
  ) rethrows -> [Notification.Name: Notification] {
    let told = Told<[Notification.Name: Notification]>([:])
    let observers = names.map { name in
      NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) {
        // Of others that run beside this test, too: the last of this thread is its own.
        if Thread.current === told.thread { told.value[name] = $0 }
      }
    }
    defer { observers.forEach(NotificationCenter.default.removeObserver) }
    try body()
    return told.value
  }

  @Test func aSaveIsToldWithItsObjectsAndTheirIDs() throws {
    let stack = try TestStack(.inMemory)
    try stack.withContext { context in
      let kept = context.makeItem("kept")
      let gone = context.makeItem("gone")
      try context.save()
      let names: [Notification.Name] = [
        NSManagedObjectContext.didSaveObjectsNotification,
        NSManagedObjectContext.didSaveObjectIDsNotification,
        NSManagedObjectContext.didChangeObjectsNotification,
      ]
      var new: Item?
      let told = try notifications(names) {
        new = context.makeItem("new")
        kept.title = "changed"
        context.delete(gone)
        try context.save()
      }
      typealias Context = NSManagedObjectContext
      let saved = try #require(told[names[0]].flatMap(Context.DidSaveMessage.makeMessage))
      #expect(saved.context === context)
      #expect(
        saved.inserted == [try #require(new)] && saved.updated == [kept] && saved.deleted == [gone])
      let again = try #require(
        Context.DidSaveMessage.makeMessage(Context.DidSaveMessage.makeNotification(saved)))
      #expect(again.inserted == saved.inserted && again.deleted == saved.deleted)
      let ids = try #require(told[names[1]].flatMap(Context.DidSaveObjectIDsMessage.makeMessage))
      #expect(ids.insertedIDs == [try #require(new).objectID] && ids.updatedIDs == [kept.objectID])
      #expect(ids.deletedIDs == [gone.objectID])
      let changed = try #require(
        told[names[2]].flatMap(Context.ObjectsDidChangeMessage.makeMessage))
      #expect(changed.updated == [kept] && changed.inserted == saved.inserted)
      #expect(Context.DidSaveMessage.makeMessage(Notification(name: names[0])) == nil)
    }
  }

  @Test func aMergeIsTold() throws {
    let stack = try TestStack(.inMemory)
    let (reader, writer) = (stack.makeContext(), stack.makeContext())
    let id = try writer.performAndWait {
      let item = writer.makeItem("a")
      try writer.save()
      return item.objectID
    }
    try reader.performAndWait {
      let held = try reader.existingObject(with: id)
      let told = notifications([NSManagedObjectContext.didMergeChangesObjectIDsNotification]) {
        NSManagedObjectContext.mergeChanges(
          fromRemoteContextSave: [NSUpdatedObjectsKey: [id]], into: [reader])
      }
      let message = told.values.first.flatMap(
        NSManagedObjectContext.DidMergeChangesAsyncMessage.makeMessage)
      #expect(message?.updatedIDs == [id] && message?.refreshedIDs == [id])
      withExtendedLifetime(held) {}
    }
  }

  @Test func theStoresOfACoordinatorAreTold() throws {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: NestedModel.make())
    var store: NSPersistentStore?
    let name = NSPersistentStoreCoordinator.StoresDidChangeMessage.name
    let added = try notifications([name]) {
      store = try coordinator.addPersistentStore(
        ofType: NSInMemoryStoreType, configurationName: nil, at: nil)
    }
    let message = try #require(
      added[name].flatMap(NSPersistentStoreCoordinator.StoresDidChangeMessage.makeMessage))
    #expect(message.persistentStoreCoordinator === coordinator)
    #expect(message.addedStores == [try #require(store)] && message.removedStores.isEmpty)
  }
}
