import CoreData
import CoreDataSupport
import Synchronization
import SyncSupport
import Testing
import TestSupport

@testable import CoreDataSync

/// What users of other synchronisers reported, by the address of the report.
@Suite struct ReportsElsewhereTests {
  private static func notes(
    _ rule: NSDeleteRule = .cascadeDeleteRule, hasIdentity: Bool = false
  ) -> NSManagedObjectModel {
    let folder = ModelPart.entity("Folder", [ModelPart.attribute("name")])
    let note = ModelPart.entity(
      "Note",
      [
        ModelPart.attribute("name"), ModelPart.attribute("text"), ModelPart.counter("views"),
        ModelPart.attribute("id", .UUIDAttributeType),
      ])
    let tag = ModelPart.entity("Tag", [ModelPart.attribute("name")])
    if hasIdentity { note.userInfo = [SyncConfiguration.Annotation.identity: "id"] }
    ModelPart.connect(
      ModelPart.end(folder, "notes", to: note, rule: rule, isOrdered: true),
      ModelPart.end(note, "folder", to: folder, maxCount: 1))
    ModelPart.connect(ModelPart.end(note, "tags", to: tag), ModelPart.end(tag, "notes", to: note))
    return ModelPart.model([folder, note, tag])
  }

  private static func filled(_ model: NSManagedObjectModel? = nil) async throws -> Devices {
    let devices = try Devices(model ?? notes())
    try devices.a.edit { context in
      let folder = context.insert("Folder", ["name": "f"])
      context.insert("Folder", ["name": "g"])
      for name in ["1", "2", "3", "4"] {
        context.insert("Note", ["name": name, "folder": folder, "id": UUID()])
      }
      context.insert("Tag", ["name": "t"])
    }
    try await devices.settle()
    return devices
  }

  private static func row(_ phone: Phone, _ folder: String = "f") throws -> [String] {
    try phone.read { try $0.find("Folder", "name", folder).names("notes") }
  }

  /// https://github.com/aws-amplify/amplify-js/issues/6363: saves in quick succession on a slow
  /// network, each while the one before is on its way.
  @Test(arguments: [1, 500])
  func theLastOfManyTitlesShows(pushLimit: Int) async throws {
    let devices = try await Self.filled()
    let a = devices.a
    a.pushLimit = pushLimit
    for title in ["A", "B", "C", "D", "E"] {
      try a.edit { try $0.find("Note", "name", "1").setValue(title, forKey: "text") }
      a.line.beforePush = { [unowned a] in
        try a.edit { context in
          try context.find("Note", "name", "1").setValue(title + "+", forKey: "text")
          try context.find("Note", "name", "2").setValue(title, forKey: "text")
        }
      }
      try await a.sync()
    }
    try await devices.settleWholly()
    try devices.expect("Note", "text", ["E", "E+", "nil", "nil"])
    #expect(devices.phones.allSatisfy { $0.engine.status.lossCount == 0 })
  }

  /// https://github.com/aws-amplify/amplify-swift/issues/1206: saved, synced, updated and at once
  /// deleted.
  @Test(arguments: Sample.of([false, true], [false, true]))
  func updatedAndAtOnceDeleted(isInFlight: Bool, isRestarted: Bool) async throws {
    let devices = try await Self.filled()
    let a = devices.a
    try a.edit { $0.insert("Note", ["name": "5"]) }
    try await a.sync()
    try a.edit { try $0.find("Note", "name", "5").setValue("updated", forKey: "text") }
    if isInFlight {
      a.line.beforePush = { [unowned a] in
        try a.edit { try $0.delete($0.find("Note", "name", "5")) }
      }
      a.line.lostAnswers = 1
      _ = try? await a.sync()
    } else {
      try a.edit { try $0.delete($0.find("Note", "name", "5")) }
    }
    if isRestarted { try await a.restart() }
    try await devices.settleWholly()
    try devices.expect("Note", "name", ["1", "2", "3", "4"])
  }

