import ModelDocuments

/// The Swift names of a model's classes.
struct ClassNames {
  static let root = "NSManagedObject"

  let entities: [String: ModelEntity]
  let moduleName: String
  let namespace: String?
  /// Returns true if code is generated for an entity's class or its properties.
  let isGenerated: (ModelEntity) -> Bool

  /// The class name with the names of enclosing types; `NSManagedObject` if the entity names no
  /// class.
  ///
  /// A name qualified with this module keeps its other components. Of a name qualified with another
  /// module, as of the application that the model was made for, only the class remains.
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

  /// The entity preceded by its ancestors, root first.
  func lineage(of entity: ModelEntity) -> [ModelEntity] {
    var lineage = [entity]
    // Models with inheritance cycles are refused when read; the bound guards against them all the
    // same.
    while let parent = parent(of: lineage[0]), lineage.count <= entities.count {
      lineage.insert(parent, at: 0)
    }
    return lineage
  }

  /// The property at the end of a key path from an entity; inherited properties count.
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
