import Foundation

/// Makes the plan of a store's migration. Only reads the store, without changing its files.
struct MigrationPlanner {
  let migration: StoreMigration

  typealias Plan = StoreMigrationPlan

  func plan(rehearsing: Bool) throws -> Plan {
    let metadata = try migration.metadata()
    var plan = Plan(store: migration.url, type: migration.type, isNeeded: !fits(metadata))
    guard plan.isNeeded else {
      plan.missingIndexes = try missingIndexes()
      return plan
    }
    plan.problems += optionProblems()
    do {
      try addSteps(to: &plan, metadata)
      if rehearsing, plan.isPossible { try MigrationRehearsal(migration: migration).run() }
    } catch let error as NSError where error.domain == NSCocoaErrorDomain {
      plan.problems.append(Plan.Problem(error))
    }
    return plan
  }

  private func fits(_ metadata: [String: Any]) -> Bool {
    let model = migration.destination
    let configuration =
      migration.configuration ?? NSManagedObjectModel.defaultConfigurationName
    return migration.storeOptions.ignoresVersioning
      || metadata[NSStoreModelVersionHashesKey] == nil
      || model.isConfiguration(withName: configuration, compatibleWithStoreMetadata: metadata)
      || FormerVersionHash.renewed(metadata, for: model, configuration: configuration) != nil
  }

  private func optionProblems() -> [Plan.Problem] {
    let options = migration.storeOptions
    let code = NSPersistentStoreIncompatibleVersionHashError
    if !options.migratesAutomatically {
      let reason = "the option NSMigratePersistentStoresAutomaticallyOption is not set"
      return [Plan.Problem(code: code, reason: reason)]
    }
    guard options.isReadOnly else { return [] }
    return [Plan.Problem(code: code, reason: "a store that is only read cannot be migrated")]
  }

  private func missingIndexes() throws -> [String] {
    guard migration.type == NSSQLiteStoreType, !migration.storeOptions.isReadOnly else { return [] }
    return try StoreFiles(migration.url).reading { connection in
      let schema = try StoreCatalog(connection).schema(
        of: migration.layouts(of: migration.destination), url: migration.url)
      return try MissingIndexes(schema: schema).find(in: connection).map(\.name)
    }
  }

  // MARK: - Steps

  private func addSteps(to plan: inout Plan, _ metadata: [String: Any]) throws {
    let manager = try migration.stagedManager()
    let source = try manager?.source(of: migration) ?? migration.sourceModel()
    let routing = MigrationRouting(migration.storeOptions)
    let goals = try manager?.goals(migration, from: source, routing: routing)
    var steps: [MigrationRoute.Step] = []
    for goal in goals ?? [(model: migration.destination, stage: nil)] {
      let route = try routing.route(from: steps.last?.destination ?? source, to: goal.model)
      steps += route.steps
      plan.steps += route.steps.map { step($0, stage: goal.stage) }
      plan.problems += route.steps.flatMap(policyProblems)
    }
    guard let first = steps.first else { return }
    try plan.steps[0].count(counts(source, metadata: metadata))
    if plan.steps[0].way == .inPlace { try look(into: &plan, first, metadata: metadata) }
  }

  private func step(
    _ step: MigrationRoute.Step, stage: NSCustomMigrationStage?
  ) -> Plan.Step {
    let match = ModelMatch(source: step.source, destination: step.destination)
    let isInPlace = step.mapping.isInferred && migration.type == NSSQLiteStoreType
    var result = Plan.Step(
      source: Plan.Version(step.source), destination: Plan.Version(step.destination),
      way: isInPlace ? .inPlace : .byObjects, mappingModel: step.file?.lastPathComponent,
      stage: stage?.label, entities: ModelChanges(match: match).entities())
    for (name, policy) in policies(step) {
      for index in result.entities.indices where result.entities[index].name == name {
        result.entities[index].policy = policy
      }
    }
    return result
  }

