/// Saves destination objects during a migration, so that memory does not grow with the rows: into a
/// SQLite store that no other connection uses yet. The objects stay usable as faults.
///
/// Objects may be invalid when they are saved, since their relationships are set in a later pass.
/// Invalid ones are validated again at the end.
struct DraftSaves {
  /// The maximum number of changed objects in memory. Tests set a smaller one.
  @TaskLocal static var limit = 10_000

  private let manager: NSMigrationManager
  private var isOn: Bool
  private var invalid = WaitingObjects()
  private var steps = 0

  /// Saves only into a draft SQLite store without transient properties: no store keeps those, so
  /// objects with such must stay in memory.
  init(_ manager: NSMigrationManager, intoDraft isDraft: Bool) {
    self.manager = manager
    let coordinator = manager.destinationContext.persistentStoreCoordinator
    let layouts = coordinator?.managedObjectModel.entityLayouts() ?? []
    isOn =
      isDraft && coordinator?.persistentStores.first is SQLiteStore
      && layouts.allSatisfy { layout in
        !layout.hasTransientSlots && !layout.toMany.contains(where: \.isTransient)
      }
  }

  /// Called after `count` objects were made or changed, when no object is half done.
  mutating func advance(by count: Int) throws {
    steps += count
    guard steps >= Self.limit else { return }
    steps = 0
    // Source objects can be read again.
    manager.sourceContext.refreshAllObjects()
    if isOn { try save() }
  }

  private mutating func save() throws {
    let context = manager.destinationContext
    context.processPendingChanges()
    let changed = context.inserted.objects + context.updated.objects
    let failing = Set(changed.filter { (try? $0.validateForInsert()) == nil })
    manager.holdDeletedInstances()
    do { try context.writeUnvalidated() } catch {
      // For example two objects with one key, of which one will get another key later. The last
      // save reports it if not.
      isOn = false
      return
    }
    func numbers(areInvalid: Bool) -> [UInt64] {
      changed.lazy.filter { failing.contains($0) == areInvalid }.map(\.packedIdentity.bits)
    }
    try invalid.note(invalid: numbers(areInvalid: true), valid: numbers(areInvalid: false))
    manager.letGoOfSavedInstances()
    context.refreshAllObjects()
  }

  /// Validates the objects that were invalid when they were saved. Throws all their errors.
  mutating func validate() throws {
    let context = manager.destinationContext
    var errors: [any Error] = []
    while case let numbers = try invalid.next(Self.limit), !numbers.isEmpty {
      let objects = numbers.compactMap { context.object(for: PackedIdentity(bits: $0)) }
      try context.fillFaults(objects)
      // The others have been deleted since.
      for object in objects where object.current != nil && object.lifecycle == .live {
        do { try object.validateForInsert() } catch { errors.append(error) }
      }
      if errors.isEmpty { context.refreshAllObjects() }
    }
    if !errors.isEmpty { throw CoreDataError.combined(errors) }
  }
}
