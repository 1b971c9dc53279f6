import CoreData
import CoreDataSupport
import SyncSupport
import Testing
import TestSupport

@testable import CoreDataSync

/// Cases from public bugs of other synchronisers, by their number in the design's list.
@Suite struct CasesTests {
  private struct Interruption: Error {}

  private func expectSame(_ two: Two, _ entity: String, _ property: String, _ values: [String])
    throws
  {
    #expect(try two.a.values(entity, property) == values)
    #expect(try two.b.values(entity, property) == values)
  }

  /// Stops a phone's engine once, at a step.
  private func interrupt(_ phone: Phone, at wanted: EngineStep) async throws {
    phone.onStep = { [unowned phone] step in
      guard step == wanted else { return }
      phone.onStep = nil
      throw Interruption()
    }
    await #expect(throws: Interruption.self) { try await phone.sync() }
    phone.onStep = nil
    try await phone.restart()
  }

  @Test func case1AnObjectThatIsInsertedAgainWithItsIdentityLives() async throws {
    let cloud = Cloud(model: IdentityModel.model, configuration: IdentityModel.configuration)
    let (a, b) = (try IdentityModel.phone(cloud), try IdentityModel.phone(cloud))
    let uuid = UUID()
    try a.edit { $0.insert("Item", ["id": uuid, "name": "first"]) }
    for phone in [a, b, a] { try await phone.sync() }
    try a.edit { try $0.delete($0.find("Item", "name", "first")) }
    try await a.sync()
    try a.edit { $0.insert("Item", ["id": uuid, "name": "second"]) }
    for phone in [a, b, a] { try await phone.sync() }
    #expect(try a.values("Item", "name") == ["second"])
    #expect(try b.values("Item", "name") == ["second"])
  }

  @Test func case2APassingErrorLeavesTheQueueAsItIs() async throws {
    let two = try await Two.withNotes()
    try two.a.edit { try $0.find("Note", "title", "n").setValue("new", forKey: "title") }
    two.a.line.failures = [SyncTransportError(.unavailable, message: "full")]
    await #expect(throws: SyncTransportError.self) { try await two.a.sync() }
    #expect(two.a.engine.status.toSend == 1)
    try await two.settle()
    try expectSame(two, "Note", "title", ["m", "new"])
  }

  @Test func case3AChildInOneBatchWithAParentInConflictArrives() async throws {
    let two = try await Two.withNotes()
    try two.b.edit { try $0.find("Folder", "title", "X").setValue("of b", forKey: "title") }
    try two.a.edit { context in
      let folder = try context.find("Folder", "title", "X")
      folder.setValue("of a", forKey: "title")
      context.insert("Note", ["title": "child", "folder": folder])
    }
    try await two.settle()
    try expectSame(two, "Note", "title", ["child", "m", "n"])
    try expectSame(two, "Folder", "title", ["Y", "of a"])
  }

  @Test(arguments: [true, false])
  func case4TheOrderOfArrivalDoesNotMatter(isFirst: Bool) async throws {
    let two = try await Two.withNotes()
    try two.a.edit { try $0.find("Note", "title", "n").setValue("early", forKey: "title") }
    try two.b.edit { try $0.find("Note", "title", "n").setValue("late", forKey: "title") }
    try await (isFirst ? two.a : two.b).sync()
    try await (isFirst ? two.b : two.a).sync()
    try await two.settle()
    try expectSame(two, "Note", "title", ["late", "m"])
  }

  @Test func case5BookkeepingThatCannotBeReadIsAnErrorAndNothingIsRemoved() async throws {
    let two = try await Two.withNotes()
    try two.a.edit { $0.insert("Note", ["title": "unsent"]) }
    try await two.a.restart()
    let file = two.a.folder.appendingPathComponent("store.sqlite-sync")
    for suffix in ["-wal", "-shm"] {
      try? FileManager.default.removeItem(atPath: file.path + suffix)
    }
    try Data(repeating: 7, count: 5000).write(to: file)
    await #expect(throws: (any Error).self) { try await two.a.sync() }
    #expect(try two.a.values("Note", "title") == ["m", "n", "unsent"])
    #expect(two.a.line.pushes.allSatisfy { $0.records.allSatisfy { $0.life?.isDead != true } })
  }

  @Test func case6MoreChangesThanOneMessageMayHave() async throws {
    let two = try await Two()
    two.a.pushLimit = 7
    two.b.pageLimit = 5
    try two.a.edit { context in
      for number in 0..<50 { context.insert("Note", ["title": "\(100 + number)"]) }
    }
    try await two.settle()
    try expectSame(two, "Note", "title", (0..<50).map { "\(100 + $0)" })
    #expect(two.a.line.pushes.allSatisfy { $0.records.count <= 7 })
  }

