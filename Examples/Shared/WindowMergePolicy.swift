import CoreData

/// What a save of a window does about what others have saved since the window read it: another
/// process, in the moment before its save was merged here.
///
/// Property by property, the one that saves last has its say, but what another one has deleted
/// stays deleted, with all that was put into it. Whatever of either side is gone by that is told,
/// in the words that a window hears whose row another window has deleted.
///
/// Sendable: used on the queue of the one context that it belongs to.
package final class WindowMergePolicy: NSMergePolicy, @unchecked Sendable {
  /// Says something to the window's user.
  var tell: (@MainActor (String) -> Void)?
  /// Asks the window's user whose value is to stay, where both sides have changed one.
  var ask: (@MainActor (Overwriting) -> Void)?

  package init() { super.init(merge: .mergeByPropertyObjectTrumpMergePolicyType) }

  package override func resolve(optimisticLockingConflicts list: [NSMergeConflict]) throws {
    let context = list.first?.sourceObject.managedObjectContext
    // What is mended here is no step of the user's.
    context?.processPendingChanges()
    context?.undoManager?.disableUndoRegistration()
    defer {
      context?.processPendingChanges()
      context?.undoManager?.enableUndoRegistration()
    }
    let changed = list.filter { $0.newVersionNumber != 0 }
    // Used on this queue, which is the main one where windows are told.
    nonisolated(unsafe) let overwritings = changed.flatMap(\.overwritings)
    let words = try settle(list.filter { $0.newVersionNumber == 0 }, changed)
    guard let tell, let ask else { return }
    MainActor.assumeIsolated {
      words.forEach(tell)
      overwritings.forEach(ask)
    }
  }

  /// Returns what is to be told.
  private func settle(
    _ gone: [NSMergeConflict], _ changed: [NSMergeConflict]
  ) throws -> [String] {
    // Before anything is settled: what was typed goes with the edits.
    var words = gone.compactMap(\.wordsOfDeletion) + changed.flatMap(\.wordsOfLostChanges)
    let meetings = changed.map { Meeting(conflict: $0, own: $0.sourceObject.changedValues()) }
    let newcomers = gone.flatMap { $0.sourceObject.newMembers }
    try NSMergePolicy.rollback.resolve(optimisticLockingConflicts: gone)
    try super.resolve(optimisticLockingConflicts: changed)
    for object in newcomers { words.append(object.leaveWhatIsGone()) }
    for conflict in changed where conflict.sourceObject.isDeleted {
      words += try conflict.sourceObject.takeUnseenMembersAlong()
    }
    let present = meetings.filter { !$0.conflict.sourceObject.isDeleted }
    for case let object as any DerivingObject in present.map(\.conflict.sourceObject) {
      object.deriveValues()
    }
    for (_, meetings) in Dictionary(grouping: present, by: { $0.conflict.sourceObject.entity }) {
      let kind = meetings.first.map { type(of: $0.conflict.sourceObject) } as? any MergedObject.Type
      words += kind?.settle(meetings) ?? []
    }
    return words
  }
}

/// A value that a save has written over one that its window had never seen.
struct Overwriting {
  let object: NSManagedObject
  let name: String
  let theirs: NSObject
  let mine: NSObject
  let texts: (theirs: String, mine: String)

  /// The name of the value's field in a form.
  var label: String { object.entity.propertiesByName[name]?.label ?? name }

  /// Gives the object the other value back, unless something else has happened to it since.
  func takeTheirs() {
    guard object.managedObjectContext != nil, !object.isDeleted,
      mine.isEqual(object.value(forKey: name) ?? NSNull())
    else { return }
    object.setValue(theirs is NSNull ? nil : theirs, forKey: name)
    (object as? any DerivingObject)?.deriveValues()
  }
}

/// An object with attributes that follow from others of its attributes.
package protocol DerivingObject: NSManagedObject {
  /// Sets them; called when an attribute was set by other means than a form.
  func deriveValues()
}

/// Edits of an object that have met others'.
package struct Meeting {
  package let conflict: NSMergeConflict
  /// What this side has changed.
  package let own: [String: Any]
}

/// An object with rules of its own for when others have changed it, or what it stands in, in the
/// moment before its save.
package protocol MergedObject: NSManagedObject {
  /// Called when the objects have the edits of both sides, this side's where both have changed a
  /// value. Takes back what must not stay, and gives words for the user about it.
  static func settle(_ meetings: [Meeting]) -> [String]
}

extension NSMergeConflict {
  /// What the store has, by property, whoever has written it; nothing where the object is gone.
  package var storedSnapshot: [String: Any] { persistedSnapshot ?? cachedSnapshot ?? [:] }
}

extension NSAttributeDescription {
  /// Whether a person gives its value; the model notes of others, such as the place in a list,
  /// `bookkeeping` in the attribute's user info.
  var isOfPeople: Bool {
    userInfo?["bookkeeping"] == nil && !isTransient && !Self.places.contains(name)
  }

  /// Places in a list, also in a model that has no user info, as one of SwiftData.
  private static let places: Set<String> = ["order"]

  /// Whether an undo that leaves it as somebody else has made it says so; `toldWhenKept` in the
  /// user info of what a person changes without giving a value, such as a count.
  var isToldWhenKept: Bool { isOfPeople || userInfo?["toldWhenKept"] != nil }
}

extension NSMergeConflict {
  /// What this side has changed of the object, by attribute.
  private var ownValues: [(name: String, value: Any)] {
    let values = sourceObject.changedValues()
    return sourceObject.entity.attributesByName.filter { $0.value.isOfPeople }.keys.sorted()
      .compactMap { name in values[name].map { (name, $0) } }
  }

