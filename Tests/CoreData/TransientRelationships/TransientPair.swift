import CoreData
import CoreDataSupport
import Testing

@testable import CoreDataSamples

/// A relationship that is transient, with an inverse of some kind.
struct TransientPair: CustomStringConvertible, Sendable {
  enum Side: String, CaseIterable, Sendable {
    case toOne = "ToOne"
    case toMany = "ToMany"
    case ordered = "Ordered"
  }

  enum Inverse: Equatable, Sendable {
    case none
    /// It is its own inverse.
    case itself
    case transient(Side)
    case stored(Side)
  }

  /// The entity that has it; the other one has the inverse.
  let owner: String
  let side: Side
  let inverse: Inverse

  static let entities = ["Client", "Message"]

  /// Both entities have one of each kind: which comes first decides much about join tables.
  static let all: [TransientPair] = entities.flatMap { owner in
    Side.allCases.flatMap { side in
      let inverses = Side.allCases.flatMap { [Inverse.transient($0), .stored($0)] }
      return ([.none, .itself] + inverses).map {
        TransientPair(owner: owner, side: side, inverse: $0)
      }
    }
  }

  static let withStoredInverse = all.filter(\.hasStoredInverse)

  var name: String {
    let start = "\(owner.lowercased())\(side.rawValue)"
    return switch inverse {
    case .none: "\(start)Alone"
    case .itself: "\(start)Itself"
    case .transient(let side): "\(start)Transient\(side.rawValue)"
    case .stored(let side): "\(start)Stored\(side.rawValue)"
    }
  }

  var inverseName: String? {
    switch inverse {
    case .none: nil
    case .itself: name
    case .transient, .stored: "\(name)Back"
    }
  }

  var destination: String {
    inverse == .itself ? owner : Self.entities.first { $0 != owner } ?? owner
  }

  var inverseSide: Side? {
    switch inverse {
    case .none: nil
    case .itself: side
    case .transient(let side), .stored(let side): side
    }
  }

  var hasStoredInverse: Bool {
    if case .stored = inverse { true } else { false }
  }

  /// The names of its relationships: one where there is no inverse or the two are the same.
  var names: [String] { inverse == .itself ? [name] : [name, inverseName].compactMap(\.self) }

  func side(of relationship: String) -> Side { relationship == name ? side : inverseSide ?? side }

  func inverse(of relationship: String) -> String? {
    relationship == name ? inverseName : name
  }

  func isStored(_ relationship: String) -> Bool { relationship != name && hasStoredInverse }

  /// Whether a member of the stored side has one owner at a time in the store, though the side that says so is
  /// transient.
  var isOnesided: Bool { hasStoredInverse && side == .toOne && inverseSide != .toOne }

  var description: String { name }
}

/// A model with every pair, and with a stored relationship beside them.
enum TransientModel {
  /// - Parameter isTransient: Whether a relationship of a pair is transient, nil where it is not to be there.
  static func make(
    _ pairs: [TransientPair] = TransientPair.all,
    change: (NSRelationshipDescription, TransientPair) -> Void = { _, _ in },
    isTransient: (String, TransientPair) -> Bool? = { !$1.isStored($0) }
  ) -> NSManagedObjectModel {
    let entities = Dictionary(
      uniqueKeysWithValues: TransientPair.entities.map { ($0, ModelPart.entity($0)) })
    var properties = entities.mapValues { _ in
      [ModelPart.attribute("name") as NSPropertyDescription]
    }
    let sender = ModelPart.relationship("sender", to: entities["Client"]!, maxCount: 1)
    let sent = ModelPart.relationship("sent", to: entities["Message"]!, maxCount: 0)
    ModelPart.connect(sender, sent)
    properties["Message"]?.append(sender)
    properties["Client"]?.append(sent)
    for pair in pairs {
      let made = pair.names.compactMap { name -> NSRelationshipDescription? in
        guard let isTransient = isTransient(name, pair) else { return nil }
        let isForward = name == pair.name
        let side = pair.side(of: name)
        let relationship = ModelPart.relationship(
          name, to: entities[isForward ? pair.destination : pair.owner]!,
          maxCount: side == .toOne ? 1 : 0, isOrdered: side == .ordered)
        relationship.isTransient = isTransient
        relationship.isOptional = true
        properties[isForward ? pair.owner : pair.destination]?.append(relationship)
        return relationship
      }
      if made.count == 2 { ModelPart.connect(made[0], made[1]) }
      if pair.inverse == .itself, let own = made.first { ModelPart.connect(own, own) }
      for relationship in made { change(relationship, pair) }
    }
    for (name, entity) in entities { entity.properties = properties[name] ?? [] }
    let model = NSManagedObjectModel()
    model.entities = TransientPair.entities.compactMap { entities[$0] }
    return model
  }
}

