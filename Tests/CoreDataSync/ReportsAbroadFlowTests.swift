import CoreData
import CoreDataSupport
import Synchronization
import TestSupport
import Testing

@testable import CoreDataSync

/// What users reported of other synchronisers: clocks, counters, lines and first syncs.
@Suite struct ReportsAbroadFlowTests {
  private static func messages() -> NSManagedObjectModel {
    let chat = ModelPart.entity("Chat", [ModelPart.attribute("name"), ModelPart.attribute("last")])
    let message = ModelPart.entity(
      "Message", [ModelPart.attribute("text"), ModelPart.counter("seen")])
    ModelPart.connect(
      ModelPart.end(chat, "messages", to: message, rule: .cascadeDeleteRule, isOrdered: true),
      ModelPart.end(message, "chat", to: chat, maxCount: 1))
    return ModelPart.model([chat, message])
  }

  /// https://github.com/powersync-ja/powersync-js/issues/605
  @Test func messagesInQuickSuccessionAllArrive() async throws {
    let model = Self.messages()
    let devices = try Devices(model, others: [model, model])
    try devices.a.edit { $0.insert("Chat", ["name": "c"]) }
    try await devices.settle()
    for round in 0..<12 {
      for (index, phone) in devices.phones.enumerated() {
        let text = "\(index) \(100 + round)"
        try phone.edit { context in
          let chat = try context.find("Chat", "name", "c")
          context.insert("Message", ["text": text, "chat": chat])
          chat.setValue(text, forKey: "last")
        }
        try phone.edit { context in
          for message in try context.all("Message") {
            message.setValue((message.value(forKey: "seen") as? Int ?? 0) + 1, forKey: "seen")
          }
        }
        if (round + index) % 2 == 0 { try await phone.sync() }
      }
    }
    try await devices.settleWholly()
    let expected = (0..<3).flatMap { one in (0..<12).map { "\(one) \(100 + $0)" } }.sorted()
    try devices.expect("Message", "text", expected)
    let rows = try devices.phones.map { phone in
      try phone.read { try $0.find("Chat", "name", "c").names("messages", "text") }
    }
    #expect(rows[0] == rows[1] && rows[1] == rows[2] && rows[0].count == 36)
    try devices.expect("Chat", "last", ["2 111"])
    try devices.expect("Message", "seen", try devices.a.values("Message", "seen"))
  }

  /// https://github.com/electric-sql/electric/issues/609: required both ways, in circles.
  @Test(arguments: [1, 3, 50])
  func aFirstSyncOfManyTiesIsWhole(pageLimit: Int) async throws {
    let table = ModelPart.entity("Table", [ModelPart.attribute("name")])
    let column = ModelPart.entity("Column", [ModelPart.attribute("name")])
    let cell = ModelPart.entity("Cell", [ModelPart.attribute("name")])
    ModelPart.connect(
      ModelPart.end(table, "columns", to: column, rule: .cascadeDeleteRule, isOptional: false),
      ModelPart.end(column, "table", to: table, maxCount: 1, isOptional: false))
    ModelPart.connect(
      ModelPart.end(table, "first", to: column, maxCount: 1, isOptional: false),
      ModelPart.end(column, "firstOf", to: table, maxCount: 1))
    ModelPart.connect(
      ModelPart.end(column, "cells", to: cell, rule: .cascadeDeleteRule, isOrdered: true),
      ModelPart.end(cell, "column", to: column, maxCount: 1, isOptional: false))
    let devices = try Devices(ModelPart.model([table, column, cell]))
    devices.b.pageLimit = pageLimit
    devices.a.pushLimit = 20
    try devices.a.edit { context in
      for number in 0..<8 {
        let table = context.insert("Table", ["name": "\(number)"])
        for letter in ["x", "y"] {
          let column = context.insert("Column", ["name": "\(number)\(letter)", "table": table])
          if letter == "y" { table.setValue(column, forKey: "first") }
          for row in 0..<5 {
            context.insert("Cell", ["name": "\(number)\(letter)\(row)", "column": column])
          }
        }
      }
    }
    try await devices.settleWholly()
    #expect(try devices.b.count("Table") == 8)
    #expect(try devices.b.count("Cell") == 80)
    try devices.b.read { context in
      for table in try context.all("Table") {
        let name = table.value(forKey: "name") as? String ?? ""
        #expect(table.value(forKeyPath: "first.name") as? String == name + "y")
        #expect(table.names("columns") == [name + "x", name + "y"])
      }
    }
  }

