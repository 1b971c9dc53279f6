import Foundation

/// The migration that adding a store would run: a dry run, which changes no byte of any file.
///
/// `description` is for people; the encoded form has the same content for programs. Made by
/// `migrationPlan(forStoreAt:type:configuration:options:rehearsing:)` of
/// ``NSPersistentStoreCoordinator``. Not part of Apple's API.
public struct StoreMigrationPlan: Sendable, Codable, Equatable {
  /// The URL of the store.
  public var store: URL
  /// The type of the store, such as `NSSQLiteStoreType`.
  public var type: String
  /// Whether the store has another version of the model.
  public var isNeeded: Bool
  /// The steps in their order. Several for staged migrations, and if no single mapping leads to the
  /// model.
  public var steps: [Step] = []
  /// Indexes of the model that the store lacks and that opening it would make; a migration makes
  /// its own.
  public var missingIndexes: [String] = []
  /// The reasons for which the migration would fail; empty if none was found.
  public var problems: [Problem] = []

  /// Whether no problem was found.
  public var isPossible: Bool { problems.isEmpty }

  /// A step from one version of the model to another.
  public struct Step: Sendable, Codable, Equatable {
    /// The version before the step.
    public var source: Version
    /// The version after the step.
    public var destination: Version
    /// The way in which the step runs.
    public var way: Way
    /// The name of the mapping model's file; nil if the mapping is inferred.
    public var mappingModel: String?
    /// The label of the custom stage to which the step belongs; nil outside of stages.
    public var stage: String?
    /// The entities by name, removed ones last.
    public var entities: [Entity]
  }

  /// A version of a model.
  public struct Version: Sendable, Codable, Equatable {
    /// The version identifiers of the model; usually one, or none.
    public var identifiers: [String]
    /// The checksum of the version.
    public var checksum: String
  }

  /// The way in which a step runs.
  public enum Way: String, Sendable, Codable {
    /// By SQL in the store's file, in one transaction; keys stay.
    case inPlace
    /// Object by object, into a new store that replaces the old one; objects get new IDs.
    case byObjects
  }

  /// The changes of one entity.
  public struct Entity: Sendable, Codable, Equatable {
    /// The kind of an entity's change: `copied` is unchanged, `transformed` is changed with its
    /// name kept, `renamed` may be changed too.
    public enum Change: String, Sendable, Codable {
      case added, removed, renamed, copied, transformed
    }

    /// The fate of an entity's table, which its whole hierarchy shares.
    public enum Table: String, Sendable, Codable {
      case made, kept, columnsAdded, rebuilt, removed
    }

    /// The new name; the old one for a removed entity.
    public var name: String
    /// The old name of a renamed entity; nil for others.
    public var formerName: String?
    /// The kind of the change.
    public var change: Change
    /// The number of its objects before the step, without those of subentities; nil for a later
    /// step.
    public var objects: Int?
    /// The fate of its table; nil for a step by objects, and for a later step.
    public var table: Table?
    /// The policy class of its mapping; nil for the default policy.
    public var policy: String?
    /// The changed properties, by name.
    public var properties: [Property]
  }

  /// The change of a property.
  public struct Property: Sendable, Codable, Equatable {
    /// The kind of a property.
    public enum Kind: String, Sendable, Codable {
      case attribute, relationship
      /// An element of a composite attribute.
      case element
    }

    /// The kind of a property's change.
    public enum Change: String, Sendable, Codable {
      case added, removed, renamed, changed
    }

    /// The new name; the old one for a removed property.
    public var name: String
    /// The old name of a renamed property; nil for others.
    public var formerName: String?
    /// The kind of the property.
    public var kind: Kind
    /// The kind of the change.
    public var change: Change
    /// The differences, in words.
    public var details: [String] = []
    /// The changed elements of a composite attribute in its order, removed ones last.
    public var elements: [Property] = []
  }

  /// A reason for which the migration would fail.
  public struct Problem: Sendable, Codable, Equatable {
    /// The code of the error, such as 134110.
    public var code: Int
    /// The name of the entity; nil if the problem does not concern one.
    public var entity: String?
    /// The name of the property; nil if the problem does not concern one.
    public var property: String?
    /// The number of affected objects; nil if the problem does not concern objects.
    public var objects: Int?
    /// The reason in words.
    public var reason: String
  }
}
