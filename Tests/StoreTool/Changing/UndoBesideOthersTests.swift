import CoreData
import Foundation
import StoreTool
import TestSupport
import Testing

/// What others change after a change of the command: `undo` takes back the command's own, and leaves and names theirs.
struct UndoBesideOthersTests {
  /// A property of the book “Emma”, with a value that the command gives it and one of others.
  private struct Property {
    let name: String
    let mine: String
    let theirs: String
  }

  private static let properties = [
    Property(name: "title", mine: "Mine", theirs: "Theirs"),
    Property(name: "title", mine: String(repeating: "m", count: 500), theirs: "t"),
    Property(name: "pages", mine: "1", theirs: "2"),
    Property(name: "price", mine: "1.5", theirs: "2.5"),
    Property(name: "published", mine: "2020-02-29", theirs: "2021-03-01"),
    Property(name: "isRead", mine: "false", theirs: "false"),
    Property(name: "code", mine: UUID().uuidString, theirs: UUID().uuidString),
    Property(name: "author", mine: "Author/p2", theirs: ""),
    Property(name: "tags", mine: "Tag/p1", theirs: "Tag/p1,Tag/p2"),
  ]

  private static let emma = "Book/p1"

  private func set(
    _ library: Library, _ property: String, _ value: String, isMine: Bool
  ) throws -> EditReport {
    var edit = Edit(.set, entity: "Book")
    edit.object = Self.emma
    edit.assignments = [
      value.isEmpty && property != "author"
        ? Assignment(clearing: property) : try Assignment("\(property)=\(value)")
    ]
    edit.makesBackup = isMine
    let store = try library.open(isWriting: true)
    defer { store.close() }
    return try edit.run(in: store)
  }

  /// What each property of the book says; its members by name.
  private func values(_ library: Library) throws -> [String: String] {
    let store = try library.open()
    defer { store.close() }
    return try store.withContext { context in
      let book = try store.object(Self.emma, in: context)
      func name(_ member: Any?) -> String {
        guard let member = member as? NSManagedObject else { return "" }
        let key = member.entity.name == "Tag" ? "word" : "name"
        return member.value(forKey: key) as? String ?? ""
      }
      return try Set(Self.properties.map(\.name)).reduce(into: [:]) { values, key in
        switch key {
        case "author": values[key] = name(book.value(forKey: key))
        case "tags":
          let tags = try #require(book.value(forKey: key) as? NSOrderedSet)
          values[key] = tags.array.map(name).joined(separator: ",")
        default: values[key] = book.value(forKey: key).map { "\($0)" } ?? ""
        }
      }
    }
  }

  @Test(arguments: Sample.of(LibraryKind.all.filter(\.isDatabase)))
  func eachPropertyBesideEachOther(_ kind: LibraryKind) throws {
    let library = try kind.library()
    try library.withStates {
      let before = try values(library)
      for mine in Self.properties {
        for theirs in Self.properties {
          #expect(try set(library, mine.name, mine.mine, isMine: true).isSaved)
          _ = try set(library, theirs.name, theirs.theirs, isMine: false)
          let met = try values(library)
          let report = try library.undo()
          let what = "\(mine.name) beside \(theirs.name)"
          let after = try values(library)
          for key in before.keys where key != mine.name && key != theirs.name {
            #expect(after[key] == before[key], "\(what): \(key)")
          }
          if mine.name != theirs.name {
            #expect(after[mine.name] == before[mine.name], "\(what)")
            #expect(after[theirs.name] == met[theirs.name], "\(what)")
            #expect(report.kept == nil, "\(what)")
          } else if mine.name == "tags" {
            // Put together: what the command has added goes, what it has taken comes.
            #expect(after["tags"] == "love", "\(what)")
          } else if mine.mine != theirs.theirs {
            #expect(after[mine.name] == met[mine.name], "\(what)")
            #expect(report.kept == ["\(Self.emma) \(mine.name)"], "\(what)")
          }
          // As it was, for the next pair.
          for (key, value) in [
            ("title", "Emma"), ("pages", "474"), ("price", "9.99"), ("isRead", "true"),
            ("published", "2001-01-01"), ("code", ""), ("author", "Author/p1"),
            ("tags", "Tag/p2"),
          ] where after[key] != before[key] {
            _ = try set(library, key, value, isMine: false)
          }
          #expect(try values(library) == before, "\(what)")
        }
      }
    }
  }

  /// How the command has made the object that others change then.
  enum Making: CaseIterable {
    case insert, session
  }

  @Test(arguments: Sample.of(LibraryKind.all.filter(\.isDatabase), Making.allCases))
  func whatOthersHaveEditedStaysThoughTheCommandHasMadeIt(
    _ kind: LibraryKind, _ making: Making
  ) throws {
    for isEdited in [false, true] {
      let library = try kind.library()
      try library.withStates {
        try make(library, making)
        if isEdited { try setAsAnother(library, "Author", "name == 'Brontë'", "name=Brontë!") }
        let report = try library.undo()
        let names = try library.lines("Author", .csv) { $0.columns = "name" }.dropFirst().sorted()
        #expect(names == (isEdited ? ["Austen", "Brontë!", "Melville"] : ["Austen", "Melville"]))
        #expect((report.kept ?? []).count == (isEdited ? 1 : 0))
      }
    }
  }