  /// https://github.com/pubkey/rxdb/pull/6436: all that two devices do has one time.
  @Test(arguments: [1, 2, 7])
  func whatHasOneTimeIsAllThere(pageLimit: Int) async throws {
    let devices = try Devices(Self.messages())
    let (a, b) = (devices.a, devices.b)
    let now = devices.cloud.now
    for phone in devices.phones { phone.pageLimit = pageLimit }
    for (phone, name) in [(a, "a"), (b, "b")] {
      for number in 0..<10 {
        devices.cloud.now = now - 10_000
        try phone.edit { $0.insert("Message", ["text": "\(name)\(number)"]) }
      }
    }
    devices.cloud.now = now
    try await devices.settle()
    for (phone, name) in [(a, "A"), (b, "B")] {
      devices.cloud.now = now - 10_000
      try phone.edit { context in
        try context.find("Message", "text", "a0").setValue(name, forKey: "text")
      }
    }
    try await devices.settleWholly()
    #expect(try a.count("Message") == 20)
    try devices.expect("Message", "text", try a.values("Message", "text"))
  }

  /// https://github.com/pubkey/rxdb/issues/3393
  @Test(arguments: [Int64(-90_000), 90_000])
  func newerObjectsOfOnesOwnHideNoOlderOnes(skew: Int64) async throws {
    let devices = try Devices(Self.messages())
    devices.b.skew = skew
    try devices.a.edit { $0.insert("Message", ["text": "older"]) }
    try await devices.a.sync()
    try devices.b.edit { $0.insert("Message", ["text": "of b"]) }
    try devices.a.edit { $0.insert("Message", ["text": "between"]) }
    try await devices.settleWholly()
    try devices.expect("Message", "text", ["between", "of b", "older"])
    try devices.a.edit { try $0.find("Message", "text", "of b").setValue("a", forKey: "text") }
    try await devices.settleWholly()
    try devices.expect("Message", "text", ["a", "between", "older"])
  }

  /// https://github.com/firebase/firebase-android-sdk/issues/3535
  @Test func whatIsAddedAndCountedOfflineIsWhole() async throws {
    let devices = try Devices(Self.messages())
    let a = devices.a
    a.line.isOffline = true
    try a.edit { $0.insert("Message", ["text": "x"]) }
    await #expect(throws: SyncTransportError.self) { try await a.sync() }
    for _ in 0..<3 {
      try a.edit { context in
        let message = try context.find("Message", "text", "x")
        message.setValue((message.value(forKey: "seen") as? Int ?? 0) + 100, forKey: "seen")
      }
      await #expect(throws: SyncTransportError.self) { try await a.sync() }
    }
    try await a.restart()
    a.line.isOffline = false
    try await devices.settleWholly()
    try devices.expect("Message", "text", ["x"])
    try devices.expect("Message", "seen", ["300"])
  }

  /// https://github.com/firebase/firebase-ios-sdk/issues/16475
  @Test(arguments: [false, true])
  func whatIsCountedAndSentTwiceCountsOnce(isRestarted: Bool) async throws {
    let devices = try Devices(Self.messages())
    let (a, b) = (devices.a, devices.b)
    try a.edit { $0.insert("Message", ["text": "x"]) }
    try await devices.settle()
    for round in 1...4 {
      for phone in [a, b] {
        try phone.edit { context in
          let message = try context.find("Message", "text", "x")
          message.setValue((message.value(forKey: "seen") as? Int ?? 0) + round, forKey: "seen")
        }
        phone.line.lostAnswers = 1 + round % 3
        for _ in 0..<phone.line.lostAnswers { try? await phone.sync() }
        if isRestarted { try await phone.restart() }
        phone.line.lostAnswers = 0
      }
    }
    try await devices.settleWholly()
    try devices.expect("Message", "seen", ["20"])
  }

