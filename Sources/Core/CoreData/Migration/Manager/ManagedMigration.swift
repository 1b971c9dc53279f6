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
  private(set) var destination: Side

  init(manager: NSMigrationManager, mappings: NSMappingModel, source: Side, destination: Side) {
    self.manager = manager
    self.mappings = mappings
    self.source = source
    self.destination = destination
  }

  func run() throws {
    guard mappings.leads(from: manager.sourceModel, to: manager.destinationModel) else {
      throw CoreDataError.make(
        .migrationMissingMappingModel,
        reason: "The mapping model is for other versions of the model than the manager's.")
    }
    try explainingFullDisk(destination.url) {
      let isNew = !FileManager.default.fileExists(atPath: destination.url.path)
      let isFile = [NSSQLiteStoreType, NSXMLStoreType, NSBinaryStoreType].contains(destination.type)
      if isNew && isFile { try makeDestination() } else { try migrateObjects() }
    }
  }

  /// Makes the destination in a temporary file, which gets the destination's name at the end.
  private func makeDestination() throws {
    let timeout = StoreOptions(destination.options).timeout ?? StoreOptions.defaultTimeout
    let lock: MigrationLock
    do { lock = try MigrationLock(of: destination.url, timeout: timeout) } catch {
      throw CoreDataError.make(
        .migrationManagerDestinationStore,
        reason: "The destination store at \(destination.url.path) could not be made or opened.",
        underlying: error)
    }
    let files = StoreReplacement(url: destination.url, type: destination.type)
    try withExtendedLifetime(lock) {
      files.removeLeftovers()
      try files.make { draft in
        var migration = self
        migration.destination = Side(
          url: draft, type: destination.type, options: destination.options)
        try migration.fill()
      }
    }
  }

  private func fill() throws {
    if try migrateInSQL() { return }
    do { try migrateObjects(asRows: true, intoDraft: true) } catch is RowMigration.NeedsObjects {
      StoreReplacement(url: destination.url, type: destination.type).remove(destination.url)
      try migrateObjects(intoDraft: true)
    }
  }

  /// Migrates in SQL if possible. Returns false if objects have to be made.
  private func migrateInSQL() throws -> Bool {
    guard manager.usesStoreSpecificMigrationManager, mappings.isInferred, try isUnchanged(),
      source.type == NSSQLiteStoreType, destination.type == NSSQLiteStoreType,
      source.url.path != "/dev/null", destination.url.path != "/dev/null"
    else { return false }
    try StoreFiles(destination.url).replace(with: StoreFiles(source.url))
    var migration = SQLiteMigration(
      url: destination.url, options: StoreOptions(destination.options),
      layouts: manager.destinationModel.entityLayouts(), configuration: nil,
      match: ModelMatch(source: manager.sourceModel, destination: manager.destinationModel))
    migration.progress = manager.progress ?? migration.progress
    try migration.run()
    manager.progress?.report(1)
    return true
  }

  /// Returns whether the mappings are as inferred. Mappings that were edited since may require more
  /// than SQL does.
  private func isUnchanged() throws -> Bool {
    try mappings
      == NSMappingModel.inferredMappingModel(
        forSourceModel: manager.sourceModel, destinationModel: manager.destinationModel)
  }

  // MARK: - Objects

  /// Migrates object by object. With `asRows`, copies rows without objects where possible; throws
  /// ``RowMigration/NeedsObjects`` if objects turn out to be required later. `intoDraft` is for a
  /// store that no other connection uses, which may be saved in parts.
  private func migrateObjects(asRows: Bool = false, intoDraft: Bool = false) throws {
    let from = MigrationStack(model: manager.sourceModel)
    let to = MigrationStack(model: manager.destinationModel)
    defer {
      from.close()
      to.close()
    }
    try open(from, to: to)
    manager.begin(mappings, from: from, to: to)
    defer { manager.end() }
    if asRows, var rows = RowMigration(manager, mappings: mappings) {
      do { return try rows.run() } catch is ConstraintViolation {
        // Objects are required to name the duplicates in the error.
        throw RowMigration.NeedsObjects()
      }
    }
    do { try process(intoDraft: intoDraft) } catch let error as NSError
      where error.domain == NSCocoaErrorDomain
    {
      throw error
    } catch let error as PredicateEvaluationError {
      throw CoreDataError.make(
        .migration, reason: "An expression of the mapping could not be evaluated: \(error)")
    }
  }

  private func open(_ from: MigrationStack, to: MigrationStack) throws {
    if source.type == NSSQLiteStoreType, source.url.path != "/dev/null" {
      // Rolls back the transaction of a writer that ended in its midst; a read-only connection must
      // not do that. Opening the store below reports errors.
      _ = try? StoreFiles(source.url).metadata()
    }
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
        ofType: source.type, configurationName: manager.configuration, at: source.url,
        options: options)
    } catch {
      throw CoreDataError.make(
        .migrationManagerSourceStore,
        reason: "The source store at \(source.url.path) could not be opened.", underlying: error)
    }
    do {
      try to.coordinator.addPersistentStore(
        ofType: destination.type, configurationName: manager.configuration, at: destination.url,
        options: destination.options)
    } catch {
      throw CoreDataError.make(
        .migrationManagerDestinationStore,
        reason: "The destination store at \(destination.url.path) could not be made or opened.",
        underlying: error)
    }
  }

  /// Three passes, each over all mappings in their order.
  private func process(intoDraft: Bool) throws {
    let steps = try mappings.entityMappings.map {
      Step(mapping: $0, policy: try NSEntityMigrationPolicy.policy(of: $0))
    }
    var saves = DraftSaves(manager, intoDraft: intoDraft)
    let total = Float(max(steps.count * 3, 1))
    var done: Float = 0
    func pass(_ body: (Step, (Float) throws -> Void) throws -> Void) throws {
      for step in steps {
        let report = { try manager.advance(to: step.mapping, progress: (done + $0) / total) }
        try report(0)
        try body(step, report)
        done += 1
      }
    }
    try pass { try makeInstances($0, saves: &saves, report: $1) }
    try pass { try makeRelationships($0, saves: &saves, report: $1) }
    try pass { step, _ in
      try step.policy.performCustomValidation(forMapping: step.mapping, manager: manager)
    }
    try manager.checkCancelled()
    try saving {
      try saves.validate()
      try manager.destinationContext.save()
    }
    for step in steps { try step.policy.end(step.mapping, manager: manager) }
    if manager.destinationContext.hasChanges { try saving(manager.destinationContext.save) }
    manager.progress?.report(1)
  }

  private struct Step {
    let mapping: NSEntityMapping
    let policy: NSEntityMigrationPolicy
  }

  /// The number of objects that are read at a time.
  private static var batch: Int { min(1000, DraftSaves.limit) }

  /// Makes the destination objects of one mapping. `report` receives the completed fraction, from 0
  /// to 1.
  private func makeInstances(
    _ step: Step, saves: inout DraftSaves, report: (Float) throws -> Void
  ) throws {
    try step.policy.begin(step.mapping, with: manager)
    let instances = try sourceInstances(step.mapping)
    let batch = Self.batch
    for (number, instance) in instances.enumerated() {
      try step.policy.createDestinationInstances(
        forSource: instance, in: step.mapping, manager: manager)
      try manager.checkCancelled()
      guard (number + 1) % batch == 0 else { continue }
      try saves.advance(by: batch)
      try report(Float(number) / Float(instances.count))
    }
    try step.policy.endInstanceCreation(forMapping: step.mapping, manager: manager)
  }

  private func sourceInstances(
    _ mapping: NSEntityMapping
  ) throws -> AnyRandomAccessCollection<NSManagedObject> {
    guard let name = mapping.sourceEntityName, mapping.mappingType != .addEntityMappingType,
      mapping.mappingType != .removeEntityMappingType
    else { return AnyRandomAccessCollection([]) }
    let expression = mapping.sourceExpression ?? MappingInference.fetch(name)
    let variables = [NSMigrationManagerKey: manager]
    if case .fetch(let request, let context, let countOnly) = expression.content,
      countOnly.constantValue as? Bool == false,
      let context = try context.value(with: nil, variables: variables) as? NSManagedObjectContext,
      let request = try request.value(with: nil, variables: variables)
        as? NSFetchRequest<NSManagedObject>,
      request.resultType == .managedObjectResultType,
      let request = request.copy() as? NSFetchRequest<NSManagedObject>
    {
      request.fetchBatchSize = Self.batch
      return AnyRandomAccessCollection(try context.fetchLazily(request))
    }
    let value = try expression.value(with: nil, variables: variables)
    return AnyRandomAccessCollection(NSMigrationManager.objects(value))
  }

  private func makeRelationships(
    _ step: Step, saves: inout DraftSaves, report: (Float) throws -> Void
  ) throws {
    let count = manager.instanceCount(of: step.mapping)
    for start in stride(from: 0, to: count, by: Self.batch) {
      let instances = try manager.instances(
        of: step.mapping, start..<min(start + Self.batch, count))
      try withExtendedLifetime(instances.sources) {
        for instance in instances.destinations {
          try step.policy.createRelationships(
            forDestination: instance, in: step.mapping, manager: manager)
          try manager.checkCancelled()
        }
      }
      try saves.advance(by: instances.destinations.count)
      if start > 0 { try report(Float(start) / Float(count)) }
    }
    try step.policy.endRelationshipCreation(forMapping: step.mapping, manager: manager)
  }

  private func saving(_ body: () throws -> Void) throws {
    do { try body() } catch {
      throw CoreDataError.make(
        .migration,
        reason: "The migrated objects could not be saved to \(destination.url.path).",
        underlying: error)
    }
  }
}
