import CoreData

@testable import CoreDataSync

/// One save of an application: one to three random edits.
struct Edit {
  let context: NSManagedObjectContext
  let history: History
  let device: SimulatedDevice
  private var writes: [(object: NSManagedObject, property: String, value: String)] = []
  private var increments: [(object: NSManagedObject, property: String)] = []

  init(context: NSManagedObjectContext, history: History, device: SimulatedDevice) {
    self.context = context
    self.history = history
    self.device = device
  }

  /// Once it is saved.
  func note() {
    for write in writes where write.object.managedObjectContext != nil {
      history.noteWrite(write.value, of: write.property, write.object.uri, device)
    }
    for increment in increments {
      history.noteIncrement(of: increment.property, increment.object.uri, device)
    }
  }

  // MARK: - Pieces

  func objects(_ entity: String) throws -> [NSManagedObject] {
    try context.fetch(NSFetchRequest<NSManagedObject>(entityName: entity))
      .sorted { ($0.uri.count, $0.uri) < ($1.uri.count, $1.uri) }
  }

  private func all() throws -> [NSManagedObject] {
    try ["Account", "Folder", "Note", "Cover", "Line", "Tag"].flatMap { try objects($0) }
  }

  private func pick(_ entity: String) throws -> NSManagedObject? {
    let all = try objects(entity)
    return all.isEmpty ? nil : history.pick(all)
  }

  mutating func set(_ object: NSManagedObject, _ property: String, _ value: Any?) {
    object.setValue(value, forKey: property)
    if let text = value as? String { writes.append((object, property, text)) }
  }

  mutating func insert(_ entity: String, _ values: [String: Any?]) -> NSManagedObject {
    let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
    for (name, value) in values.sorted(by: { $0.key < $1.key }) { set(object, name, value) }
    return object
  }

  private func isFresh(_ name: String) throws -> Bool {
    try !objects("Tag").contains { $0.value(forKey: "name") as? String == name }
  }

  /// Deletes an object and what goes with it, unless a delete rule denies it.
  mutating func delete(_ object: NSManagedObject) throws {
    if object.isInserted { return context.delete(object) }
    context.delete(object)
    context.processPendingChanges()
    for object in context.deletedObjects { try object.validateForDelete() }
  }

  // MARK: - Random edits

  mutating func makeRandomly() throws {
    let share = history.share()
    if try share < 0.30 || all().count < 3 {
      try insertRandomly()
    } else if share < 0.50 {
      try setRandomly()
    } else if share < 0.58 {
      let (entity, property) = history.pick([("Folder", "count"), ("Tag", "uses")])
      if let object = try pick(entity) {
        let value = (object.value(forKey: property) as? NSNumber)?.intValue ?? 0
        object.setValue(value + 1, forKey: property)
        increments.append((object, property))
      }
    } else if share < 0.66 {
      if let note = try pick("Note") {
        let folder = try pick("Folder")
        note.setValue(history.share() < 0.85 ? folder : nil, forKey: "folder")
      }
    } else if share < 0.71 {
      try moveRandomly()
    } else if share < 0.77 {
      if let note = try pick("Note"), let cover = try pick("Cover") {
        note.setValue(history.share() < 0.8 ? cover : nil, forKey: "cover")
      }
    } else if share < 0.85 {
      if let note = try pick("Note"), let tag = try pick("Tag") {
        let tags = note.mutableSetValue(forKey: "tags")
        if tags.contains(tag) { tags.remove(tag) } else { tags.add(tag) }
      }
    } else if share < 0.89 {
      try nestRandomly()
    } else if share < 0.91 {
      if let folder = try pick("Folder"), let account = try pick("Account") {
        folder.setValue(account, forKey: "account")
      }
    } else {
      let all = try all()
      try delete(history.pick(all))
    }
  }

  private mutating func insertRandomly() throws {
    let kinds = ["Account", "Folder", "Folder", "Note", "Note", "Note", "Cover", "Line", "Tag"]
    let new = history.newName("v")
    switch history.pick(kinds) {
    case "Account": _ = insert("Account", ["name": new])
    case "Folder":
      let account = try pick("Account") ?? insert("Account", ["name": history.newName("v")])
      let up = try history.share() < 0.5 ? pick("Folder") : nil
      _ = insert("Folder", ["title": new, "account": account, "up": up])
    case "Note":
      var values: [String: Any?] = ["title": new, "lo": history.number(below: 5)]
      if !device.isOld { values["hi"] = 5 + history.number(below: 5) }
      values["folder"] = try pick("Folder")
      _ = insert("Note", values)
    case "Cover":
      let cover = insert("Cover", ["color": new])
      if let note = try pick("Note") { note.setValue(cover, forKey: "cover") }
    case "Line":
      if let note = try pick("Note") { _ = insert("Line", ["text": new, "note": note]) }
    default:
      let name = history.pick(["x", "y", "z"])
      if try isFresh(name) {
        _ = insert("Tag", device.isOld ? ["name": name] : ["name": name, "hue": new])
      }
    }
  }

  private mutating func setRandomly() throws {
    let object = history.pick(try all())
    let entity = object.entity.name ?? ""
    if entity == "Note", history.share() < 0.5 {
      let property = device.isOld ? "lo" : history.pick(["lo", "hi"])
      let value = history.number(below: 10)
      var bounds: [String: Int] = [:]
      for name in device.isOld ? ["lo"] : ["lo", "hi"] {
        bounds[name] = (object.value(forKey: name) as? NSNumber)?.intValue
      }
      bounds[property] = value
      if let low = bounds["lo"], let high = bounds["hi"], low > high { return }
      set(object, property, value)
    } else if entity == "Tag", history.share() < 0.5 {
      let name = history.pick(["x", "y", "z"])
      if try isFresh(name) { set(object, "name", name) }
    } else {
      let properties = [
        "Account": "name", "Folder": "title", "Note": "title", "Cover": "color", "Line": "text",
        "Tag": "hue",
      ]
      let property = properties[entity] ?? ""
      if object.entity.attributesByName[property] != nil {
        set(object, property, history.newName("v"))
      }
    }
  }

  private func moveRandomly() throws {
    guard let folder = try pick("Folder") else { return }
    let notes = folder.mutableOrderedSetValue(forKey: "notes")
    guard notes.count > 1 else { return }
    let note = notes.object(at: history.number(below: notes.count))
    notes.remove(note)
    notes.insert(note, at: history.number(below: notes.count + 1))
  }

  private func nestRandomly() throws {
    guard let folder = try pick("Folder"), let parent = try pick("Folder"), folder != parent else {
      return
    }
    var ancestor: NSManagedObject? = parent
    var steps = 0
    while let above = ancestor, above != folder, steps < 1000 {
      ancestor = above.value(forKey: "up") as? NSManagedObject
      steps += 1
    }
    if ancestor == nil { folder.setValue(history.share() < 0.8 ? parent : nil, forKey: "up") }
  }
}

extension NSManagedObject {
  var uri: String { objectID.uriRepresentation().absoluteString }
}