  /// https://github.com/aws-amplify/amplify-android/issues/1997,
  /// https://github.com/Nozbe/WatermelonDB/issues/1114: what was typed offline a month ago does not
  /// overwrite what others have typed since, and whoever typed it is told.
  @Test(arguments: [Int64(0), 3_600, -3_600])
  func whatIsAMonthOldDoesNotOverwrite(skew: Int64) async throws {
    let devices = try await Self.filled()
    let (a, b) = (devices.a, devices.b)
    b.line.isOffline = true
    b.skew = skew
    try b.edit { try $0.find("Note", "name", "1").setValue("mary", forKey: "text") }
    _ = try? await b.sync()
    devices.cloud.now += 30 * 86_400_000
    try a.edit { try $0.find("Note", "name", "1").setValue("frank", forKey: "text") }
    try await a.sync()
    b.line.isOffline = false
    try await devices.settleWholly()
    try devices.expect("Note", "text", ["frank", "nil", "nil", "nil"])
    #expect(b.engine.status.losses.map(\.value) == [.text("mary")])
  }

  /// https://github.com/Nozbe/WatermelonDB/issues/1374: a record that is pushed is changed between
  /// the pull and the push, on both sides and in other properties.
  @Test func aRecordThatChangesOnItsWay() async throws {
    let devices = try await Self.filled()
    let (a, b) = (devices.a, devices.b)
    for round in 0..<3 {
      try a.edit { try $0.find("Note", "name", "1").setValue("a\(round)", forKey: "text") }
      a.line.beforePush = { [unowned a, unowned b] in
        try b.edit { context in
          let note = try context.find("Note", "name", "1")
          note.setValue(
            try context.find("Folder", "name", round % 2 == 0 ? "g" : "f"), forKey: "folder")
          note.setValue((note.value(forKey: "views") as? Int ?? 0) + 1, forKey: "views")
        }
        try await b.sync()
        try a.edit { context in
          let note = try context.find("Note", "name", "1")
          note.mutableSetValue(forKey: "tags").add(try context.find("Tag", "name", "t"))
          note.setValue((note.value(forKey: "views") as? Int ?? 0) + 1, forKey: "views")
        }
      }
      try await a.sync()
    }
    try await devices.settleWholly()
    for phone in devices.phones {
      try phone.read { (context) throws in
        let note = try context.find("Note", "name", "1")
        #expect(note.value(forKey: "text") as? String == "a2")
        #expect(note.value(forKeyPath: "folder.name") as? String == "g")
        #expect(note.value(forKey: "views") as? Int == 6)
        #expect(note.names("tags") == ["t"])
      }
    }
  }

  /// https://github.com/apache/pouchdb/issues/2787,
  /// https://github.com/standardnotes/forum/issues/711: made, deleted, made again under its identity
  /// and deleted again; and everything deleted and imported from a backup of the application's own.
  @Test(arguments: [false, true])
  func aBackupThatIsImportedStays(isSyncedBetween: Bool) async throws {
    let devices = try await Self.filled(Self.notes(hasIdentity: true))
    let (a, b) = (devices.a, devices.b)
    let saved = try a.read { context in
      try context.all("Note").map { note in
        (note.value(forKey: "id") as? UUID ?? UUID(), note.value(forKey: "name") as? String ?? "")
      }
    }
    for round in 0..<3 {
      let phone = devices.phones[round % 2]
      try phone.edit { context in for note in try context.all("Note") { context.delete(note) } }
      if isSyncedBetween { try await devices.settleWholly() }
      try phone.edit { context in
        let folder = try context.find("Folder", "name", "f")
        for (id, name) in saved.sorted(by: { $0.1 < $1.1 }) {
          context.insert("Note", ["id": id, "name": name, "text": "\(round)", "folder": folder])
        }
      }
      try await devices.settleWholly()
      try devices.expect("Note", "name", ["1", "2", "3", "4"])
      try devices.expect("Note", "text", Array(repeating: "\(round)", count: 4))
      #expect(try Self.row(a) == ["1", "2", "3", "4"] && Self.row(b) == ["1", "2", "3", "4"])
    }
    try b.edit { try $0.delete($0.find("Note", "name", "2")) }
    try await devices.settleWholly()
    try devices.expect("Note", "name", ["1", "3", "4"])
  }

