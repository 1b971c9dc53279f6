import Foundation

/// The steps that migrate a store from one version of its model to another.
struct MigrationRoute {
  struct Step {
    let source: NSManagedObjectModel
    let destination: NSManagedObjectModel
    let mapping: NSMappingModel
    /// The file of the mapping model; nil for an inferred mapping.
    let file: URL?
  }

  let steps: [Step]
}

/// Finds the route from one version to another. Apple's rule comes first:
///
///     a mapping model from the source to the destination, found by the version hashes
///     else an inferred one, if the options allow it
///
/// If there is neither, a route over intermediate versions:
///
///     the versions of one model package that has both, in the order of their names
///     each step by a mapping model, or inferred
///     as few inferred steps as possible, then as few steps as possible: an inferred step may drop
///     data that a mapping model between the same versions keeps
struct MigrationRouting {
  let models: MigrationModels
  let infers: Bool
  private let mappings: [(url: URL, model: NSMappingModel)]

  init(_ options: StoreOptions) {
    models = MigrationModels(options)
    infers = options.infersMappingModel
    mappings = models.mappingModels()
  }

  /// Finds the route. Throws 134140 if there is none; the reason includes why none can be inferred.
  func route(
    from source: NSManagedObjectModel, to destination: NSManagedObjectModel
  ) throws -> MigrationRoute {
    do { return MigrationRoute(steps: [try step(from: source, to: destination)]) } catch {
      let direct = error
      if let route = try chain(from: source, to: destination) { return route }
      throw direct
    }
  }

  /// Finds a single step, by Apple's rule.
  func step(
    from source: NSManagedObjectModel, to destination: NSManagedObjectModel
  ) throws -> MigrationRoute.Step {
    if let found = mapping(from: source, to: destination) {
      return .init(
        source: source, destination: destination, mapping: found.model, file: found.url)
    }
    let userInfo = ["sourceModel": source, "destinationModel": destination]
    guard infers else {
      throw CoreDataError.make(
        .migrationMissingMappingModel, reason: "Can't find mapping model for migration",
        userInfo: userInfo)
    }
    do {
      let mapping = try NSMappingModel.inferredMappingModel(
        forSourceModel: source, destinationModel: destination)
      return .init(source: source, destination: destination, mapping: mapping, file: nil)
    } catch let error as NSError {
      let places = error.userInfo.filter { ["entity", "property"].contains($0.key) }
      throw CoreDataError.make(
        .migrationMissingMappingModel,
        reason: "Can't find mapping model for migration, and none can be inferred: "
          + (error.localizedFailureReason ?? "\(error)"),
        underlying: error, userInfo: places.merging(userInfo) { $1 })
    }
  }

  private func mapping(
    from source: NSManagedObjectModel, to destination: NSManagedObjectModel
  ) -> (url: URL, model: NSMappingModel)? {
    mappings.first { $0.model.leads(from: source, to: destination) }
  }

  // MARK: - Routes over other versions

  /// A route over the versions of one package; nil if no package has one.
  private func chain(
    from source: NSManagedObjectModel, to destination: NSManagedObjectModel
  ) throws -> MigrationRoute? {
    let (start, end) = (source.entityVersionHashesByName, destination.entityVersionHashesByName)
    for package in try models.packages() {
      let models = try package.versions.map { try $0.model() }
      let hashes = models.map(\.entityVersionHashesByName)
      guard let first = hashes.firstIndex(of: start), let last = hashes.firstIndex(of: end),
        last > first + 1
      else { continue }
      let versions = [source] + models[(first + 1)..<last] + [destination]
      if let steps = cheapest(versions) { return MigrationRoute(steps: steps) }
    }
    return nil
  }

  private struct Way {
    let steps: [MigrationRoute.Step]

    var inferred: Int { steps.count { $0.mapping.isInferred } }

    func isBetter(than other: Way) -> Bool {
      (inferred, steps.count) < (other.inferred, other.steps.count)
    }
  }

  /// The best sequence of steps from the first version to the last, each to a later version.
  private func cheapest(_ versions: [NSManagedObjectModel]) -> [MigrationRoute.Step]? {
    var ways: [Int: Way] = [0: Way(steps: [])]
    for next in versions.indices.dropFirst() {
      for former in 0..<next {
        // Versions without a step between them are skipped; the caller reports the error of the
        // direct step.
        guard let way = ways[former],
          let step = try? step(from: versions[former], to: versions[next])
        else { continue }
        let longer = Way(steps: way.steps + [step])
        if ways[next].map(longer.isBetter) ?? true { ways[next] = longer }
      }
    }
    return ways[versions.count - 1]?.steps
  }
}
