import CoreData
import Testing

/// One context and what it must hold.
struct RandomHistory {
  let context: NSManagedObjectContext
  var model = GraphModel()
  private var saved = GraphModel()
  private var undoStack: [GraphModel] = []
  private var redoStack: [GraphModel] = []
  private var random: SplitMix64
  private var nextName = 0
  private let label: String
  private let manager = UndoManager()

  /// - Parameter label: what the names made here have in them, so that they are nobody else's.
  init(context: NSManagedObjectContext, seed: UInt64, label: String = "") {
    self.context = context
    self.label = label
    random = SplitMix64(seed: seed)
    manager.groupsByEvent = false
    context.undoManager = manager
  }

  mutating func step() throws -> String {
    switch random.next() % 20 {
    case 0: return try undo()
    case 1: return try redo()
    case 2:
      try context.save()
      saved = model
      return "save"
    case 3 where random.next() % 4 == 0:
      rollback(to: saved)
      return "rollback"
    default: return try edit()
    }
  }

  mutating func rollback(to model: GraphModel) {
    context.rollback()
    take(model)
  }

  /// What others have done is there: nothing before it can be undone.
  mutating func take(_ model: GraphModel) {
    self.model = model
    manager.removeAllActions()
    undoStack = []
    redoStack = []
  }

  mutating func undo() throws -> String {
    guard let previous = undoStack.popLast() else { return "no undo" }
    context.undo()
    redoStack.append(model)
    model = previous
    return "undo"
  }

  mutating func redo() throws -> String {
    guard let next = redoStack.popLast() else { return "no redo" }
    context.redo()
    undoStack.append(model)
    model = next
    return "redo"
  }

  mutating func edit() throws -> String {
    let before = model
    manager.beginUndoGrouping()
    var done: [String] = []
    for _ in 0...(random.next() % 3) { done.append(try change()) }
    context.processPendingChanges()
    manager.endUndoGrouping()
    if model == before {
      // A group in which nothing changed in the end may still be a step of undo.
      manager.removeAllActions()
      undoStack = []
    } else {
      undoStack.append(before)
    }
    redoStack = []
    return done.joined(separator: ", ")
  }

  private mutating func change() throws -> String {
    switch random.next() % 10 {
    case 0, 1, 2: return try insertItem()
    case 3: return try setOrder()
    case 4, 5: return try reparent()
    case 6: return try deleteItem()
    case 7: return try toggleTag()
    case 8: return try changeNote()
    default: return try deleteTagOrNote()
    }
  }

  // MARK: - Changes, on both sides

  private mutating func name(_ prefix: String) -> String {
    nextName += 1
    return "\(prefix)\(label)\(nextName)"
  }

  private mutating func pick(_ names: some Collection<String>) -> String? {
    names.isEmpty ? nil : names.sorted()[Int(random.next() % UInt64(names.count))]
  }

  private func object(_ entity: String, _ key: String, _ name: String) throws -> NSManagedObject {
    let request = NSFetchRequest<NSManagedObject>(entityName: entity)
    request.predicate = NSPredicate(format: "%K == %@", key, name)
    return try #require(try context.fetch(request).first)
  }

  private func item(_ name: String) throws -> Item {
    try #require(try object("Item", "title", name) as? Item)
  }

  private mutating func insertItem() throws -> String {
    let title = name("i")
    let parent = random.next() % 4 == 0 ? nil : pick(model.items.keys)
    let item = context.makeItem(title, order: Int64(random.next() % 100))
    if let parent { item.parent = try self.item(parent) }
    model.items[title] = .init(order: item.order, parent: parent)
    return "insert \(title) in \(parent ?? "nothing")"
  }

  private mutating func setOrder() throws -> String {
    guard let title = pick(model.items.keys) else { return "nothing" }
    let order = Int64(random.next() % 100)
    try item(title).order = order
    model.items[title]?.order = order
    return "order of \(title)"
  }

