import CoreData
import CoreDataSupport

@testable import CoreDataSamples

/// Owners and members in every kind of relationship, with every delete rule on either side. Each
/// kind has an entity and members of its own, so that no relationship names the owner of another.
enum MergedShapes {
  enum Shape: String, CaseIterable {
    case toOne, oneToOne, toMany, ordered, manyToMany, orderedMany
    case oneSidedToOne, oneSidedToMany, oneSidedOrdered

    var isToMany: Bool { self != .toOne && self != .oneToOne && self != .oneSidedToOne }
    var isOrdered: Bool { self == .ordered || self == .orderedMany || self == .oneSidedOrdered }
    /// The greatest count of the inverse; nil without one.
    var inverseCount: Int? {
      switch self {
      case .oneToOne, .toMany, .ordered: 1
      case .toOne, .manyToMany, .orderedMany: 0
      default: nil
      }
    }
  }

  struct Kind {
    let shape: Shape
    let rule: NSDeleteRule
    /// Whether the rule is that of the inverse.
    let isBack: Bool

    var entity: String { "\(shape.rawValue)\(rule.rawValue)\(isBack ? "Back" : "")" }
    var inverse: String { "of\(entity)" }
  }

  static let kinds: [Kind] = Shape.allCases.flatMap { shape in
    let rules: [NSDeleteRule] = [
      .nullifyDeleteRule, .noActionDeleteRule, .cascadeDeleteRule, .denyDeleteRule,
    ]
    // What order changes does not depend on the rule.
    return rules.prefix(shape.isOrdered ? 2 : 4).map { Kind(shape: shape, rule: $0, isBack: false) }
      + rules[1...2].filter { _ in shape.inverseCount != nil && !shape.isOrdered }
      .map { Kind(shape: shape, rule: $0, isBack: true) }
  }

  static func make() -> NSManagedObjectModel {
    let member = NSEntityDescription()
    member.name = "Member"
    member.properties = attributes()
    var entities = [member]
    for kind in kinds {
      let owner = NSEntityDescription()
      owner.name = kind.entity
      let forward = ModelPart.relationship(
        "members", to: member, maxCount: kind.shape.isToMany ? 0 : 1)
      forward.isOrdered = kind.shape.isOrdered
      if !kind.isBack { forward.deleteRule = kind.rule }
      owner.properties = attributes() + [forward]
      if let count = kind.shape.inverseCount {
        let back = ModelPart.relationship(kind.inverse, to: owner, maxCount: count)
        if kind.isBack { back.deleteRule = kind.rule }
        ModelPart.connect(forward, back)
        member.properties.append(back)
      }
      entities.append(owner)
    }
    return ModelPart.model(entities)
  }

  private static func attributes() -> [NSPropertyDescription] {
    [
      ModelPart.attribute("name"),
      ModelPart.attribute("note"),
      ModelPart.attribute("run", .integer64AttributeType, default: 0),
    ]
  }

  /// Two owners of each kind. The first has three members, or one.
  static func fill(_ context: NSManagedObjectContext, run: Int) {
    for kind in kinds {
      func make(_ entity: String, _ name: String) -> NSManagedObject {
        context.insert(entity, ["name": name, "run": run])
      }
      let (first, _) = (make(kind.entity, "first"), make(kind.entity, "second"))
      let members = ["a", "b", "c"].map { make("Member", "\(kind.entity) \($0)") }
      set(first, kind, members)
    }
  }

  static func set(_ owner: NSManagedObject, _ kind: Kind, _ members: [NSManagedObject]) {
    if kind.shape.isOrdered {
      owner.setValue(NSOrderedSet(array: members), forKey: "members")
    } else if kind.shape.isToMany {
      owner.setValue(NSSet(array: members), forKey: "members")
    } else {
      owner.setValue(members.first, forKey: "members")
    }
  }

  static func members(_ owner: NSManagedObject) -> [NSManagedObject] {
    switch owner.value(forKey: "members") {
    case let set as NSSet: set.allObjects.compactMap { $0 as? NSManagedObject }
    case let set as NSOrderedSet: set.array.compactMap { $0 as? NSManagedObject }
    case let object as NSManagedObject: [object]
    default: []
    }
  }

  static func objects(
    _ entity: String, _ format: String = "TRUEPREDICATE", run: Int,
    in context: NSManagedObjectContext
  ) throws -> [NSManagedObject] {
    let request = NSFetchRequest<NSManagedObject>(entityName: entity)
    request.predicate = NSPredicate(format: "run == \(run) AND (\(format))")
    request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
    return try context.fetch(request)
  }

  static func objects(run: Int, in context: NSManagedObjectContext) throws -> [NSManagedObject] {
    try (kinds.map(\.entity) + ["Member"]).flatMap { try objects($0, run: run, in: context) }
  }

  /// What each relationship of each object leads to.
  static func graph(run: Int, in context: NSManagedObjectContext) throws -> [String: String] {
    var graph: [String: String] = [:]
    for object in try objects(run: run, in: context) {
      let title = "\(object.entity.name ?? "") \(object.value(forKey: "name") ?? "?")"
      graph["\(title).note"] = object.value(forKey: "note") as? String ?? "none"
      for name in relationships(of: object) { graph["\(title).\(name)"] = text(object, name) }
    }
    return graph
  }

  /// The names of those that an object takes part in: a member has its own kind's inverse alone.
  static func relationships(of object: NSManagedObject) -> [String] {
    if object.entity.name != "Member" { return ["members"] }
    let kind = (object.value(forKey: "name") as? String)?.split(separator: " ").first ?? ""
    return object.entity.relationshipsByName["of\(kind)"].map { [$0.name] } ?? []
  }

  static func text(_ object: NSManagedObject, _ name: String) -> String {
    func title(_ object: Any) -> String {
      guard let object = object as? NSManagedObject, !object.isDeleted,
        let context = object.managedObjectContext,
        (try? context.existingObject(with: object.objectID)) === object
      else { return "gone" }
      return object.value(forKey: "name") as? String ?? "?"
    }
    switch object.value(forKey: name) {
    case let set as NSSet: return "\(set.allObjects.map(title).sorted())"
    case let set as NSOrderedSet: return "\(set.array.map(title))"
    case let other?: return title(other)
    case nil: return "nothing"
    }
  }
}
