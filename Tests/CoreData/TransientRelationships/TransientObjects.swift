import CoreData
import Testing

/// Objects of one pair in one context, known by their names.
struct TransientObjects {
  let pair: TransientPair
  let context: NSManagedObjectContext
  private(set) var objects: [String: NSManagedObject] = [:]

  /// Three owners and three members of each pair; the pair's name is in theirs.
  init(making pair: TransientPair, in context: NSManagedObjectContext) {
    self.pair = pair
    self.context = context
    for name in Self.names(pair.owner) + Self.names(pair.destination) where objects[name] == nil {
      make(name)
    }
  }

  /// Those that a store has.
  init(fetching pair: TransientPair, in context: NSManagedObjectContext) throws {
    self.pair = pair
    self.context = context
    for entity in TransientPair.entities {
      let request = NSFetchRequest<NSManagedObject>(entityName: entity)
      request.predicate = NSPredicate(format: "name BEGINSWITH %@", "\(pair.name)/")
      for object in try context.fetch(request) {
        let name = try #require(object.value(forKey: "name") as? String)
        objects[String(name.split(separator: "/")[1])] = object
      }
    }
  }

  static func names(_ entity: String) -> [String] { (0..<3).map { "\(entity)\($0)" } }

  var owners: [String] { names(of: pair.owner) }
  var members: [String] { names(of: pair.destination) }

  func names(of entity: String) -> [String] {
    objects.filter { $0.value.entity.name == entity }.keys.sorted()
  }

  /// The objects that have a relationship, and those that it leads to.
  func ends(of relationship: String) -> (owners: [String], members: [String]) {
    relationship == pair.name ? (owners, members) : (members, owners)
  }

  subscript(name: String) -> NSManagedObject { objects[name]! }

  mutating func make(_ name: String) {
    let entity = String(name.dropLast())
    let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
    object.setValue("\(pair.name)/\(name)", forKey: "name")
    objects[name] = object
  }

  mutating func forget(_ name: String) { objects[name] = nil }

  // MARK: - Values

  /// Both sides, as key-value coding gives them.
  func plain() -> PlainPair {
    var plain = PlainPair(pair)
    for relationship in pair.names {
      for owner in ends(of: relationship).owners {
        plain.note(relationship, owner, members(relationship, owner))
      }
    }
    return plain
  }

  func members(_ relationship: String, _ owner: String) -> [String] {
    let found: [Any] =
      switch self[owner].value(forKey: relationship) {
      case let ordered as NSOrderedSet: ordered.array
      case let set as NSSet: set.allObjects
      case let object as NSManagedObject: [object]
      default: []
      }
    return found.map { name(of: $0 as? NSManagedObject) }
  }

  private func name(of object: NSManagedObject?) -> String {
    objects.first { $0.value === object }?.key ?? "?"
  }

  func set(_ relationship: String, _ owner: String, _ members: [String]) {
    let members = members.map { self[$0] }
    let value: Any? =
      switch pair.side(of: relationship) {
      case .toOne: members.first
      case .toMany: NSSet(array: members)
      case .ordered: NSOrderedSet(array: members)
      }
    self[owner].setValue(value, forKey: relationship)
  }

  func add(_ relationship: String, _ owner: String, _ member: String) {
    switch pair.side(of: relationship) {
    case .toOne: self[owner].setValue(self[member], forKey: relationship)
    case .toMany: self[owner].mutableSetValue(forKey: relationship).add(self[member])
    case .ordered: self[owner].mutableOrderedSetValue(forKey: relationship).add(self[member])
    }
  }

  func remove(_ relationship: String, _ owner: String, _ member: String) {
    switch pair.side(of: relationship) {
    case .toOne: self[owner].setValue(nil, forKey: relationship)
    case .toMany: self[owner].mutableSetValue(forKey: relationship).remove(self[member])
    case .ordered: self[owner].mutableOrderedSetValue(forKey: relationship).remove(self[member])
    }
  }

  /// As many members as a relationship may have, beginning with the second.
  func someMembers(_ relationship: String) -> [String] {
    let all = ends(of: relationship).members
    return pair.side(of: relationship) == .toOne ? [all[1]] : [all[2], all[1]]
  }
}
