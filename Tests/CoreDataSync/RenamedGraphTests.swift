import CoreData
import CoreDataSupport
import TestSupport
import Testing

@testable import CoreDataSync

/// Entities that are renamed in every way that a migration allows, on some devices before others.
@Suite struct RenamedGraphTests {
  // MARK: - Families

  /// Three generations: things, notes that have a unique name and a counter, and letters.
  private static func family(_ names: [String]) -> NSManagedObjectModel {
    let thing = ModelPart.renamed(names[0], was: "Thing", [ModelPart.attribute("key")])
    thing.isAbstract = true
    let note = ModelPart.renamed(
      names[1], was: "Note", [ModelPart.attribute("name"), ModelPart.counter("reads")])
    note.uniquenessConstraints = [["name"]]
    let letter = ModelPart.renamed(names[2], was: "Letter", [ModelPart.attribute("to")])
    let box = ModelPart.renamed(names[3], was: "Box", [ModelPart.attribute("name")])
    thing.subentities = [note]
    note.subentities = [letter]
    ModelPart.connect(
      ModelPart.end(box, "things", to: thing, rule: .cascadeDeleteRule, isOrdered: true),
      ModelPart.end(thing, "box", to: box, maxCount: 1))
    ModelPart.connect(
      ModelPart.end(note, "answers", to: letter),
      ModelPart.end(letter, "question", to: note, maxCount: 1))
    return ModelPart.model([thing, note, letter, box])
  }

  private static func family(of phone: Phone, _ names: [String]) throws -> [String] {
    try phone.read { context in
      try context.all(names[0]).map { object in
        let box = object.value(forKeyPath: "box.name") as? String ?? "-"
        let kind = object.entity.name == names[2] ? "letter" : "note"
        let to = kind == "letter" ? object.value(forKey: "to") as? String ?? "-" : "-"
        return """
          \(kind) \(object.value(forKey: "key") ?? "-") \(object.value(forKey: "name") ?? "-") \
          \(object.value(forKey: "reads") ?? "-") \(box) \(to) \(object.names("answers"))
          """
      }.sorted()
        + context.all(names[3]).map { "\($0.names("things"))" }.sorted()
    }
  }

  /// Any of the four entities is renamed, or all of them.
  @Test(arguments: Sample.of(0..<5))
  func generationsAreSyncedWhicheverIsRenamed(which: Int) async throws {
    let old = ["Thing", "Note", "Letter", "Box"]
    // One of the names sorts before, the others after those of others.
    let fresh = ["Zettel", "Atom", "Zebra", "Case"]
    let new = old.indices.map { which == 4 || which == $0 ? fresh[$0] : old[$0] }
    let devices = try Devices(Self.family(old), newest: Self.family(new))
    let (a, b) = (devices.a, devices.b)
    try a.edit { context in
      let box = context.insert("Box", ["name": "box"])
      let note = context.insert("Note", ["key": "1", "name": "n", "box": box, "reads": 1])
      context.insert("Letter", ["key": "2", "name": "l", "box": box, "to": "x", "question": note])
    }
    try await devices.settle()
    try await a.restart(model: Self.family(new))
    try a.edit { context in
      let box = try context.find(new[3], "name", "box")
      context.insert(new[1], ["key": "twin of a", "name": "twin", "reads": 2, "box": box])
      let letter = try context.find(new[2], "name", "l")
      letter.setValue(5, forKey: "reads")
      letter.setValue("y", forKey: "to")
    }
    try b.edit { context in
      let note = try context.find("Note", "name", "n")
      context.insert("Letter", ["key": "3", "name": "of b", "question": note])
      context.insert("Note", ["key": "twin of b", "name": "twin", "reads": 3])
      let letter = try context.find("Letter", "name", "l")
      letter.setValue(7, forKey: "reads")
      letter.setValue("of b", forKey: "key")
    }
    try await devices.settleWholly()
    let expected = try Self.family(of: b, old)
    #expect(try Self.family(of: a, new) == expected)
    #expect(expected.contains { $0.contains("of b l 12 box y") }, "\(expected)")
    #expect(expected.contains { $0.contains("twin 5 box") }, "\(expected)")
    let third = try await devices.newcomer(Self.family(new))
    #expect(try Self.family(of: third, new) == expected)
    try a.edit { try $0.delete($0.find(new[3], "name", "box")) }
    try await devices.settleWholly()
    #expect(try Self.family(of: b, old).count == 1)
    #expect(try Self.family(of: a, new) == Self.family(of: b, old))
  }

