/// A violation of a uniqueness constraint by several objects with equal values.
///
/// Source: developer.apple.com/documentation/coredata/nsconstraintconflict
open class NSConstraintConflict: NSObject {
  /// The names of the attributes that must be unique together.
  open private(set) var constraint: [String]
  /// The values that the objects share, by attribute.
  open private(set) var constraintValues: [String: Any]
  /// The object whose row is stored already; nil if only changed objects are in conflict.
  open private(set) var databaseObject: NSManagedObject?
  /// The values of that row.
  open private(set) var databaseSnapshot: [String: Any]?
  /// The object that has kept the values, once the conflict is resolved.
  private(set) package final var survivor: NSManagedObject?
  /// The new and changed objects of the context that are in conflict.
  open private(set) var conflictingObjects: [NSManagedObject]
  /// The values of those objects: as last read, or for a new object its current ones.
  open private(set) var conflictingSnapshots: [[AnyHashable: Any]]

  /// Makes a conflict over a constraint between a stored object and changed objects.
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

  /// Makes an empty conflict, of no constraint and no objects.
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

  /// The names of attributes and the IDs of objects; stored values stay out of logs.
  open override var description: String {
    let names = constraint.map { "\n    \($0)" }.joined(separator: ",")
    let database = databaseObject.map { "\($0.objectID)" } ?? "(null)"
    let objects = conflictingObjects.map { "\($0.objectID)" }.joined(separator: ", ")
    return "NSConstraintConflict for constraint (\(names)\n): database: \(database), "
      + "conflictedObjects: (\(objects))"
  }

  // MARK: - Resolution

  /// Resolves the conflict by a policy: one object keeps the values, the stored one or else the
  /// first. New objects are merged into it; a saved object gets back its former values, or the
  /// stored object is deleted.
  func settle(_ type: NSMergePolicyType, merges: inout ConstraintMerges) {
    let objects = conflictingObjects.filter { $0.lifecycle.isPresent && !merges.hasMerged($0) }
    guard let survivor = survivor(of: objects, type) else { return }
    self.survivor = survivor
    for object in objects where object !== survivor {
      settle(object, survivor: survivor, type: type, merges: &merges)
    }
    guard let databaseObject, databaseObject !== survivor, databaseObject.lifecycle.isPresent
    else { return }
    databaseObject.registry?.context?.delete(databaseObject)
  }

  private func survivor(
    of objects: [NSManagedObject], _ type: NSMergePolicyType
  ) -> NSManagedObject? {
    let saved = objects.first { $0.lifecycle == .live }
    if let databaseObject, databaseObject.lifecycle.isPresent {
      // A saved object that was given the values prevails over the row that has them.
      return type.objectWins ? saved ?? databaseObject : databaseObject
    }
    // One whose row has the values is what a row is that nobody changes.
    if let holder = objects.first(where: isHolder) { return holder }
    return type.objectWins ? saved ?? objects.first : objects.first
  }

  /// Whether the stored row of an object has the values, too.
  private func isHolder(_ object: NSManagedObject) -> Bool {
    guard object.lifecycle == .live, let snapshot = object.snapshot else { return false }
    let slots = constraint.compactMap { object.layout.slot(of: $0) }
    let key = UniqueKey(snapshot, slots: slots)
    return key != nil && key == UniqueKey(object.readableRow, slots: slots)
  }

  private func settle(
    _ object: NSManagedObject, survivor: NSManagedObject, type: NSMergePolicyType,
    merges: inout ConstraintMerges
  ) {
    if object.lifecycle == .inserted {
      merges.merge(object, into: survivor)
    } else if type == .rollbackMergePolicyType, let snapshot = object.snapshot {
      object.noteEdit()
      object.current = snapshot
    } else {
      for name in constraint { object.setValue(object.committedValue(name), forKey: name) }
    }
  }
}

extension NSMergePolicyType {
  /// True if values in memory prevail over stored ones.
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
