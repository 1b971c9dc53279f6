import CoreData
import CoreDataSupport
import Foundation
import Synchronization
import Testing
import TestSupport

@testable import CoreDataSync

/// What may become of a store and of sync's own store beside it.
enum Damage: String, CaseIterable {
  case storeIsOlder, syncIsOlder, syncIsMissing, storeIsMissing, bothAreOlder, bothAreCopied
  case syncAndHistoryAreMissing

  var touchesStore: Bool { [.storeIsOlder, .storeIsMissing, .bothAreOlder].contains(self) }
}

/// A store and sync's own beside it that are of different days, as after a backup was played back:
/// nothing is there twice, nothing is lost that the store has, and all devices are equal.
@Suite struct DifferentDaysTests {
  /// The files of a store, or of sync's own.
  private static func remove(_ isSync: Bool, in folder: URL) throws {
    for file in try FileManager.default.contentsOfDirectory(atPath: folder.path)
    where file.contains("-sync") == isSync {
      try FileManager.default.removeItem(at: folder.appendingPathComponent(file))
    }
  }

  private static func copy(_ isSync: Bool, from: URL, to folder: URL) throws {
    try remove(isSync, in: folder)
    for file in try FileManager.default.contentsOfDirectory(atPath: from.path)
    where file.contains("-sync") == isSync {
      try FileManager.default.copyItem(
        at: from.appendingPathComponent(file), to: folder.appendingPathComponent(file))
    }
  }

  /// The phone's files as they are, with the damage done to them.
  private func files(of phone: Phone, _ damage: Damage, backup: URL) throws -> URL {
    let files = try phone.backUp()
    switch damage {
    case .storeIsOlder: try Self.copy(false, from: backup, to: files)
    case .syncIsOlder: try Self.copy(true, from: backup, to: files)
    case .syncIsMissing, .syncAndHistoryAreMissing: try Self.remove(true, in: files)
    case .storeIsMissing: try Self.remove(false, in: files)
    case .bothAreOlder:
      try Self.copy(false, from: backup, to: files)
      try Self.copy(true, from: backup, to: files)
    case .bothAreCopied: break
    }
    return files
  }

  /// What a phone shows, but for the order of lists, without the names of objects.
  private func picture(_ phone: Phone) throws -> [String] {
    try phone.read { context in
      func text(_ object: NSManagedObject?, _ key: String) -> String {
        object?.value(forKey: key).map { "\($0)" } ?? "-"
      }
      var rows: [String] = []
      for folder in try context.all("Folder") {
        let account = folder.value(forKey: "account") as? NSManagedObject
        rows.append(
          "folder \(text(folder, "title")) \(text(folder, "count")) of \(text(account, "name"))")
      }
      for note in try context.all("Note") {
        let tags = (note.value(forKey: "tags") as? Set<NSManagedObject> ?? [])
        let cover = note.value(forKey: "cover") as? NSManagedObject
        rows.append(
          "note \(text(note, "title")) \(text(note, "lo")) in "
            + text(note.value(forKey: "folder") as? NSManagedObject, "title")
            + " covered by \(text(cover, "color")) tagged "
            + tags.map { text($0, "name") }.sorted().joined(separator: ","))
      }
      for entity in ["Account", "Cover", "Tag", "Line"] {
        rows.append("\(try context.all(entity).count) of \(entity)")
      }
      return rows.sorted()
    }
  }

  /// Days on which both phones make, change and delete objects.
  private func liveThrough(_ day: Int, _ two: Two) async throws {
    try two.a.edit { context in
      let note = context.insert("Note", ["title": "a\(day)", "lo": day, "hi": 9])
      try note.setValue(context.find("Folder", "title", "X"), forKey: "folder")
      context.insert("Tag", ["name": "tag\(day)"]).setValue([note] as Set, forKey: "notes")
      try context.find("Note", "title", "n").setValue(day, forKey: "lo")
      let folder = try context.find("Folder", "title", "X")
      folder.setValue((folder.value(forKey: "count") as? Int ?? 0) + 1, forKey: "count")
    }
    try await two.settle()
    try two.b.edit { context in
      let note = context.insert("Note", ["title": "b\(day)", "lo": day, "hi": 9])
      try note.setValue(context.find("Folder", "title", "Y"), forKey: "folder")
      try context.find("Note", "title", "m").setValue(day, forKey: "lo")
      context.insert("Line", ["text": "of \(day)", "note": note])
    }
    try await two.settle()
    if day > 1 {
      try two.a.edit { try $0.delete($0.find("Note", "title", "a\(day - 1)")) }
      try two.b.edit { try $0.delete($0.find("Note", "title", "b\(day - 1)")) }
    }
    try await two.settle()
  }

