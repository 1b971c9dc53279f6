import CoreData
import Foundation
import TestSupport
import Testing

@testable import CoreDataSamples

/// An object whose row others have deleted stays in a parent for the edit of a child. What it was related to and
/// others have deleted, too, does not stay in its relationships.
@Suite struct StayingObjectTests {
  enum Related: String, CaseIterable { case note, parent, children, tags }
  /// The saves of the other context: both deletions in one, or one before the other.
  enum Saves: String, CaseIterable { case together, itemFirst, relatedFirst }

  struct Case: CustomTestStringConvertible {
    let related: Related
    let saves: Saves
    /// Whether the related object has been read, and is kept.
    let isHeld: Bool
    /// Whether others take their deletions back at the end.
    let comesBack: Bool

    static let all = Related.allCases.flatMap { related in
      Saves.allCases.flatMap { saves in
        [(false, false), (false, true), (true, false), (true, true)].map {
          Case(related: related, saves: saves, isHeld: $0, comesBack: $1)
        }
      }
    }

    var testDescription: String {
      "\(related.rawValue), \(saves.rawValue), \(isHeld ? "held" : "not held")\(comesBack ? ", comes back" : "")"
    }
  }

  @Test(arguments: Sample.of(StoreKind.all, Case.all))
  func whatIsGoneIsNotRelatedToWhatStays(_ kind: StoreKind, _ at: Case) throws {
    let stack = try TestStack(kind)
    let (itemID, relatedID) = try stack.withContext { try makePair(in: $0, at.related) }
    try stack.withContext { parent in
      let item = try #require(try parent.existingObject(with: itemID) as? Item)
      let held = at.isHeld ? try parent.existingObject(with: relatedID) : nil
      _ = item.objectIDs(forRelationshipNamed: at.related.rawValue)
      let child = NSManagedObjectContext(.privateQueue)
      child.parent = parent
      try child.performAndWait {
        let own = try #require(try child.existingObject(with: itemID) as? Item)
        own.order += 7
        try child.save()
      }
      try stack.withContext { other in
        let steps = [itemID, relatedID]
        other.undoManager = UndoManager()
        other.undoManager?.groupsByEvent = false
        for ids in at.saves.steps(steps) {
          other.undoManager?.beginUndoGrouping()
          for id in ids {
            let object = other.object(with: id)
            // A delete rule may have taken it with the one before.
            if !object.isDeleted, try other.exists(object) { other.delete(object) }
          }
          other.processPendingChanges()
          other.undoManager?.endUndoGrouping()
          parent.mergeChanges(fromContextDidSave: try Notifications.ofSave(other))
        }
        #expect(item.isThere && !item.isRelated(at.related))
        #expect(held?.isThere != true)
        var wrong = try GraphEditor.disagreement(parent)
        #expect(wrong == nil)
        try child.performAndWait {
          child.refreshAllObjects()
          let own = try #require(try child.existingObject(with: itemID) as? Item)
          #expect(!own.isRelated(at.related))
        }
        guard at.comesBack else { return }
        for _ in at.saves.steps(steps) {
          other.undo()
          parent.mergeChanges(fromContextDidSave: try Notifications.ofSave(other))
        }
        let isRelated = try stack.withContext {
          try $0.existingObject(with: itemID).isRelated(at.related)
        }
        #expect(item.isThere && item.isRelated(at.related) == isRelated)
        if at.saves == .together { #expect(item.isRelated(at.related)) }
        wrong = try GraphEditor.disagreement(parent)
        #expect(wrong == nil)
      }
    }
  }

  private func makePair(
    in context: NSManagedObjectContext, _ related: Related
  ) throws -> (item: NSManagedObjectID, related: NSManagedObjectID) {
    let item = context.makeItem("item")
    let other: NSManagedObject
    switch related {
    case .note:
      other = context.insert("Note", ["text": "n"])
      item.setValue(other, forKey: "note")
    case .parent:
      let folder = context.makeItem("folder")
      item.parent = folder
      other = folder
    case .children:
      let leaf = context.makeItem("leaf")
      leaf.parent = item
      other = leaf
    case .tags:
      other = context.insert("Tag", ["name": "t"])
      item.mutableSetValue(forKey: "tags").add(other)
    }
    try context.save()
    return (item.objectID, other.objectID)
  }
}

extension StayingObjectTests.Saves {
  fileprivate func steps(_ ids: [NSManagedObjectID]) -> [[NSManagedObjectID]] {
    switch self {
    case .together: [ids]
    case .itemFirst: ids.map { [$0] }
    case .relatedFirst: ids.reversed().map { [$0] }
    }
  }
}

extension NSManagedObject {
  fileprivate var isThere: Bool { managedObjectContext != nil && !isDeleted }

  fileprivate func isRelated(_ related: StayingObjectTests.Related) -> Bool {
    switch value(forKey: related.rawValue) {
    case let many as Set<NSManagedObject>: !many.isEmpty
    case let one: one != nil
    }
  }
}

extension NSManagedObjectContext {
  fileprivate func exists(_ object: NSManagedObject) throws -> Bool {
    let request = NSFetchRequest<NSManagedObject>()
    request.entity = object.entity
    request.predicate = NSPredicate(format: "self == %@", object.objectID)
    return try count(for: request) == 1
  }
}
