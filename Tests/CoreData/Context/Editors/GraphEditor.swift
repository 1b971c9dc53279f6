import CoreData
import Testing

@testable import CoreDataSamples

/// Somebody who changes a graph at random through one context, going by what the context shows.
struct GraphEditor {
  let context: NSManagedObjectContext
  private var random: SplitMix64
  private var nextName = 0
  private let label: String
  private let manager = UndoManager()
  /// What has been read and is kept, so that it stays as it was.
  private var held: [NSManagedObject] = []

  init(_ context: NSManagedObjectContext, seed: UInt64, label: String) {
    self.context = context
    self.label = label
    random = SplitMix64(seed: seed)
    manager.groupsByEvent = false
    context.undoManager = manager
  }

  mutating func forget() { held = [] }

  /// One step of undo, or an undo or redo; what it has changed.
  ///
  /// - Parameter hidden: items that somebody above has deleted, as they were: edited here, they are shown again.
  mutating func edit(
    hidden: [String: GraphModel.ItemState] = [:]
  ) throws -> (name: String, edits: [GraphEdit]) {
    var before = try look()
    let name: String
    switch random.next() % 8 {
    case 0:
      name = "undo"
      context.undo()
    case 1:
      name = "redo"
      context.redo()
    default:
      manager.beginUndoGrouping()
      var done: [String] = []
      for _ in 0...(random.next() % 2) { done.append(try change(look())) }
      context.processPendingChanges()
      manager.endUndoGrouping()
      name = done.joined(separator: ", ")
    }
    context.processPendingChanges()
    var after = try look()
    for (title, state) in hidden {
      switch (before.items[title], after.items[title]) {
      // But for what an undo has inserted anew.
      case (nil, .some) where !insertedNames.contains(title): before.items[title] = state
      // Edited back, it is hidden again.
      case (.some, nil) where !deletedNames.contains(title): after.items[title] = state
      default: break
      }
    }
    return (name, GraphEdit.between(before, after))
  }

  /// What the context shows. What is read is kept.
  mutating func look() throws -> GraphModel {
    // Reading what is gone from the store takes it out of the context.
    _ = try Self.read(context)
    let (model, objects) = try Self.read(context)
    held = objects
    return model
  }

  /// The names of what is new in the context.
  var insertedNames: Set<String> { Self.names(context.insertedObjects) }

  var deletedNames: Set<String> { Self.names(context.deletedObjects) }

  static func names(_ objects: Set<NSManagedObject>) -> Set<String> {
    Set(
      objects.compactMap { object in
        ["title", "name", "text"].lazy
          .filter { object.entity.attributesByName[$0] != nil }
          .compactMap { object.value(forKey: $0) as? String }.first
      })
  }

  static func read(
    _ context: NSManagedObjectContext
  ) throws -> (model: GraphModel, objects: [NSManagedObject]) {
    var model = GraphModel()
    let all = try ["Item", "Tag", "Note"].map {
      try context.fetch(NSFetchRequest<NSManagedObject>(entityName: $0))
    }
    func name(_ object: NSManagedObject?, _ key: String) -> String? {
      guard let object, !object.isDeleted else { return nil }
      return object.value(forKey: key) as? String
    }
    for case let item as Item in all[0] {
      guard let title = name(item, "title") else { continue }
      let tags = item.value(forKey: "tags") as? Set<NSManagedObject> ?? []
      model.items[title] = .init(
        order: item.order, parent: name(item.parent, "title"),
        tags: Set(tags.compactMap { name($0, "name") }),
        note: name(item.value(forKey: "note") as? NSManagedObject, "text"))
    }
    model.tags = Set(all[1].compactMap { name($0, "name") })
    model.notes = Set(all[2].compactMap { name($0, "text") })
    return (model, all.flatMap(\.self))
  }