  private mutating func reparent() throws -> String {
    guard let title = pick(model.items.keys) else { return "nothing" }
    let target = random.next() % 5 == 0 ? nil : pick(model.items.keys)
    if let target, model.isInside(target, title) { return "nothing" }
    if random.next() % 2 == 0 || target == nil {
      try item(title).parent = try target.map(item)
    } else if let target {
      try item(target).children.insert(try item(title))
    }
    model.items[title]?.parent = target
    return "move \(title) to \(target ?? "nothing")"
  }

  private mutating func deleteItem() throws -> String {
    guard let title = pick(model.items.keys) else { return "nothing" }
    context.delete(try item(title))
    context.processPendingChanges()
    model.deleteItem(title)
    return "delete \(title)"
  }

  private mutating func toggleTag() throws -> String {
    guard let title = pick(model.items.keys) else { return "nothing" }
    let tag = random.next() % 3 == 0 ? nil : pick(model.tags)
    let tagObject: NSManagedObject
    let tagName = tag ?? name("t")
    if tag != nil {
      tagObject = try object("Tag", "name", tagName)
    } else {
      tagObject = NSEntityDescription.insertNewObject(forEntityName: "Tag", into: context)
      tagObject.setValue(tagName, forKey: "name")
      model.tags.insert(tagName)
    }
    let set = try item(title).mutableSetValue(forKey: "tags")
    if model.items[title]?.tags.remove(tagName) != nil {
      set.remove(tagObject)
    } else {
      set.add(tagObject)
      model.items[title]?.tags.insert(tagName)
    }
    return "tag \(title) \(tagName)"
  }

  private mutating func changeNote() throws -> String {
    guard let title = pick(model.items.keys) else { return "nothing" }
    let choice = random.next() % 3
    let note = choice == 0 ? nil : choice == 1 ? pick(model.notes) : name("n")
    var noteObject: NSManagedObject?
    if let note, model.notes.contains(note) {
      noteObject = try object("Note", "text", note)
    } else if let note {
      noteObject = NSEntityDescription.insertNewObject(forEntityName: "Note", into: context)
      noteObject?.setValue(note, forKey: "text")
      model.notes.insert(note)
    }
    try item(title).setValue(noteObject, forKey: "note")
    model.setNote(note, of: title)
    return "note of \(title): \(note ?? "none")"
  }

  private mutating func deleteTagOrNote() throws -> String {
    if random.next() % 2 == 0, let tag = pick(model.tags) {
      context.delete(try object("Tag", "name", tag))
      model.deleteTag(tag)
      context.processPendingChanges()
      return "delete \(tag)"
    }
    guard let note = pick(model.notes) else { return "nothing" }
    context.delete(try object("Note", "text", note))
    model.deleteNote(note)
    context.processPendingChanges()
    return "delete \(note)"
  }

  // MARK: - What the context has

  func observed() throws -> GraphModel { try Self.observe(context) }

  static func observe(_ context: NSManagedObjectContext) throws -> GraphModel {
    var model = GraphModel()
    for item in try context.items() {
      let title = item.title ?? ""
      #expect(item.children.allSatisfy { $0.parent === item }, "children of \(title)")
      if let parent = item.parent { #expect(parent.children.contains(item), "parent of \(title)") }
      let tags = item.value(forKey: "tags") as? Set<NSManagedObject> ?? []
      for tag in tags {
        #expect((tag.value(forKey: "items") as? Set<NSManagedObject>)?.contains(item) == true)
      }
      let note = item.value(forKey: "note") as? NSManagedObject
      if let note { #expect(note.value(forKey: "item") as? Item === item) }
      model.items[title] = GraphModel.ItemState(
        order: item.order, parent: item.parent?.title,
        tags: Set(tags.compactMap { $0.value(forKey: "name") as? String }),
        note: note?.value(forKey: "text") as? String)
    }
    model.tags = Set(try names("Tag", "name", context))
    model.notes = Set(try names("Note", "text", context))
    return model
  }

  private static func names(
    _ entity: String, _ key: String, _ context: NSManagedObjectContext
  ) throws -> [String] {
    try context.fetch(NSFetchRequest<NSManagedObject>(entityName: entity)).compactMap {
      $0.value(forKey: key) as? String
    }
  }
}
