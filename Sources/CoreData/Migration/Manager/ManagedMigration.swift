import Foundation

/// One run of a migration manager over a store.
struct ManagedMigration {
  struct Side {
    let url: URL
    let type: String
    let options: [AnyHashable: Any]?
  }

  let manager: NSMigrationManager
  let mappings: NSMappingModel
  let source: Side
  let destination: Side

  func run() throws {
    guard mappings.leads(from: manager.sourceModel, to: manager.destinationModel) else {
      throw CoreDataError.make(
        .migrationMissingMappingModel,
        reason: "The mapping model is for other versions of the model than the manager's.")
    }
    let isNew = !FileManager.default.fileExists(atPath: destination.url.path)
    do {
      if isNew, try migrateInSQL() { return }
      try migrateObjects()
    } catch {
      // What was begun goes; the error that led here is the one that matters.
      if isNew { try? remove(destination) }
      throw error
    }
  }

  private func remove(_ side: Side) throws {
    let type = try StoreRegistry.storeClass(ofType: side.type)
    try type.destroy(at: side.url, options: StoreOptions(side.options))
    let names = ["", "-wal", "-shm", "-journal"].map { side.url.path + $0 }
    for name in names where FileManager.default.fileExists(atPath: name) {
      try FileManager.default.removeItem(atPath: name)
    }
  }

  /// False when objects have to be made.
  private func migrateInSQL() throws -> Bool {
    guard manager.usesStoreSpecificMigrationManager, mappings.isInferred,
      source.type == NSSQLiteStoreType, destination.type == NSSQLiteStoreType,
      source.url.path != "/dev/null", destination.url.path != "/dev/null"
    else { return false }
    try StoreFiles(destination.url).replace(with: StoreFiles(source.url))
    try SQLiteMigration(
      url: destination.url, options: StoreOptions(destination.options),
      layouts: manager.destinationModel.entityLayouts(), configuration: nil,
      match: ModelMatch(source: manager.sourceModel, destination: manager.destinationModel)
    ).run()
    return true
  }

  // MARK: - Objects

  private func migrateObjects() throws {
    let from = MigrationStack(model: manager.sourceModel)
    let to = MigrationStack(model: manager.destinationModel)
    defer {
      from.close()
      to.close()
    }
    try open(from, to)
    manager.begin(mappings, from: from, to: to)
    defer { manager.end() }
    do { try process() } catch let error as NSError where error.domain == NSCocoaErrorDomain {
      throw error
    } catch let error as PredicateEvaluationError {
      throw CoreDataError.make(
        .migration, reason: "An expression of the mapping could not be evaluated: \(error)")
    }
  }

  private func open(_ from: MigrationStack, _ to: MigrationStack) throws {
    var options = source.options ?? [:]
    options[NSReadOnlyPersistentStoreOption] = true
    for key in [
      NSMigratePersistentStoresAutomaticallyOption, NSInferMappingModelAutomaticallyOption,
      NSPersistentStoreRemoteChangeNotificationPostOptionKey,
    ] {
      options[key] = nil
    }
    do {
      try from.coordinator.addPersistentStore(
        ofType: source.type, configurationName: nil, at: source.url, options: options)
    } catch {
      throw CoreDataError.make(
        .migrationManagerSourceStore,
        reason: "The source store at \(source.url.path) could not be opened.", underlying: error)
    }
    do {
      try to.coordinator.addPersistentStore(
        ofType: destination.type, configurationName: nil, at: destination.url,
        options: destination.options)
    } catch {
      throw CoreDataError.make(
        .migrationManagerDestinationStore,
        reason: "The destination store at \(destination.url.path) could not be made or opened.",
        underlying: error)
    }
  }

  /// Three passes, each over all mappings in their order.
  private func process() throws {
    let steps = try mappings.entityMappings.map {
      Step(mapping: $0, policy: try NSEntityMigrationPolicy.policy(of: $0))
    }
    let total = Float(max(steps.count * 3, 1))
    var done: Float = 0
    func pass(_ body: (Step) throws -> Void) throws {
      for step in steps {
        try manager.advance(to: step.mapping, progress: done / total)
        try body(step)
        done += 1
      }
    }
    try pass(makeInstances)
    try pass(makeRelationships)
    try pass(validate)
    try manager.checkCancelled()
    try save()
    for step in steps { try step.policy.end(step.mapping, manager: manager) }
    if manager.destinationContext.hasChanges { try save() }
  }

  private struct Step {
    let mapping: NSEntityMapping
    let policy: NSEntityMigrationPolicy
  }

  private func makeInstances(_ step: Step) throws {
    try step.policy.begin(step.mapping, with: manager)
    for instance in try sourceInstances(step.mapping) {
      try step.policy.createDestinationInstances(
        forSource: instance, in: step.mapping, manager: manager)
      try manager.checkCancelled()
    }
    try step.policy.endInstanceCreation(forMapping: step.mapping, manager: manager)
  }

  private func sourceInstances(_ mapping: NSEntityMapping) throws -> [NSManagedObject] {
    guard let name = mapping.sourceEntityName, mapping.mappingType != .addEntityMappingType,
      mapping.mappingType != .removeEntityMappingType
    else { return [] }
    let expression = mapping.sourceExpression ?? MappingInference.fetch(name)
    let value = try expression.value(with: nil, variables: [NSMigrationManagerKey: manager])
    return NSMigrationManager.objects(value)
  }

  private func makeRelationships(_ step: Step) throws {
    let instances = manager.destinationInstances(
      forEntityMappingName: step.mapping.name, sourceInstances: nil)
    for instance in instances {
      try step.policy.createRelationships(
        forDestination: instance, in: step.mapping, manager: manager)
      try manager.checkCancelled()
    }
    try step.policy.endRelationshipCreation(forMapping: step.mapping, manager: manager)
  }

  private func validate(_ step: Step) throws {
    try step.policy.performCustomValidation(forMapping: step.mapping, manager: manager)
  }

  private func save() throws {
    do { try manager.destinationContext.save() } catch {
      throw CoreDataError.make(
        .migration,
        reason: "The migrated objects could not be saved to \(destination.url.path).",
        underlying: error)
    }
  }
}
