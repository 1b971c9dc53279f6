import Foundation

/// Finds the version of the model of a store, in this order:
///
///     1. a version of the program with the hashes in the store's metadata
///     2. one whose hashes by former rules are in the metadata (see FormerVersionHash)
///     3. the model that the store keeps; if the program has that version, the program's
///
/// The third also serves entities whose hash in Apple's framework is not known.
struct SourceVersion {
  let url: URL
  let type: String
  /// Nil for all entities.
  let configuration: String?
  let models: MigrationModels
  let destination: NSManagedObjectModel

  /// A version of a store's model, and whether the program has it. A version that only the store
  /// has may belong to another program.
  struct Found {
    let model: NSManagedObjectModel
    var isOfProgram = true
  }

  /// Finds the version. Throws 134130 if there is none.
  func find(_ metadata: [String: Any]) throws -> Found {
    if let model = models.version(forStoreMetadata: metadata) { return Found(model: model) }
    if let model = models.versions().first(where: { isFormer($0, metadata: metadata) }) {
      return Found(model: model)
    }
    // A model that only the store has may be a later version.
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
    // An unreadable model counts as none: the error below reports it.
    if let kept = try? StoreRegistry.storeClass(ofType: type).keptModel(at: url),
      isOf(kept, metadata: metadata)
    {
      let hashes = kept.entityVersionHashesByName
      let known = models.versions().first { $0.entityVersionHashesByName == hashes }
      return Found(model: known ?? kept, isOfProgram: known != nil)
    }
    throw CoreDataError.make(
      .migrationMissingSourceModel, reason: "Can't find model for source store",
      userInfo: userInfo(metadata))
  }

  private var shownURL: URL { ServerStores.shown(url, ofType: type) }

  private func userInfo(_ metadata: [String: Any]) -> [String: Any] {
    ["URL": shownURL, "metadata": metadata, NSFilePathErrorKey: shownURL.path]
  }

  private func isFormer(_ model: NSManagedObjectModel, metadata: [String: Any]) -> Bool {
    let configuration = configuration ?? NSManagedObjectModel.defaultConfigurationName
    return FormerVersionHash.renewed(metadata, for: model, configuration: configuration) != nil
  }

  /// Returns whether the metadata still have the hashes of the model that the store keeps.
  private func isOf(_ kept: NSManagedObjectModel, metadata: [String: Any]) -> Bool {
    if isFormer(kept, metadata: metadata) { return true }
    let stored = NSManagedObjectModel.versionHashes(inStoreMetadata: metadata) ?? [:]
    return stored.allSatisfy { name, hash in
      guard let entity = kept.entitiesByName[name] else { return false }
      return entity.versionHash == hash || entity.hasUnknownHash
    }
  }
}
