import CoreData
import Foundation
import Synchronization

/// The models of a container: their entities, and the version of the whole.
///
/// Models that others lead to are part of it without being named, and so are the classes that they inherit from.
///
/// Source: developer.apple.com/documentation/swiftdata/schema
public final class Schema: Codable, Hashable, Sendable, CustomDebugStringConvertible {
  public static let schemaEncodingVersion = Version(1, 0, 0)

  public let encodingVersion: Version
  public let version: Version
  public let entities: [Entity]
  public let entitiesByName: [String: Entity]
  // Made when a container or Core Data asks for it.
  private let madeModel = Mutex<NSManagedObjectModel?>(nil)

  private init(entities: [Entity], version: Version, encodingVersion: Version) {
    self.entities = entities
    entitiesByName = Dictionary(entities.map { ($0.name, $0) }) { first, _ in first }
    self.version = version
    self.encodingVersion = encodingVersion
  }

  public convenience init() { self.init([Entity](), version: Version(1, 0, 0)) }

  convenience init(_ entities: [Entity], version: Version) {
    self.init(
      entities: entities, version: version, encodingVersion: Self.schemaEncodingVersion)
  }

  public convenience init(_ entities: Entity..., version: Version = Version(1, 0, 0)) {
    self.init(entities, version: version)
  }

  public convenience init(
    _ types: any PersistentModel.Type..., version: Version = Version(1, 0, 0)
  ) {
    self.init(types, version: version)
  }

  public convenience init(
    _ types: [any PersistentModel.Type], version: Version = Version(1, 0, 0)
  ) {
    self.init(SchemaEntities.entities(of: types), version: version)
  }

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

  public static func load(from fromURL: URL) throws -> Schema {
    try JSONDecoder().decode(Schema.self, from: Data(contentsOf: fromURL))
  }

  public func entity<T: PersistentModel>(for type: T.Type) -> Entity? {
    entitiesByName[Self.entityName(for: type)]
  }

  /// The name of a class without the types that it is nested in.
  public static func entityName<T: PersistentModel>(for type: T.Type) -> String {
    String(describing: type)
  }

  public var debugDescription: String {
    "Schema - entities: \(entities.map(\.name)), version: \(version)"
  }

  // MARK: - Core Data's model

  /// One model for the schema's life: stores and contexts know each other by it.
  var managedObjectModel: NSManagedObjectModel {
    madeModel.withLock { made in
      if let made { return made }
      let model = ManagedModelBuilder.model(of: self)
      made = model
      return model
    }
  }

  /// The entity of a model that is in no context and may never be.
  static func soleEntity(of type: any PersistentModel.Type) -> NSEntityDescription {
    let type = ModelType.of(type)
    return Schema([type.type]).managedObjectModel.entitiesByName[type.entityName]!
  }
}

extension Schema {
  /// The version of a schema, which a store keeps as "major.minor.patch".
  public struct Version: Codable, Comparable, CustomStringConvertible, Hashable, Sendable {
    public let major: Int
    public let minor: Int
    public let patch: Int

    /// None may be negative.
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