  private func make(_ library: Library, _ making: Making) throws {
    let store = try library.open(isWriting: true)
    defer { store.close() }
    switch making {
    case .insert:
      var edit = Edit(.insert, entity: "Author")
      edit.assignments = [try Assignment("name=Brontë")]
      _ = try edit.run(in: store)
    case .session:
      let session = EditSession(store, title: "test", makesBackup: true)
      try store.withContext { context in
        let author = NSEntityDescription.insertNewObject(forEntityName: "Author", into: context)
        author.setValue("Bronte", forKey: "name")
        try session.save(context)
        author.setValue("Brontë", forKey: "name")
        try session.save(context)
      }
    }
  }

  private func setAsAnother(
    _ library: Library, _ entity: String, _ condition: String, _ assignment: String
  ) throws {
    var edit = Edit(.set, entity: entity)
    edit.condition = condition
    edit.assignments = [try Assignment(assignment)]
    edit.makesBackup = false
    let store = try library.open(isWriting: true)
    defer { store.close() }
    _ = try edit.run(in: store)
  }

  /// A book that others have edited keeps the author that came with it.
  @Test(arguments: Sample.of(LibraryKind.all.filter(\.isDatabase), [false, true]))
  func whatStaysKeepsWhatItLeadsTo(_ kind: LibraryKind, isEdited: Bool) throws {
    let library = try kind.library()
    try library.withStates {
      do {
        let store = try library.open(isWriting: true)
        defer { store.close() }
        let session = EditSession(store, title: "test", makesBackup: true)
        try store.withContext { context in
          let author = NSEntityDescription.insertNewObject(forEntityName: "Author", into: context)
          author.setValue("Brontë", forKey: "name")
          let book = NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
          book.setValue("Villette", forKey: "title")
          book.setValue(author, forKey: "author")
          try session.save(context)
        }
      }
      if isEdited { try setAsAnother(library, "Book", "title == 'Villette'", "pages=500") }
      let report = try library.undo()
      let books = try library.lines("Book", .csv) { $0.columns = "title,author.name" }
      #expect(books.contains("Villette,Brontë") == isEdited)
      #expect((report.kept ?? []).count == (isEdited ? 2 : 0))
    }
  }

  /// What goes and comes back within a sitting is what was there before.
  @Test(arguments: Sample.of(LibraryKind.all.filter(\.isDatabase), [false, true]))
  func whatASittingBringsBackIsNotThereTwice(_ kind: LibraryKind, isEdited: Bool) throws {
    let library = try kind.library()
    try library.withStates {
      do {
        let store = try library.open(isWriting: true)
        defer { store.close() }
        let session = EditSession(store, title: "browse", makesBackup: true)
        try store.withContext { context in
          let manager = UndoManager()
          manager.groupsByEvent = false
          context.undoManager = manager
          let tags = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Tag"))
          let sea = try #require(tags.first { $0.value(forKey: "word") as? String == "sea" })
          manager.beginUndoGrouping()
          context.delete(sea)
          context.processPendingChanges()
          manager.endUndoGrouping()
          try session.save(context)
          context.undo()
          try session.save(context)
        }
      }
      if isEdited { try setAsAnother(library, "Tag", "word == 'sea'", "word=ocean") }
      _ = try library.undo()
      let words = try library.lines("Tag", .csv) { $0.columns = "word" }.dropFirst().sorted()
      #expect(words == (isEdited ? ["love", "ocean"] : ["love", "sea"]))
      let counts = try library.lines("Book", .csv) { $0.columns = "tags.@count as n" }.dropFirst()
      #expect(counts.sorted() == ["1", "2"])
    }
  }

  /// A member that the command has taken out comes back to its place, wherever others have put the rest.
  @Test(arguments: Sample.of(LibraryKind.all.filter(\.isDatabase)))
  func anOrderOfOthersStays(_ kind: LibraryKind) throws {
    let library = try kind.library()
    func tags() throws -> String { try #require(values(library)["tags"]) }
    try library.withStates {
      _ = try set(library, "tags", "Tag/p1,Tag/p2", isMine: false)
      #expect(try tags() == "sea,love")
      _ = try set(library, "tags", "Tag/p2", isMine: true)
      let report = try library.undo()
      #expect(try tags() == "sea,love" && report.kept == nil)
    }
  }

  /// Others delete something while a sitting is open, before or after its own edit, or without one.
  @Test(arguments: Sample.of(LibraryKind.all.filter(\.isDatabase), [false, true]))
  func whatOthersDeleteDuringASittingIsNoneOfItsChanges(_ kind: LibraryKind, isEdited: Bool) throws
  {
    let library = try kind.library()
    try library.withStates {
      do {
        let store = try library.open(isWriting: true)
        defer { store.close() }
        let session = EditSession(store, title: "browse", makesBackup: true)
        try store.withContext { context in
          let authors = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Author"))
          let tags = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Tag"))
          let love = try #require(tags.first { $0.value(forKey: "word") as? String == "love" })
          try delete(library, love.objectID)
          try context.mergeRemoteChanges([NSDeletedObjectIDsKey: Set([love.objectID])])
          if isEdited { authors.first?.setValue("Edited", forKey: "name") }
          try session.save(context)
          #expect((session.backup != nil) == isEdited)
        }
      }
      if isEdited { _ = try library.undo() }
      let words = try library.lines("Tag", .csv) { $0.columns = "word" }.dropFirst()
      #expect(Array(words) == ["sea"])
      let names = try library.lines("Author", .csv) { $0.columns = "name" }.dropFirst().sorted()
      #expect(names == ["Austen", "Melville"])
    }
  }

  private func delete(_ library: Library, _ id: NSManagedObjectID) throws {
    let store = try library.open(isWriting: true)
    defer { store.close() }
    try store.withContext { context in
      context.delete(
        try store.object(
          "Tag/p\(id.uriRepresentation().lastPathComponent.dropFirst())", in: context))
      try context.save()
    }
  }
}
