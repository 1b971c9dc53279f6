import Foundation

extension NSManagedObjectModel {
  /// Merges several models into one.
  ///
  /// Returns nil if two models describe an entity of the same name differently; Apple's raises an
  /// exception.
  public convenience init?(byMerging models: [NSManagedObjectModel]?) {
    self.init()
    for model in models ?? [] {
      guard mergeEntities(of: model, where: { _ in true }) else { return nil }
      mergeRest(of: model)
    }
  }

  /// Merges those entities of several models whose version hashes are in a store's metadata.
  ///
  /// Returns nil if the models do not have all of them.
  public convenience init?(
    byMerging models: [NSManagedObjectModel], forStoreMetadata metadata: [String: Any]
  ) {
    guard let hashes = Self.versionHashes(inStoreMetadata: metadata) else { return nil }
    self.init()
    for model in models {
      let theirs = model.entityVersionHashesByName
      let matches = { (entity: NSEntityDescription) in
        entity.name.flatMap { hashes[$0] } == theirs[entity.name ?? ""]
      }
      guard mergeEntities(of: model, where: matches) else { return nil }
      mergeRest(of: model)
    }
    guard Set(entitiesByName.keys) == Set(hashes.keys) else { return nil }
  }

  private func mergeEntities(
    of model: NSManagedObjectModel, where isWanted: (NSEntityDescription) -> Bool
  ) -> Bool {
    let present = entitiesByName
    let wanted = model.entities.filter(isWanted)
    let known = wanted.filter { present[$0.name ?? ""] != nil }
    guard known.allSatisfy({ present[$0.name ?? ""]?.versionHash == $0.versionHash }) else {
      return false
    }
    adoptCopies(of: wanted.filter { present[$0.name ?? ""] == nil })
    return true
  }

  private func mergeRest(of model: NSManagedObjectModel) {
    for members in model.configurationMembers {
      let earlier = configurationMembers.first { $0.name == members.name }?.entityNames ?? []
      let added = members.entityNames.filter { entitiesByName[$0] != nil && !earlier.contains($0) }
      setEntityNames(earlier + added, forConfigurationName: members.name)
    }
    for (name, request) in model.storedTemplates { storedTemplates[name] = request.copiedRequest }
    versionIdentifiers.formUnion(model.versionIdentifiers)
    guard let texts = model.localizationDictionary else { return }
    localizationDictionary = (localizationDictionary ?? [:]).merging(texts) { mine, _ in mine }
  }
}
