import CoreData

/// What an application says of its model beside the model itself. Each of these can also be said in
/// the model, by the user info of an entity or a property; ``Annotation`` has the keys.
public struct SyncConfiguration: Sendable {
  /// The keys of annotations in the model's user info. A flag is set by "YES", "true" or "1".
  public enum Annotation {
    /// Of an attribute: concurrent increments add up.
    public static let counter = "sync.counter"
    /// Of an entity: an edit with a later clock revives what was deleted.
    public static let editWins = "sync.editWins"
    /// Of a to-one relationship to the same entity: circles are undone, or ("NO") left alone.
    public static let acyclic = "sync.acyclic"
    /// Of an entity: the name of a UUID attribute that is the identity of its objects.
    public static let identity = "sync.identity"
    /// Of an entity that was renamed: the name that it had when it was first synced.
    public static let name = "sync.name"
    /// Of an entity or a property: it stays on this device.
    public static let excluded = "sync.excluded"
  }

  /// The zone of all objects of the store.
  public var zone: String
  /// The name of the application, for the server's log.
  public var application: String
  /// Attributes, by entity, whose concurrent increments add up.
  public var counters: [String: Set<String>]
  /// Entities of which an edit with a later clock revives what was deleted.
  public var editWins: Set<String>
  /// To-one relationships, by entity, that make no circles: the server undoes the move that closes
  /// one. A circle that no single move has closed is cut at its oldest edge. Those of an entity to
  /// itself that cascade make none without being named.
  public var acyclic: [String: Set<String>]
  /// The UUID attribute, by entity, that is the identity of its objects on every device.
  public var identities: [String: String]
  /// The name that an object has on every device, nil for one without: objects of an entity with
  /// one name are one, whichever devices have made them. For what each device makes by itself, such
  /// as the root of a tree, and for what has no UUID attribute. Called once for each object, on the
  /// queue of its context, when sync first sees it.
  public var identify: (@Sendable (NSManagedObject) -> String?)?
  /// What the server calls an entity, by its name in this model: of one that was renamed the name
  /// that it had when it was first synced.
  public var names: [String: String]
  /// Entities that stay on this device.
  public var excludedEntities: Set<String>
  /// The most changes of one push: records, pairs and aliases.
  public var changesPerPush: Int
  /// The most rows of one page.
  public var rowsPerPage: Int

  /// A configuration for one zone.
  public init(
    zone: String, application: String = "", counters: [String: Set<String>] = [:],
    editWins: Set<String> = [], acyclic: [String: Set<String>] = [:],
    identities: [String: String] = [:],
    identify: (@Sendable (NSManagedObject) -> String?)? = nil,
    names: [String: String] = [:],
    excludedEntities: Set<String> = [], changesPerPush: Int = 500, rowsPerPage: Int = 1000
  ) {
    self.zone = zone
    self.application = application
    self.counters = counters
    self.editWins = editWins
    self.acyclic = acyclic
    self.identities = identities
    self.identify = identify
    self.names = names
    self.excludedEntities = excludedEntities
    self.changesPerPush = changesPerPush
    self.rowsPerPage = rowsPerPage
  }
}
