import CoreData
import CoreDataSupport
import TestSupport
import Testing

@testable import CoreDataSync

/// Unique constraints of several attributes and of several constraints, identities, and what two or
/// three devices do to what they hold.
@Suite struct KeysTests {
  private static func model(
    _ constraints: [[String]], editWins: Bool = false
  ) -> NSManagedObjectModel {
    let shelf = ModelPart.entity("Shelf", [ModelPart.attribute("name")])
    let book = ModelPart.entity(
      "Book",
      [
        ModelPart.attribute("name"), ModelPart.attribute("isbn"),
        ModelPart.attribute("year", .integer32AttributeType),
        ModelPart.attribute("note"), ModelPart.counter("copies"),
      ])
    book.uniquenessConstraints = constraints
    if editWins { book.userInfo = [SyncConfiguration.Annotation.editWins: "YES"] }
    let page = ModelPart.entity("Page", [ModelPart.attribute("name")])
    ModelPart.connect(
      ModelPart.end(book, "pages", to: page, rule: .cascadeDeleteRule, isOrdered: true),
      ModelPart.end(page, "book", to: book, maxCount: 1, isOptional: false))
    ModelPart.connect(
      ModelPart.end(shelf, "books", to: book), ModelPart.end(book, "shelves", to: shelf))
    return ModelPart.model([shelf, book, page])
  }

  private static func picture(_ phone: Phone) throws -> [String] {
    try phone.read { (context) throws in
      try context.all("Book").map { book in
        """
        \(book.value(forKey: "name") ?? "-") \(book.value(forKey: "isbn") ?? "-") \
        \(book.value(forKey: "year") ?? "-") \(book.value(forKey: "note") ?? "-") \
        \(book.value(forKey: "copies") ?? "-") \(book.names("pages").sorted()) \
        \(book.names("shelves"))
        """
      }.sorted()
    }
  }

