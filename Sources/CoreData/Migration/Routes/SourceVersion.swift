import Foundation

/// Finds the version of the model that a store is of, in this order:
///
///     1. a version of the program with the hashes that the store notes
///     2. one whose hashes by former rules they are (see FormerVersionHash)
///     3. the model that the store keeps of itself; where the program has the same version, that one
///
/// The third also serves where how Apple's framework hashes an entity is not known.
struct SourceVersion {
  let url: URL
  let type: String
  /// Nil for all entities.
  let configuration: String?
  let models: MigrationModels
  let destination: NSManagedObjectModel

  /// A version of a store, and whether the program has it: else the store alone tells, which may be another program's.
  struct Found {
    let model: NSManagedObjectModel
    var isOfProgram = true
  }

  /// Throws 134130.
  func find(_ metadata: [String: Any]) throws -> Found {
    if let model = models.version(forStoreMetadata: metadata) { return Found(model: model) }
    if let model = models.versions().first(where: { isFormer($0, metadata) }) {
      return Found(model: model)
    }
    // A model that only the store has may be a later one.
    guard
      models.leadBack
        || !FormerVersions(metadata).contains(destination, configuration: configuration)
    else {
      throw CoreDataError.make(
        .migrationMissingSourceModel,
        reason: "Can't find model for source store: another program has led the store at "
          + "\(shownURL.path) from this version of the model to a later one. It was left as it is; open it "
          + "with that program.",
        userInfo: userInfo(metadata))
    }
    // A store without a model of its own is of one that nobody knows: the error below says so.
    if let kept = try? StoreRegistry.storeClass(ofType: type).cachedModel(at: url),
      isOf(kept, metadata)
    {
      let hashes = kept.entityVersionHashesByName
      let known = models.versions().first { $0.entityVersionHashesByName == hashes }
      return Found(model: known ?? kept, isOfProgram: known != nil)
    }
    throw CoreDataError.make(
      .migrationMissingSourceModel, reason: "Can't find model for source store",
      userInfo: userInfo(metadata))
  }

  private var shownURL: URL { StoreRegistry.shown(url, ofType: type) }

  private func userInfo(_ metadata: [String: Any]) -> [String: Any] {
    ["URL": shownURL, "metadata": metadata, NSFilePathErrorKey: shownURL.path]
  }

  private func isFormer(_ model: NSManagedObjectModel, _ metadata: [String: Any]) -> Bool {
    let configuration = configuration ?? NSManagedObjectModel.defaultConfigurationName
    return FormerVersionHash.renewed(metadata, for: model, configuration: configuration) != nil
  }

  /// Whether the model that a store keeps is still the one that its hashes name.
  private func isOf(_ kept: NSManagedObjectModel, _ metadata: [String: Any]) -> Bool {
    if isFormer(kept, metadata) { return true }
    let stored = NSManagedObjectModel.versionHashes(inStoreMetadata: metadata) ?? [:]
    return stored.allSatisfy { name, hash in
      guard let entity = kept.entitiesByName[name] else { return false }
      return entity.versionHash == hash || entity.hasUnknownHash
    }
  }
}
