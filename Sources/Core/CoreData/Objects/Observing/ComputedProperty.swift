import KeyValueCoding
import Synchronization

/// A computed property of a managed object class that has no registered name: one in a target
/// without the plugin, or of the main actor.
///
/// It is observed under a generated key; its dependencies are the properties that the getter reads
/// from an object without values. In a target with the plugin, properties have names and the class
/// declares their dependencies.
struct ComputedProperty: @unchecked Sendable {
  // Sendable: all properties are immutable, and key paths themselves are.
  let keyPath: AnyKeyPath
  let dependencies: Set<String>

  private struct State {
    var keys: [AnyKeyPath: String] = [:]
    var properties: [String: ComputedProperty] = [:]
  }

  /// Guarded by the lock of `table`. Sendable: key paths are immutable and only compared here.
  private struct Table: @unchecked Sendable {
    var state = State()
  }

  private static let table = Mutex(Table())
  private static let hasAny = Atomic(false)

  /// The key of the property; nil if the getter reads nothing, or if the key path continues from a
  /// related object.
  static func key(of keyPath: AnyKeyPath) -> String? {
    let type = Swift.type(of: keyPath)
    guard let root = type.rootType as? NSManagedObject.Type,
      KeyPathName.componentCount(of: keyPath) == 1
    else { return nil }
    if let known = table.withLock({ $0.state.keys[keyPath] }) { return known }
    let dependencies = paths(root, keys: KeyPathName.keys(readBy: keyPath))
    guard !dependencies.isEmpty else { return nil }
    let property = ComputedProperty(keyPath: keyPath, dependencies: dependencies)
    return table.withLock { table in
      let key = "a computed property of \(root) (\(type.valueType) \(table.state.keys.count + 1))"
      table.state.keys[keyPath] = key
      table.state.properties[key] = property
      hasAny.store(true, ordering: .relaxed)
      return key
    }
  }

  static func named(_ key: String) -> ComputedProperty? {
    guard hasAny.load(ordering: .relaxed) else { return nil }
    return table.withLock { $0.state.properties[key] }
  }

  /// The key paths for a flat list of keys that were read: a key read after a to-one relationship
  /// may be a property of the related object.
  private static func paths(_ root: NSManagedObject.Type, keys: [String]) -> Set<String> {
    guard let entity = LoadedModels.entity(for: root) else { return Set(keys) }
    var paths: Set<String> = []
    var leading: (path: String, entity: NSEntityDescription)?
    for key in keys {
      var next: (String, NSEntityDescription)?
      func note(_ path: String, _ owner: NSEntityDescription) {
        guard let property = owner.propertiesByName[key] else { return }
        paths.insert(path)
        if let relationship = property as? NSRelationshipDescription, !relationship.isToMany {
          next = relationship.destinationEntity.map { (path, $0) }
        }
      }
      note(key, entity)
      if let leading { note("\(leading.path).\(key)", leading.entity) }
      leading = next ?? leading
    }
    return paths
  }
}
