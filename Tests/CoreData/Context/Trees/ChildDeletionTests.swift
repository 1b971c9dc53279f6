import CoreData
import Foundation
import TestSupport
import Testing

@testable import CoreDataSamples

/// Deletions of a child whose parent has gone on meanwhile, and what an undo makes of them.
@Suite struct ChildDeletionTests {
  /// A parent whose child shows what the parent has saved.
  private func withTree(
    _ kind: StoreKind,
    _ body: (NSManagedObjectContext, NSManagedObjectContext) throws -> Void
  ) throws {
    let stack = try TestStack(kind)
    try stack.withContext { parent in
      parent.undoManager = UndoManager()
      parent.undoManager?.groupsByEvent = false
      let child = NSManagedObjectContext(.privateQueue)
      child.parent = parent
      child.undoManager = UndoManager()
      child.undoManager?.groupsByEvent = false
      try child.performAndWait { try body(parent, child) }
    }
  }

  private func inStep<Result>(
    _ context: NSManagedObjectContext, _ body: () throws -> Result
  ) rethrows -> Result {
    context.undoManager?.beginUndoGrouping()
    defer {
      context.processPendingChanges()
      context.undoManager?.endUndoGrouping()
    }
    return try body()
  }

  /// Both delete one object, the parent saves first: its undo of what the child has saved into it
  /// brings no object without values.
  @Test(arguments: StoreKind.all, [false, true])
  func whatTheParentHasDeletedAndSavedIsNotDeletedAgain(_ kind: StoreKind, isRead: Bool) throws {
    try withTree(kind) { parent, child in
      _ = parent.makeItem("a", order: 7)
      try parent.save()
      let own = try #require(try child.items().first)
      if !isRead { child.refresh(own, mergeChanges: false) }
      inStep(child) {
        child.delete(own)
        _ = child.makeItem("b")
      }
      try inStep(parent) { parent.delete(try #require(try parent.items().first)) }
      try parent.save()
      try inStep(parent) { try child.save() }
      #expect(try parent.titles() == ["b"])
      parent.undo()
      #expect(try parent.items().map(\.title) == [])
      try parent.save()
      parent.undo()
      #expect(try parent.items().map(\.title) == ["a"])
      #expect(try parent.items().first?.order == 7)
      try parent.save()
    }
  }

  struct Case: CustomTestStringConvertible {
    let isHeld: Bool
    let isUndo: Bool

    static let all = [false, true].flatMap { isHeld in
      [false, true].map { Case(isHeld: isHeld, isUndo: $0) }
    }

    var testDescription: String {
      "\(isUndo ? "undone" : "deleted"), the member \(isHeld ? "was read before" : "was not read")"
    }
  }

  /// A child deletes an object that it had inserted and saved, or takes it back; the parent has put
  /// another one into it meanwhile: that one is left or deleted as the child shows it, or is a conflict.
  @Test(arguments: StoreKind.all, Case.all)
  func aMemberThatTheParentHasGivenToADeletedObjectIsNotLost(_ kind: StoreKind, _ at: Case) throws {
    try withTree(kind) { parent, child in
      let moved = parent.makeItem("a")
      try parent.save()
      let held = at.isHeld ? try child.items() : []
      #expect(held.compactMap(\.parent).isEmpty)
      let folder = inStep(child) { child.makeItem("folder") }
      try child.save()
      try parent.save()
      moved.parent = try parent.items("title == 'folder'").first
      #expect(moved.parent?.title == "folder")
      parent.processPendingChanges()
      if at.isUndo { child.undo() } else { inStep(child) { child.delete(folder) } }
      #expect(folder.isDeleted)
      let shown = try child.items().compactMap(\.title)
      do {
        try child.save()
        try parent.save()
        let left = try parent.items()
        #expect(left.compactMap(\.title) == shown && !at.isHeld, "\(at)")
        #expect(left.compactMap(\.parent).isEmpty)
      } catch let error as NSError {
        // What the child has read of the member is not what the parent has.
        #expect(error.code == NSManagedObjectMergeError && at.isHeld, "\(error) \(at)")
        #expect(try parent.titles() == ["a", "folder"])
        #expect(moved.parent?.title == "folder")
      }
      withExtendedLifetime(held) {}
    }
  }

  /// A child deletes an object, saves, takes that back and saves again, before its parent has saved:
  /// the parent has it as before, among the members of its owners.
  @Test(arguments: StoreKind.all, [false, true])
  func whatIsTakenBackIsAmongTheMembersOfItsOwners(_ kind: StoreKind, isStored: Bool) throws {
    try withTree(kind) { parent, child in
      let folder = parent.makeItem("folder")
      let item = parent.makeItem("a", order: 7)
      item.parent = folder
      let tag = parent.insert("Tag", ["name": "t"])
      item.mutableSetValue(forKey: "tags").add(tag)
      let note = parent.insert("Note", ["text": "n"])
      note.setValue(item, forKey: "item")
      if isStored { try parent.save() } else { parent.processPendingChanges() }
      for name in ["a", "n"] {
        let isItem = name == "a"
        let own = try #require(
          try child.fetch(
            NSFetchRequest<NSManagedObject>(entityName: isItem ? "Item" : "Note")
          ).first { $0.value(forKey: isItem ? "title" : "text") as? String == name })
        inStep(child) { child.delete(own) }
        try child.save()
        child.undo()
        try child.save()
        let back = try #require(try parent.items("title == 'a'").first)
        #expect(back.order == 7 && back.parent === folder && folder.children == [back], "\(name)")
        #expect(back.value(forKey: "tags") as? Set<NSManagedObject> == [tag], "\(name)")
        #expect(tag.value(forKey: "items") as? Set<NSManagedObject> == [back], "\(name)")
        let text =
          (back.value(forKey: "note") as? NSManagedObject)?.value(forKey: "text") as? String
        #expect(text == "n", "\(name)")
      }
      try parent.save()
      let stored = try parent.items("title == 'a'").first
      parent.refreshAllObjects()
      #expect(stored?.parent?.title == "folder" && stored?.parent?.children.count == 1)
      #expect(
        (stored?.value(forKey: "note") as? NSManagedObject)?.value(forKey: "item") as? Item
          === stored)
    }
  }