  /// The ends of a relationship between an item and its children that say different things; nil when none do.
  static func disagreement(_ context: NSManagedObjectContext) throws -> String? {
    for item in try context.items() {
      if let child = item.children.first(where: { $0.parent !== item }) {
        return "\(child.title ?? "") among the children of \(item.title ?? ""), and not in it"
      }
      if let parent = item.parent, !parent.children.contains(item) {
        return "\(item.title ?? "") in \(parent.title ?? ""), and not among its children"
      }
      for tag in item.value(forKey: "tags") as? Set<NSManagedObject> ?? [] {
        if (tag.value(forKey: "items") as? Set<NSManagedObject>)?.contains(item) != true {
          return
            "\(item.title ?? "") with a tag that does not have it: \(tag.value(forKey: "name") ?? "")"
        }
      }
      if let note = item.value(forKey: "note") as? NSManagedObject,
        note.value(forKey: "item") as? NSManagedObject !== item
      {
        return "\(item.title ?? "") with a note that does not have it: \(note)"
      }
    }
    return nil
  }

  // MARK: - Changes

  private mutating func name(_ prefix: String) -> String {
    nextName += 1
    return "\(prefix)\(label)\(nextName)"
  }

  private mutating func pick(_ names: some Collection<String>) -> String? {
    names.isEmpty ? nil : names.sorted()[Int(random.next() % UInt64(names.count))]
  }

  private func object(_ entity: String, _ key: String, _ name: String) throws -> NSManagedObject {
    let objects = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: entity))
    return try #require(objects.first { $0.value(forKey: key) as? String == name })
  }

  private func item(_ title: String) throws -> Item {
    try #require(try object("Item", "title", title) as? Item)
  }

  private mutating func change(_ model: GraphModel) throws -> String {
    defer { context.processPendingChanges() }
    guard let title = pick(model.items.keys), random.next() % 6 != 0 else {
      return try insert(model)
    }
    let item = try item(title)
    switch random.next() % 10 {
    case 0, 1:
      item.order += 1
      return "count \(title)"
    case 2, 3, 4: return try move(item, title, model)
    case 5, 6: return try tag(item, title, model)
    case 7: return try annotate(item, title, model)
    case 8:
      context.delete(item)
      return "delete \(title)"
    default: return try deleteTagOrNote(model)
    }
  }

  private mutating func insert(_ model: GraphModel) throws -> String {
    let title = name("i")
    let parent = random.next() % 3 == 0 ? nil : pick(model.items.keys)
    let item = context.makeItem(title, order: Int64(random.next() % 100))
    if let parent { item.parent = try self.item(parent) }
    return "insert \(title) in \(parent ?? "nothing")"
  }

  private mutating func move(_ item: Item, _ title: String, _ model: GraphModel) throws -> String {
    let target = random.next() % 5 == 0 ? nil : pick(model.items.keys)
    if let target, model.isInside(target, title) { return "nothing" }
    if let target, random.next() % 2 == 0 {
      try self.item(target).children.insert(item)
    } else {
      item.parent = try target.map(self.item)
    }
    return "move \(title) to \(target ?? "nothing")"
  }

  private mutating func tag(_ item: Item, _ title: String, _ model: GraphModel) throws -> String {
    let tags = item.mutableSetValue(forKey: "tags")
    guard random.next() % 3 != 0, let name = pick(model.tags) else {
      let name = name("t")
      tags.add(context.insert("Tag", ["name": name]))
      return "tag \(title) \(name), a new one"
    }
    let tag = try object("Tag", "name", name)
    if tags.contains(tag) { tags.remove(tag) } else { tags.add(tag) }
    return "tag \(title) \(name)"
  }

  private mutating func annotate(
    _ item: Item, _ title: String, _ model: GraphModel
  ) throws -> String {
    switch random.next() % 3 {
    case 0:
      item.setValue(nil, forKey: "note")
      return "no note of \(title)"
    case 1:
      guard let name = pick(model.notes) else { return "nothing" }
      item.setValue(try object("Note", "text", name), forKey: "note")
      return "note of \(title): \(name)"
    default:
      let name = name("n")
      item.setValue(context.insert("Note", ["text": name]), forKey: "note")
      return "note of \(title): \(name), a new one"
    }
  }

  private mutating func deleteTagOrNote(_ model: GraphModel) throws -> String {
    if random.next() % 2 == 0, let tag = pick(model.tags) {
      context.delete(try object("Tag", "name", tag))
      return "delete \(tag)"
    }
    guard let note = pick(model.notes) else { return "nothing" }
    context.delete(try object("Note", "text", note))
    return "delete \(note)"
  }
}
