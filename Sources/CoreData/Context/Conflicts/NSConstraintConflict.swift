/// Objects whose values a uniqueness constraint of the model does not allow side by side.
///
/// Source: developer.apple.com/documentation/coredata/nsconstraintconflict
open class NSConstraintConflict: NSObject {
  /// The names of the attributes that together must be unique.
  public final let constraint: [String]
  /// The values that the objects share.
  public final let constraintValues: [String: Any]
  /// The object whose row is in the store already; nil when only changed objects are in conflict.
  public final let databaseObject: NSManagedObject?
  /// The values of that row.
  public final let databaseSnapshot: [String: Any]?
  /// The new and changed objects of the context.
  public final let conflictingObjects: [NSManagedObject]
  /// Their values: those last read, or for a new object those that it has.
  public final let conflictingSnapshots: [[AnyHashable: Any]]

  public init(
    constraint contraint: [String], database databaseObject: NSManagedObject?,
    databaseSnapshot: [String: Any]?, conflicting conflictingObjects: [NSManagedObject],
    conflictingSnapshots: [Any]
  ) {
    constraint = contraint
    self.databaseObject = databaseObject
    self.databaseSnapshot = databaseSnapshot
    self.conflictingObjects = conflictingObjects
    self.conflictingSnapshots = conflictingSnapshots.map { $0 as? [AnyHashable: Any] ?? [:] }
    let first = conflictingObjects.first
    constraintValues = Dictionary(
      contraint.map { ($0, first?.value(forKey: $0) ?? NSNull()) },
      uniquingKeysWith: { first, _ in first })
  }

  /// A conflict of nothing: of no constraint and no objects.
  public convenience override init() {
    self.init(
      constraint: [], database: nil, databaseSnapshot: nil, conflicting: [],
      conflictingSnapshots: [])
  }

  convenience init(
    constraint: [String], database: NSManagedObject?, conflicting: [NSManagedObject]
  ) {
    self.init(
      constraint: constraint, database: database,
      databaseSnapshot: database?.snapshot?.storedValues, conflicting: conflicting,
      conflictingSnapshots: conflicting.map { ($0.snapshot ?? $0.readableRow).storedValues })
  }

  /// Names and IDs; stored values stay out of logs.
  open override var description: String {
    let names = constraint.map { "\n    \($0)" }.joined(separator: ",")
    let database = databaseObject.map { "\($0.objectID)" } ?? "(null)"
    let objects = conflictingObjects.map { "\($0.objectID)" }.joined(separator: ", ")
    return "NSConstraintConflict for constraint (\(names)\n): database: \(database), "
      + "conflictedObjects: (\(objects))"
  }

  // MARK: - Settling

  /// Leaves one object with the values: the one whose row is in the store, or else the first. New objects
  /// are merged into it; the values that a saved object has been given go back, or the other object goes.
  func settle(_ type: NSMergePolicyType) {
    let objects = conflictingObjects.filter(\.lifecycle.isPresent)
    guard let survivor = survivor(of: objects, type) else { return }
    for object in objects where object !== survivor { settle(object, survivor, type) }
    guard let databaseObject, databaseObject !== survivor, databaseObject.lifecycle.isPresent
    else { return }
    databaseObject.registry?.context?.delete(databaseObject)
  }

  private func survivor(
    of objects: [NSManagedObject], _ type: NSMergePolicyType
  ) -> NSManagedObject? {
    let saved = objects.first { $0.lifecycle == .live }
    if let databaseObject, databaseObject.lifecycle.isPresent {
      // A saved object that was given the value trumps the row that has it.
      return type.objectWins ? saved ?? databaseObject : databaseObject
    }
    return type.objectWins ? saved ?? objects.first : objects.first
  }

  private func settle(
    _ object: NSManagedObject, _ survivor: NSManagedObject, _ type: NSMergePolicyType
  ) {
    if object.lifecycle == .inserted {
      let isOfStore = survivor === databaseObject
      ConstraintMerge(source: object, target: survivor, type: type, targetIsStored: isOfStore).run()
    } else if type == .rollbackMergePolicyType, let snapshot = object.snapshot {
      object.noteEdit()
      object.current = snapshot
    } else {
      for name in constraint { object.setValue(object.committedValue(name), forKey: name) }
    }
  }
}

extension NSMergePolicyType {
  /// Whether what is in memory goes before what is in the store.
  fileprivate var objectWins: Bool {
    self == .mergeByPropertyObjectTrumpMergePolicyType || self == .overwriteMergePolicyType
  }
}

extension NSManagedObject {
  fileprivate func committedValue(_ name: String) -> Any? {
    let value = committedValues(forKeys: [name])[name]
    return value is NSNull ? nil : value
  }
}

/// Merges a new object into the one that keeps the unique values, and lets everything that leads to the new
/// one lead to that; then the new one goes.
private struct ConstraintMerge {
  let source: NSManagedObject
  let target: NSManagedObject
  let type: NSMergePolicyType
  /// Whether the target is the row of the store, and not just the first of several new objects.
  let targetIsStored: Bool

  func run() {
    guard let context = source.registry?.context else { return }
    target.fireFault()
    for (slot, description) in source.layout.slots.enumerated() where description.isStored {
      guard let place = target.layout.slot(of: description.name) else { continue }
      if description.kind == .toOne { moveDestination(slot, place) } else { copy(slot, place) }
    }
    for (index, relationship) in source.layout.toMany.enumerated() {
      guard case .toMany(let place) = target.layout.place(of: relationship.name) else { continue }
      for member in source.memberObjects(index) { target.relate(member, place) }
    }
    redirect(context)
    target.awake(fromSnapshotEvents: .mergePolicy)
    context.delete(source)
  }

  private func copy(_ slot: Int, _ place: Int) {
    let value = source.read(slot)
    if takes(value, over: target.read(place)), value != target.read(place) {
      target.write(value, place)
    }
  }

  private func takes(_ value: Value, over old: Value) -> Bool {
    if !targetIsStored { return old.isNull }
    switch type {
    case .overwriteMergePolicyType: return true
    case .mergeByPropertyObjectTrumpMergePolicyType: return !value.isNull
    case .mergeByPropertyStoreTrumpMergePolicyType: return old.isNull
    default: return false
    }
  }

  private func moveDestination(_ slot: Int, _ place: Int) {
    guard takes(source.read(slot), over: target.read(place)) else { return }
    let destination = source.destination(slot)
    source.setDestination(nil, slot)
    target.setDestination(destination, place)
  }

  /// Relationships without an inverse: only what has changed can lead to a new object.
  private func redirect(_ context: NSManagedObjectContext) {
    for object in context.inserted.objects + context.updated.objects where object !== source {
      for (slot, description) in object.layout.slots.enumerated()
      where description.kind == .toOne && object.identity(slot) === source.objectID.resolved {
        object.writeDestination(target, slot)
      }
    }
  }
}
