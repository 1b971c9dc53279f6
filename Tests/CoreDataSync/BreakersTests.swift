import CoreData
import TestSupport
import Testing

@testable import CoreDataSync

/// Two devices that edit the same things without knowing of each other, whichever of them is
/// connected first: they show the same in the end, and what the article says.
@Suite struct BreakersTests {
  struct Case: Sendable, CustomStringConvertible {
    let description: String
    /// Before both part.
    var before: (@Sendable (NSManagedObjectContext) throws -> Void)?
    let a: @Sendable (NSManagedObjectContext) throws -> Void
    let b: @Sendable (NSManagedObjectContext) throws -> Void
    /// What both show in the end, of what is asked for.
    let shows: @Sendable (NSManagedObjectContext) throws -> [String]
    let expected: [String]
    /// Whether somebody is told of a loss; nil where it may be so or not.
    var isTold: Bool?
  }

  @Test(arguments: Sample.of(cases, [false, true]))
  func twoThatEditTheSameShowTheSame(_ one: Case, isTurned: Bool) async throws {
    let two = try await Two.withNotes()
    if let before = one.before {
      try two.a.edit(before)
      try await two.settle()
    }
    try two.a.edit(one.a)
    try two.b.edit(one.b)
    let order = isTurned ? [two.b, two.a] : [two.a, two.b]
    for _ in 0..<3 { for phone in order { try await phone.sync() } }
    for phone in order {
      #expect(try phone.read(one.shows) == one.expected)
      #expect(phone.engine.status.toSend == 0 && phone.engine.status.held.isEmpty)
    }
    #expect(try picture(two.a) == picture(two.b))
    if let isTold = one.isTold {
      #expect(order.contains { $0.engine.status.lossCount > 0 } == isTold)
    }
    // A third that comes later has the same.
    let third = try Phone(two.cloud)
    for _ in 0..<2 { try await third.sync() }
    #expect(try picture(third) == picture(two.a))
    for phone in order + [third] { try await phone.engine.close() }
  }

  private func picture(_ phone: Phone) throws -> [String] {
    try phone.read { context in
      func title(_ object: Any?) -> String {
        guard let object = object as? NSManagedObject else { return "-" }
        let name = ["title", "name", "color", "text"].first {
          object.entity.attributesByName[$0] != nil
        }
        return name.flatMap { object.value(forKey: $0) as? String } ?? "nil"
      }
      var rows: [String] = []
      for entity in ["Account", "Folder", "Note", "Cover", "Line", "Tag"] {
        for object in try context.all(entity) {
          let attributes = object.entity.attributesByName.keys.sorted().map { name in
            object.value(forKey: name).map { "\($0)" } ?? "nil"
          }
          let others = object.entity.relationshipsByName.sorted { $0.key < $1.key }.map { name, _ in
            switch object.value(forKey: name) {
            case let row as NSOrderedSet: row.array.map(title).joined(separator: ",")
            case let set as Set<NSManagedObject>: set.map(title).sorted().joined(separator: ",")
            case let one: title(one)
            }
          }
          rows.append(([entity] + attributes + others).joined(separator: " "))
        }
      }
      return rows.sorted()
    }
  }

  // MARK: - What they do

  private static func titles(_ entity: String, _ key: String = "title")
    -> @Sendable (NSManagedObjectContext) throws -> [String]
  {
    { context in try context.all(entity).map { $0.value(forKey: key) as? String ?? "nil" }.sorted()
    }
  }

  private static func notes(of folder: String)
    -> @Sendable (NSManagedObjectContext) throws -> [String]
  {
    { context in
      let row = try context.find("Folder", "title", folder).value(forKey: "notes") as? NSOrderedSet
      return (row?.array ?? []).map {
        ($0 as? NSManagedObject)?.value(forKey: "title") as? String ?? ""
      }
    }
  }

  private static func set(_ entity: String, _ title: String, _ key: String, _ value: any Sendable)
    -> @Sendable (NSManagedObjectContext) throws -> Void
  {
    { context in
      let name = entity == "Tag" || entity == "Account" ? "name" : "title"
      try context.find(entity, name, title).setValue(value, forKey: key)
    }
  }

  private static func delete(_ entity: String, _ title: String, _ key: String = "title")
    -> @Sendable (NSManagedObjectContext) throws -> Void
  {
    { context in context.delete(try context.find(entity, key, title)) }
  }

  private static func move(_ note: String, _ folder: String?)
    -> @Sendable (NSManagedObjectContext) throws -> Void
  {
    { context in
      let target = try folder.map { try context.find("Folder", "title", $0) }
      try context.find("Note", "title", note).setValue(target, forKey: "folder")
    }
  }

  private static let twoTags: @Sendable (NSManagedObjectContext) throws -> Void = { context in
    let tags = ["t", "u"].map { context.insert("Tag", ["name": $0]) }
    try context.find("Note", "title", "n").setValue([tags[0]] as Set, forKey: "tags")
  }