  private func policies(_ step: MigrationRoute.Step) -> [(entity: String, policy: String)] {
    step.mapping.entityMappings.compactMap { mapping in
      guard let policy = mapping.entityMigrationPolicyClassName, !policy.isEmpty else { return nil }
      return (mapping.destinationEntityName ?? mapping.sourceEntityName ?? "", policy)
    }
  }

  private func policyProblems(_ step: MigrationRoute.Step) -> [Plan.Problem] {
    step.mapping.entityMappings.compactMap { mapping in
      do {
        _ = try NSEntityMigrationPolicy.policy(of: mapping)
        return nil
      } catch {
        var problem = Plan.Problem(error as NSError)
        problem.entity = mapping.destinationEntityName
        return problem
      }
    }
  }

  // MARK: - Contents of the store

  /// The number of each entity's own objects, by entity name.
  private func counts(
    _ source: NSManagedObjectModel, metadata: [String: Any]
  ) throws -> [String: Int] {
    let stack = MigrationStack(model: source)
    defer { stack.close() }
    var options = migration.options.forMigratedStore
    options[NSReadOnlyPersistentStoreOption] = true
    let known = NSManagedObjectModel.versionHashes(inStoreMetadata: metadata) ?? [:]
    let configurations = source.configurations
    let configuration = migration.configuration.flatMap { configurations.contains($0) ? $0 : nil }
    try stack.coordinator.addPersistentStore(
      ofType: migration.type, configurationName: configuration, at: migration.url,
      options: options)
    var counts: [String: Int] = [:]
    for (name, entity) in source.entitiesByName where known[name] != nil && !entity.isAbstract {
      let request = NSFetchRequest<NSManagedObject>(entityName: name)
      request.includesSubentities = false
      counts[name] = try stack.context.count(for: request)
    }
    return counts
  }

  /// Adds the fate of the tables to the plan, and the problems found in the rows.
  private func look(
    into plan: inout Plan, _ step: MigrationRoute.Step, metadata: [String: Any]
  ) throws {
    let stored = NSManagedObjectModel.versionHashes(inStoreMetadata: metadata) ?? [:]
    let oldLayouts = step.source.entityLayouts().filter { stored[$0.entity.name ?? ""] != nil }
    let key = NSPersistentStoreDeferredLightweightMigrationOptionKey
    try StoreFiles(migration.url).reading { connection in
      let old = try StoreCatalog(connection).schema(of: oldLayouts, url: migration.url).mapping
      let schema = try SchemaMigration(
        connection: connection,
        match: ModelMatch(source: step.source, destination: step.destination), old: old,
        oldLayouts: oldLayouts, newLayouts: migration.layouts(of: step.destination), files: nil,
        defersRemoval: migration.storeOptions.isOn(key))
      try plan.steps[0].setTables(PlannedTables(schema).byEntity)
      plan.problems += try PlanProblems(connection: connection, migration: schema).find()
    }
  }
}

extension StoreMigrationPlan.Step {
  fileprivate mutating func count(_ counts: [String: Int]) {
    for index in entities.indices where entities[index].change != .added {
      entities[index].objects = counts[entities[index].formerName ?? entities[index].name]
    }
  }

  fileprivate mutating func setTables(_ tables: [String: StoreMigrationPlan.Entity.Table]) {
    for index in entities.indices { entities[index].table = tables[entities[index].name] }
  }
}

extension StoreMigrationPlan.Version {
  fileprivate init(_ model: NSManagedObjectModel) {
    identifiers = model.versionIdentifiers.map { "\($0.base)" }.sorted()
    checksum = model.versionChecksum
  }
}

extension StoreMigrationPlan.Problem {
  init(_ error: NSError) {
    let underlying = error.userInfo[NSUnderlyingErrorKey] as? NSError
    func value(_ keys: String...) -> String? {
      keys.lazy.compactMap { (error.userInfo[$0] ?? underlying?.userInfo[$0]) as? String }.first
    }
    self.init(
      code: error.code, entity: value("entity"),
      property: value("property", "attribute", "relationship"),
      reason: error.localizedFailureReason ?? error.localizedDescription)
  }
}