  /// An object that this side has edited is gone.
  fileprivate var wordsOfDeletion: String? {
    if sourceObject.isDeleted { return nil }
    let own = ownValues
    if own.isEmpty { return nil }
    let attributes = sourceObject.entity.attributesByName
    // Nobody types a box that is ticked.
    let typed = own.filter { attributes[$0.name]?.attributeType != .booleanAttributeType }
      .map { text(of: $0.value) }
    return typed.isEmpty
      ? "That row was deleted."
      : "That row was deleted. You typed: \(typed.joined(separator: ", "))"
  }

  private var namesOfPeople: [String] {
    sourceObject.entity.attributesByName.filter { $0.value.isOfPeople }.keys.sorted()
  }

  /// The store's value of an attribute, where somebody else has changed it.
  private func unseen(_ name: String) -> NSObject? {
    guard let value = storedSnapshot[name] as? NSObject, !value.isEqual(objectSnapshot?[name])
    else { return nil }
    return value
  }

  /// This side deletes what somebody else has changed.
  fileprivate var wordsOfLostChanges: [String] {
    guard sourceObject.isDeleted else { return [] }
    return namesOfPeople.compactMap { name in
      unseen(name).map {
        "What you deleted had just been changed by somebody else: \(label(of: name)) was “\(text(of: $0))”"
      }
    }
  }

  /// Both sides have changed a value.
  fileprivate var overwritings: [Overwriting] {
    if sourceObject.isDeleted { return [] }
    let values = ownValues.compactMap { name, value -> Overwriting? in
      guard let theirs = unseen(name) else { return nil }
      return overwriting(name, theirs: theirs, mine: value)
    }
    return values + overwrittenEnds
  }

  /// Both sides have related the object to others. One with rules of its own sees to that itself.
  private var overwrittenEnds: [Overwriting] {
    if sourceObject is any MergedObject { return [] }
    let own = sourceObject.changedValues()
    return sourceObject.entity.relationshipsByName.values.filter { !$0.isToMany && !$0.isTransient }
      .sorted { $0.name < $1.name }.compactMap { relationship in
        guard let mine = own[relationship.name], let stored = unseen(relationship.name) else {
          return nil
        }
        let end = (stored as? NSManagedObjectID).flatMap {
          try? sourceObject.managedObjectContext?.existingObject(with: $0)
        }
        return overwriting(relationship.name, theirs: end ?? NSNull(), mine: mine)
      }
  }

  private func overwriting(_ name: String, theirs: NSObject, mine: Any) -> Overwriting? {
    guard let mine = mine as? NSObject, !mine.isEqual(theirs) else { return nil }
    return Overwriting(
      object: sourceObject, name: name, theirs: theirs, mine: mine,
      texts: (text(of: theirs), text(of: mine)))
  }

  private func label(of name: String) -> String {
    sourceObject.entity.propertiesByName[name]?.label ?? name
  }

  private func text(of value: Any) -> String {
    switch value {
    case is NSNull: ""
    case let object as NSManagedObject: object.attributeTexts
    case let date as Date: Day.text(date)
    default: "\(value)"
    }
  }
}

extension NSManagedObject {
  var attributeTexts: String {
    let names = entity.attributesByName.filter { $0.value.isOfPeople }.keys.sorted()
    return names.compactMap { value(forKey: $0) as? String }.joined(separator: ", ")
  }

  /// The relationships whose members go with the object.
  private var owning:
    [(relationship: NSRelationshipDescription, inverse: NSRelationshipDescription)]
  {
    entity.relationshipsByName.values.compactMap { relationship in
      guard relationship.isToMany, relationship.deleteRule == .cascadeDeleteRule,
        let inverse = relationship.inverseRelationship, !inverse.isToMany
      else { return nil }
      return (relationship, inverse)
    }
  }

  /// What this context has put into the object, which is not saved yet.
  fileprivate var newMembers: [NSManagedObject] {
    guard let context = managedObjectContext else { return [] }
    let edited = context.insertedObjects.union(context.updatedObjects)
    return owning.flatMap { relationship, inverse in
      edited.filter {
        relationship.destinationEntity.map($0.entity.isKindOf) == true
          && $0.changedValues()[inverse.name] as? NSManagedObject === self
      }
    }
  }

  /// A new object goes with what it was put into; one that was moved there stays where it was.
  fileprivate func leaveWhatIsGone() -> String {
    let texts = attributeTexts
    if isInserted {
      managedObjectContext?.delete(self)
      return "The list was deleted. You typed: \(texts)"
    }
    managedObjectContext?.refresh(self, mergeChanges: false)
    return "“\(texts)” was not moved: the item or the list has been deleted"
  }

  /// Others have put something into an object that this side deletes: it goes along, as what was
  /// there before does.
  fileprivate func takeUnseenMembersAlong() throws -> [String] {
    guard let context = managedObjectContext else { return [] }
    return try owning.flatMap { relationship, inverse in
      let request = NSFetchRequest<NSManagedObject>()
      request.entity = relationship.destinationEntity
      request.predicate = NSPredicate(format: "%K == %@", inverse.name, objectID)
      return try context.fetch(request).filter { !$0.isDeleted }.map { member in
        let texts = member.attributeTexts
        context.delete(member)
        return "“\(texts)”, which was just added elsewhere, was deleted with its list"
      }
    }
  }
}