  /// Others delete an owner and its member, which stays in a parent for the edit of a child, and take
  /// that back: both ends of the relationship say so.
  @Test(arguments: StoreKind.all, [false, true])
  func ownersAndMembersThatComeBackAreRelated(_ kind: StoreKind, ownerIsFirst: Bool) throws {
    let stack = try TestStack(kind)
    try stack.withContext { parent in
      let (first, last) = (parent.makeItem("1"), parent.makeItem("2"))
      let (owner, member) = ownerIsFirst ? (first, last) : (last, first)
      member.parent = owner
      try parent.save()
      let child = NSManagedObjectContext(.privateQueue)
      child.parent = parent
      try child.performAndWait {
        let own = try #require(try child.existingObject(with: member.objectID) as? Item)
        own.mutableSetValue(forKey: "tags").add(child.insert("Tag", ["name": "t"]))
        try child.save()
      }
      try stack.withContext { other in
        other.undoManager = UndoManager()
        other.undoManager?.groupsByEvent = false
        other.undoManager?.beginUndoGrouping()
        for object in [owner, member] {
          other.delete(try other.existingObject(with: object.objectID))
        }
        other.processPendingChanges()
        other.undoManager?.endUndoGrouping()
        parent.mergeChanges(fromContextDidSave: try Notifications.ofSave(other))
        #expect(owner.isDeleted || owner.managedObjectContext == nil)
        other.undo()
        parent.mergeChanges(fromContextDidSave: try Notifications.ofSave(other))
      }
      let back = try #require(try parent.existingObject(with: owner.objectID) as? Item)
      #expect(member.parent === back && back.children == [member])
    }
  }
}
