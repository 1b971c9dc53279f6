/// Merges new objects into the objects that keep their unique values, redirects references to the
/// new objects, and deletes the new objects.
///
/// References are searched once for all merged objects, which may be as many as an import has rows.
struct ConstraintMerges {
  private let type: NSMergePolicyType
  private var merged: [(source: NSManagedObject, target: NSManagedObject)] = []
  private var targets: [ObjectIdentifier: NSManagedObject] = [:]

  init(_ type: NSMergePolicyType) { self.type = type }

  func hasMerged(_ object: NSManagedObject) -> Bool { targets[ObjectIdentifier(object)] != nil }

  /// Copies the values of a new object to the target by the rules of the policy, which are the
  /// table in ``NSMergePolicy/resolve(constraintConflicts:)``.
  mutating func merge(_ source: NSManagedObject, into target: NSManagedObject) {
    merged.append((source, target))
    targets[ObjectIdentifier(source)] = target
    target.fireFault()
    let full = fullComposites(of: target)
    for (slot, description) in source.layout.slots.enumerated() where description.isStored {
      guard let place = target.layout.slot(of: description.name) else { continue }
      if description.kind == .toOne {
        moveDestination(source, slot: slot, target: target, place: place)
      } else {
        let isKept = target.layout.slots[place].composite.map(full.contains)
        copy(source.read(slot), target: target, place: place, isKept: isKept)
      }
    }
    for (index, relationship) in source.layout.toMany.enumerated() {
      guard case .toMany(let place) = target.layout.place(of: relationship.name) else { continue }
      for member in source.memberObjects(index) { target.relate(member, index: place) }
    }
  }

  /// The composites that have a value: such a composite is kept whole, and its single elements are
  /// not filled in.
  private func fullComposites(of object: NSManagedObject) -> Set<Int> {
    let composites = object.layout.composites.indices.filter { index in
      object.layout.composites[index].slots.contains { !object.read($0).isNull }
    }
    return Set(composites)
  }

  private func copy(_ value: Value, target: NSManagedObject, place: Int, isKept: Bool?) {
    let old = target.read(place)
    let takes =
      switch type {
      case .overwriteMergePolicyType, .mergeByPropertyObjectTrumpMergePolicyType: true
      case .mergeByPropertyStoreTrumpMergePolicyType: !(isKept ?? !old.isNull)
      default: false
      }
    if takes, value != old { target.write(value, slot: place) }
  }

  private func moveDestination(
    _ source: NSManagedObject, slot: Int, target: NSManagedObject, place: Int
  ) {
    let takes =
      switch type {
      case .overwriteMergePolicyType: true
      case .mergeByPropertyObjectTrumpMergePolicyType: !source.read(slot).isNull
      case .mergeByPropertyStoreTrumpMergePolicyType: target.read(place).isNull
      default: false
      }
    guard takes else { return }
    let destination = source.destination(slot)
    source.setDestination(nil, slot: slot)
    target.setDestination(destination, slot: place)
  }

  /// Redirects references to the new objects to their targets and deletes the new objects.
  func finish() {
    guard let context = merged.first?.source.registry?.context else { return }
    redirect(context)
    for (source, target) in merged {
      target.awake(fromSnapshotEvents: .mergePolicy)
      context.delete(source)
    }
  }

  /// Redirects to-one relationships without an inverse. Only changed objects can refer to a new
  /// object.
  private func redirect(_ context: NSManagedObjectContext) {
    let successors = Dictionary(
      merged.map { ($0.source.resolvedIdentity, $0.source) },
      uniquingKeysWith: { first, _ in first })
    for object in context.inserted.objects + context.updated.objects where !hasMerged(object) {
      for (slot, description) in object.layout.slots.enumerated()
      where description.kind == .toOne {
        guard let identity = object.identity(slot)?.packed, let source = successors[identity]
        else { continue }
        object.writeDestination(target(of: source), slot: slot)
      }
    }
  }

  /// The final target of a new object, whose direct target may have been merged too.
  private func target(of source: NSManagedObject) -> NSManagedObject {
    var object = source
    while let next = targets[ObjectIdentifier(object)] { object = next }
    return object
  }
}