/// The two sides of a pair as plain values, by relationship and object.
///
/// Setting a side gives each other side what it lacks and takes from it what it has; what one side has lost
/// nobody gives back to it.
struct PlainPair: Equatable {
  let pair: TransientPair
  private(set) var values: [String: [String: [String]]] = [:]

  static func == (left: PlainPair, right: PlainPair) -> Bool { left.lines == right.lines }

  /// What there is, for comparison.
  var lines: [String] {
    values.flatMap { relationship, objects in
      objects.filter { !$0.value.isEmpty }.map { object, members in
        let isOrdered = pair.side(of: relationship) == .ordered
        return "\(relationship) \(object): \(isOrdered ? members : members.sorted())"
      }
    }.sorted()
  }

  init(_ pair: TransientPair) { self.pair = pair }

  func members(_ relationship: String, _ object: String) -> [String] {
    values[relationship]?[object] ?? []
  }

  /// Notes what objects have.
  mutating func note(_ relationship: String, _ object: String, _ members: [String]) {
    values[relationship, default: [:]][object] = members
  }

  mutating func set(_ relationship: String, _ object: String, _ members: [String]) {
    for old in self.members(relationship, object) where !members.contains(old) {
      remove(relationship, object, old)
    }
    for new in members { add(relationship, object, new) }
    if pair.side(of: relationship) == .ordered { note(relationship, object, members) }
  }

  mutating func add(_ relationship: String, _ object: String, _ member: String) {
    guard !members(relationship, object).contains(member) else { return }
    gain(relationship, object, member)
    if let inverse = pair.inverse(of: relationship) { gain(inverse, member, object) }
  }

  mutating func remove(_ relationship: String, _ object: String, _ member: String) {
    guard members(relationship, object).contains(member) else { return }
    lose(relationship, object, member)
    if let inverse = pair.inverse(of: relationship) { lose(inverse, member, object) }
  }

  private mutating func gain(_ relationship: String, _ object: String, _ member: String) {
    let before = members(relationship, object)
    if before.contains(member) { return }
    guard pair.side(of: relationship) == .toOne else {
      return note(relationship, object, before + [member])
    }
    note(relationship, object, [member])
    guard let inverse = pair.inverse(of: relationship) else { return }
    for old in before { lose(inverse, old, object) }
  }

  private mutating func lose(_ relationship: String, _ object: String, _ member: String) {
    note(relationship, object, members(relationship, object).filter { $0 != member })
  }

  /// The object is a fault: its transient values are gone.
  mutating func forget(_ object: String) {
    for name in pair.names where !pair.isStored(name) { values[name]?[object] = nil }
  }

  /// What another context sees.
  var stored: PlainPair {
    var stored = self
    for name in pair.names where !pair.isStored(name) { stored.values[name] = nil }
    return stored
  }

  /// The object is deleted under nullify rules.
  mutating func delete(_ object: String) {
    for name in pair.names {
      for member in members(name, object) {
        if let inverse = pair.inverse(of: name) { lose(inverse, member, object) }
      }
    }
    for name in pair.names { values[name]?[object] = nil }
  }

  /// Whether some object leads to one that does not lead back.
  func leadsTo(_ object: String) -> Bool {
    values.values.contains { $0.values.contains { $0.contains(object) } }
  }

  /// Whether a member has two owners, of which a store keeps one.
  var hasSharedMembers: Bool {
    guard pair.isOnesided, let inverse = pair.inverseName else { return false }
    let members = (values[inverse] ?? [:]).values.flatMap(\.self)
    return Set(members).count < members.count
  }
}
