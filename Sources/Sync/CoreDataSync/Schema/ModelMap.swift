import CoreData

/// What sync does with each property of a model. Made once of the model and the configuration.
///
/// Sendable: immutable, of descriptions that no longer change.
struct ModelMap: @unchecked Sendable {
  /// One side of a many-to-many relationship, or of a relationship to many without an inverse.
  struct Side {
    /// "Entity.relationship" of the side that sorts first.
    let relationship: String
    /// Whether this is that side.
    let isFirst: Bool
    /// Whether the relationship is its own inverse.
    let isSymmetric: Bool
  }
  /// What is unique together in the store: an index over the table of an entity and all that
  /// inherit from it, whichever of them says so.
  struct Constraint: Hashable {
    /// The highest entity that has the attributes.
    let owner: String
    /// Attributes, or paths to elements of composite ones.
    let properties: [String]
    /// Whether objects of several entities have it.
    let isShared: Bool
  }
  struct Entity {
    let description: NSEntityDescription
    /// What the server and other devices call it.
    let name: String
    /// Attributes whose latest value wins.
    var attributes: Named<NSAttributeDescription> = [:]
    var counters: Named<NSAttributeDescription> = [:]
    var references: Named<SyncSchema.Reference> = [:]
    /// References by whose target an object lives: required ones and those that cascade.
    var lifelines: [String] = []
    var sides: Named<Side> = [:]
    /// The entities that a reference or a side may lead to, whatever a page says.
    var ends: Named<Set<String>> = [:]
    /// The to-one relationship of the members, by the name of an ordered relationship to many.
    var lists: Named<String> = [:]
    var constraints: [Constraint] = []
    var identity: String?
    /// The fingerprints of the attributes' default values.
    var defaults: Named<UInt32> = [:]

    /// Whether the model has objects of an entity at the end of a relationship.
    func mayLead(_ relationship: String, to entity: String?) -> Bool {
      entity.map { ends[relationship]?.contains($0) ?? false } ?? false
    }

    /// All that history may name and sync looks at.
    var properties: [String] {
      attributes.keys.sorted() + counters.keys.sorted() + references.keys.sorted()
        + sides.keys.sorted() + lists.keys.sorted()
    }
  }

  /// By the names that the server has.
  let entities: [String: Entity]
  /// The names that the server has, by those of this model.
  private let names: [String: String]
  let schema: SyncSchema
  /// All properties that sync looks at: "Entity.property".
  let properties: Set<String>
  /// Many-to-many relationships that are their own inverses.
  let symmetric: Set<String>
  /// Entities whose objects those of other entities refer to, such as the folders of notes.
  let targets: Set<String>
  /// All relationships whose members are pairs.
  let pairRelationships: Set<String>
  /// The application's names of objects.
  let identify: (@Sendable (NSManagedObject) -> String?)?

  /// - Parameter part: the configuration of the model whose entities the store holds.
  init(
    model: NSManagedObjectModel, part: String? = nil, configuration: SyncConfiguration
  ) {
    identify = configuration.identify
    let held = Set(model.entities(forConfigurationName: part)?.compactMap(\.name) ?? [])
    let maker = EntityMapper(configuration: configuration, held: held)
    let kept = model.entities.filter { !$0.isAbstract && !maker.isExcluded($0) }
    let mapped = kept.map { maker.map($0) }
    let entities = mapped.map { ($0.name, $0.withEnds(among: mapped)) }
    self.entities = Dictionary(entities) { first, _ in first }
    names = Dictionary(entities.map { ($1.description.name ?? "", $0) }) { first, _ in first }
    targets = Self.targets(in: self.entities)
    pairRelationships = Set(entities.flatMap { $1.sides.values.map(\.relationship) })
    properties = Set(entities.flatMap { name, entity in entity.properties.map { "\(name).\($0)" } })
    symmetric = Set(
      entities.flatMap { $1.sides.values.filter(\.isSymmetric).map(\.relationship) })
    schema = SyncSchema(
      entities: entities.map { name, entity in
        SyncSchema.Entity(
          name: name, attributes: entity.attributes.mapValues { !$0.isOptional }.dictionary,
          counters: Set(entity.counters.keys), references: entity.references.dictionary,
          uniqueness: entity.constraints.map(\.properties), editWins: maker.editWins(entity))
      })
  }

  /// A name of all that the derivation of the graph depends on besides a replica's state. To be
  /// changed with the rules: the first of its parts is their number.
  var derivation: RecordID {
    let hashes = entities.values.map {
      "\($0.name) \($0.description.versionHash.base64EncodedString())"
    }
    let parts = ["1", Data(schema.encodedMessage()).base64EncodedString()] + hashes.sorted()
    return RecordID(named: parts.joined(separator: " "), entity: "")
  }

  private static func targets(in entities: [String: Entity]) -> Set<String> {
    let referred = entities.values.flatMap { entity in
      entity.references.values.compactMap { entities[$0.target]?.description }
        .filter { !entity.description.isKindOf(entity: $0) }
    }
    return Set(
      entities.values.filter { entity in
        referred.contains { entity.description.isKindOf(entity: $0) }
      }.map(\.name))
  }

  /// An entity by its name in this model.
  func entity(named name: String?) -> Entity? {
    name.flatMap { names[$0] }.flatMap { entities[$0] }
  }

  /// Entities that are called otherwise here: "Note is Memo".
  var renamings: Set<String> {
    Set(names.filter { $0.key != $0.value }.map { "\($0.value) is \($0.key)" })
  }

  /// A name that two entities have on the server.
  var ambiguousName: String? {
    Dictionary(grouping: names.keys) { names[$0] ?? $0 }.filter { $0.value.count > 1 }.keys.min()
  }

  /// The name of the register of an object's place in the list that a reference leads to.
  static func position(_ reference: String) -> String { reference + ".position" }

  /// The reference whose list a register is the place in.
  static func reference(ofPosition register: String) -> String? {
    register.hasSuffix(".position") ? String(register.dropLast(9)) : nil
  }
}

extension ModelMap.Entity {
  fileprivate func withEnds(among entities: [ModelMap.Entity]) -> ModelMap.Entity {
    var entity = self
    for name in [String](references.keys) + sides.keys {
      guard let end = description.relationshipsByName[name]?.destinationEntity else { continue }
      entity.ends[name] = Set(
        entities.filter { $0.description.isKindOf(entity: end) }.map(\.name))
    }
    return entity
  }
}

extension SyncSchema {
  /// What sync sees of a model: entities that are not abstract with what they inherit, without
  /// transient, derived and fetched properties.
  public init(model: NSManagedObjectModel, configuration: SyncConfiguration) {
    self = ModelMap(model: model, configuration: configuration).schema
  }
}