  private static func expectSame(_ devices: Devices, _ what: String = "") throws -> [String] {
    let pictures = try devices.phones.map(Self.picture)
    for picture in pictures.dropFirst() { #expect(picture == pictures[0], "\(what)") }
    return pictures[0]
  }

  /// Two make one book, with pages, shelves and copies of their own: one book has it all.
  @Test(
    arguments: Sample.of(
      [[["name", "year"]], [["name"], ["isbn"]], [["name", "isbn", "year"]]], [2, 3]))
  func aBookThatAllMakeHasEverything(constraints: [[String]], count: Int) async throws {
    let model = Self.model(constraints)
    let devices = try Devices(model, others: Array(repeating: model, count: count - 1))
    for (index, phone) in devices.phones.enumerated() {
      try phone.edit { context in
        let shelf = context.insert("Shelf", ["name": "s\(index)"])
        let book = context.insert(
          "Book", ["name": "b", "isbn": "i", "year": 1, "note": "n\(index)", "copies": index + 1])
        shelf.mutableSetValue(forKey: "books").add(book)
        context.insert("Page", ["name": "p\(index)", "book": book])
      }
    }
    try await devices.settleWholly()
    let rows = try Self.expectSame(devices)
    #expect(rows.count == 1, "\(rows)")
    let last = count - 1
    let pages = (0..<count).map { "p\($0)" }
    let shelves = (0..<count).map { "s\($0)" }
    let copies = count * (count + 1) / 2
    #expect(rows.first == "b i 1 n\(last) \(copies) \(pages) \(shelves)", "\(rows)")
  }

  /// A book that two constraints bind to two others: all three are one.
  @Test(arguments: [false, true])
  func aBookThatIsTwoOthersMakesThemOne(isTurned: Bool) async throws {
    let model = Self.model([["name"], ["isbn"]])
    let devices = try Devices(model)
    let (a, b) = (devices.a, devices.b)
    try a.edit { context in
      for (name, isbn) in [("x", "1"), ("y", "2")] {
        let book = context.insert("Book", ["name": name, "isbn": isbn])
        context.insert("Page", ["name": "of " + name, "book": book])
      }
    }
    try b.edit { context in
      let book = context.insert("Book", ["name": "x", "isbn": "2"])
      context.insert("Page", ["name": "of both", "book": book])
    }
    for phone in isTurned ? [b, a] : [a, b] { try await phone.sync() }
    try await devices.settleWholly()
    let rows = try Self.expectSame(devices)
    // No two of them may have one name or one number; no page is lost.
    #expect(Set(try a.values("Book", "name")).count == rows.count, "\(rows)")
    #expect(Set(try a.values("Book", "isbn")).count == rows.count, "\(rows)")
    try devices.expect("Page", "name", ["of both", "of x", "of y"])
  }

  /// An edit makes a key equal to one that the other makes, of two attributes that two devices edit:
  /// neither alone would have made it so.
  @Test(arguments: [false, true])
  func aKeyThatOnlyBothTogetherMakeEqual(isTurned: Bool) async throws {
    let devices = try Devices(Self.model([["name", "year"]]))
    let (a, b) = (devices.a, devices.b)
    try a.edit { context in
      for (name, year) in [("x", 1), ("y", 2)] {
        let book = context.insert("Book", ["name": name, "year": year, "copies": 1])
        context.insert("Page", ["name": "of " + name, "book": book])
      }
    }
    try await devices.settle()
    try a.edit { try $0.find("Book", "name", "y").setValue("x", forKey: "name") }
    try b.edit { try $0.find("Book", "name", "y").setValue(1, forKey: "year") }
    for phone in isTurned ? [b, a] : [a, b] { try await phone.sync() }
    try await devices.settleWholly()
    let rows = try Self.expectSame(devices)
    #expect(rows.count == 1, "\(rows)")
    #expect(rows.first?.contains("x - 1 - 2 [\"of x\", \"of y\"]") == true, "\(rows)")
  }

  /// One deletes the book, the other makes it anew without knowing: there is a book, with what the
  /// later one says.
  @Test(arguments: Sample.of([false, true], [false, true]))
  func aKeyThatIsDeletedHereAndMadeThere(makerIsFirst: Bool, wasKnown: Bool) async throws {
    let devices = try Devices(Self.model([["name", "year"]]))
    let (a, b) = (devices.a, devices.b)
    try a.edit { context in
      let book = context.insert("Book", ["name": "x", "year": 1, "note": "old"])
      context.insert("Page", ["name": "old", "book": book])
    }
    if wasKnown { try await devices.settle() } else { try await a.sync() }
    try a.edit { try $0.delete($0.find("Book", "name", "x")) }
    try b.edit { context in
      if wasKnown { try context.delete(context.find("Book", "name", "x")) }
    }
    try b.edit { context in
      let book = context.insert("Book", ["name": "x", "year": 1, "note": "new"])
      context.insert("Page", ["name": "new", "book": book])
    }
    for phone in makerIsFirst ? [b, a] : [a, b] { try await phone.sync() }
    try await devices.settleWholly()
    let rows = try Self.expectSame(devices)
    // A twin that is merged before the deletion comes lives on, with what hangs on either.
    let pages = makerIsFirst && !wasKnown ? "[\"new\", \"old\"]" : "[\"new\"]"
    #expect(rows == ["x - 1 new 0 \(pages) []"], "\(rows)")
  }

  /// Three books pass their keys round on one device, while another deletes one of them and a third
  /// edits one.
  @Test(arguments: [[0, 1, 2], [2, 1, 0], [1, 2, 0]])
  func keysThatGoRoundWhileOthersEdit(order: [Int]) async throws {
    let model = Self.model([["name"]])
    let devices = try Devices(model, others: [model, model])
    try devices.a.edit { context in
      for name in ["x", "y", "z"] {
        context.insert("Book", ["name": name, "note": "was \(name)"])
      }
    }
    try await devices.settle()
    try devices.a.edit { context in
      let books = try ["x", "y", "z"].map { try context.find("Book", "name", $0) }
      for (book, name) in zip(books, ["y", "z", "x"]) { book.setValue(name, forKey: "name") }
    }
    try devices.b.edit { try $0.delete($0.find("Book", "name", "y")) }
    try devices.phones[2].edit { try $0.find("Book", "name", "z").setValue("i", forKey: "isbn") }
    for index in order { try await devices.phones[index].sync() }
    try await devices.settleWholly()
    let rows = try Self.expectSame(devices)
    #expect(rows == ["x i - was z 0 [] []", "y - - was x 0 [] []"], "\(rows)")
  }

  /// A constraint that a parent entity has, of entities three deep, with the twins at each depth.
  @Test(arguments: Sample.of([0, 1, 2], [0, 1, 2]))
  func twinsOfAFamilyThreeDeep(first: Int, second: Int) async throws {
    func model() -> NSManagedObjectModel {
      let base = ModelPart.entity(
        "E0",
        [ModelPart.attribute("name"), ModelPart.attribute("code"), ModelPart.attribute("note")])
      base.uniquenessConstraints = [["name", "code"]]
      let middle = ModelPart.entity("E1", [ModelPart.attribute("extra")])
      let last = ModelPart.entity("E2", [ModelPart.attribute("last")])
      middle.subentities = [last]
      base.subentities = [middle]
      return ModelPart.model([base, middle, last])
    }
    let devices = try Devices(model())
    for (phone, depth) in zip(devices.phones, [first, second]) {
      try phone.edit { context in
        context.insert("E\(depth)", ["name": "x", "code": "c", "note": "\(depth)"])
        context.insert("E\(depth)", ["name": "x", "code": "d\(depth)\(first)\(second)"])
      }
    }
    try await devices.settle()
    let shown = try devices.phones.map { try $0.values("E0", "code") }
    #expect(shown[0] == shown[1], "\(shown)")
    #expect(shown[0].filter { $0 == "c" }.count == 1, "\(shown)")
    // The other is shown once the value is free; nothing else is in the way.
    try devices.a.edit { context in
      for object in try context.all("E0") where object.value(forKey: "code") as? String == "c" {
        object.setValue("free", forKey: "code")
      }
    }
    try await devices.settleWholly()
    let later = try devices.phones.map { try $0.values("E0", "code") }
    #expect(later[0] == later[1], "\(later)")
    #expect(later[0].contains("c") == (first != second), "\(later)")
  }

  /// The value of an identity that is nil at first, and set later: objects with one are one.
  @Test func anIdentityThatIsSetLaterStopsNothing() async throws {
    let thing = ModelPart.entity(
      "Thing", [ModelPart.attribute("name"), ModelPart.attribute("id", .UUIDAttributeType)])
    thing.userInfo = [SyncConfiguration.Annotation.identity: "id"]
    let devices = try Devices(ModelPart.model([thing]))
    let id = UUID()
    try devices.a.edit { $0.insert("Thing", ["name": "a"]) }
    try await devices.settle()
    try devices.a.edit { try $0.find("Thing", "name", "a").setValue(id, forKey: "id") }
    try devices.b.edit { $0.insert("Thing", ["name": "b", "id": id]) }
    try await devices.settleWholly()
    try devices.expect("Thing", "name", try devices.a.values("Thing", "name"))
    try devices.a.edit { $0.insert("Thing", ["name": "afterwards", "id": UUID()]) }
    try await devices.settleWholly()
    #expect(try devices.b.values("Thing", "name").contains("afterwards"))
  }

  /// Objects of two entities, and of a parent and its child entity, may have one UUID as identity.
  @Test(arguments: [false, true])
  func oneUUIDInTwoEntitiesIsTwoObjects(areRelated: Bool) async throws {
    let one = ModelPart.entity(
      "One", [ModelPart.attribute("name"), ModelPart.attribute("id", .UUIDAttributeType)])
    let other = ModelPart.entity(
      "Other",
      areRelated
        ? [ModelPart.attribute("more")]
        : [ModelPart.attribute("name"), ModelPart.attribute("id", .UUIDAttributeType)])
    if areRelated { one.subentities = [other] }
    one.userInfo = [SyncConfiguration.Annotation.identity: "id"]
    other.userInfo = [SyncConfiguration.Annotation.identity: "id"]
    let devices = try Devices(ModelPart.model([one, other]))
    let id = UUID()
    try devices.a.edit { context in
      context.insert("One", ["name": "one", "id": id])
      context.insert("Other", ["name": "other", "id": id])
    }
    try await devices.settle()
    for phone in devices.phones {
      let entities = areRelated ? ["One"] : ["One", "Other"]
      let names = try entities.flatMap { try phone.values($0, "name") }
      #expect(names == ["one", "other"], "\(names)")
      #expect(phone.engine.status.toSend == 0)
    }
  }
}
