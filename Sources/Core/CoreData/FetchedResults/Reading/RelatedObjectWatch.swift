import Predicates

/// Finds the rows whose watched key paths lead to changed objects.
///
///     path    shelf.room.name            of a list of books
///     hops    shelf      → room          a shelf whose room changes
///             shelf.room → name          a room whose name changes
///
/// An edit counts only if it changes the key that the path reads there: adding a book to a shelf
/// changes the shelf, but must not update all its books. Confined to its context's queue.
final class RelatedObjectWatch {
  private struct Hop {
    let destination: NSEntityDescription
    /// The path from the row to the object.
    let path: String
    let isToMany: Bool
    /// The key that the path reads from the object.
    let key: String
  }

  /// The greatest number of changed objects per fetch.
  private static let most = 500

  private let entity: NSEntityDescription
  private let hops: [Hop]
  /// The last known value of each changed object, for each hop.
  private var seen: [[UInt64: Value]]

  /// Returns nil for an empty array.
  ///
  /// - Throws: code 134060 for a path that leads through no relationship.
  init?(_ paths: [String], entity: NSEntityDescription) throws {
    guard !paths.isEmpty else { return nil }
    self.entity = entity
    hops = try paths.flatMap { try Self.hops($0, entity: entity) }
    seen = hops.map { _ in [:] }
  }

  private static func hops(_ path: String, entity: NSEntityDescription) throws -> [Hop] {
    let keys = path.split(separator: ".").map(String.init)
    var hops: [Hop] = []
    var place = entity
    var isToMany = false
    for (index, key) in keys.dropLast().enumerated() {
      guard let relationship = place.relationshipsByName[key],
        let destination = relationship.destinationEntity
      else { break }
      isToMany = isToMany || relationship.isToMany
      let prefix = keys[...index].joined(separator: ".")
      hops.append(
        Hop(destination: destination, path: prefix, isToMany: isToMany, key: keys[index + 1]))
      place = destination
    }
    guard !hops.isEmpty else {
      throw CoreDataError.make(
        .coreData,
        reason: "The watched key path '\(path)' leads through no relationship of the entity "
          + "'\(entity.name ?? "")'")
    }
    return hops
  }

  /// The objects of the list's entity that lead to a changed object.
  func followers(
    _ changes: ContextChanges, of request: NSFetchRequest<NSFetchRequestResult>,
    in context: NSManagedObjectContext
  ) -> [NSManagedObject] {
    var found: [NSManagedObject] = []
    for index in hops.indices {
      let changed = changed(changes, index: index, in: context)
      for start in stride(from: 0, to: changed.count, by: Self.most) {
        let some = Array(changed[start..<min(start + Self.most, changed.count)])
        found += fetch(hops[index], changed: some, request: request, in: context)
      }
    }
    return found
  }

  private func fetch(
    _ hop: Hop, changed: [NSManagedObject], request: NSFetchRequest<NSFetchRequestResult>,
    in context: NSManagedObjectContext
  ) -> [NSManagedObject] {
    let leading = NSFetchRequest<NSManagedObject>()
    leading.entity = entity
    leading.includesSubentities = request.includesSubentities
    leading.affectedStores = request.affectedStores
    leading.predicate = NSPredicate(
      format: hop.isToMany ? "ANY %K IN %@" : "%K IN %@", hop.path, changed)
    do { return try context.fetch(leading) } catch {
      fatalError("CoreData could not fetch the rows that lead to changed objects: \(error)")
    }
  }

  // MARK: - Changed objects

  private func changed(
    _ changes: ContextChanges, index: Int, in context: NSManagedObjectContext
  ) -> [NSManagedObject] {
    let edited = changes.updated.filter {
      isOf($0.layout, index: index) && isOther($0, index: index)
    }
    let refreshed = changes.refreshed.filter { isOf($0.layout, index: index) }
    let rows = changes.unregistered.filter { isOf($0.layout, index: index) }
    for object in refreshed { remember(object, index: index) }
    for row in rows { seen[index][row.packed.bits] = nil }
    return edited + refreshed + rows.map { context.object(with: $0.identity) }
  }

  private func isOf(_ layout: EntityLayout, index: Int) -> Bool {
    layout.entity.isKindOf(entity: hops[index].destination)
  }

  /// Whether an edited object's value differs from the last known one. True for values that no row
  /// has (a to-many relationship, a property of the class), since they cannot be compared.
  private func isOther(_ object: NSManagedObject, index: Int) -> Bool {
    guard let slot = object.layout.slot(of: hops[index].key), let current = object.current else {
      return true
    }
    let last = seen[index][object.packedIdentity.bits] ?? object.snapshot?[slot]
    remember(object, index: index)
    return last != current[slot]
  }

  private func remember(_ object: NSManagedObject, index: Int) {
    guard let slot = object.layout.slot(of: hops[index].key) else { return }
    seen[index][object.packedIdentity.bits] = object.current?[slot]
  }
}