  private static func tag(_ name: String, _ note: String, _ isOn: Bool = true)
    -> @Sendable (NSManagedObjectContext) throws -> Void
  {
    { context in
      let tags = try context.find("Note", "title", note).mutableSetValue(forKey: "tags")
      let tag = try context.find("Tag", "name", name)
      if isOn { tags.add(tag) } else { tags.remove(tag) }
    }
  }

  private static let tagged: @Sendable (NSManagedObjectContext) throws -> [String] = { context in
    try context.all("Tag").map { tag in
      let notes = (tag.value(forKey: "notes") as? Set<NSManagedObject> ?? [])
        .compactMap { $0.value(forKey: "title") as? String }.sorted().joined(separator: ",")
      return "\(tag.value(forKey: "name") ?? ""):\(notes)"
    }.sorted()
  }

  private static let cases: [Case] = [
    Case(
      description: "both rename a note", a: set("Note", "n", "title", "of a"),
      b: set("Note", "n", "title", "of b"), shows: titles("Note"), expected: ["m", "of b"],
      isTold: true),
    Case(
      description: "each sets another attribute", a: set("Note", "n", "title", "of a"),
      b: set("Note", "n", "lo", 2),
      shows: { try [$0.find("Note", "title", "of a").value(forKey: "lo").map { "\($0)" } ?? ""] },
      expected: ["2"], isTold: false),
    Case(
      description: "an edit and a deletion", a: set("Note", "n", "title", "of a"),
      b: delete("Note", "n"), shows: titles("Note"), expected: ["m"], isTold: true),
    Case(
      description: "both delete", a: delete("Note", "n"), b: delete("Note", "n"),
      shows: titles("Note"), expected: ["m"], isTold: false),
    Case(
      description: "a list is deleted, and added to", a: delete("Folder", "X"),
      b: { context in
        let folder = try context.find("Folder", "title", "X")
        context.insert("Note", ["title": "new", "folder": folder])
      }, shows: titles("Note"), expected: ["m"], isTold: true),
    Case(
      description: "a list is deleted, and a note moved out of it", a: delete("Folder", "X"),
      b: move("n", "Y"), shows: titles("Note"), expected: ["m", "n"], isTold: false),
    Case(
      description: "a note is moved into a list that is deleted", a: move("m", "X"),
      b: delete("Folder", "X"), shows: titles("Note"), expected: [], isTold: nil),
    Case(
      description: "a note is moved to two places", a: move("n", "Y"), b: move("n", nil),
      shows: notes(of: "Y"), expected: ["m"], isTold: nil),
    Case(
      description: "each moves one list into the other",
      a: { context in
        try context.find("Folder", "title", "X")
          .setValue(context.find("Folder", "title", "Y"), forKey: "up")
      },
      b: { context in
        try context.find("Folder", "title", "Y")
          .setValue(context.find("Folder", "title", "X"), forKey: "up")
      },
      shows: { context in
        // The one that comes to the server first.
        try context.all("Folder").filter { $0.value(forKey: "up") != nil }.map { _ in "moved" }
      }, expected: ["moved"], isTold: nil),
    Case(
      description: "both add to a counter", a: set("Folder", "X", "count", 2),
      b: set("Folder", "X", "count", 3),
      shows: { try ["\($0.find("Folder", "title", "X").value(forKey: "count") ?? "")"] },
      expected: ["5"], isTold: false),
    Case(
      description: "a counter of what is deleted", a: set("Folder", "X", "count", 2),
      b: delete("Folder", "X"), shows: titles("Folder"), expected: ["Y"], isTold: nil),
    Case(
      description: "both make one tag", a: { $0.insert("Tag", ["name": "t", "uses": 1]) },
      b: { $0.insert("Tag", ["name": "t", "uses": 2]) },
      shows: { try $0.all("Tag").map { "\($0.value(forKey: "uses") ?? "")" } }, expected: ["3"],
      isTold: nil),
    Case(
      description: "both make one tag, for other notes",
      a: { context in
        let note = try context.find("Note", "title", "n")
        context.insert("Tag", ["name": "t"]).setValue([note] as Set, forKey: "notes")
      },
      b: { context in
        let note = try context.find("Note", "title", "m")
        context.insert("Tag", ["name": "t"]).setValue([note] as Set, forKey: "notes")
      }, shows: tagged, expected: ["t:m,n"], isTold: nil),
    Case(
      description: "a tag gets the name of one that is made", before: twoTags,
      a: set("Tag", "t", "name", "x"), b: { $0.insert("Tag", ["name": "x"]) }, shows: tagged,
      expected: ["u:", "x:n"], isTold: nil),
    Case(
      description: "two tags get one name", before: twoTags, a: set("Tag", "t", "name", "x"),
      b: set("Tag", "u", "name", "x"), shows: tagged, expected: ["x:n"], isTold: nil),
    Case(
      description: "a tag's name is given to another one", before: twoTags,
      a: set("Tag", "t", "name", "x"),
      b: { context in
        context.delete(try context.find("Tag", "name", "t"))
        try context.save()
        try context.find("Tag", "name", "u").setValue("t", forKey: "name")
      }, shows: tagged, expected: ["t:"], isTold: true),
    Case(
      description: "one tags, the other takes a tag off", before: twoTags, a: tag("u", "n"),
      b: tag("t", "n", false), shows: tagged, expected: ["t:", "u:n"], isTold: false),
    Case(
      description: "a tag is deleted, and used", before: twoTags, a: delete("Tag", "t", "name"),
      b: tag("t", "m"), shows: tagged, expected: ["u:"], isTold: nil),
    Case(
      description: "both tag alike", before: twoTags, a: tag("u", "m"), b: tag("u", "m"),
      shows: tagged, expected: ["t:n", "u:m"], isTold: false),
    Case(
      description: "each gives the cover to another note",
      a: { context in
        try context.find("Cover", "color", "c")
          .setValue(context.find("Note", "title", "m"), forKey: "note")
      },
      b: { context in
        let note = context.insert("Note", ["title": "new"])
        try context.find("Cover", "color", "c").setValue(note, forKey: "note")
      },
      shows: { context in
        try context.all("Note").filter { $0.value(forKey: "cover") != nil }
          .map { $0.value(forKey: "title") as? String ?? "" }
      }, expected: ["new"], isTold: nil),
    Case(
      description: "a cover is deleted, and given to another note",
      a: delete("Cover", "c", "color"),
      b: { context in
        try context.find("Cover", "color", "c")
          .setValue(context.find("Note", "title", "m"), forKey: "note")
      }, shows: titles("Cover", "color"), expected: [], isTold: nil),
    Case(
      description: "a note is deleted, and gets a line", a: delete("Note", "n"),
      b: { context in
        let note = try context.find("Note", "title", "n")
        context.insert("Line", ["text": "l", "note": note])
      }, shows: titles("Line", "text"), expected: [], isTold: true),
    Case(
      description: "an account is deleted with its lists, and gets another one",
      a: { context in
        for title in ["X", "Y"] { context.delete(try context.find("Folder", "title", title)) }
        try context.save()
        context.delete(try context.find("Account", "name", "a"))
      },
      b: { context in
        let account = try context.find("Account", "name", "a")
        context.insert("Folder", ["title": "Z", "account": account])
      }, shows: titles("Folder"), expected: ["Z"], isTold: nil),
    Case(
      description: "a note is deleted and made again, and edited",
      a: { context in
        context.delete(try context.find("Note", "title", "n"))
        try context.save()
        context.insert("Note", ["title": "n", "lo": 3])
      }, b: set("Note", "n", "lo", 2),
      shows: { context in
        try context.all("Note").filter { $0.value(forKey: "title") as? String == "n" }
          .map { "\($0.value(forKey: "lo") ?? "")" }
      }, expected: ["3"], isTold: true),
    Case(
      description: "a title is changed and changed back, and changed",
      a: { context in
        let note = try context.find("Note", "title", "n")
        note.setValue("x", forKey: "title")
        try context.save()
        note.setValue("n", forKey: "title")
      }, b: set("Note", "n", "title", "of b"), shows: titles("Note"), expected: ["m", "of b"],
      isTold: false),
    Case(
      description: "both move the notes of a list",
      before: { context in
        let folder = try context.find("Folder", "title", "X")
        for title in ["o", "p"] { context.insert("Note", ["title": title, "folder": folder]) }
      },
      a: { context in
        let folder = try context.find("Folder", "title", "X")
        folder.mutableOrderedSetValue(forKey: "notes").moveObjects(at: [0], to: 2)
      },
      b: { context in
        let folder = try context.find("Folder", "title", "X")
        context.insert("Note", ["title": "q", "folder": folder])
      }, shows: { try notes(of: "X")($0).sorted() }, expected: ["n", "o", "p", "q"], isTold: false),
    Case(
      description: "a list is made for a note that is moved elsewhere",
      a: { context in
        let account = try context.find("Account", "name", "a")
        let folder = context.insert("Folder", ["title": "Z", "account": account])
        try context.find("Note", "title", "n").setValue(folder, forKey: "folder")
      }, b: move("n", "Y"), shows: { try notes(of: "Y")($0).sorted() }, expected: ["m", "n"],
      isTold: nil),
    Case(
      description: "one deletes everything, the other adds",
      a: { context in
        for entity in ["Note", "Cover", "Folder"] {
          for object in try context.all(entity) { context.delete(object) }
          try context.save()
        }
      },
      b: { $0.insert("Note", ["title": "new"]) }, shows: titles("Note"), expected: ["new"],
      isTold: false),
    Case(
      description: "a value is emptied, and set", a: set("Note", "n", "lo", 2),
      b: { try $0.find("Note", "title", "n").setValue(nil, forKey: "lo") },
      shows: { context in
        try [context.find("Note", "title", "n").value(forKey: "lo").map { "\($0)" } ?? "nil"]
      }, expected: ["nil"], isTold: true),
    Case(
      description: "a note is deleted, and its list too", a: delete("Note", "n"),
      b: delete("Folder", "X"), shows: titles("Note"), expected: ["m"], isTold: false),
  ]
}
