import ModelDocuments

/// The Swift names of a model's classes.
struct ClassNames {
  static let root = "NSManagedObject"

  let entities: [String: ModelEntity]
  let moduleName: String
  let namespace: String?
  /// Whether an entity's class, or the properties of it, are generated.
  let isGenerated: (ModelEntity) -> Bool

  /// The name with those of the types around it; `NSManagedObject` where the entity names no class.
  ///
  /// What stands behind the module's own name is taken as it is; of another module, or of an application that the
  /// model was made for, the class alone is.
  func path(of entity: ModelEntity) -> [String] {
    let parts = entity.className.split(separator: ".").map(String.init)
    guard let last = parts.last, last != Self.root else { return [Self.root] }
    let path = parts.count > 1 && parts[0] == moduleName ? Array(parts.dropFirst()) : [last]
    guard let namespace, isGenerated(entity) else { return path }
    return [namespace] + path
  }

  func name(of entity: ModelEntity) -> String {
    path(of: entity).map(SwiftName.escaped).joined(separator: ".")
  }

  func name(ofEntity name: String?) -> String {
    entities[name ?? ""].map { self.name(of: $0) } ?? Self.root
  }

  func parent(of entity: ModelEntity) -> ModelEntity? { entities[entity.parentName ?? ""] }

  /// The entity itself and those that it inherits from, the entity last.
  func lineage(of entity: ModelEntity) -> [ModelEntity] {
    var lineage = [entity]
    // A model whose entities inherit from each other in a circle does not read well, and none is this deep.
    while let parent = parent(of: lineage[0]), lineage.count <= entities.count {
      lineage.insert(parent, at: 0)
    }
    return lineage
  }

  /// The property at the end of a key path from an entity, with inherited ones.
  func property(at path: some Sequence<Substring>, of entityName: String) -> ModelProperty? {
    var entity = entities[entityName]
    var found: ModelProperty?
    for name in path {
      guard let current = entity else { return nil }
      found = lineage(of: current).flatMap(\.properties).last { $0.name == name }
      entity = found?.relationship.flatMap { entities[$0.destination] }
      if found == nil { return nil }
    }
    return found
  }
}