  /// Each of two copies of a phone that has not been there yet writes at the same moment.
  @Test(arguments: ["x", "y"])
  func copiesOfAPhoneThatWriteAtOneMomentLoseNothing(first: String) async throws {
    let cloud = Cloud(
      model: HistoriesModel.full, configuration: HistoriesModel.configuration)
    let a = try Phone(cloud)
    a.line.isOffline = true
    try a.edit { $0.insert("Note", ["title": "n"]) }
    await #expect(throws: SyncTransportError.self) { try await a.sync() }
    let files = try a.backUp()
    let c = try Phone(cloud)
    try await c.restart(files: files)
    let second = first == "x" ? "y" : "x"
    try a.edit { try $0.find("Note", "title", "n").setValue(first, forKey: "title") }
    c.skew = -10
    try c.edit { try $0.find("Note", "title", "n").setValue(second, forKey: "title") }
    a.line.isOffline = false
    for phone in [a, c, a, c] { try await phone.sync() }
    #expect(try a.values("Note", "title") == [second])
    #expect(try c.values("Note", "title") == [second])
  }

  @Test(arguments: [7, 12])
  func case7And12AnEmptiedServerIsFilledAgain(number: Int) async throws {
    let two = try await Two.withNotes()
    two.cloud.restore()
    try await two.settle()
    try expectSame(two, "Note", "title", ["m", "n"])
    #expect(two.cloud.withServer { $0.records.count } == 6)
  }

  @Test func case8AnEditOfARecordInFlightIsSentToo() async throws {
    let two = try await Two.withNotes()
    let a = two.a
    try a.edit { try $0.find("Note", "title", "n").setValue("first", forKey: "title") }
    a.line.beforePush = { [unowned a] in
      try a.edit { try $0.find("Note", "title", "first").setValue("second", forKey: "title") }
    }
    try await two.settle()
    try expectSame(two, "Note", "title", ["m", "second"])
  }

  @Test func case9AWriterThatNeverSawAValueDoesNotWinByItsCounter() async throws {
    let two = try await Two.withNotes()
    for number in 0..<20 {
      try two.b.edit { try $0.find("Note", "hi", "5").setValue("b\(number)", forKey: "title") }
    }
    try two.a.edit { try $0.find("Note", "title", "m").setValue("later", forKey: "title") }
    try await two.settle()
    #expect(try two.a.values("Note", "title") == two.b.values("Note", "title"))
    #expect(try two.a.values("Note", "title").contains("later"))
  }

  @Test func case10OfTwoThatDeleteTheSameAThirdLearns() async throws {
    let two = try await Two.withNotes()
    let third = try Phone(two.cloud)
    try await third.sync()
    for phone in [two.a, two.b] {
      try phone.edit { try $0.delete($0.find("Note", "title", "n")) }
    }
    try await two.settle()
    try await third.sync()
    #expect(try third.values("Note", "title") == ["m"])
  }

  @Test func case11WhatIsUnansweredIsSentAgainAsItWas() async throws {
    let two = try await Two.withNotes()
    try two.a.edit { try $0.find("Folder", "title", "X").setValue(5, forKey: "count") }
    two.a.line.lostAnswers = 1
    await #expect(throws: SyncTransportError.self) { try await two.a.sync() }
    #expect(two.a.engine.status.toSend == 1)
    try await two.a.restart()
    try await two.settle()
    let pushes = two.a.line.pushes.suffix(2)
    #expect(pushes.first == pushes.last)
    try expectSame(two, "Folder", "count", ["0", "5"])
  }

  @Test(
    arguments: Sample.of([EngineStep.scanned, .frozen, .answered, .intended, .applied, .finished]))
  func case13And16And17ACrashAnywhereIsHarmless(step: EngineStep) async throws {
    let two = try await Two.withNotes()
    try two.a.edit { context in
      try context.find("Note", "title", "n").setValue("of a", forKey: "title")
      try context.find("Folder", "title", "X").setValue(2, forKey: "count")
    }
    try await two.a.sync()
    try two.b.edit { context in
      try context.find("Note", "title", "n").setValue(3, forKey: "lo")
      try context.find("Folder", "title", "X").setValue(3, forKey: "count")
    }
    try await interrupt(two.b, at: step)
    try await two.settle()
    try expectSame(two, "Note", "title", ["m", "of a"])
    try expectSame(two, "Note", "lo", ["1", "3"])
    try expectSame(two, "Folder", "count", ["0", "5"])
  }

