/// What the server, and the derivation of the graph, must know of a model. Made of a managed object
/// model by the engine, sent with the greeting.
public struct SyncSchema: Hashable, Sendable {
  public struct Reference: Hashable, Sendable {
    public enum DeleteRule: UInt8, Hashable, Sendable {
      /// What the deletion of the *target* does to the object that refers to it.
      case nullify, cascade, deny
    }
    public var target: String
    public var isRequired: Bool
    public var rule: DeleteRule
    /// The other end where that is to-one as well: both ends are registers.
    public var inverse: String?
    /// The ordered relationship to many at the other end: the object has a position in it.
    public var list: String?
    /// Whether circles are cut at their oldest edge.
    public var isAcyclic: Bool

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
  public struct Entity: Hashable, Sendable {
    public var name: String
    /// Attributes whose latest value wins, whether they must have one.
    public var attributes: [String: Bool]
    public var counters: Set<String>
    public var references: [String: Reference]
    /// Properties that are unique together, as the model says.
    public var uniqueness: [[String]]
    /// An edit with a later clock revives what was deleted.
    public var editWins: Bool

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
  public var entities: [String: Entity]

  public init(entities: [Entity]) {
    self.entities = Dictionary(entities.map { ($0.name, $0) }) { first, _ in first }
  }
}