  @Test(arguments: Sample.of(Damage.allCases, [false, true]))
  func storesOfDifferentDaysAreOneAgain(_ damage: Damage, hasUnsent: Bool) async throws {
    for serverHasGoneOn in [false, true] {
      try await check(damage, hasUnsent: hasUnsent, serverHasGoneOn: serverHasGoneOn)
    }
  }

  private func check(_ damage: Damage, hasUnsent: Bool, serverHasGoneOn: Bool) async throws {
    let two = try await Two.withNotes()
    try await liveThrough(1, two)
    let backup = try two.a.backUp()
    try await liveThrough(2, two)
    try await liveThrough(3, two)
    var expected = Set(["n", "m", "a3", "b3"])
    if hasUnsent, !damage.touchesStore {
      // Saved, and not sent, when the damage is done.
      try two.a.edit { context in
        context.insert("Note", ["title": "before"])
        try context.find("Note", "title", "m").setValue("m before", forKey: "title")
        try context.delete(context.find("Note", "title", "b3"))
      }
      expected = expected.subtracting(["m", "b3"]).union(["before", "m before"])
    }
    if damage == .syncAndHistoryAreMissing {
      if hasUnsent { return }  // what is not in the history cannot be known
      try two.a.coordinator.purgeHistory()
    }
    try await two.a.engine.close()
    let files = try files(of: two.a, damage, backup: backup)
    if serverHasGoneOn {
      try two.b.edit { context in
        try context.find("Note", "title", "n").setValue("n of b", forKey: "title")
        context.insert("Note", ["title": "later"])
        try context.delete(context.find("Note", "title", "a3"))
      }
      try await two.b.sync()
      expected = expected.subtracting(["n", "a3"]).union(["n of b", "later"])
      if damage == .syncAndHistoryAreMissing { expected.formUnion(["n", "a3"]) }
    }
    var third: Phone?
    if damage == .bothAreCopied {
      let phone = try Phone(two.cloud)
      try await phone.restart(files: files)
      try await two.a.restart()
      third = phone
    } else {
      try await two.a.restart(files: files)
    }
    if hasUnsent {
      try two.a.edit { context in
        context.insert("Note", ["title": "after"])
        if let folder = try? context.find("Folder", "title", "Y") {
          folder.setValue("Y after", forKey: "title")
        }
      }
      expected.insert("after")
    }
    for _ in 0..<4 {
      try await two.a.sync()
      try await third?.sync()
      try await two.b.sync()
    }
    let name =
      "\(damage.rawValue), unsent \(hasUnsent), server has gone on \(serverHasGoneOn)"
    let titles = try two.b.values("Note", "title")
    #expect(titles == expected.sorted(), "\(name)")
    for phone in [two.a, third].compactMap({ $0 }) {
      let (own, other) = (try picture(phone), try picture(two.b))
      #expect(own == other, "\(name): \(Set(own).symmetricDifference(other))")
      #expect(phone.engine.status.toSend == 0, "\(name)")
      #expect(phone.engine.status.activity == .idle, "\(name)")
    }
    if hasUnsent, damage != .storeIsMissing {
      #expect(try two.b.values("Folder", "title") == ["X", "Y after"], "\(name)")
    }
    if !damage.touchesStore, damage != .syncAndHistoryAreMissing {
      #expect(try two.b.values("Folder", "count") == ["0", "3"], "\(name)")
    }
    // Once healed, they are of one day.
    let before = two.a.line.pulls.count
    try await two.a.restart()
    try await two.a.sync()
    #expect(two.a.line.pulls.dropFirst(before).allSatisfy { $0.cursor > 0 }, "\(name)")
    for phone in [two.a, two.b, third].compactMap({ $0 }) { try await phone.engine.close() }
  }

