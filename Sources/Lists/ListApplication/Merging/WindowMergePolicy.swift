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
    let overwritings = changed.flatMap(\.overwritings)
    let words = try settle(list.filter { $0.newVersionNumber == 0 }, changed)
    // Used on this queue, which is the main one where windows are told.
    nonisolated(unsafe) let questions = overwritings.filter(\.isInPlace)
    guard let tell, let ask else { return }
    MainActor.assumeIsolated {
      words.forEach(tell)
      questions.forEach(ask)
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
    let context = (gone + changed).first?.sourceObject.managedObjectContext
    try NSMergePolicy.rollback.resolve(optimisticLockingConflicts: gone)
    let deleted = context?.deletedObjects ?? []
    try super.resolve(optimisticLockingConflicts: changed)
    // Others may have put something into what this side deletes: it goes along, and comes back with
    // it by undo.
    context?.processPendingChanges()
    words += NSManagedObject.wordsOfCompanions(context?.deletedObjects.subtracting(deleted) ?? [])
    for object in newcomers { words.append(object.leaveWhatIsGone()) }
    let present = meetings.filter { !$0.conflict.sourceObject.isDeleted }
    for case let object as any DerivingObject in present.map(\.conflict.sourceObject) {
      object.deriveValues()
    }
    for (_, meetings) in Dictionary(grouping: present, by: { $0.conflict.sourceObject.entity }) {
      let kind = meetings.first.map { type(of: $0.conflict.sourceObject) } as? any MergedObject.Type
      words += kind?.settle(meetings) ?? NSManagedObject.settlePlaces(meetings)
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

  /// Both values as texts.
  var texts: (theirs: String, mine: String) { texts(in: .current) }

  /// Both values as texts in the language of a reader.
  func texts(in locale: Locale) -> (theirs: String, mine: String) {
    (NSManagedObject.text(of: theirs, in: locale), NSManagedObject.text(of: mine, in: locale))
  }

  /// The name of the value's field in a form.
  var label: String { object.entity.propertiesByName[name]?.label ?? name }

  /// Whether both sides have put the object into a list: into different ones.
  var isMove: Bool { object.containers.contains { $0.relationship.name == name } }

  /// Whether the object has this side's value.
  fileprivate var isInPlace: Bool {
    object.managedObjectContext != nil && !object.isDeleted
      && mine.isEqual(object.value(forKey: name) ?? NSNull())
  }

  /// Gives the object the other value back, unless something else has happened to it since.
  ///
  /// Returns false where the other value is an object that is gone.
  @discardableResult
  func takeTheirs() -> Bool {
    guard isInPlace else { return true }
    if let end = theirs as? NSManagedObject, end.isDeleted || end.managedObjectContext == nil {
      return false
    }
    if let object = object as? any MergedObject {
      object.take(theirs is NSNull ? nil : theirs, for: name)
    } else {
      object.setValue(theirs is NSNull ? nil : theirs, forKey: name)
    }
    (object as? any DerivingObject)?.deriveValues()
    return true
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
  /// Sets a value that somebody else has given a property, in the place of this side's.
  func take(_ value: Any?, for name: String)
}

extension MergedObject {
  package func take(_ value: Any?, for name: String) { setValue(value, forKey: name) }
}

extension NSMergeConflict {
  /// What the store has, by property, whoever has written it; nothing where the object is gone.
  package var storedSnapshot: [String: Any] { persistedSnapshot ?? cachedSnapshot ?? [:] }
}

extension NSAttributeDescription {
  /// Whether a person gives its value; the model notes of others, such as the place in a list,
  /// `bookkeeping` in the attribute's user info.
  var isOfPeople: Bool {
    userInfo?["bookkeeping"] == nil && !isTransient && !isPlace
  }

  /// Whether it is an object's place in its list.
  var isPlace: Bool { Self.places.contains(name) }

  /// Places in a list, also in a model that has no user info, as one of SwiftData.
  private static let places: Set<String> = ["order"]

  /// Whether an undo that leaves it as somebody else has made it says so; `toldWhenKept` in the
  /// user info of what a person changes without giving a value, such as a count.
  var isToldWhenKept: Bool { isOfPeople || userInfo?["toldWhenKept"] != nil }
}

extension NSMergeConflict {
  /// An object that this side has edited is gone.
  fileprivate var wordsOfDeletion: String? {
    if sourceObject.isDeleted || sourceObject.ownValues.isEmpty { return nil }
    let typed = sourceObject.typedTexts
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
        "What you deleted had just been changed by somebody else: \(label(of: name)) was “\(NSManagedObject.text(of: $0))”"
      }
    }
  }

  /// Both sides have changed a value.
  fileprivate var overwritings: [Overwriting] {
    if sourceObject.isDeleted { return [] }
    let values = sourceObject.ownValues.compactMap { name, value -> Overwriting? in
      guard let theirs = unseen(name) else { return nil }
      return overwriting(name, theirs: theirs, mine: value)
    }
    return values + overwrittenEnds
  }

  /// Both sides have related the object to others.
  private var overwrittenEnds: [Overwriting] {
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
    return Overwriting(object: sourceObject, name: name, theirs: theirs, mine: mine)
  }

  private func label(of name: String) -> String {
    sourceObject.entity.propertiesByName[name]?.label ?? name
  }

}

extension NSManagedObject {
  var attributeTexts: String {
    let names = entity.attributesByName.filter { $0.value.isOfPeople }.keys.sorted()
    return names.compactMap { value(forKey: $0) as? String }.joined(separator: ", ")
  }

  /// What is not saved yet, by attribute.
  fileprivate var ownValues: [(name: String, value: Any)] {
    let values = changedValues()
    return entity.attributesByName.filter { $0.value.isOfPeople }.keys.sorted()
      .compactMap { name in values[name].map { (name, $0) } }
  }

  /// The texts of that. Nobody types a box that is ticked.
  var typedTexts: [String] {
    ownValues.filter {
      entity.attributesByName[$0.name]?.attributeType != .booleanAttributeType
    }.map { Self.text(of: $0.value) }
  }

  static func text(of value: Any, in locale: Locale = .current) -> String {
    switch value {
    case is NSNull: ""
    case let object as NSManagedObject: object.attributeTexts
    case let date as Date: Day.words(date, in: locale)
    default: "\(value)"
    }
  }

  /// The relationships to what the object goes with.
  var containers: [(relationship: NSRelationshipDescription, owner: NSManagedObject?)] {
    entity.relationshipsByName.values.compactMap { relationship in
      guard !relationship.isToMany, let inverse = relationship.inverseRelationship,
        inverse.isToMany, inverse.deleteRule == .cascadeDeleteRule
      else { return nil }
      return (relationship, value(forKey: relationship.name) as? NSManagedObject)
    }
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

  /// So many objects are named in one message.
  private static let mostNamed = 5

  /// What others have put into something that this side deletes, at any depth.
  fileprivate static func wordsOfCompanions(_ objects: Set<NSManagedObject>) -> [String] {
    let names = objects.map(\.attributeTexts).filter { !$0.isEmpty }.sorted().map { "“\($0)”" }
    guard let last = names.last else { return [] }
    if names.count == 1 {
      return ["\(last), which was just added elsewhere, was deleted with its list"]
    }
    let more = names.count - mostNamed
    let list =
      more > 0
      ? "\(names.prefix(mostNamed).joined(separator: ", ")) and \(more) more"
      : "\(names.dropLast().joined(separator: ", ")) and \(last)"
    return ["\(list), which were just added elsewhere, were deleted with their list"]
  }
}
