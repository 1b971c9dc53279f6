import CoreData
import Foundation
import Synchronization

/// The models of a container: their entities, with a version number.
///
/// Includes the destinations of relationships and the superclasses of the given models.
///
/// Source: developer.apple.com/documentation/swiftdata/schema
public final class Schema: Codable, Hashable, Sendable, CustomDebugStringConvertible {
  /// The version of the encoding that this program writes.
  public static let schemaEncodingVersion = Version(1, 0, 0)

  /// The version of the encoding.
  public let encodingVersion: Version
  /// The version of the schema.
  public let version: Version
  /// The entities of the schema.
  public let entities: [Entity]
  /// The entities by name.
  public let entitiesByName: [String: Entity]
  // Made when a container or Core Data needs it.
  private let madeModel = Mutex<NSManagedObjectModel?>(nil)

  private init(entities: [Entity], version: Version, encodingVersion: Version) {
    self.entities = entities
    entitiesByName = Dictionary(entities.map { ($0.name, $0) }) { first, _ in first }
    self.version = version
    self.encodingVersion = encodingVersion
  }

  /// Creates a schema without entities, of version 1.0.0.
  public convenience init() { self.init([Entity](), version: Version(1, 0, 0)) }

  convenience init(_ entities: [Entity], version: Version) {
    self.init(
      entities: entities, version: version, encodingVersion: Self.schemaEncodingVersion)
  }

  /// Creates a schema of entities.
  public convenience init(_ entities: Entity..., version: Version = Version(1, 0, 0)) {
    self.init(entities, version: version)
  }

  /// Creates a schema of model classes and all models reachable from them.
  public convenience init(
    _ types: any PersistentModel.Type..., version: Version = Version(1, 0, 0)
  ) {
    self.init(types, version: version)
  }

  /// Creates a schema of model classes and all models reachable from them.
  public convenience init(
    _ types: [any PersistentModel.Type], version: Version = Version(1, 0, 0)
  ) {
    self.init(SchemaEntities.entities(of: types), version: version)
  }

  /// Creates the schema of a version.
  public convenience init(versionedSchema: any VersionedSchema.Type) {
    self.init(versionedSchema.models, version: versionedSchema.versionIdentifier)
  }

  private enum CodingKeys: CodingKey { case encodingVersion, version, entities }

  public convenience init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      entities: try container.decode([Entity].self, forKey: .entities),
      version: try container.decode(Version.self, forKey: .version),
      encodingVersion: try container.decode(Version.self, forKey: .encodingVersion))
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(encodingVersion, forKey: .encodingVersion)
    try container.encode(version, forKey: .version)
    try container.encode(entities, forKey: .entities)
  }

  public static func == (left: Schema, right: Schema) -> Bool {
    left === right || (left.version == right.version && Set(left.entities) == Set(right.entities))
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(version)
    hasher.combine(Set(entities.map(\.name)))
  }

  /// Writes the schema as JSON.
  public func save(to toURL: URL) throws { try JSONEncoder().encode(self).write(to: toURL) }

  /// Reads a schema from JSON.
  public static func load(from fromURL: URL) throws -> Schema {
    try JSONDecoder().decode(Schema.self, from: Data(contentsOf: fromURL))
  }

  /// The entity of a model class; nil if it is not part of the schema.
  public func entity<T: PersistentModel>(for type: T.Type) -> Entity? {
    entitiesByName[Self.entityName(for: type)]
  }

  /// The entity name of a class: its name without enclosing types.
  public static func entityName<T: PersistentModel>(for type: T.Type) -> String {
    String(describing: type)
  }

  public var debugDescription: String {
    "Schema - entities: \(entities.map(\.name)), version: \(version)"
  }

  // MARK: - Core Data's model

  /// The Core Data model. One instance for the schema's lifetime, since stores and contexts
  /// identify each other by it.
  var managedObjectModel: NSManagedObjectModel {
    madeModel.withLock { made in
      if let made { return made }
      let model = ManagedModelBuilder.model(of: self)
      made = model
      return model
    }
  }

  /// The entity of a model in a schema of its own, for a managed object outside of any context.
  static func soleEntity(of type: any PersistentModel.Type) -> NSEntityDescription {
    let type = ModelType.of(type)
    return Schema([type.type]).managedObjectModel.entitiesByName[type.entityName]!
  }
}

extension Schema {
  /// A version number, stored in the form "major.minor.patch".
  public struct Version: Codable, Comparable, CustomStringConvertible, Hashable, Sendable {
    /// Major number.
    public let major: Int
    /// Minor number.
    public let minor: Int
    /// Patch number.
    public let patch: Int

    /// Creates a version. Traps on negative numbers.
    public init(_ major: Int, _ minor: Int, _ patch: Int) {
      precondition(
        major >= 0 && minor >= 0 && patch >= 0, "A version \(major).\(minor).\(patch) is negative")
      self.major = major
      self.minor = minor
      self.patch = patch
    }

    public var description: String { "\(major).\(minor).\(patch)" }

    public static func < (left: Version, right: Version) -> Bool {
      (left.major, left.minor, left.patch) < (right.major, right.minor, right.patch)
    }
  }
}