  @Test func case14OfADeletionAndAnUpdateTheDeletionWins() async throws {
    let two = try await Two.withNotes()
    try two.a.edit { try $0.delete($0.find("Note", "title", "n")) }
    try two.b.edit { try $0.find("Note", "title", "n").setValue("edited", forKey: "title") }
    try await two.settle()
    try expectSame(two, "Note", "title", ["m"])
    #expect(two.b.engine.status.losses.map(\.reason) == [.deleted])
  }

  @Test func case15AServerThatWasRestoredGetsBackWhatItLost() async throws {
    let two = try await Two.withNotes()
    let backup = two.cloud.withServer { $0 }
    try two.a.edit { context in
      try context.find("Note", "title", "n").setValue("after", forKey: "title")
      context.insert("Note", ["title": "new"])
      try context.delete(context.find("Note", "title", "m"))
    }
    try await two.settle()
    two.cloud.restore(backup)
    try two.b.edit { try $0.find("Note", "title", "new").setValue(1, forKey: "lo") }
    try await two.settle()
    try await two.settle()
    try expectSame(two, "Note", "title", ["after", "new"])
  }

  @Test func whatIsOfferedAfterARecoveryHasItsValues() async throws {
    let two = try await Two.withNotes()
    try two.a.edit { try $0.find("Note", "title", "n").setValue("new", forKey: "title") }
    try await two.a.sync()
    two.b.onStep = { [b = two.b, cloud = two.cloud] step in
      guard step == .applied else { return }
      b.onStep = nil
      cloud.restore()
      throw Interruption()
    }
    await #expect(throws: Interruption.self) { try await two.b.sync() }
    try await two.b.restart()
    try await two.b.sync()
    let third = try Phone(two.cloud)
    try await third.sync()
    #expect(try third.values("Note", "title") == ["m", "new"])
    #expect(try third.values("Note", "hi") == ["5", "5"])
  }

  @Test func case18AnEditThatRacesTheEndOfAnUploadIsSent() async throws {
    let two = try await Two.withNotes()
    let a = two.a
    try a.edit { try $0.find("Note", "title", "n").setValue("first", forKey: "title") }
    a.onStep = { [unowned a] step in
      guard step == .answered else { return }
      a.onStep = nil
      try a.edit { try $0.find("Note", "title", "first").setValue("second", forKey: "title") }
    }
    try await a.sync()
    #expect(a.engine.status.toSend == 0)
    try await two.b.sync()
    try expectSame(two, "Note", "title", ["m", "second"])
  }

  @Test func case20EditsWhileAFirstSyncIsUnderWayAreNotMissed() async throws {
    let two = try await Two.withNotes()
    let third = try Phone(two.cloud)
    third.pageLimit = 2
    let pages = Occurrences()
    third.onStep = { [a = two.a] step in
      guard step == .finished, pages.count < 2 else { return }
      pages.note()
      try a.edit { try $0.find("Note", "hi", "5").setValue("\(pages.count)", forKey: "title") }
      try await a.sync()
    }
    // A last page that was asked for ahead may be older than the last edit.
    for _ in 0..<2 { try await third.sync() }
    #expect(try third.values("Note", "title") == two.a.values("Note", "title"))
    #expect(pages.count == 2)
  }

  @Test func case21APositionOutOfRangeIsNoEnd() async throws {
    let two = try await Two.withNotes()
    two.cloud.withServer { $0.head = 3 }
    try await two.settle()
    try expectSame(two, "Note", "title", ["m", "n"])
  }

  @Test func case24OnesOwnPushComesBackAsNothingNew() async throws {
    let two = try await Two.withNotes()
    try two.a.edit { context in
      context.insert("Note", ["title": "short"])
      try context.delete(context.find("Note", "title", "n"))
    }
    try await two.a.sync()
    try two.a.edit { try $0.delete($0.find("Note", "title", "short")) }
    try await two.settle()
    try expectSame(two, "Note", "title", ["m"])
  }

  @Test func case25ASecondDeviceJoinsWithObjectsOfItsOwn() async throws {
    let two = try await Two()
    try two.a.edit { $0.insert("Note", ["title": "of a"]) }
    try await two.a.sync()
    try two.b.edit { $0.insert("Note", ["title": "of b"]) }
    try await two.settle()
    try expectSame(two, "Note", "title", ["of a", "of b"])
  }