  /// https://github.com/caiyue1993/IceCream/issues/179: what was there before sync was.
  @Test(arguments: [false, true])
  func listsFromBeforeSyncStayWhole(otherIsFirst: Bool) async throws {
    let owner = ModelPart.entity("Owner", [ModelPart.attribute("name")])
    let dog = ModelPart.entity("Dog", [ModelPart.attribute("name")])
    ModelPart.connect(
      ModelPart.end(owner, "dogs", to: dog, isOrdered: true),
      ModelPart.end(dog, "owners", to: owner))
    let devices = try Devices(ModelPart.model([owner, dog]))
    try devices.a.edit { context in
      let dogs = ["1", "2", "3"].map { context.insert("Dog", ["name": $0]) }
      context.insert("Owner", ["name": "p", "dogs": NSOrderedSet(array: [dogs[2], dogs[0]])])
      context.insert("Owner", ["name": "q", "dogs": NSOrderedSet(array: dogs)])
    }
    for phone in otherIsFirst ? devices.phones.reversed() : devices.phones {
      try await phone.sync()
    }
    try await devices.settleWholly()
    try devices.a.read { (context) throws in
      #expect(try context.find("Owner", "name", "p").names("dogs") == ["3", "1"])
      #expect(try context.find("Owner", "name", "q").names("dogs") == ["1", "2", "3"])
    }
    try devices.b.read { (context) throws in
      #expect(try context.find("Owner", "name", "p").names("dogs").sorted() == ["1", "3"])
      #expect(try context.find("Dog", "name", "1").names("owners") == ["p", "q"])
    }
  }

