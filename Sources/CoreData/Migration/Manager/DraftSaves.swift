/// Saves what a migration makes as it goes on, so that memory does not grow with the rows: into a SQLite store that
/// nobody knows yet. Objects stay usable as faults.
///
/// Objects are not valid yet when they are saved: their relationships come in a later pass. Those that are not are
/// looked at again in the end.
struct DraftSaves {
  /// How many changed objects there may be in memory. Tests set a smaller one.
  @TaskLocal static var limit = 10_000

  private let manager: NSMigrationManager
  private var isOn: Bool
  private var invalid: Set<PackedIdentity> = []
  private var steps = 0

  /// Values of transient properties are in no store: with such, all objects stay in memory.
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

  /// Called when so many objects were made or changed, and nobody is in the midst of others.
  mutating func advance(by count: Int) {
    steps += count
    guard steps >= Self.limit else { return }
    steps = 0
    // What was read there can be read again.
    manager.sourceContext.refreshAllObjects()
    if isOn { save() }
  }

  private mutating func save() {
    let context = manager.destinationContext
    context.processPendingChanges()
    let changed = context.inserted.objects + context.updated.objects
    let failing = Set(changed.filter { (try? $0.validateForInsert()) == nil })
    manager.holdDeletedInstances()
    do { try context.writeUnvalidated() } catch {
      // Two objects with one key, say, of which one is still to get another. The last save tells if not.
      isOn = false
      return
    }
    for object in changed {
      if failing.contains(object) {
        invalid.insert(object.packedIdentity)
      } else {
        invalid.remove(object.packedIdentity)
      }
    }
    manager.letGoOfSavedInstances()
    context.refreshAllObjects()
  }

  /// Validates what was not valid when it was saved. Throws all that is wrong with it.
  mutating func validate() throws {
    let context = manager.destinationContext
    var errors: [any Error] = []
    let invalid = invalid.sorted { $0.bits < $1.bits }
    for start in stride(from: 0, to: invalid.count, by: Self.limit) {
      let objects = invalid[start..<min(start + Self.limit, invalid.count)].compactMap {
        context.object(for: $0)
      }
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
