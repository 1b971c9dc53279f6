import CoreData
import Testing

@testable import CoreDataSamples

/// Undo and redo of objects that others have deleted meanwhile, or what they refer to.
@Suite struct GoneObjectUndoTests {
  enum Deletion: String, CaseIterable {
    /// By the parent of the context that undoes.
    case inParent, inParentAndStore
    /// By another context of the store, of which the context has heard or not.
    case elsewhere, elsewhereAndMerged

    var isInParent: Bool { self == .inParent || self == .inParentAndStore }
  }

  private static let cases = Deletion.allCases.flatMap { deletion in
    [false, true].map { (deletion, $0) }
  }

  /// An insertion is taken back and done again after somebody else has deleted the object: there is
  /// no object without values in the end.
  @Test(arguments: StoreKind.all, cases)
  func aRedoneInsertionHasItsValues(_ kind: StoreKind, _ at: (Deletion, isFault: Bool)) throws {
    let stack = try TestStack(kind)
    let root = stack.makeContext()
    let child = NSManagedObjectContext(.privateQueue)
    child.parent = root
    try ContextChain.inside([child, root][...]) {
      let context = at.0.isInParent ? child : root
      context.undoManager = UndoManager()
      let item = context.makeItem("a", order: 7)
      context.processPendingChanges()
      context.undoManager?.endEvent()
      try context.save()
      if at.0.isInParent { try root.save() }
      try stack.delete("a", at.0, root)
      if at.isFault { context.refresh(item, mergeChanges: false) }
      context.undo()
      context.undoManager?.endEvent()
      context.redo()
      context.processPendingChanges()
      do {
        try context.save()
        if at.0.isInParent { try root.save() }
      } catch let error as NSError {
        #expect(error.code == NSManagedObjectMergeError, "\(error)")
      }
      let titles = try stack.withContext { try $0.items().map(\.title) }
      #expect(titles == [] || titles == ["a"], "\(titles)")
    }
  }

  /// A deletion is taken back after somebody else has deleted what the object refers to, one of many
  /// or the only one: it refers to nothing, which is told.
  @Test(
    arguments: StoreKind.all,
    [("Item", "parent"), ("Note", "item")].flatMap { end in [true, false].map { (end, $0) } })
  func anObjectThatComesBackRefersToNothingThatIsGone(
    _ kind: StoreKind, _ at: (end: (entity: String, key: String), isSaved: Bool)
  ) throws {
    let stack = try TestStack(kind)
    try stack.withContext { context in
      context.undoManager = UndoManager()
      context.undoManager?.groupsByEvent = false
      let end = context.makeItem("end")
      try context.save()
      let isNote = at.end.entity == "Note"
      let object =
        isNote ? context.insert("Note", ["text": "a"]) : context.makeItem("a", order: 7)
      object.setValue(end, forKey: at.end.key)
      if at.isSaved { try context.save() } else { context.processPendingChanges() }
      context.undoManager?.removeAllActions()
      context.undoManager?.beginUndoGrouping()
      context.delete(object)
      context.processPendingChanges()
      context.undoManager?.endUndoGrouping()
      try context.save()
      let note = try stack.withContext { other in
        other.delete(try other.existingObject(with: end.objectID))
        return try Notifications.ofSave(other)
      }
      context.mergeChanges(fromContextDidSave: note)
      context.undo()
      let request = NSFetchRequest<NSManagedObject>(entityName: at.end.entity)
      let back = try #require(try context.fetch(request).first)
      #expect(back.value(forKey: isNote ? "text" : "title") as? String == "a")
      #expect(back.value(forKey: at.end.key) == nil)
      #expect(context.changesSkippedByUndo.map(\.key).contains(at.end.key))
      try context.save()
      let stored = try stack.withContext { other in
        try other.fetch(request).map { $0.value(forKey: at.end.key) == nil }
      }
      #expect(stored == [true])
    }
  }
}

extension TestStack {
  fileprivate func delete(
    _ title: String, _ deletion: GoneObjectUndoTests.Deletion, _ root: NSManagedObjectContext
  ) throws {
    if deletion.isInParent {
      root.delete(try #require(try root.items("title == '\(title)'").first))
      root.processPendingChanges()
      if deletion == .inParentAndStore { try root.save() }
      return
    }
    let note = try withContext { other in
      other.delete(try #require(try other.items("title == '\(title)'").first))
      return try Notifications.ofSave(other)
    }
    if deletion == .elsewhereAndMerged { root.mergeChanges(fromContextDidSave: note) }
  }
}