  // MARK: - Several versions

  private static func tasks(_ task: String, _ list: String, title: String = "title")
    -> NSManagedObjectModel
  {
    let task = ModelPart.renamed(
      task, was: "Task",
      [
        ModelPart.attribute("key"), ModelPart.counter("done"),
        ModelPart.attribute(title, .stringAttributeType, was: title == "title" ? nil : "title"),
      ])
    let list = ModelPart.renamed(list, was: "List", [ModelPart.attribute("key")])
    ModelPart.connect(
      ModelPart.end(task, "list", to: list, maxCount: 1, isOptional: false),
      ModelPart.end(list, "tasks", to: task, rule: .cascadeDeleteRule, isOrdered: true))
    return ModelPart.model([task, list])
  }

  /// Three versions at once, each of which writes; in every order of connecting.
  @Test(arguments: Sample.of([[0, 1, 2], [2, 1, 0], [1, 2, 0], [2, 0, 1]]))
  func threeVersionsOfANameAtOnce(order: [Int]) async throws {
    let names = [("Task", "List"), ("Job", "Group"), ("List", "Task")]
    let models = names.map { Self.tasks($0.0, $0.1) }
    let devices = try Devices(models[0], others: [models[0], models[0]], newest: models[2])
    try devices.a.edit { context in
      let list = context.insert("List", ["key": "l"])
      for key in ["1", "2", "3"] { context.insert("Task", ["key": key, "list": list]) }
    }
    try await devices.settle()
    for index in [1, 2] { try await devices.phones[index].restart(model: models[index]) }
    for index in order {
      let (task, list) = names[index]
      let phone = devices.phones[index]
      try phone.edit { context in
        context.insert(task, ["key": "of \(index)", "list": try context.find(list, "key", "l")])
        let object = try context.find(task, "key", "\(index + 1)")
        object.setValue("by \(index)", forKey: "title")
        try context.find(task, "key", "1").setValue(10 + index, forKey: "done")
      }
      try await phone.sync()
    }
    try await devices.settleWholly()
    for (phone, (task, list)) in zip(devices.phones, names) {
      #expect(try phone.values(task, "title") == ["by 0", "by 1", "by 2", "nil", "nil", "nil"])
      #expect(try phone.count(list) == 1)
      let keys = try phone.read { try $0.find(list, "key", "l").names("tasks", "key") }
      #expect(keys.sorted() == ["1", "2", "3", "of 0", "of 1", "of 2"])
    }
    // The device that skips a version.
    try await devices.a.restart(model: models[2])
    try await devices.phones[1].restart(model: models[2])
    try await devices.settleWholly()
    try devices.expect("List", "title", ["by 0", "by 1", "by 2", "nil", "nil", "nil"])
    let done = try devices.a.values("List", "done")
    try devices.expect("List", "done", done)
  }