  /// Nothing says any more which row is which record: a row that is edited before the server has
  /// answered is not taken for what the server has.
  /// After a power failure sync's own store may lack its last saves, with or without a commit of
  /// others' changes among them.
  @Test(
    arguments: Sample.of([1, 3], [[false, false], [false, true], [true, false], [true, true]]))
  func whatAPowerFailureTookOfSyncsStoreIsLearnedAnew(edits: Int, kind: [Bool]) async throws {
    let (hasReceived, isLastUnsent) = (kind[0], kind[1])
    let two = try await Two.withNotes()
    let before = try two.a.backUp()
    for number in 1...edits {
      try two.a.edit { context in
        // What waits for the disk where there are counters.
        if !isLastUnsent {
          let folder = try context.find("Folder", "title", "X")
          folder.setValue((folder.value(forKey: "count") as? Int ?? 0) + 1, forKey: "count")
        }
        try context.find("Note", "title", number == 1 ? "n" : "a\(number - 1)")
          .setValue("a\(number)", forKey: "title")
        context.insert("Account", ["name": "\(number)"])
      }
      if isLastUnsent, number == edits { break }
      try await two.a.sync()
    }
    try await two.b.sync()
    try two.b.edit { context in
      let sent = isLastUnsent ? edits - 1 : edits
      try context.find("Note", "title", sent == 0 ? "n" : "a\(sent)")
        .setValue("of b", forKey: "title")
      context.insert("Tag", ["name": "b"])
    }
    try await two.b.sync()
    if hasReceived { try await two.a.sync() }
    try await two.a.engine.close()
    try await two.a.restart(files: files(of: two.a, .syncIsOlder, backup: before))
    try await two.settle()
    #expect(try picture(two.a) == picture(two.b))
    let counts = try two.b.values("Folder", "count")
    #expect(counts == ["0", isLastUnsent ? "0" : "\(edits)"], "\(edits) \(kind)")
    #expect(try two.b.count("Account") == edits + 1 && two.b.count("Note") == 2)
    // The later edit of the two is there: b's, which knew of what a had sent.
    #expect(try two.a.values("Note", "title").contains("of b"))
    #expect(try await two.a.engine.inspect { !$0.state.hasUnsent })
  }

