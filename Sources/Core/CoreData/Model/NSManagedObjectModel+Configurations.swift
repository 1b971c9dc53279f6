import Foundation

extension NSManagedObjectModel {
  /// The name of the configuration with every entity; equivalent to nil.
  package static let defaultConfigurationName = "PF_DEFAULT_CONFIGURATION_NAME"

  /// The names of the configurations, except the one with every entity.
  public final var configurations: [String] {
    configurationMembers.map(\.name)
  }

  /// The entities of a configuration; all entities for nil, nil for an unknown name.
  public final func entities(
    forConfigurationName configuration: String?
  ) -> [NSEntityDescription]? {
    guard let configuration, configuration != Self.defaultConfigurationName else { return entities }
    guard let members = configurationMembers.first(where: { $0.name == configuration }) else {
      return nil
    }
    let table = entitiesByName
    return members.entityNames.compactMap { table[$0] }
  }

  /// Adds or replaces a configuration. Traps if an entity is not part of the model.
  public final func setEntities(
    _ entities: [NSEntityDescription], forConfigurationName configuration: String
  ) {
    checkMutable()
    let names = entities.map { entity in
      guard let name = entity.name, entitiesByName[name] === entity else {
        fatalError(
          "The entity “\(entity.name ?? "")” of configuration “\(configuration)” is not in the model."
        )
      }
      return name
    }
    setEntityNames(names, forConfigurationName: configuration)
  }

  /// Adds or replaces a configuration by entity names.
  package final func setEntityNames(
    _ names: [String], forConfigurationName configuration: String
  ) {
    checkMutable()
    let members = (name: configuration, entityNames: names)
    if let index = configurationMembers.firstIndex(where: { $0.name == configuration }) {
      configurationMembers[index] = members
    } else {
      configurationMembers.append(members)
    }
  }
}