  /// Two entities trade their names, while the other device edits both.
  @Test(arguments: [false, true])
  func namesThatTwoEntitiesTradeAreNotMixedUp(isOffline: Bool) async throws {
    func model(_ first: String, _ second: String) -> NSManagedObjectModel {
      let one = ModelPart.renamed(
        first, was: "A", [ModelPart.attribute("name"), ModelPart.attribute("ofA")])
      let other = ModelPart.renamed(
        second, was: "B", [ModelPart.attribute("name"), ModelPart.attribute("ofB")])
      ModelPart.connect(
        ModelPart.end(one, "b", to: other, maxCount: 1), ModelPart.end(other, "a", to: one))
      return ModelPart.model([one, other])
    }
    let devices = try Devices(model("A", "B"), newest: model("B", "A"))
    let (a, b) = (devices.a, devices.b)
    try a.edit { context in
      let other = context.insert("B", ["name": "b1", "ofB": "x"])
      context.insert("A", ["name": "a1", "ofA": "y", "b": other])
    }
    try await devices.settle()
    if isOffline {
      try a.edit { $0.insert("A", ["name": "a2", "ofA": "unsent"]) }
    }
    try await a.restart(model: model("B", "A"))
    try a.edit { context in
      try context.find("B", "name", "a1").setValue("by a", forKey: "ofA")
      context.insert("A", ["name": "b2", "ofB": "by a"])
    }
    try b.edit { context in
      context.insert("A", ["name": "a3", "ofA": "by b", "b": try context.find("B", "name", "b1")])
    }
    try await devices.settleWholly()
    let names = isOffline ? ["a1", "a2", "a3"] : ["a1", "a3"]
    #expect(try a.values("B", "name") == names)
    #expect(try b.values("A", "name") == names)
    #expect(try a.values("A", "name") == ["b1", "b2"])
    #expect(try b.values("B", "name") == ["b1", "b2"])
    #expect(try a.read { try $0.find("A", "name", "b1").names("a") } == ["a1", "a3"])
    try await b.restart(model: model("B", "A"))
    try await devices.settleWholly()
    try devices.expect("B", "name", names)
  }

  /// An entity is removed, and another one takes its name.
  @Test func aNameThatAnotherEntityHadIsFree() async throws {
    let old = ModelPart.model([
      ModelPart.entity("Task", [ModelPart.attribute("name"), ModelPart.attribute("due")]),
      ModelPart.entity("Note", [ModelPart.attribute("name")]),
    ])
    // The former tasks are gone: it is the notes that are tasks now.
    let task = ModelPart.renamed("Task", was: "Note", [ModelPart.attribute("name")])
    let errand = ModelPart.entity(
      "Errand", [ModelPart.attribute("name"), ModelPart.attribute("due")], was: "Task")
    errand.userInfo = [SyncConfiguration.Annotation.name: "Task"]
    let new = ModelPart.model([task, errand])
    let devices = try Devices(old, newest: old)
    let (a, b) = (devices.a, devices.b)
    try a.edit { context in
      context.insert("Task", ["name": "t", "due": "x"])
      context.insert("Note", ["name": "n"])
    }
    try await devices.settle()
    try await a.restart(model: new)
    try a.edit { context in
      context.insert("Task", ["name": "note of a"])
      context.insert("Errand", ["name": "task of a"])
    }
    try b.edit { context in
      context.insert("Task", ["name": "task of b"])
      context.insert("Note", ["name": "note of b"])
    }
    try await devices.settleWholly()
    #expect(try a.values("Task", "name") == ["n", "note of a", "note of b"])
    #expect(try a.values("Errand", "name") == ["t", "task of a", "task of b"])
    #expect(try b.values("Note", "name") == ["n", "note of a", "note of b"])
    #expect(try b.values("Task", "name") == ["t", "task of a", "task of b"])
  }