  /// https://github.com/tinyplex/tinybase/issues/167,
  /// https://github.com/timh-dev/startup-page/pull/112: a new device makes its settings with the
  /// defaults of the model before it is first synced.
  @Test(arguments: [false, true])
  func settingsOfANewDeviceDoNotOverwriteWhatWasSet(isUnique: Bool) async throws {
    func model() -> NSManagedObjectModel {
      let settings = ModelPart.entity(
        "Settings",
        [
          ModelPart.attribute("key"),
          ModelPart.attribute("theme", .stringAttributeType, default: "light"),
          ModelPart.attribute("size", .integer64AttributeType, default: 12),
          ModelPart.attribute("city"),
        ])
      if isUnique { settings.uniquenessConstraints = [["key"]] }
      return ModelPart.model([settings])
    }
    var configuration = SyncConfiguration(zone: "zone")
    if !isUnique { configuration.identify = { $0.value(forKey: "key") as? String } }
    let devices = try Devices(model(), configuration)
    try devices.a.edit { $0.insert("Settings", ["key": "main"]) }
    try devices.a.edit { context in
      let settings = try context.find("Settings", "key", "main")
      settings.setValuesForKeys(["theme": "dark", "city": "Bonn"])
    }
    try await devices.a.sync()
    try devices.b.edit { $0.insert("Settings", ["key": "main", "size": 14]) }
    try await devices.settleWholly()
    try devices.expect("Settings", "key", ["main"])
    try devices.expect("Settings", "size", ["14"])
    withKnownIssue("an insertion sets what nobody has set") {
      try devices.expect("Settings", "theme", ["dark"])
      try devices.expect("Settings", "city", ["Bonn"])
    }
  }

