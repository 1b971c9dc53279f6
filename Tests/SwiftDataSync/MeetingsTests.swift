import CoreData
import SwiftData
import SwiftDataSync
import TestSupport
import Testing

/// What two devices did before they heard of each other.
@Suite(.serialized) struct MeetingsTests {
  @Test func modelsOfOneUniqueNameAreOne() async throws {
    let devices = try await Devices(Folder.self, Leaf.self, Label.self, Cover.self)
    try await devices.hold()
    for (number, container) in [devices.one, devices.other].enumerated() {
      try Devices.edit(container) { context in
        let leaf = Leaf("leaf \(number)")
        context.insert(leaf)
        leaf.labels = [Label("red", shade: number), Label("own \(number)")]
      }
    }
    for _ in 0..<2 { try await devices.settle() }
    for container in [devices.one, devices.other] {
      let context = ModelContext(container)
      let labels = try context.fetch(FetchDescriptor<Label>(sortBy: [SortDescriptor(\.name)]))
      #expect(labels.map(\.name) == ["own 0", "own 1", "red"])
      #expect(labels.last?.leaves.map(\.name).sorted() == ["leaf 0", "leaf 1"])
      #expect(container.syncEngines[0].status.held.isEmpty)
    }
    let shades = try [devices.one, devices.other].map { container in
      try ModelContext(container).all(Label.self).map(\.shade).sorted()
    }
    #expect(shades[0] == shades[1])
    // A new model takes the row of the stored one, on the other device as well.
    try Devices.edit(devices.one) { $0.insert(Label("red", shade: 9)) }
    try await devices.settle()
    let after = try ModelContext(devices.other).fetch(
      FetchDescriptor<Label>(predicate: #Predicate { $0.name == "red" }))
    #expect(after.map(\.shade) == [9])
  }

  /// The values on both devices, sorted, which have to be equal. Which of two edits is the later
  /// one is for the clocks to say.
  private func both<Model: PersistentModel, Value: Comparable>(
    _ devices: Devices, _ value: (Model) -> Value
  ) throws -> [Value] {
    let values = try [devices.one, devices.other].map { container in
      let context = ModelContext(container)
      return try context.all(Model.self).map(value).sorted()
    }
    #expect(values[0] == values[1])
    return values[0]
  }

  @Test func modelsOfOneUniqueEnumerationAreOne() async throws {
    let devices = try await Devices(ByMood.self)
    try await devices.hold()
    try Devices.edit(devices.one) { context in
      context.insert(ByMood(.wild, "one"))
      context.insert(ByMood(.calm, "calm"))
    }
    try Devices.edit(devices.other) { $0.insert(ByMood(.wild, "other")) }
    for _ in 0..<2 { try await devices.settle() }
    #expect(try both(devices) { (model: ByMood) in model.mood.rawValue } == ["calm", "wild"])
    #expect(try both(devices) { (model: ByMood) in model.note }.first == "calm")
  }

  @Test func modelsOfOneUniqueMemberAreOne() async throws {
    let devices = try await Devices(ByMember.self)
    try await devices.hold()
    func keys() throws -> [String] {
      try both(devices) { (model: ByMember) in "\(model.size.width)\(model.kind)" }
    }
    try Devices.edit(devices.one) { context in
      context.insert(ByMember(1, "a", "one"))
      context.insert(ByMember(1, "b", "b"))
    }
    try Devices.edit(devices.other) { context in
      context.insert(ByMember(1, "a", "other"))
      context.insert(ByMember(2, "a", "2"))
    }
    for _ in 0..<2 { try await devices.settle() }
    #expect(try keys() == ["1.0a", "1.0b", "2.0a"])
    // One that becomes equal to another one is merged with it, too.
    try Devices.edit(devices.one) { context in
      let member = try #require(context.all(ByMember.self).first { $0.note == "2" })
      member.size.width = 5
    }
    try Devices.edit(devices.other) { $0.insert(ByMember(5, "a", "five")) }
    for _ in 0..<2 { try await devices.settle() }
    #expect(try keys() == ["1.0a", "1.0b", "5.0a"])
  }

  @Test func whoLosesAValueIsTold() async throws {
    let devices = try await Devices(Thing.self)
    try Devices.edit(devices.one) { $0.insert(Thing()) }
    try await devices.hold()
    try Devices.edit(devices.one) { context in
      let thing = try #require(context.all(Thing.self).first)
      (thing.text, thing.int) = ("one", 1)
    }
    // The later edit is sent first.
    try await Devices.sync(devices.other)
    try Devices.edit(devices.other) { context in
      let thing = try #require(context.all(Thing.self).first)
      (thing.text, thing.flag) = ("other", true)
    }
    try await Devices.sync(devices.other)
    for _ in 0..<2 { try await devices.settle() }
    let things = try both(devices) { (thing: Thing) in
      "\(thing.text) \(thing.int) \(thing.flag)"
    }
    #expect(things == ["other 1 true"])
    let losses = devices.one.syncEngines[0].status.losses
    #expect(losses.map(\.property) == ["text"] && losses.first?.reason == .overwritten)
    #expect(losses.first?.value == .text("one") && losses.first?.entity == "Thing")
    #expect(devices.other.syncEngines[0].status.lossCount == 0)
  }

  @Test func whoEditsWhatIsDeletedElsewhereIsTold() async throws {
    let devices = try await Devices(Thing.self)
    try Devices.edit(devices.one) { $0.insert(Thing()) }
    try await devices.settle()
    try await devices.hold()
    try Devices.edit(devices.one) { try #require($0.all(Thing.self).first).text = "mine" }
    try Devices.edit(devices.other) { context in
      for thing in try context.all(Thing.self) { context.delete(thing) }
    }
    try await Devices.sync(devices.other)
    for _ in 0..<2 { try await devices.settle() }
    for container in [devices.one, devices.other] {
      #expect(try ModelContext(container).all(Thing.self).isEmpty)
    }
    let losses = devices.one.syncEngines[0].status.losses
    #expect(losses.contains { $0.reason == .deleted && $0.value == .text("mine") })
  }

  // MARK: - Living contexts

  @MainActor @Test func aLivingContextAndItsObserverSeeWhatOthersEdit() async throws {
    let devices = try await Devices(Folder.self, Leaf.self, Label.self, Cover.self)
    let main = devices.one.mainContext
    let seen = try ResultsObserver(
      FetchDescriptor<Leaf>(sortBy: [SortDescriptor(\.name)]), in: main)
    try Devices.edit(devices.other) { context in
      for name in ["x", "y"] { context.insert(Leaf(name)) }
    }
    try await Patience.waiting(for: "insertions") { seen.models.count == 2 }
    let x = try #require(seen.models.first)
    try Devices.edit(devices.other) { context in
      let leaf = try #require(context.all(Leaf.self).first { $0.name == "x" })
      leaf.name = "z"
      let folder = Folder("f")
      context.insert(folder)
      leaf.folder = folder
    }
    try await Patience.waiting(for: "an edit") { x.name == "z" && x.folder?.name == "f" }
    try await Patience.waiting(for: "the order") { seen.models.map(\.name) == ["y", "z"] }
    // An edit here that is not saved yet stays, beside one of another property there.
    main.autosaveEnabled = false
    x.name = "mine"
    try Devices.edit(devices.other) { context in
      let leaf = try #require(context.all(Leaf.self).first { $0.name == "z" })
      leaf.cover = Cover("c")
    }
    try await Patience.waiting(for: "the cover") { x.cover?.text == "c" }
    #expect(x.name == "mine")
    try main.save()
    try await Patience.waiting(for: "the name") {
      try ModelContext(devices.other).all(Leaf.self).contains { $0.name == "mine" }
    }
    try Devices.edit(devices.other) { context in
      for leaf in try context.all(Leaf.self) where leaf.name == "mine" { context.delete(leaf) }
    }
    try await Patience.waiting(for: "the deletion") { seen.models.map(\.name) == ["y"] }
    #expect(x.isDeleted || x.modelContext == nil)
    #expect(try main.fetchCount(FetchDescriptor<Cover>()) == 0)
  }

  @Test func theHistorySaysWhatSyncWrote() async throws {
    let devices = try await Devices(Thing.self)
    try Devices.edit(devices.one) { $0.insert(Thing()) }
    try await devices.settle()
    try Devices.edit(devices.one) { try #require($0.all(Thing.self).first).text = "edited" }
    try await devices.settle()
    try Devices.edit(devices.one) { $0.delete(try #require($0.all(Thing.self).first)) }
    try await devices.settle()
    let context = ModelContext(devices.other)
    let history = try context.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>())
    #expect(history.allSatisfy { $0.author == "sync" })
    let kinds = history.flatMap(\.changes).map { change in
      switch change {
      case .insert: "insert"
      case .update: "update"
      case .delete: "delete"
      }
    }
    #expect(kinds == ["insert", "update", "delete"])
  }

  // MARK: - Containers

  @Test func aContainerInMemorySyncsForAsLongAsItLives() async throws {
    let devices = try await Devices(Thing.self)
    try Devices.edit(devices.one) { $0.insert(Thing()) }
    try await devices.settle()
    let memory = try devices.open(URL(fileURLWithPath: "/dev/null"))
    try await Devices.sync(memory)
    #expect(try ModelContext(memory).all(Thing.self).count == 1)
  }

  /// An erased store begins anew, and has everything again.
  @Test func anErasedContainerBeginsAnewAndDeletesNothingElsewhere() async throws {
    let devices = try await Devices(Thing.self)
    try Devices.edit(devices.one) { context in
      for number in 0..<3 {
        let thing = Thing()
        thing.int = number
        context.insert(thing)
      }
    }
    try await devices.settle()
    func useAndErase() async throws {
      let third = try devices.open(devices.folder.file("Third.store"))
      try await Patience.waiting(for: "everything") {
        try ModelContext(third).all(Thing.self).count == 3
      }
      try third.erase()
    }
    let file = devices.folder.file("Third.store-sync")
    for _ in 0..<2 {
      try await useAndErase()
      #expect(!FileManager.default.fileExists(atPath: file.path))
    }
    try await devices.settle()
    #expect(try ModelContext(devices.one).all(Thing.self).count == 3)
  }

  @Test func aContainerTellsItsEvents() async throws {
    let log = EndedEvents()
    let devices = try await Devices(Thing.self)
    try Devices.edit(devices.one) { $0.insert(Thing()) }
    try await devices.settle()
    func types(_ container: ModelContainer) throws -> [Int] {
      let context = ModelContext(container)
      let store = try context.all(Thing.self).first?.persistentModelID.storeIdentifier
      return log.all.filter { $0.storeIdentifier == store && $0.succeeded }.map(\.type.rawValue)
    }
    #expect(try types(devices.one) == [0, 2])
    #expect(try types(devices.other) == [0, 1])
  }
}