  /// What a new version has no entity for waits on the server, and comes when one has it again.
  @Test(arguments: Sample.of([false, true], [false, true]))
  func anEntityThatIsRemovedAndAddedAgainHasItsObjects(
    isRenamed: Bool, isAddedBefore: Bool
  ) async throws {
    func model(_ label: String?, isLast: Bool = false) -> NSManagedObjectModel {
      let note = ModelPart.entity("Note", [ModelPart.attribute("name")])
      guard let label else { return ModelPart.model([note]) }
      let properties =
        isLast
        ? [ModelPart.attribute("name"), ModelPart.attribute("color")]
        : [ModelPart.attribute("name")]
      let entity = ModelPart.renamed(label, was: "Label", properties)
      ModelPart.connect(
        ModelPart.end(note, "labels", to: entity),
        ModelPart.end(entity, "note", to: note, maxCount: 1))
      return ModelPart.model([note, entity])
    }
    let devices = try Devices(model("Label"), newest: model("Label"))
    let (a, b) = (devices.a, devices.b)
    try a.edit { context in
      let note = context.insert("Note", ["name": "n"])
      for name in ["1", "2"] { context.insert("Label", ["name": name, "note": note]) }
    }
    try await devices.settle()
    a.removesEntities = true
    try await a.restart(model: model(nil))
    try a.edit { try $0.find("Note", "name", "n").setValue("edited", forKey: "name") }
    try b.edit { context in
      let note = try context.find("Note", "name", "n")
      context.insert("Label", ["name": "3", "note": note])
      try context.delete(context.find("Label", "name", "1"))
    }
    try await devices.settleWholly()
    try devices.expect("Note", "name", ["edited"])
    #expect(try b.values("Label", "name") == ["2", "3"])
    let name = isRenamed ? "Sticker" : "Label"
    try await a.restart(model: model(name, isLast: true))
    if isAddedBefore {
      try a.edit { context in
        let note = try context.find("Note", "name", "edited")
        for label in ["4", "5", "6"] { context.insert(name, ["name": label, "note": note]) }
      }
    }
    let names = ["2", "3"] + (isAddedBefore ? ["4", "5", "6"] : [])
    try await devices.settleWholly()
    #expect(try a.values(name, "name") == names)
    #expect(try a.read { try $0.find("Note", "name", "edited").names("labels") } == names)
    #expect(try b.values("Label", "name") == names)
  }