  @Test func case26AnObjectThatIsNotSavedWhenItsTwinArrives() async throws {
    let two = try await Two()
    try two.b.edit { $0.insert("Tag", ["name": "x", "hue": "b"]) }
    try await two.b.sync()
    let context = two.a.coordinator.makeContext()
    context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
    context.performAndWait { _ = context.insert("Tag", ["name": "x", "hue": "a"]) }
    try await two.a.sync()
    two.cloud.now += 10_000
    try context.performAndWait { try context.save() }
    try await two.settle()
    try expectSame(two, "Tag", "name", ["x"])
    #expect(try two.a.values("Tag", "hue") == two.b.values("Tag", "hue"))
  }

  @Test func case27SeedDataOfEveryDeviceIsThereOnce() async throws {
    let cloud = Cloud(model: IdentityModel.model, configuration: IdentityModel.configuration)
    let phones = try (0..<3).map { _ in try IdentityModel.phone(cloud) }
    let seeds = ["one": UUID(), "two": UUID()]
    for phone in phones {
      try phone.edit { context in
        for (name, id) in seeds { context.insert("Item", ["id": id, "name": name]) }
      }
    }
    for phone in phones + phones { try await phone.sync() }
    for phone in phones { #expect(try phone.values("Item", "name") == ["one", "two"]) }
  }

  @Test func case28NilIsSent() async throws {
    let two = try await Two.withNotes()
    try two.a.edit { context in
      let note = try context.find("Note", "title", "n")
      note.setValue(nil, forKey: "hi")
      note.setValue(nil, forKey: "folder")
    }
    try await two.settle()
    try two.b.read { context in
      let note = try context.find("Note", "title", "n")
      #expect(note.value(forKey: "hi") == nil)
      #expect(note.value(forKey: "folder") == nil)
    }
  }

  @Test func case29AnObjectThatIsDeletedBetweenTwoScans() async throws {
    let two = try await Two.withNotes()
    let a = two.a
    try a.edit { $0.insert("Note", ["title": "brief"]) }
    a.onStep = { [unowned a] step in
      guard step == .scanned else { return }
      a.onStep = nil
      try a.edit { try $0.delete($0.find("Note", "title", "brief")) }
    }
    try await two.settle()
    try expectSame(two, "Note", "title", ["m", "n"])
  }

  @Test func case30ChangesOfBatchRequestsAreFound() async throws {
    let two = try await Two.withNotes()
    try two.a.edit { context in
      let request = NSBatchUpdateRequest(entityName: "Note")
      request.propertiesToUpdate = ["title": "batch"]
      try context.execute(request)
    }
    try await two.settle()
    try expectSame(two, "Note", "title", ["batch", "batch"])
    try two.a.edit { context in
      let request = NSFetchRequest<NSFetchRequestResult>(entityName: "Cover")
      try context.execute(NSBatchDeleteRequest(fetchRequest: request))
    }
    try await two.settle()
    #expect(try two.b.count("Cover") == 0)
  }

  @Test func case31AnEmptyStoreIsNotTakenForDeletions() async throws {
    let two = try await Two.withNotes()
    try await two.a.restart()
    let sync = try two.a.backUp()
    for suffix in ["", "-wal", "-shm"] {
      try? FileManager.default.removeItem(
        at: sync.appendingPathComponent("store.sqlite\(suffix)"))
    }
    try await two.a.restart(files: sync)
    try await two.a.sync()
    try await two.b.sync()
    for phone in [two.a, two.b] { #expect(try phone.values("Note", "title") == ["m", "n"]) }
  }

  @Test func case32ADeletionOfWhatIsReferredToLocally() async throws {
    let two = try await Two.withNotes()
    try two.a.edit { context in
      for folder in try context.all("Folder") { context.delete(folder) }
    }
    try two.a.edit { try $0.delete($0.find("Account", "name", "a")) }
    try await two.a.sync()
    try two.b.edit { context in
      context.insert("Line", ["text": "l", "note": try context.find("Note", "title", "n")])
    }
    try await two.settle()
    for phone in [two.a, two.b] {
      for entity in ["Account", "Folder", "Note", "Line"] {
        #expect(try phone.count(entity) == 0)
      }
    }
  }

  @Test func case33WorkOfADeviceThatTheServerHasForgottenIsKept() async throws {
    let two = try await Two.withNotes()
    two.b.line.isOffline = true
    try two.b.edit { context in
      context.insert("Note", ["title": "of b"])
      try context.find("Note", "title", "m").setValue("edited by b", forKey: "title")
    }
    try two.a.edit { try $0.delete($0.find("Note", "title", "n")) }
    try await two.a.sync()
    two.cloud.withServer { $0.compact() }
    two.b.line.isOffline = false
    try await two.settle()
    try expectSame(two, "Note", "title", ["edited by b", "of b"])
  }

  @Test func case34AClockAnHourBehindStillWinsOverWhatItHasSeen() async throws {
    let two = try await Two.withNotes()
    two.b.skew = -3600
    try two.a.edit { try $0.find("Note", "title", "n").setValue("a", forKey: "title") }
    try await two.settle()
    try two.b.edit { try $0.find("Note", "title", "a").setValue("b", forKey: "title") }
    try await two.settle()
    try expectSame(two, "Note", "title", ["b", "m"])
  }

  @Test func case35NotesInsertedAtOnePlaceHaveOneOrderEverywhere() async throws {
    let two = try await Two.withNotes()
    for (phone, title) in [(two.a, "from a"), (two.b, "from b")] {
      try phone.edit { context in
        let note = context.insert("Note", ["title": title])
        try context.find("Folder", "title", "X").mutableOrderedSetValue(forKey: "notes")
          .insert(note, at: 0)
      }
    }
    try await two.settle()
    #expect(try two.a.row() == two.b.row())
    try two.a.edit { context in
      let note = context.insert("Note", ["title": "between"])
      try context.find("Folder", "title", "X").mutableOrderedSetValue(forKey: "notes")
        .insert(note, at: 1)
    }
    try await two.settle()
    #expect(try two.a.row()[1] == "between")
    #expect(try two.a.row() == two.b.row())
  }

  @Test func case36WhatIsMovedAtTwoPlacesIsThereOnce() async throws {
    let two = try await Two.withNotes()
    try two.a.edit { context in
      let account = try context.find("Account", "name", "a")
      context.insert("Folder", ["title": "Z", "account": account])
    }
    try await two.settle()
    for (phone, title) in [(two.a, "Y"), (two.b, "Z")] {
      try phone.edit { context in
        let note = try context.find("Note", "title", "n")
        try note.setValue(context.find("Folder", "title", title), forKey: "folder")
        note.setValue(title == "Y" ? 2 : 1, forKey: "lo")
      }
    }
    try await two.settle()
    try expectSame(two, "Note", "title", ["m", "n"])
    try expectSame(two, "Note", "lo", ["1", "2"])
    #expect(try two.a.row("Z") == ["n"])
    #expect(try two.b.row("Z") == ["n"])
  }

  @Test func case38TombstonesComeInEveryPage() async throws {
    let two = try await Two()
    try two.a.edit { context in
      for number in 0..<20 { context.insert("Note", ["title": "\(10 + number)"]) }
    }
    try await two.settle()
    two.b.pageLimit = 3
    try two.a.edit { context in
      for note in try context.all("Note").prefix(15) { context.delete(note) }
    }
    try await two.settle()
    #expect(try two.b.count("Note") == 5)
  }

  @Test func case40APageThatIsNotValidBlocksNothing() async throws {
    let two = try await Two.withNotes()
    two.b.pageLimit = 1
    try two.a.edit { try $0.find("Note", "title", "n").setValue(4, forKey: "lo") }
    try two.b.edit { try $0.find("Note", "title", "n").setValue(2, forKey: "hi") }
    try two.a.edit { $0.insert("Note", ["title": "behind"]) }
    try await two.settle()
    try expectSame(two, "Note", "title", ["behind", "m", "n"])
  }
}

extension Phone {
  /// The titles of the notes of a folder, in order.
  func row(_ folder: String = "X") throws -> [String] {
    try read { context in
      let notes = try context.find("Folder", "title", folder).value(forKey: "notes")
      return ((notes as? NSOrderedSet)?.array ?? []).compactMap {
        ($0 as? NSManagedObject)?.value(forKey: "title") as? String
      }
    }
  }
}

/// An entity whose objects have an identity of the application's.
enum IdentityModel {
  static let configuration = SyncConfiguration(zone: "zone", identities: ["Item": "id"])
  static let model: NSManagedObjectModel = {
    let item = NSEntityDescription()
    item.name = "Item"
    item.properties = [("id", NSAttributeType.UUIDAttributeType), ("name", .stringAttributeType)]
      .map { name, type in
        let attribute = NSAttributeDescription()
        attribute.name = name
        attribute.attributeType = type
        return attribute
      }
    let model = NSManagedObjectModel()
    model.entities = [item]
    return model
  }()

  static func phone(_ cloud: Cloud) throws -> Phone {
    try Phone(cloud, model: model, configuration: configuration)
  }
}
