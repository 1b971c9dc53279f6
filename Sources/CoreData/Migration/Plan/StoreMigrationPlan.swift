import Foundation

/// What adding a store would do to it: a dry run of its migration, which changes no byte of any file.
///
/// Its `description` is a text for people; encoded, it is the same for programs. Made by
/// ``NSPersistentStoreCoordinator/migrationPlan(forStoreAt:type:configuration:options:rehearsing:)``. Not Apple's.
public struct StoreMigrationPlan: Sendable, Codable, Equatable {
  /// Where the store is.
  public var store: URL
  /// Its type, such as `NSSQLiteStoreType`.
  public var type: String
  /// Whether the store is of another version of the model.
  public var isNeeded: Bool
  /// In their order; several for stages, and where no mapping leads to the model at once.
  public var steps: [Step] = []
  /// Indexes of the model that the store lacks and that are made when it is opened; a migration makes its own.
  public var missingIndexes: [String] = []
  /// Why the migration would fail; empty when nothing was found.
  public var problems: [Problem] = []

  /// Whether nothing was found that would make the migration fail.
  public var isPossible: Bool { problems.isEmpty }

  /// From one version of the model to another.
  public struct Step: Sendable, Codable, Equatable {
    public var source: Version
    public var destination: Version
    public var way: Way
    /// The file of the mapping model; nil when it is inferred.
    public var mappingModel: String?
    /// The label of the custom stage that the step belongs to.
    public var stage: String?
    /// By name; those that are gone last.
    public var entities: [Entity]
  }

  /// Names a version of a model.
  public struct Version: Sendable, Codable, Equatable {
    /// As the model has them; usually one, or none.
    public var identifiers: [String]
    public var checksum: String
  }

  /// How a step is carried out.
  public enum Way: String, Sendable, Codable {
    /// By SQL in the store's file, in one transaction; keys stay.
    case inPlace
    /// Object by object, into a store beside that takes the old one's place; objects get new IDs.
    case byObjects
  }

  /// What becomes of one entity.
  public struct Entity: Sendable, Codable, Equatable {
    public enum Change: String, Sendable, Codable {
      case added, removed, renamed, copied, transformed
    }

    /// What becomes of its table, which it shares with its whole hierarchy.
    public enum Table: String, Sendable, Codable {
      case made, kept, columnsAdded, rebuilt, removed
    }

    /// The new name; of an entity that is gone, its old one.
    public var name: String
    public var formerName: String?
    public var change: Change
    /// The objects that it has before the step, without those of subentities; nil for a later step's.
    public var objects: Int?
    /// Nil for a step by objects, and for a later step.
    public var table: Table?
    /// The class that a mapping names, if it does.
    public var policy: String?
    /// Those that change, by name.
    public var properties: [Property]
  }

  /// What becomes of a property.
  public struct Property: Sendable, Codable, Equatable {
    public enum Kind: String, Sendable, Codable {
      case attribute, relationship
      /// Of a composite attribute.
      case element
    }

    public enum Change: String, Sendable, Codable {
      case added, removed, renamed, changed
    }

    /// The new name; of a property that is gone, its old one.
    public var name: String
    public var formerName: String?
    public var kind: Kind
    public var change: Change
    /// What is different, in words.
    public var details: [String] = []
    /// Those of a composite attribute that change, in its order; those that are gone last.
    public var elements: [Property] = []
  }

  /// What would make the migration fail.
  public struct Problem: Sendable, Codable, Equatable {
    /// The code of the error, such as 134110.
    public var code: Int
    public var entity: String?
    public var property: String?
    /// How many objects it is about, where it is about objects.
    public var objects: Int?
    public var reason: String
  }
}