  /// https://github.com/caiyue1993/IceCream/issues/242
  @Test(arguments: [false, true])
  func aPriceInThousandsOfRowsArrivesEverywhere(byRequest: Bool) async throws {
    let service = ModelPart.entity("Service", [ModelPart.attribute("name")])
    let event = ModelPart.entity("Event", [ModelPart.attribute("price", .integer64AttributeType)])
    ModelPart.connect(
      ModelPart.end(service, "events", to: event),
      ModelPart.end(event, "service", to: service, maxCount: 1))
    let devices = try Devices(ModelPart.model([service, event]))
    try devices.a.edit { context in
      let service = context.insert("Service", ["name": "s"])
      for _ in 0..<3_100 { context.insert("Event", ["price": 1, "service": service]) }
    }
    try await devices.settle()
    try devices.b.edit { context in
      if byRequest {
        let update = NSBatchUpdateRequest(entityName: "Event")
        update.propertiesToUpdate = ["price": 2]
        try context.execute(update)
      } else {
        for event in try context.all("Event") { event.setValue(2, forKey: "price") }
      }
    }
    try devices.a.edit { context in
      for event in try context.all("Event").prefix(50) { context.delete(event) }
    }
    try await devices.settleWholly()
    for phone in devices.phones {
      #expect(try phone.values("Event", "price") == Array(repeating: "2", count: 3_050))
      #expect(
        try phone.read { try $0.find("Service", "name", "s").names("events", "price").count }
          == 3_050)
    }
  }

  /// https://github.com/mentrena/SyncKit/issues/78: at every step, what just comes is deleted, with
  /// what it hangs on.
  @Test(
    arguments: Sample.of(
      [EngineStep.scanned, .frozen, .answered, .intended, .applied], ["Chat", "Message"]))
  func whatIsDeletedMidwayStaysDeleted(_ step: EngineStep, entity: String) async throws {
    let devices = try Devices(Self.messages())
    let (a, b) = (devices.a, devices.b)
    try a.edit { context in
      let chat = context.insert("Chat", ["name": "c"])
      for text in ["1", "2"] { context.insert("Message", ["text": text, "chat": chat]) }
    }
    try await devices.settle()
    try a.edit { context in
      let chat = try context.find("Chat", "name", "c")
      chat.setValue("edited", forKey: "last")
      try context.find("Message", "text", "1").setValue("one", forKey: "text")
      context.insert("Message", ["text": "3", "chat": chat])
    }
    try await a.sync()
    try b.edit { $0.insert("Message", ["text": "of b"]) }
    let isDone = Mutex(false)
    b.onStep = { [unowned b] now in
      guard now == step, !isDone.withLock({ $0 }) else { return }
      isDone.withLock { $0 = true }
      try b.edit { context in
        for object in try context.all(entity) { context.delete(object) }
      }
    }
    try await devices.settleWholly()
    for name in ["Chat", "Message"] { #expect(try a.count(name) == b.count(name)) }
    if entity == "Chat" {
      #expect(try a.count("Chat") == 0)
    } else {
      try devices.expect("Chat", "last", ["edited"])
      #expect(try !a.values("Message", "text").contains("2"))
    }
  }

  /// https://github.com/paulw11/Seam3/issues/61
  @Test func savesOfSeveralAttributesAllCount() async throws {
    let names = ["a", "b", "c", "d"]
    let note = ModelPart.entity(
      "Note", [ModelPart.attribute("key")] + names.map { ModelPart.attribute($0) })
    let devices = try Devices(ModelPart.model([note]))
    try devices.a.edit { $0.insert("Note", ["key": "k"]) }
    try await devices.settle()
    for name in names {
      let phone = name < "c" ? devices.a : devices.b
      try phone.edit { try $0.find("Note", "key", "k").setValue(name, forKey: name) }
    }
    try await devices.settleWholly()
    for name in names { try devices.expect("Note", name, [name]) }
    #expect(devices.phones.allSatisfy { $0.engine.status.lossCount == 0 })
  }

  private static let keyed: NSManagedObjectModel = {
    let item = ModelPart.entity(
      "Item", [ModelPart.attribute("name"), ModelPart.attribute("id", .UUIDAttributeType)])
    item.userInfo = [SyncConfiguration.Annotation.identity: "id"]
    return ModelPart.model([item])
  }()

  /// https://github.com/mentrena/SyncKit/issues/15: the identity is another one afterwards.
  @Test(arguments: [false, true])
  func anIdentityThatIsChangedStopsNothing(isTakenByOther: Bool) async throws {
    let devices = try Devices(Self.keyed)
    let (first, second) = (UUID(), UUID())
    try devices.a.edit { context in
      context.insert("Item", ["name": "x", "id": first])
      context.insert("Item", ["name": "y", "id": UUID()])
    }
    try await devices.settle()
    try devices.a.edit { try $0.find("Item", "name", "x").setValue(second, forKey: "id") }
    if isTakenByOther { try devices.b.edit { $0.insert("Item", ["name": "z", "id": second]) } }
    try await devices.settle()
    try devices.a.edit { $0.insert("Item", ["name": "later"]) }
    try await devices.settleWholly()
    let names = try devices.a.values("Item", "name")
    try devices.expect("Item", "name", names)
    #expect(names.contains("y") && names.contains("later"))
    try devices.expect("Item", "id", try devices.a.values("Item", "id"))
    let third = try await devices.newcomer(Self.keyed)
    #expect(try third.values("Item", "name") == names)
  }

  /// https://github.com/drewmccormack/ensembles/issues/289
  @Test func rowsWithoutAnIdentifierAreRows() async throws {
    let devices = try Devices(Self.keyed)
    try devices.a.edit { context in
      context.insert("Item", ["name": "1"])
      context.insert("Item", ["name": "2"])
      try context.execute(
        NSBatchInsertRequest(entityName: "Item", objects: [["name": "3"], ["name": "4"]]))
    }
    try await devices.settleWholly()
    try devices.expect("Item", "name", ["1", "2", "3", "4"])
    let id = UUID()
    try devices.b.edit { try $0.find("Item", "name", "3").setValue(id, forKey: "id") }
    try await devices.settleWholly()
    try devices.expect("Item", "name", ["1", "2", "3", "4"])
    try devices.expect("Item", "id", ["\(id)", "nil", "nil", "nil"])
  }

  /// https://github.com/yapstudios/YapDatabase/issues/135
  @Test func whoWasOfflineGoesOnWithoutARestart() async throws {
    let devices = try Devices(Self.messages())
    let (a, b) = (devices.a, devices.b)
    await a.engine.start()
    await b.engine.start()
    for round in 0..<3 {
      a.line.isOffline = true
      try a.edit { $0.insert("Message", ["text": "\(round)"]) }
      await #expect(throws: (any Error).self) { try await a.sync() }
      a.line.isOffline = false
      try await a.sync()
      try await b.sync()
      #expect(try b.count("Message") == round + 1)
    }
    try await devices.close()
  }

  /// https://github.com/scastiel/kado/pull/53, https://github.com/powersync-ja/powersync-js/issues/622:
  /// what one has made is there at every moment, with its parent.
  @Test(arguments: [false, true])
  func whatWasMadeIsThereAtEveryStep(hasTwin: Bool) async throws {
    let habit = ModelPart.entity("Habit", [ModelPart.attribute("name")])
    habit.uniquenessConstraints = [["name"]]
    let day = ModelPart.entity("Day", [ModelPart.attribute("name")])
    ModelPart.connect(
      ModelPart.end(habit, "days", to: day, rule: .cascadeDeleteRule),
      ModelPart.end(day, "habit", to: habit, maxCount: 1))
    let devices = try Devices(ModelPart.model([habit, day]))
    let (a, b) = (devices.a, devices.b)
    if hasTwin {
      try b.edit { context in
        let habit = context.insert("Habit", ["name": "run"])
        context.insert("Day", ["name": "of b", "habit": habit])
      }
      try await b.sync()
    }
    try a.edit { context in
      let habit = context.insert("Habit", ["name": "run"])
      for name in ["1", "2"] { context.insert("Day", ["name": name, "habit": habit]) }
    }
    a.pageLimit = 1
    a.onStep = { [unowned a] _ in
      try a.read { context in
        #expect(try context.all("Habit").count == 1)
        let names = try context.find("Habit", "name", "run").names("days")
        #expect(names.contains("1") && names.contains("2"))
        #expect(try context.all("Day").allSatisfy { $0.value(forKey: "habit") != nil })
      }
    }
    try await devices.settleWholly()
    try devices.expect("Day", "name", hasTwin ? ["1", "2", "of b"] : ["1", "2"])
  }

  /// https://github.com/mentrena/SyncKit/pull/99: undone and redone, with sync between.
  @Test(arguments: [false, true])
  func whatIsUndoneAndRedoneArrives(isSyncedBetween: Bool) async throws {
    let devices = try Devices(Self.messages())
    let (a, b) = (devices.a, devices.b)
    try a.edit { $0.insert("Message", ["text": "x"]) }
    try await devices.settle()
    let context = a.coordinator.makeContext()
    context.undoManager = UndoManager()
    context.undoManager?.groupsByEvent = false
    func step(
      isEdit: Bool = false, _ body: (NSManagedObjectContext) throws -> Void
    ) async throws {
      devices.cloud.now += 10_000
      try context.performAndWait {
        if isEdit { context.undoManager?.beginUndoGrouping() }
        try body(context)
        context.processPendingChanges()
        if isEdit { context.undoManager?.endUndoGrouping() }
        try context.save()
      }
      if isSyncedBetween { try await devices.settle() }
    }
    try await step(isEdit: true) {
      try $0.find("Message", "text", "x").setValue("y", forKey: "text")
    }
    try await step(isEdit: true) { context in
      let chat = context.insert("Chat", ["name": "c"])
      try context.find("Message", "text", "y").setValue(chat, forKey: "chat")
    }
    try await step { $0.undo() }
    try await step { $0.redo() }
    try await step { $0.undo() }
    try await step { $0.undo() }
    try await step { $0.redo() }
    try await devices.settleWholly()
    try devices.expect("Message", "text", ["y"])
    try devices.expect("Chat", "name", [])
    #expect(try b.read { try $0.all("Message").first?.value(forKey: "chat") } == nil)
  }
}
