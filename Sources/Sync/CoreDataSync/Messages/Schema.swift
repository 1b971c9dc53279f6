/// What the server, and the derivation of the graph, must know of a model. Made of a managed object
/// model by the engine, sent with the greeting.
public struct SyncSchema: Hashable, Sendable {
  /// A to-one relationship.
  public struct Reference: Hashable, Sendable {
    /// What a deletion does.
    public enum DeleteRule: UInt8, Hashable, Sendable {
      /// What the deletion of the *target* does to the object that refers to it.
      case nullify, cascade, deny
    }
    /// The entity that it leads to.
    public var target: String
    /// Whether there must be a target.
    public var isRequired: Bool
    /// What the deletion of the target does.
    public var rule: DeleteRule
    /// The other end where that is to-one as well: both ends are registers.
    public var inverse: String?
    /// The ordered relationship to many at the other end: the object has a position in it.
    public var list: String?
    /// Whether circles are cut at their oldest edge.
    public var isAcyclic: Bool

    /// Makes a value of its parts.
    public init(
      target: String, isRequired: Bool, rule: DeleteRule, inverse: String? = nil,
      list: String? = nil, isAcyclic: Bool = false
    ) {
      self.target = target
      self.isRequired = isRequired
      self.rule = rule
      self.inverse = inverse
      self.list = list
      self.isAcyclic = isAcyclic
    }
  }
  /// An entity, with the attributes of those above it.
  public struct Entity: Hashable, Sendable {
    /// The name.
    public var name: String
    /// Attributes whose latest value wins, whether they must have one.
    public var attributes: [String: Bool]
    /// Attributes that are sums of increments.
    public var counters: Set<String>
    /// To-one relationships, by name.
    public var references: [String: Reference]
    /// Properties that are unique together, as the model says.
    public var uniqueness: [[String]]
    /// An edit with a later clock revives what was deleted.
    public var editWins: Bool

    /// Makes a value of its parts.
    public init(
      name: String, attributes: [String: Bool], counters: Set<String> = [],
      references: [String: Reference] = [:], uniqueness: [[String]] = [], editWins: Bool = false
    ) {
      self.name = name
      self.attributes = attributes
      self.counters = counters
      self.references = references
      self.uniqueness = uniqueness
      self.editWins = editWins
    }
  }
  /// The entities, by name.
  public var entities: [String: Entity]

  /// Makes a value of its parts.
  public init(entities: [Entity]) {
    self.entities = Dictionary(entities.map { ($0.name, $0) }) { first, _ in first }
  }
}