  /// https://github.com/vsemionov/django-rest-offlinesync/issues/1,
  /// https://github.com/michaelwilhelmsen/humla/issues/161: moved to a parent that somebody deletes.
  /// It goes with it, that is told, and a move out of it that others make brings it back.
  @Test(arguments: Sample.of([false, true], [false, true]))
  func whatIsMovedToADeletedParent(moverIsFirst: Bool, isNullified: Bool) async throws {
    let rule: NSDeleteRule = isNullified ? .nullifyDeleteRule : .cascadeDeleteRule
    let devices = try await Self.filled(Self.notes(rule))
    let (a, b) = (devices.a, devices.b)
    try a.edit { try $0.delete($0.find("Folder", "name", "g")) }
    try b.edit { context in
      try context.find("Note", "name", "1").setValue(
        context.find("Folder", "name", "g"), forKey: "folder")
    }
    for phone in moverIsFirst ? [b, a] : [a, b] { try await phone.sync() }
    try await devices.settleWholly()
    try devices.expect("Note", "name", isNullified ? ["1", "2", "3", "4"] : ["2", "3", "4"])
    for phone in devices.phones { #expect(try Self.row(phone) == ["2", "3", "4"]) }
    if !isNullified {
      #expect(!b.engine.status.losses.isEmpty)
    }
  }

  /// https://github.com/HabitRPG/habitica/issues/3025: who only edits what is in a list does not send
  /// its order.
  @Test func whoEditsAnItemDoesNotSendTheOrder() async throws {
    let devices = try await Self.filled()
    let (a, b) = (devices.a, devices.b)
    try a.edit { context in
      try context.find("Folder", "name", "f").mutableOrderedSetValue(forKey: "notes")
        .moveObjects(at: IndexSet(integer: 3), to: 0)
    }
    try await a.sync()
    try b.edit { context in
      let folder = try context.find("Folder", "name", "f")
      let notes = try #require(folder.value(forKey: "notes") as? NSOrderedSet)
      for case let note as NSManagedObject in notes.array {
        note.setValue("of b", forKey: "text")
        note.setValue(folder, forKey: "folder")
      }
    }
    try await b.sync()
    let sent = b.line.pushes.last?.records.flatMap { $0.registers.keys } ?? []
    #expect(Set(sent) == ["text"], "\(sent)")
    try await devices.settleWholly()
    for phone in devices.phones { #expect(try Self.row(phone) == ["4", "1", "2", "3"]) }
  }

  /// https://github.com/firebase/firebase-android-sdk/issues/8440: increments and edits around a
  /// network that is switched off and on, with answers that are lost.
  @Test(arguments: Sample.of(0..<4))
  func incrementsAroundANetworkThatComesAndGoes(seed: UInt64) async throws {
    var random = SplitMix64(seed: seed &+ 3)
    let devices = try await Self.filled()
    var total = 0
    for round in 0..<20 {
      let phone = devices.phones[round % 2]
      phone.line.isOffline = Bool.random(using: &random)
      phone.line.lostAnswers = Int.random(in: 0...2, using: &random)
      try phone.edit { context in
        let note = try context.find("Note", "name", "1")
        note.setValue((note.value(forKey: "views") as? Int ?? 0) + 1, forKey: "views")
        try context.find("Note", "name", "2").setValue("\(round)", forKey: "text")
      }
      total += 1
      _ = try? await phone.sync()
      if Int.random(in: 0..<5, using: &random) == 0 { try await phone.restart() }
    }
    for phone in devices.phones { (phone.line.isOffline, phone.line.lostAnswers) = (false, 0) }
    try await devices.settleWholly()
    for phone in devices.phones {
      #expect(
        try phone.read { try $0.find("Note", "name", "1").value(forKey: "views") } as? Int == total)
    }
    try devices.expect("Note", "text", ["19", "nil", "nil", "nil"])
  }

  /// https://github.com/couchbase/couchbase-lite-java-core/issues/1047: logs out, which deletes the
  /// store; others add meanwhile; logs in again at the same place.
  @Test(arguments: [1, 1000])
  func whoLogsInAgainHasEverything(pageLimit: Int) async throws {
    let devices = try await Self.filled()
    let (a, b) = (devices.a, devices.b)
    try await a.engine.close()
    let store = try #require(a.coordinator.persistentStores.first?.url)
    for one in a.coordinator.persistentStores { try a.coordinator.remove(one) }
    try a.coordinator.destroyPersistentStore(at: store, ofType: NSSQLiteStoreType, options: nil)
    try b.edit { context in
      let folder = try context.find("Folder", "name", "f")
      for number in 10..<30 { context.insert("Note", ["name": "\(number)", "folder": folder]) }
      try context.delete(context.find("Note", "name", "1"))
    }
    try await b.sync()
    a.pageLimit = pageLimit
    try await a.restart()
    try await devices.settleWholly()
    let names = ["2", "3", "4"] + (10..<30).map { "\($0)" }
    for phone in devices.phones { #expect(try Self.row(phone) == names) }
    #expect(a.line.pushes.count <= 1)
  }

  /// https://github.com/powersync-ja/powersync-js/issues/634: who writes all the time sees what comes
  /// all the same.
  @Test(arguments: [EngineStep.scanned, .intended, .applied])
  func whoWritesAllTheTimeSeesWhatComes(_ step: EngineStep) async throws {
    let devices = try await Self.filled()
    let (a, b) = (devices.a, devices.b)
    try b.edit { context in
      try context.find("Note", "name", "1").setValue("came", forKey: "text")
      context.insert("Note", ["name": "5"])
    }
    try await b.sync()
    let count = Mutex(0)
    a.onStep = { [unowned a] now in
      guard now == step, count.withLock({ $0 }) < 30 else { return }
      count.withLock { $0 += 1 }
      try a.edit { context in
        let note = try context.find("Note", "name", "2")
        note.setValue("\(count.withLock { $0 })", forKey: "text")
      }
    }
    for _ in 0..<3 { try await a.sync() }
    #expect(try a.values("Note", "name") == ["1", "2", "3", "4", "5"])
    #expect(try a.values("Note", "text").contains("came"))
    a.onStep = nil
    try await devices.settleWholly()
    try devices.expect("Note", "text", try a.values("Note", "text"))
  }

  /// https://github.com/Simperium/simperium-ios/issues/436: what a list has as faults is deleted by a
  /// pull, and read then.
  @Test(arguments: [false, true])
  func faultsOfWhatAPullDeletesAreReadWithoutHarm(merges: Bool) async throws {
    let devices = try await Self.filled()
    let (a, b) = (devices.a, devices.b)
    let view = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    view.persistentStoreCoordinator = a.coordinator
    view.automaticallyMergesChangesFromParent = merges
    let faults = try view.performAndWait {
      let request = NSFetchRequest<NSManagedObject>(entityName: "Note")
      request.includesPropertyValues = false
      request.returnsObjectsAsFaults = true
      return try view.fetch(request)
    }
    #expect(faults.count == 4)
    try b.edit { context in for folder in try context.all("Folder") { context.delete(folder) } }
    try await devices.settleWholly()
    try view.performAndWait { () throws in
      for fault in faults { _ = fault.value(forKey: "name") }
      // A merged deletion may leave what was read before it.
      #expect(merges || faults.allSatisfy { $0.value(forKey: "name") == nil })
      #expect(try view.all("Note").isEmpty)
      if view.hasChanges { try view.save() }
    }
    try await devices.settleWholly()
    try devices.expect("Note", "name", [])
  }

  /// https://github.com/yorkie-team/yorkie/pull/1905: inserted between neighbours that another
  /// removes.
  @Test(arguments: Sample.of([false, true], [false, true]))
  func whatIsInsertedBetweenWhatGoes(isTurned: Bool, isDeleted: Bool) async throws {
    let devices = try await Self.filled()
    let (a, b) = (devices.a, devices.b)
    try a.edit { context in
      let notes = try context.find("Folder", "name", "f").mutableOrderedSetValue(forKey: "notes")
      for name in ["2", "3"] {
        let note = try context.find("Note", "name", name)
        if isDeleted { context.delete(note) } else { notes.remove(note) }
      }
    }
    try b.edit { context in
      let notes = try context.find("Folder", "name", "f").mutableOrderedSetValue(forKey: "notes")
      for (place, name) in [(2, "x"), (3, "y")] {
        notes.insert(context.insert("Note", ["name": name]), at: place)
      }
    }
    for phone in isTurned ? [b, a] : [a, b] { try await phone.sync() }
    try await devices.settleWholly()
    for phone in devices.phones { #expect(try Self.row(phone) == ["1", "x", "y", "4"]) }
  }

  /// https://github.com/realm/realm-core/pull/7155, https://github.com/realm/realm-core/pull/7112:
  /// the server is reset while lists with unsent insertions, moves and members wait: nothing is there
  /// twice, and what the server has deleted does not come back by a list.
  @Test(arguments: Sample.of(["same", "older", "empty"], [false, true]))
  func aResetServerDoublesNoList(_ server: String, isFrozen: Bool) async throws {
    let devices = try await Self.filled()
    let (a, b) = (devices.a, devices.b)
    let older = devices.cloud.withServer { $0 }
    try b.edit { try $0.delete($0.find("Tag", "name", "t")) }
    if server == "same" { try await b.sync() }
    a.line.isOffline = true
    try a.edit { context in
      let notes = try context.find("Folder", "name", "f").mutableOrderedSetValue(forKey: "notes")
      notes.moveObjects(at: IndexSet(integer: 3), to: 0)
      let new = context.insert("Note", ["name": "5"])
      notes.insert(new, at: 2)
      new.mutableSetValue(forKey: "tags").add(try context.find("Tag", "name", "t"))
    }
    if isFrozen { _ = try? await a.sync() }
    switch server {
    case "same": devices.cloud.restore(devices.cloud.withServer { $0 })
    case "older": devices.cloud.restore(older)
    default: devices.cloud.restore()
    }
    a.line.isOffline = false
    try await devices.settle()
    try await devices.settleWholly()
    for phone in devices.phones { #expect(try Self.row(phone) == ["4", "1", "5", "2", "3"]) }
    try devices.expect("Tag", "name", [])
    try devices.expect("Note", "name", ["1", "2", "3", "4", "5"])
  }

  /// https://github.com/konabe-studio/konode/issues/16: what deletes nearly everything is a deletion
  /// like any other; without a history it is asked, and counts once somebody says so.
  @Test(arguments: [false, true])
  func nearlyEverythingIsDeleted(isHistoryPurged: Bool) async throws {
    let devices = try await Self.filled()
    let (a, b) = (devices.a, devices.b)
    try a.edit { context in
      for number in 0..<400 { context.insert("Note", ["name": "n\(number)"]) }
    }
    try await devices.settle()
    try a.edit { context in
      for note in try context.all("Note") where note.value(forKey: "name") as? String != "1" {
        context.delete(note)
      }
    }
    if isHistoryPurged {
      try a.coordinator.purgeHistory()
      let error = await #expect(throws: SyncError.self) { try await a.sync() }
      #expect(error == .missingObjects(403))
      try await b.sync()
      #expect(try b.count("Note") == 404)
      try await a.engine.acceptDeletions()
    }
    try await devices.settleWholly()
    try devices.expect("Note", "name", ["1"])
  }

  /// https://github.com/jeiel85/markleaf-android/issues/148: deleted, the application killed at once
  /// and started again, with or without a network.
  @Test(arguments: Sample.of([false, true], [false, true]))
  func whatIsDeletedBeforeAKillStaysDeleted(isOffline: Bool, otherEdits: Bool) async throws {
    let devices = try await Self.filled()
    let (a, b) = (devices.a, devices.b)
    try a.edit { try $0.delete($0.find("Note", "name", "1")) }
    a.line.isOffline = isOffline
    try await a.restart()
    _ = try? await a.sync()
    #expect(try a.values("Note", "name") == ["2", "3", "4"])
    if otherEdits {
      try b.edit { try $0.find("Note", "name", "1").setValue("of b", forKey: "text") }
      try await b.sync()
    }
    try await a.restart()
    a.line.isOffline = false
    try await devices.settleWholly()
    try devices.expect("Note", "name", ["2", "3", "4"])
    if otherEdits { #expect(b.engine.status.losses.contains { $0.value == .text("of b") }) }
  }

  /// https://github.com/Mimetis/Dotmim.Sync/issues/288: a record that one deletes and the other edits,
  /// both ways, with what is known of old changes thrown away in between.
  @Test(arguments: Sample.of([false, true], [false, true]))
  func aDeletionAndAnEditWithoutAHistory(deleterIsFirst: Bool, purgesDeleter: Bool) async throws {
    let devices = try await Self.filled()
    let (a, b) = (devices.a, devices.b)
    try a.edit { try $0.delete($0.find("Note", "name", "1")) }
    try b.edit { try $0.find("Note", "name", "1").setValue("of b", forKey: "text") }
    try (purgesDeleter ? a : b).coordinator.purgeHistory()
    for phone in deleterIsFirst ? [a, b] : [b, a] { try await phone.sync() }
    try await devices.settleWholly()
    try devices.expect("Note", "name", ["2", "3", "4"])
    #expect(b.engine.status.losses.contains { $0.value == .text("of b") })
  }

  /// https://github.com/apache/pouchdb/issues/2779: who comes back from a backup with an old revision
  /// of what is deleted does not revive it, with or without an edit of it.
  @Test(arguments: [false, true])
  func anOldRevisionOfWhatIsDeletedStaysDeleted(isEdited: Bool) async throws {
    let devices = try await Self.filled()
    let (a, b) = (devices.a, devices.b)
    let backup = try a.backUp()
    try b.edit { context in
      try context.delete(context.find("Note", "name", "1"))
      try context.delete(context.find("Folder", "name", "g"))
    }
    try await devices.settle()
    try await a.restart(files: backup)
    if isEdited {
      try a.edit { try $0.find("Note", "name", "1").setValue("old", forKey: "text") }
    }
    try await devices.settleWholly()
    try devices.expect("Note", "name", ["2", "3", "4"])
    try devices.expect("Folder", "name", ["f"])
    if isEdited { #expect(a.engine.status.losses.contains { $0.value == .text("old") }) }
  }
}
