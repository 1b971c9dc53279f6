import CoreData
import Testing

@testable import CoreDataSync

/// Two phones and a server.
struct Two {
  let cloud = Cloud(model: HistoriesModel.full, configuration: HistoriesModel.configuration)
  let a: Phone
  let b: Phone

  init() async throws {
    a = try Phone(cloud)
    b = try Phone(cloud)
  }

  /// An account, folders X and Y, note n in X with cover c, note m in Y: on both.
  static func withNotes() async throws -> Two {
    let two = try await Two()
    try two.a.edit { context in
      let account = context.insert("Account", ["name": "a"])
      let x = context.insert("Folder", ["title": "X", "account": account])
      let y = context.insert("Folder", ["title": "Y", "account": account])
      let cover = context.insert("Cover", ["color": "c"])
      context.insert("Note", ["title": "n", "lo": 1, "hi": 5, "folder": x, "cover": cover])
      context.insert("Note", ["title": "m", "lo": 1, "hi": 5, "folder": y])
    }
    try await two.settle()
    return two
  }

  func settle() async throws {
    for _ in 0..<3 {
      try await a.sync()
      try await b.sync()
    }
  }
}

/// What the rules save that agreement alone does not show.
@Suite struct RulesTests {
  @Test func insertionsArriveWithAllTheirProperties() async throws {
    let two = try await Two.withNotes()
    #expect(try two.b.values("Note", "title") == ["m", "n"])
    try two.b.read { context in
      let note = try context.find("Note", "title", "n")
      #expect(note.value(forKeyPath: "folder.title") as? String == "X")
      #expect(note.value(forKeyPath: "cover.color") as? String == "c")
      #expect(note.value(forKeyPath: "folder.account.name") as? String == "a")
      #expect((note.value(forKey: "hi") as? NSNumber)?.intValue == 5)
    }
  }

  @Test func aNoteThatWasMovedOutOfADeletedFolderLives() async throws {
    let two = try await Two.withNotes()
    try two.b.edit { context in
      try context.find("Note", "title", "n").setValue(
        context.find("Folder", "title", "Y"), forKey: "folder")
    }
    try two.a.edit { try $0.delete($0.find("Folder", "title", "X")) }
    #expect(try two.a.values("Note", "title") == ["m"])
    try await two.settle()
    #expect(try two.a.values("Note", "title") == ["m", "n"])
    #expect(try two.b.values("Note", "title") == ["m", "n"])
    #expect(try two.a.values("Folder", "title") == ["Y"])
  }

  @Test func aCoverThatWasGivenToAnotherNoteIsKeptByIt() async throws {
    let two = try await Two.withNotes()
    try two.b.edit { context in
      try context.find("Note", "title", "m").setValue(
        context.find("Cover", "color", "c"), forKey: "cover")
    }
    try two.a.edit { try $0.delete($0.find("Note", "title", "n")) }
    try await two.settle()
    for phone in [two.a, two.b] {
      try phone.read { context in
        let cover = try context.find("Cover", "color", "c")
        #expect(cover.value(forKeyPath: "note.title") as? String == "m")
      }
    }
  }

  @Test func aLostClaimDoesNotComeBackUnasked() async throws {
    let two = try await Two.withNotes()
    try two.a.edit { $0.insert("Cover", ["color": "c2"]) }
    try await two.settle()
    for (phone, title) in [(two.a, "n"), (two.b, "m")] {
      try phone.edit { context in
        try context.find("Note", "title", title).setValue(
          context.find("Cover", "color", "c2"), forKey: "cover")
      }
    }
    try await two.settle()
    try two.b.edit { try $0.find("Note", "title", "m").setValue(nil, forKey: "cover") }
    try await two.settle()
    for phone in [two.a, two.b] {
      try phone.read { context in
        let cover = try context.find("Cover", "color", "c2")
        #expect(cover.value(forKey: "note") == nil)
      }
    }
  }

  @Test func denyKeepsAnAccountThatAnotherDeviceUses() async throws {
    let two = try await Two()
    try two.a.edit { $0.insert("Account", ["name": "a"]) }
    try await two.settle()
    try two.b.edit { context in
      context.insert("Folder", ["title": "F", "account": try context.find("Account", "name", "a")])
    }
    try two.a.edit { try $0.delete($0.find("Account", "name", "a")) }
    try await two.settle()
    for phone in [two.a, two.b] {
      #expect(try phone.values("Account", "name") == ["a"])
      #expect(try phone.values("Folder", "title") == ["F"])
    }
  }

  /// Of two moves that make a circle together the one that the server gets last is undone: what was
  /// moved is where it was, with what hangs on it, and whoever moved it is told.
  @Test(arguments: [false, true], [(true, 1), (true, 500), (false, 1), (false, 500)])
  func ofTwoMovesThatMakeACircleTheLastIsUndone(
    isInOrder: Bool, others: (areRoots: Bool, pageLimit: Int)
  ) async throws {
    let (areRoots, pageLimit) = others
    let two = try await Two.withNotes()
    for phone in [two.a, two.b] { phone.pageLimit = pageLimit }
    if !areRoots {
      try two.a.edit { context in
        let root = context.insert(
          "Folder", ["title": "R", "account": try context.find("Account", "name", "a")])
        for title in ["X", "Y"] {
          try context.find("Folder", "title", title).setValue(root, forKey: "up")
        }
      }
      try await two.settle()
    }
    for (phone, child, parent) in [(two.a, "X", "Y"), (two.b, "Y", "X")] {
      try phone.edit { context in
        try context.find("Folder", "title", child).setValue(
          context.find("Folder", "title", parent), forKey: "up")
      }
    }
    for phone in isInOrder ? [two.a, two.b] : [two.b, two.a] { try await phone.sync() }
    try await two.settle()
    let (moved, undone) = isInOrder ? ("X", "Y") : ("Y", "X")
    for phone in [two.a, two.b] {
      try phone.read { context in
        for (name, up) in [(moved, undone), (undone, areRoots ? nil : "R")] {
          let folder = try context.find("Folder", "title", name)
          #expect(folder.value(forKeyPath: "up.title") as? String == up)
        }
      }
      #expect(try phone.values("Note", "title") == ["m", "n"])
    }
    let (first, last) = isInOrder ? (two.a, two.b) : (two.b, two.a)
    #expect(first.engine.status.losses.isEmpty)
    #expect(last.engine.status.losses.map(\.property) == ["up"])
  }

