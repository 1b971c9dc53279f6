import Foundation
import Testing

@testable import CoreData
@testable import CoreDataSamples

/// How values and relationships lie in the file, seen by plain SQL.
@Suite struct StoreValueTests {
  private func text(_ object: AnyObject) -> Value { .object(object) }

  @Test func valuesLieInTheFileAsApplesFrameworkWritesThem() throws {
    let fixture = try StoreFixture(TestModels.everything())
    let uuid = try #require(UUID(uuidString: "00112233-4455-6677-8899-AABBCCDDEEFF"))
    let link = try #require(NSURL(string: "https://example.com/a?b=c"))
    let words = ["one", "two"] as NSArray
    let identity = try fixture.insert(
      "Note",
      [
        [
          "text": .text("Grüße\0!"), "stars": .integer(-3), "weight": .real(0.5),
          "isDone": .integer(1), "date": .real(86400.25),
          "price": .object(NSDecimalNumber(string: "9.99")), "uuid": .object(uuid as NSUUID),
          "link": .object(link), "picture": .data(Data([1, 2, 3])), "words": .object(words),
          "scan": .data(Data([9])),
        ]
      ])[0]
    let plain = try PlainSQL(url: fixture.url).rows(
      "SELECT hex(ZTEXT), ZSTARS, ZWEIGHT, ZISDONE, ZDATE, ZPRICE, typeof(ZPRICE), hex(ZUUID), ZLINK, "
        + "hex(ZPICTURE), hex(ZSCAN), substr(ZWORDS, 1, 6) FROM ZNOTE")
    #expect(
      plain == [
        "4772C3BCC39F650021|-3|0.5|1|86400.25|9.99|real|00112233445566778899AABBCCDDEEFF|"
          + "https://example.com/a?b=c|010203|0109|bplist"
      ])
    let row = try #require(try fixture.store.row(of: identity))
    #expect(try fixture.value(row, "text") == .text("Grüße\0!"))
    #expect(try fixture.value(row, "uuid") == .object(uuid as NSUUID))
    #expect(try fixture.value(row, "link") == .object(link))
    #expect(try fixture.value(row, "price") == .object(NSDecimalNumber(string: "9.99")))
    #expect(try fixture.value(row, "words") == .object(words))
    #expect(try fixture.value(row, "scan") == .data(Data([9])))
    #expect(try fixture.value(row, "draft") == .null)
  }

  @Test func externalDataAreReadFromTheirFile() throws {
    let fixture = try StoreFixture(TestModels.everything())
    let identity = try fixture.insert("Note", [["scan": .data(Data([9]))]])[0]
    let name = UUID().uuidString
    let folder = fixture.folder.appendingPathComponent(".Store_SUPPORT/_EXTERNAL_DATA")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let scan = Data(repeating: 7, count: 1 << 17)
    try scan.write(to: folder.appendingPathComponent(name))
    let hex = Data(name.utf8).map { String(format: "%02X", $0) }.joined()
    try PlainSQL(url: fixture.url).execute("UPDATE ZNOTE SET Z_OPT = 2, ZSCAN = X'02\(hex)00'")
    let row = try #require(try fixture.store.row(of: identity))
    #expect(try fixture.value(row, "scan") == .data(scan))
  }

  @Test func transformablesThatCannotBeReadKeepTheirBytes() throws {
    let fixture = try StoreFixture(TestModels.everything())
    let identity = try fixture.insert("Note", [["words": .object(["one"] as NSArray)]])[0]
    try PlainSQL(url: fixture.url).execute("UPDATE ZNOTE SET Z_OPT = 2, ZWORDS = X'0102'")
    let row = try #require(try fixture.store.row(of: identity))
    guard case .object(let value) = try fixture.value(row, "words") else {
      Issue.record("no object")
      return
    }
    let undecoded = try #require(value as? UndecodedValue)
    #expect(undecoded.reason.contains("words"))
    try fixture.update(row, ["words": .object(undecoded)])
    #expect(try PlainSQL(url: fixture.url).rows("SELECT hex(ZWORDS) FROM ZNOTE") == ["0102"])
  }

  @Test(arguments: ["", "http://-',222]", "[.9:", "\u{1}", "a b"])
  func anAddressThatIsNoneIsNilAndStaysInTheFile(_ text: String) throws {
    let fixture = try StoreFixture(TestModels.everything())
    let link = try #require(NSURL(string: "https://example.com/a"))
    let identity = try fixture.insert("Note", [["link": .object(link), "stars": .integer(1)]])[0]
    let hex = text.utf8.map { String(format: "%02X", $0) }.joined()
    try PlainSQL(url: fixture.url).execute(
      "UPDATE ZNOTE SET Z_OPT = 2, ZLINK = CAST(X'\(hex)' AS TEXT)")
    let row = try #require(try fixture.store.row(of: identity))
    let value = try fixture.value(row, "link").boxed(.URIAttributeType)
    #expect(value as? URL == URL(string: text))
    try fixture.update(row, ["stars": .integer(2)])
    #expect(
      try PlainSQL(url: fixture.url).rows("SELECT hex(ZLINK), ZSTARS FROM ZNOTE") == ["\(hex)|2"])
  }

  @Test func anAddressThatCannotBeStoredIsRefused() throws {
    let empty = try #require(NSURL(string: ""))
    let error = #expect(throws: (any Error).self) {
      try Value(empty, type: .URIAttributeType, name: "link")
    }
    #expect(error != nil)
    #expect(Value.object(empty).boxed(.URIAttributeType) is NSURL)
  }

  /// Each would stop the program in Foundation's unarchiver.
  private static let hostileObjects: [(fields: [String: any Sendable], problem: String)] = [
    (["$class": "NSCoder"], "a class that is none of"),
    (["$class": "NSIndexSet", "NSRangeCount": 0], "a class that is none of"),
    (["$class": "NSMutableString"], "damaged"),
    (["$class": "NSMutableString", "NS.string": 5], "damaged"),
    (["$class": "NSURL", "NS.relative": ArchiveBuilder.Reference(identifier: 1)], "damaged"),
    (["$class": "NSURL", "NS.relative": ArchiveBuilder.Reference(identifier: 4)], "damaged"),
    (
      [
        "$class": "NSURL", "NS.relative": ArchiveBuilder.Reference(identifier: 3),
        "NS.base": ArchiveBuilder.Reference(identifier: 3),
      ], "damaged"
    ),
  ]

  @Test(arguments: hostileObjects.indices)
  func anArchiveThatNobodyShouldHaveWrittenIsKeptWithItsReason(_ index: Int) throws {
    let (hostile, problem) = Self.hostileObjects[index]
    let name = try #require(hostile["$class"] as? String)
    let object = hostile.merging(["$class": ArchiveBuilder.Reference(identifier: 2)]) { $1 }
    let data = try BinaryPropertyList.data([
      "$version": 100_000, "$archiver": "NSKeyedArchiver",
      "$top": ["root": ArchiveBuilder.Reference(identifier: 1)],
      "$objects": [
        "$null", object, ["$classname": name, "$classes": [name, "NSObject"]], "a string", "",
      ] as [Any],
    ])
    let fixture = try StoreFixture(TestModels.everything())
    let identity = try fixture.insert("Note", [["words": .object(["one"] as NSArray)]])[0]
    let hex = data.map { String(format: "%02X", $0) }.joined()
    try PlainSQL(url: fixture.url).execute("UPDATE ZNOTE SET Z_OPT = 2, ZWORDS = X'\(hex)'")
    let row = try #require(try fixture.store.row(of: identity))
    guard case .object(let value) = try fixture.value(row, "words") else {
      Issue.record("no object")
      return
    }
    let undecoded = try #require(value as? UndecodedValue)
    #expect(undecoded.data == data)
    #expect(undecoded.reason.contains(problem), "\(undecoded.reason)")
  }

  @Test func aDerivedCountIsKeptByTriggersAndReadAnew() throws {
    let fixture = try StoreFixture(TestModels.counting())
    let shelf = try fixture.insert("Shelf", [[:]])[0]
    func count() throws -> Value {
      try fixture.value(try #require(try fixture.store.row(of: shelf)), "bookCount")
    }
    let held = try fixture.store.row(of: shelf)
    #expect(try count() == .integer(0))
    let books = try fixture.insert(
      "Book", [["shelf": .identity(shelf)], ["shelf": .identity(shelf)]])
    #expect(try count() == .integer(2))
    let book = try #require(try fixture.store.row(of: books[0]))
    try fixture.update(book, ["shelf": .null])
    #expect(try count() == .integer(1))
    #expect(held?.version == 1)
  }

  @Test func aSubentityIsNotedBesideTheForeignKey() throws {
    let fixture = try StoreFixture(TestModels.everything())
    let company = try fixture.insert("Company", [["name": .text("A"), "city": .text("B")]])[0]
    let note = try fixture.insert("Note", [["owner": .identity(company)]])[0]
    let columns = try PlainSQL(url: fixture.url).rows(
      "SELECT ZOWNER, (SELECT Z_NAME FROM Z_PRIMARYKEY WHERE Z_ENT = Z2_OWNER) FROM ZNOTE")
    #expect(columns == ["1|Company"])
    let row = try #require(try fixture.store.row(of: note))
    #expect(try fixture.value(row, "owner") == .identity(company))
    #expect(try fixture.keys("Owner") == [1])
    var plan = try fixture.plan("Owner")
    plan.includesSubentities = false
    #expect(try fixture.store.count(plan) == 0)
    let rows = try fixture.store.rows(fixture.plan("Owner"))
    #expect(rows[0].identity === company)
    #expect(try fixture.value(rows[0], "city") == .text("B"))
  }

  @Test func aViolatedConstraintIsAnErrorAndNothingIsWritten() throws {
    let fixture = try StoreFixture(TestModels.everything())
    try fixture.insert("Tag", [["name": .text("a")]])
    let violation = #expect(throws: ConstraintViolation.self) {
      try fixture.insert("Tag", [["name": .text("b")], ["name": .text("a")]])
    }
    let error = violation?.error
    #expect(error?.code == NSManagedObjectConstraintMergeError)
    #expect(error?.userInfo[NSSQLiteErrorDomain] != nil)
    #expect(try fixture.keys("Tag") == [1])
  }
}
