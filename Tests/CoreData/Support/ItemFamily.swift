import CoreData
import Testing

/// The items of one context: a parent with two children, a tag and a note, and another one with a child.
struct ItemFamily {
  let context: NSManagedObjectContext
  let parent, other, first, second, third: Item
  let tag, note: NSManagedObject

  /// A store with a family, whose children follow a delete rule.
  static func stack(
    _ kind: StoreKind, _ rule: NSDeleteRule, isOrdered: Bool = false
  ) throws -> TestStack {
    let model = NestedModel.make()
    let children = model.entitiesByName["Item"]?.relationshipsByName["children"]
    children?.deleteRule = rule
    children?.isOrdered = isOrdered
    let stack = try TestStack(kind, model: model)
    try stack.withContext { context in
      let parent = context.makeItem("parent", order: 1)
      let other = context.makeItem("other", order: 2)
      context.makeItem("first", order: 3, in: parent)
      context.makeItem("second", order: 4, in: parent)
      context.makeItem("third", order: 5, in: other)
      let tag = context.insert("Tag", ["name": "tag"])
      let note = context.insert("Note", ["text": "note"])
      parent.setValue(Set([tag]), forKey: "tags")
      parent.setValue(note, forKey: "note")
      try context.save()
    }
    return stack
  }

  init(_ context: NSManagedObjectContext) throws {
    func first(_ entity: String) throws -> NSManagedObject {
      try #require(try context.fetch(NSFetchRequest<NSManagedObject>(entityName: entity)).first)
    }
    let items = try Dictionary(uniqueKeysWithValues: context.items().map { ($0.order, $0) })
    self.context = context
    parent = try #require(items[1])
    other = try #require(items[2])
    self.first = try #require(items[3])
    second = try #require(items[4])
    third = try #require(items[5])
    tag = try first("Tag")
    note = try first("Note")
  }

  func setChildren(_ children: [Item]) {
    let isOrdered = parent.entity.relationshipsByName["children"]?.isOrdered == true
    parent.setValue(isOrdered ? NSOrderedSet(array: children) : Set(children), forKey: "children")
  }

  /// Everything that a context has, from both ends of each relationship.
  static func describe(_ context: NSManagedObjectContext) throws -> String {
    func orders(_ object: NSManagedObject, _ key: String) -> [Int64] {
      let members = object.value(forKey: key)
      func order(_ member: Any) -> Int64 {
        (member as? NSManagedObject)?.value(forKey: "order") as? Int64 ?? -1
      }
      if let ordered = members as? NSOrderedSet { return ordered.map(order) }
      return (members as? Set<NSManagedObject> ?? []).map(order).sorted()
    }
    func all(_ entity: String) throws -> [NSManagedObject] {
      try context.fetch(NSFetchRequest<NSManagedObject>(entityName: entity))
    }
    let items = try context.items().sorted { $0.order < $1.order }.map { item in
      let title = "\(item.order) \(item.title ?? "nil")"
      let tags = (item.value(forKey: "tags") as? Set<NSManagedObject> ?? []).count
      let note = (item.value(forKey: "note") as? NSManagedObject)?.value(forKey: "text")
      return "\(title) under \(item.parent?.order ?? 0) over \(orders(item, "children")), "
        + "\(tags) tags, \(note ?? "no note")"
    }
    let tags = try all("Tag").map { "a tag of \(orders($0, "items"))" }
    let notes = try all("Note").map { note in
      let owner = (note.value(forKey: "item") as? NSManagedObject)?.value(forKey: "order")
      return "a note of \(owner ?? "nobody")"
    }
    return (items + tags + notes).joined(separator: "; ")
  }
}

/// What somebody may do to a family.
struct FamilyChange: CustomStringConvertible, Sendable {
  let description: String
  let deletes: Bool
  let make: @Sendable (ItemFamily) -> Void

  init(
    _ description: String, deletes: Bool = false, _ make: @escaping @Sendable (ItemFamily) -> Void
  ) {
    (self.description, self.deletes, self.make) = (description, deletes, make)
  }

  /// What leaves all objects there, and notes and tags where they are.
  static let ofChildren = all.filter { change in
    !change.deletes && !["tag", "note"].contains(where: change.description.contains)
  }

  /// These, and a note that goes to another one.
  static let ofOneOwner = ofChildren + all.filter { $0.description == "moves the note" }

  static let all: [FamilyChange] = [
    FamilyChange("nothing") { _ in },
    FamilyChange("edits the parent") { $0.parent.title = "edited" },
    FamilyChange("deletes the parent", deletes: true) { $0.context.delete($0.parent) },
    FamilyChange("deletes the other", deletes: true) { $0.context.delete($0.other) },
    FamilyChange("edits a child") { $0.first.title = "edited" },
    FamilyChange("deletes a child", deletes: true) { $0.context.delete($0.first) },
    FamilyChange("moves a child") { $0.first.parent = $0.other },
    FamilyChange("takes a child out") { $0.first.parent = nil },
    FamilyChange("moves the other's child") { $0.third.parent = $0.parent },
    FamilyChange("inserts a child") { $0.context.makeItem("new", order: 6, in: $0.parent) },
    FamilyChange("sets the children") { $0.setChildren([$0.third]) },
    FamilyChange("sets the children and deletes", deletes: true) {
      $0.setChildren([$0.third])
      $0.context.delete($0.parent)
    },
    FamilyChange("deletes all of a family", deletes: true) {
      for item in [$0.parent, $0.first, $0.second] { $0.context.delete(item) }
    },
    FamilyChange("tags a child") { $0.first.setValue(Set([$0.tag]), forKey: "tags") },
    FamilyChange("takes the tag away") {
      $0.parent.setValue(Set<NSManagedObject>(), forKey: "tags")
    },
    FamilyChange("deletes the tag", deletes: true) { $0.context.delete($0.tag) },
    FamilyChange("moves the note") { $0.other.setValue($0.note, forKey: "note") },
    FamilyChange("deletes the note", deletes: true) { $0.context.delete($0.note) },
  ]
}