  @Test func aClockOf2030DoesNotWinForYears() async throws {
    let two = try await Two.withNotes()
    two.a.skew = 100_000_000
    try two.a.edit { try $0.find("Note", "title", "n").setValue("wrong clock", forKey: "title") }
    try await two.settle()
    two.cloud.now += 3_600_000
    try two.b.edit {
      try $0.find("Note", "title", "wrong clock").setValue("later", forKey: "title")
    }
    try await two.settle()
    #expect(try two.a.values("Note", "title") == ["later", "m"])
  }

  @Test func anEditOfAMonthAgoLosesToTodays() async throws {
    let two = try await Two.withNotes()
    try two.b.edit { try $0.find("Note", "title", "n").setValue("a month ago", forKey: "title") }
    two.cloud.now += 2_592_000_000
    try two.a.edit { try $0.find("Note", "title", "n").setValue("today", forKey: "title") }
    try await two.a.sync()
    try await two.settle()
    #expect(try two.a.values("Note", "title") == ["m", "today"])
    #expect(try two.b.values("Note", "title") == ["m", "today"])
    let losses = two.b.engine.status.losses
    #expect(losses.map(\.value) == [.text("a month ago")])
    #expect(losses.map(\.reason) == [.overwritten])
  }

  @Test func anEditBetweenIntentAndSaveIsNotOverwritten() async throws {
    let two = try await Two.withNotes()
    try two.a.edit { try $0.find("Note", "title", "n").setValue("from a", forKey: "title") }
    try await two.a.sync()
    let b = two.b
    b.onStep = { [unowned b] step in
      guard step == .intended else { return }
      b.onStep = nil
      try b.edit { try $0.find("Note", "title", "n").setValue("from b, later", forKey: "title") }
    }
    try await two.settle()
    #expect(try two.a.values("Note", "title") == ["from b, later", "m"])
    #expect(try two.b.values("Note", "title") == ["from b, later", "m"])
  }

  @Test func incrementsOfTwoDevicesAddUp() async throws {
    let two = try await Two.withNotes()
    for (phone, amount) in [(two.a, 3), (two.b, 4)] {
      try phone.edit { try $0.find("Folder", "title", "X").setValue(amount, forKey: "count") }
    }
    try await two.settle()
    for phone in [two.a, two.b] { #expect(try phone.values("Folder", "count") == ["0", "7"]) }
  }

  @Test func objectsWithOneUniqueValueAreMerged() async throws {
    let two = try await Two()
    try two.a.edit { $0.insert("Tag", ["name": "x", "hue": "red"]) }
    try two.b.edit { $0.insert("Tag", ["name": "x", "hue": "blue"]) }
    try await two.settle()
    for phone in [two.a, two.b] {
      #expect(try phone.values("Tag", "name") == ["x"])
      #expect(try phone.values("Tag", "hue") == ["blue"])
    }
  }

  @Test func listsKeepTheOrderThatWasGivenThem() async throws {
    let two = try await Two.withNotes()
    try two.a.edit { context in
      let x = try context.find("Folder", "title", "X")
      for title in ["o", "p", "q"] { context.insert("Note", ["title": title, "folder": x]) }
    }
    try await two.settle()
    try two.a.edit { context in
      let notes = try context.find("Folder", "title", "X").mutableOrderedSetValue(forKey: "notes")
      notes.moveObjects(at: IndexSet(integer: 3), to: 0)
    }
    try two.b.edit { context in
      context.insert("Note", ["title": "r", "folder": try context.find("Folder", "title", "X")])
    }
    try await two.settle()
    for phone in [two.a, two.b] {
      let row = try phone.read { context in
        let notes = try context.find("Folder", "title", "X").value(forKey: "notes") as? NSOrderedSet
        return notes?.array.map { ($0 as? NSManagedObject)?.value(forKey: "title") as? String }
      }
      #expect(row == ["q", "n", "o", "p", "r"])
    }
  }

  @Test func whatWouldBeInvalidIsHeldAndTriedAgain() async throws {
    let two = try await Two.withNotes()
    try two.a.edit { try $0.find("Note", "title", "n").setValue(4, forKey: "lo") }
    try two.b.edit { try $0.find("Note", "title", "n").setValue(2, forKey: "hi") }
    try await two.settle()
    let held = try await two.a.held() + two.b.held()
    #expect(!held.isEmpty)
    #expect(two.a.engine.status.held.isEmpty == (try await two.a.held()).isEmpty)
    try two.b.edit { context in
      let note = try context.find("Note", "title", "n")
      note.setValue(0, forKey: "lo")
      note.setValue(9, forKey: "hi")
    }
    try await two.settle()
    #expect(try await (two.a.held() + two.b.held()).isEmpty)
    #expect(try two.a.values("Note", "lo") == ["0", "1"])
    #expect(try two.a.values("Note", "hi") == ["5", "9"])
  }
}