  @Test(arguments: [false, true])
  func anEditBeforeTheServersAnswerIsNotLost(isDeletion: Bool) async throws {
    let two = try await Two.withNotes()
    try two.a.coordinator.purgeHistory()
    try await two.a.engine.close()
    let files = try two.a.backUp()
    try Self.remove(true, in: files)
    two.a.line.isOffline = true
    try await two.a.restart(files: files)
    await #expect(throws: (any Error).self) { try await two.a.sync() }
    try two.a.edit { context in
      let note = try context.find("Note", "title", "n")
      if isDeletion { context.delete(note) } else { note.setValue("edited", forKey: "title") }
    }
    two.a.line.isOffline = false
    for phone in [two.a, two.b, two.a] { try await phone.sync() }
    let titles = try [two.a, two.b].map { try $0.values("Note", "title") }
    #expect(titles[0] == titles[1])
    if !isDeletion { #expect(titles[0].contains("edited")) }
  }

  /// A program that ends at any step before the server has answered goes on where it was: what
  /// nobody knows any more is not there twice.
  @Test(arguments: Sample.of([false, true], [false, true]))
  func aProgramThatEndsWhileItLearnsGoesOn(isEdited: Bool, hasPages: Bool) async throws {
    let two = try await Two.withNotes()
    for day in 1...2 { try await liveThrough(day, two) }
    try two.a.coordinator.purgeHistory()
    try await two.a.engine.close()
    let files = try two.a.backUp()
    try Self.remove(true, in: files)
    if hasPages { two.a.pageLimit = 2 }
    for last in 1...40 {
      var isDone = false
      try await two.a.restart(files: last == 1 ? files : nil)
      if isEdited, last == 3 {
        try two.a.edit { context in
          try context.find("Note", "title", "n").setValue("edited", forKey: "title")
          context.insert("Note", ["title": "added"])
        }
      }
      // One step further each time.
      let steps = Mutex(0)
      two.a.onStep = { _ in
        if steps.withLock({
          $0 += 1; return $0
        }) == last {
          throw Crash()
        }
      }
      do {
        try await two.a.sync()
        isDone = true
      } catch is Crash {}
      two.a.onStep = nil
      if isDone { break }
    }
    for phone in [two.a, two.b, two.a, two.b] { try await phone.sync() }
    let (own, other) = (try picture(two.a), try picture(two.b))
    #expect(own == other, "\(Set(own).symmetricDifference(other))")
    var titles = ["a2", "b2", "m", "n"]
    // A row that was edited while nobody knew which record it is may be there beside the record.
    if isEdited { titles += ["added", "edited"] }
    #expect(try two.b.values("Note", "title") == titles.sorted())
    for phone in [two.a, two.b] { try await phone.engine.close() }
  }

  enum LateEdit: String, CaseIterable {
    case reference, noReference, counter, place, pair, noPair, deletion, attribute
  }

  /// What a person does when the rows are known again as far as the store says it, and the server has
  /// not answered yet.
  @Test(arguments: Sample.of([Damage.syncIsMissing, .syncAndHistoryAreMissing], [false, true]))
  func anEditBeforeTheFirstAnswerIsKept(_ damage: Damage, isRestarted: Bool) async throws {
    for edit in LateEdit.allCases {
      try await check(edit, damage, isRestarted: isRestarted)
    }
  }

  private func check(_ edit: LateEdit, _ damage: Damage, isRestarted: Bool) async throws {
    let name = "\(edit), \(damage), restarted \(isRestarted)"
    let two = try await Two.withNotes()
    try two.a.edit { context in
      let note = try context.find("Note", "title", "n")
      let tags = ["t", "u"].map { context.insert("Tag", ["name": $0]) }
      note.setValue([tags[0]] as Set, forKey: "tags")
      let folder = try context.find("Folder", "title", "X")
      folder.setValue(5, forKey: "count")
      context.insert("Note", ["title": "o", "folder": folder])
    }
    try await two.settle()
    try await two.a.engine.close()
    let files = try files(of: two.a, damage, backup: two.a.folder)
    try await two.a.restart(files: files)
    if damage == .syncAndHistoryAreMissing { try two.a.coordinator.purgeHistory() }
    let isEdited = Mutex(false)
    two.a.onStep = { [phone = two.a] step in
      guard step == .scanned, !isEdited.withLock({ $0 }) else { return }
      isEdited.withLock { $0 = true }
      try Self.carryOut(edit, by: phone)
      if isRestarted { throw Crash() }
    }
    if isRestarted {
      await #expect(throws: Crash.self) { try await two.a.sync() }
      two.a.onStep = nil
      try await two.a.restart()
    }
    for _ in 0..<2 { for phone in [two.a, two.b] { try await phone.sync() } }
    let (own, other) = (try picture(two.a), try picture(two.b))
    #expect(own == other, "\(name): \(Set(own).symmetricDifference(other))")
    let titles = edit == .deletion ? ["m", "o"] : edit == .attribute ? nil : ["m", "n", "o"]
    for phone in [two.a, two.b] {
      if let titles { #expect(try phone.values("Note", "title") == titles, "\(name)") }
      #expect(try Self.has(edit, phone), "\(name): \(own)")
      try await phone.engine.close()
    }
  }

  private static func carryOut(_ edit: LateEdit, by phone: Phone) throws {
    try phone.edit { context in
      let note = try context.find("Note", "title", "n")
      let x = try context.find("Folder", "title", "X")
      let y = try context.find("Folder", "title", "Y")
      switch edit {
      case .reference: note.setValue(y, forKey: "folder")
      case .noReference: note.setValue(nil, forKey: "folder")
      case .counter: x.setValue(8, forKey: "count")
      case .place: x.mutableOrderedSetValue(forKey: "notes").moveObjects(at: [1], to: 0)
      case .pair:
        note.mutableSetValue(forKey: "tags").add(try context.find("Tag", "name", "u"))
      case .noPair: note.setValue(Set<NSManagedObject>(), forKey: "tags")
      case .deletion: context.delete(note)
      case .attribute: note.setValue("edited", forKey: "title")
      }
    }
  }

  private static func has(_ edit: LateEdit, _ phone: Phone) throws -> Bool {
    try phone.read { context in
      func title(_ object: Any?) -> String? {
        (object as? NSManagedObject)?.value(forKey: "title") as? String
      }
      let x = try context.find("Folder", "title", "X")
      if edit == .deletion { return try context.all("Cover").count == 1 }
      let note = try context.find("Note", "title", edit == .attribute ? "edited" : "n")
      let tags = (note.value(forKey: "tags") as? Set<NSManagedObject> ?? [])
        .compactMap { $0.value(forKey: "name") as? String }.sorted()
      switch edit {
      case .reference: return title(note.value(forKey: "folder")) == "Y"
      case .noReference: return note.value(forKey: "folder") == nil
      case .counter: return x.value(forKey: "count") as? Int == 8
      case .place:
        let row = (x.value(forKey: "notes") as? NSOrderedSet)?.array ?? []
        return row.map { title($0) } == ["o", "n"]
      case .pair: return tags == ["t", "u"]
      case .noPair: return tags == []
      case .deletion, .attribute: return true
      }
    }
  }

  /// A transaction has one name in all copies of a store: what was inserted and not yet read when
  /// the copy was made is there once.
  @Test func whatWasNotReadWhenAStoreWasCopiedIsThereOnce() async throws {
    let two = try await Two.withNotes()
    try two.a.edit { context in
      context.insert("Note", ["title": "new"])
      try context.find("Folder", "title", "X").setValue(3, forKey: "count")
    }
    let copy = try two.a.backUp()
    let third = try Phone(two.cloud)
    try await third.restart(files: copy)
    for phone in [two.a, third, two.b, two.a, third] { try await phone.sync() }
    for phone in [two.a, two.b, third] {
      #expect(try phone.values("Note", "title") == ["m", "n", "new"])
      #expect(try phone.values("Folder", "count") == ["0", "3"])
    }
  }

  /// Neither a server that is empty nor one that is another takes what a device has.
  @Test func anEmptyServerGetsWhatADeviceWithoutSyncsStoreHas() async throws {
    let two = try await Two.withNotes()
    try two.b.edit { context in
      let note = try context.find("Note", "title", "m")
      context.insert("Tag", ["name": "t"]).setValue([note] as Set, forKey: "notes")
      try context.find("Folder", "title", "X").setValue(4, forKey: "count")
    }
    try await two.settle()
    let before = try picture(two.b)
    try await two.b.engine.close()
    let files = try files(of: two.b, .syncIsMissing, backup: two.b.folder)
    two.cloud.restore()
    try await two.b.restart(files: files)
    for _ in 0..<3 { try await two.b.sync() }
    let own = try picture(two.b)
    #expect(own == before, "\(Set(own).symmetricDifference(before))")
    let third = try Phone(two.cloud)
    try await third.sync()
    #expect(try picture(third) == before)
  }

  @Test func aStoreWithObjectsOfAnotherOneIsAsked() async throws {
    let two = try await Two.withNotes()
    try await two.a.engine.close()
    let files = try two.a.backUp()
    try Self.remove(false, in: files)
    let folder = try TestFolder.make()
    let other = NSPersistentStoreCoordinator(managedObjectModel: HistoriesModel.full)
    let store = try other.addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: nil,
      at: folder.appendingPathComponent("store.sqlite"), options: SimulatedDevice.options)
    let context = other.makeContext()
    try context.performAndWait {
      context.insert("Note", ["title": "from elsewhere"])
      try context.save()
      _ = try context.execute(
        NSPersistentHistoryChangeRequest.deleteHistory(before: .distantFuture))
    }
    try other.remove(store)
    try Self.copy(false, from: folder, to: files)
    try await two.a.restart(files: files)
    await #expect(throws: SyncError.otherStore) { try await two.a.sync() }
  }
}