  /// Rows of an entity that the model renames for sync alone are dropped by the migration. They
  /// come back from the server, beside what is added before the first sync; nothing is deleted
  /// elsewhere.
  @Test(arguments: Sample.of([false, true], [false, true]))
  func rowsThatAMigrationDropsComeBack(isAddedBefore: Bool, isHistoryPurged: Bool) async throws {
    func model(_ name: String) -> NSManagedObjectModel {
      let folder = ModelPart.entity("Folder", [ModelPart.attribute("name")])
      let note = ModelPart.renamed(
        name, was: "Note", [ModelPart.attribute("name"), ModelPart.counter("count")])
      note.renamingIdentifier = name
      let tag = ModelPart.entity("Tag", [ModelPart.attribute("name")])
      ModelPart.connect(
        ModelPart.end(note, "folder", to: folder, maxCount: 1),
        ModelPart.end(folder, "notes", to: note))
      ModelPart.connect(ModelPart.end(note, "tags", to: tag), ModelPart.end(tag, "notes", to: note))
      return ModelPart.model([folder, note, tag])
    }
    let devices = try Devices(model("Note"), newest: model("Memo"))
    let (a, b) = (devices.a, devices.b)
    try a.edit { context in
      let folder = context.insert("Folder", ["name": "f"])
      let tag = context.insert("Tag", ["name": "t"])
      for name in ["1", "2", "3"] {
        let note = context.insert("Note", ["name": name, "folder": folder, "count": 2])
        note.mutableSetValue(forKey: "tags").add(tag)
      }
    }
    try await devices.settle()
    try b.edit { context in
      try context.find("Note", "name", "3").setValue("three", forKey: "name")
      context.delete(try context.find("Note", "name", "2"))
      context.insert("Note", ["name": "of b", "folder": try context.find("Folder", "name", "f")])
    }
    a.removesEntities = true
    try await a.restart(model: model("Memo"))
    #expect(try a.count("Memo") == 0)
    if isAddedBefore {
      try a.edit { context in
        for name in ["of a", "and this"] {
          let folder = try context.find("Folder", "name", "f")
          context.insert("Memo", ["name": name, "folder": folder, "count": 5])
        }
      }
    }
    if isHistoryPurged {
      try a.edit {
        try $0.execute(NSPersistentHistoryChangeRequest.deleteHistory(before: .distantFuture))
      }
    }
    try await devices.settleWholly()
    let names = (isAddedBefore ? ["and this", "of a"] : []) + ["1", "of b", "three"]
    #expect(try a.values("Memo", "name") == names.sorted())
    try a.edit { try $0.find("Memo", "name", "1").setValue("one", forKey: "name") }
    try await devices.settleWholly()
    let third = try await devices.newcomer(model("Memo"))
    for (phone, note) in [(a, "Memo"), (b, "Note"), (third, "Memo")] {
      #expect(
        try phone.values(note, "name") == names.map { $0 == "1" ? "one" : $0 }.sorted())
      try phone.read { context in
        let folder = try context.find("Folder", "name", "f")
        #expect(folder.names("notes").count == names.count)
        #expect(try context.find("Tag", "name", "t").names("notes") == ["one", "three"])
        #expect(try context.find(note, "name", "three").value(forKey: "count") as? Int == 2)
      }
    }
  }

  // MARK: - Offline

  /// Both devices have unsent work of all kinds when both are updated.
  @Test(arguments: [false, true])
  func whatWasUnsentBeforeTheUpdateIsSent(isHistoryPurged: Bool) async throws {
    let (old, new) = (Self.tasks("Task", "List"), Self.tasks("Job", "Group", title: "heading"))
    let devices = try Devices(old, newest: new)
    let (a, b) = (devices.a, devices.b)
    try a.edit { context in
      let list = context.insert("List", ["key": "l"])
      for key in ["1", "2", "3", "4"] {
        context.insert("Task", ["key": key, "list": list, "title": key, "done": 1])
      }
    }
    try await devices.settle()
    for (phone, name) in [(a, "a"), (b, "b")] {
      try phone.edit { context in
        let list = try context.find("List", "key", "l")
        context.insert("Task", ["key": "of " + name, "list": list, "title": name])
        try context.find("Task", "key", name == "a" ? "1" : "2").setValue(name, forKey: "title")
        try context.delete(context.find("Task", "key", name == "a" ? "3" : "4"))
      }
      if !isHistoryPurged {
        try phone.edit { context in
          let task = try context.find("Task", "key", "1")
          task.setValue(11, forKey: "done")
        }
      }
      if isHistoryPurged { try phone.coordinator.purgeHistory() }
      try await phone.restart(model: new)
    }
    try await devices.settleWholly()
    try devices.expect("Job", "key", ["1", "2", "of a", "of b"])
    try devices.expect("Job", "heading", ["a", "a", "b", "b"])
    try devices.expect(
      "Job", "done", isHistoryPurged ? ["0", "0", "1", "1"] : ["0", "0", "1", "21"])
  }

  /// Requests insert, update and delete under the new name what others have under the old one.
  @Test func requestsWriteWhatIsRenamed() async throws {
    let (old, new) = (Self.tasks("Task", "List"), Self.tasks("Job", "Group"))
    // Requests do not fill what is required.
    for model in [old, new] {
      for entity in model.entities { entity.relationshipsByName["list"]?.isOptional = true }
    }
    let devices = try Devices(old, newest: new)
    let (a, b) = (devices.a, devices.b)
    try a.edit { context in
      let list = context.insert("List", ["key": "l"])
      for key in ["1", "2", "3"] { context.insert("Task", ["key": key, "list": list]) }
    }
    try await devices.settle()
    try await a.restart(model: new)
    try a.edit { context in
      try context.execute(
        NSBatchInsertRequest(entityName: "Job", objects: [["key": "4"], ["key": "5"]]))
      let update = NSBatchUpdateRequest(entityName: "Job")
      update.predicate = NSPredicate(format: "key IN %@", ["1", "4"])
      update.propertiesToUpdate = ["title": "set", "done": 5]
      try context.execute(update)
      let fetch = NSFetchRequest<NSFetchRequestResult>(entityName: "Job")
      fetch.predicate = NSPredicate(format: "key == %@", "2")
      try context.execute(NSBatchDeleteRequest(fetchRequest: fetch))
    }
    try b.edit { context in
      try context.find("Task", "key", "1").setValue(3, forKey: "done")
      try context.execute(NSBatchInsertRequest(entityName: "Task", objects: [["key": "6"]]))
    }
    try await devices.settleWholly()
    #expect(try a.values("Job", "key") == ["1", "3", "4", "5", "6"])
    #expect(try b.values("Task", "key") == ["1", "3", "4", "5", "6"])
    #expect(try b.values("Task", "title") == ["nil", "nil", "nil", "set", "set"])
    #expect(try b.values("Task", "done") == ["0", "0", "0", "5", "8"])
    #expect(try a.values("Job", "done") == ["0", "0", "0", "5", "8"])
  }

  /// A model that has another hash, and nothing else, is the same to sync.
  @Test(arguments: ["entity", "attribute", "relationship"])
  func anotherHashAloneChangesNothing(_ what: String) async throws {
    let (old, new) = (Self.tasks("Task", "List"), Self.tasks("Task", "List"))
    let task = try #require(new.entitiesByName["Task"])
    switch what {
    case "entity": task.versionHashModifier = "2"
    case "attribute": task.attributesByName["title"]?.versionHashModifier = "2"
    default: task.relationshipsByName["list"]?.versionHashModifier = "2"
    }
    let devices = try Devices(old, newest: new)
    try devices.a.edit { context in
      let list = context.insert("List", ["key": "l"])
      context.insert("Task", ["key": "1", "title": "x", "list": list])
    }
    try await devices.settle()
    try devices.a.edit { try $0.find("Task", "key", "1").setValue("unsent", forKey: "title") }
    try await devices.a.restart(model: new)
    let pushes = devices.a.line.pushes.count
    try await devices.settleWholly()
    #expect(devices.a.line.pushes.count == pushes + 1)
    try devices.expect("Task", "title", ["unsent"])
    #expect(try devices.b.read { try $0.find("List", "key", "l").names("tasks", "key") } == ["1"])
  }

  /// The server loses everything: the device with the new names fills it again for the other one.
  @Test func anEmptiedServerIsFilledByTheNewNames() async throws {
    let (old, new) = (Self.tasks("Task", "List"), Self.tasks("Job", "Group"))
    let devices = try Devices(old, newest: new)
    try devices.a.edit { context in
      let list = context.insert("List", ["key": "l"])
      context.insert("Task", ["key": "1", "title": "x", "list": list, "done": 2])
    }
    try await devices.settle()
    try await devices.a.restart(model: new)
    try devices.a.edit { try $0.find("Job", "key", "1").setValue(3, forKey: "done") }
    devices.cloud.restore()
    try await devices.settleWholly()
    #expect(try devices.b.values("Task", "done") == ["3"])
    let third = try await devices.newcomer(new)
    #expect(try third.values("Job", "done") == ["3"])
    #expect(try third.count("Group") == 1)
  }

  /// A key that may only read what is renamed is meant by the name that the server knows.
  @Test func aKeyThatMayOnlyReadAnEntityReadsItUnderItsNewName() async throws {
    let (old, new) = (Self.tasks("Task", "List"), Self.tasks("Job", "Group"))
    let devices = try Devices(old, newest: new)
    try devices.a.edit { context in
      let list = context.insert("List", ["key": "l"])
      context.insert("Task", ["key": "1", "title": "x", "list": list])
    }
    try await devices.settle()
    try await devices.b.restart(model: new)
    devices.b.line.readOnly = ["Task"]
    try devices.b.edit { try $0.find("Job", "key", "1").setValue("no", forKey: "title") }
    try devices.a.edit { try $0.find("Task", "key", "1").setValue(4, forKey: "done") }
    try await devices.settleWholly()
    #expect(try devices.b.values("Job", "title") == ["x"])
    #expect(try devices.b.values("Job", "done") == ["4"])
    let told = devices.b.engine.status.losses
    #expect(told.map(\.entity) == ["Job"] && told.map(\.value) == [.text("no")], "\(told)")
  }
}
