import Foundation
import Testing

@testable import CoreData
@testable import CoreDataSamples

/// Predicates in SQL: the rows they find, and the SQL where it matters.
@Suite struct StorePredicateTests {
  private let fixture: StoreFixture
  private let owners: [NSManagedObjectID]
  private let notes: [NSManagedObjectID]

  init() throws {
    fixture = try StoreFixture(TestModels.everything())
    owners = try fixture.insert("Owner", [["name": .text("Ann")], ["name": .text("Bob")]])
    let (ann, bob) = (Value.identity(owners[0]), Value.identity(owners[1]))
    notes = try fixture.insert(
      "Note",
      [
        ["text": .text("Apple"), "stars": .integer(1), "owner": ann, "date": .real(0)],
        ["text": .text("apricot"), "stars": .integer(2), "owner": ann, "isDone": .integer(1)],
        ["text": .text("Éclair 100%"), "stars": .integer(3), "owner": bob, "weight": .real(2.5)],
        ["stars": .integer(4)],
        ["text": .text("")],
      ])
    let tags = try fixture.insert("Tag", [["name": .text("red")], ["name": .text("green")]])
    let relationship = try #require(
      try fixture.layout("Note").toMany.first { $0.name == "tags" })
    var changes = StoreChanges()
    changes.members = [
      .init(
        relationship: relationship, owner: notes[0], added: tags, removed: [], order: nil),
      .init(
        relationship: relationship, owner: notes[1], added: [tags[1]], removed: [], order: nil),
    ]
    try fixture.store.save(changes)
  }

  static let cases: [(format: String, keys: [Int64])] = [
    ("stars > 2", [3, 4]), ("stars BETWEEN {2, 3}", [2, 3]), ("stars IN {1, 4, 9}", [1, 4]),
    ("stars == nil", [5]), ("stars != nil", [1, 2, 3, 4]), ("stars != 1", [2, 3, 4]),
    ("NOT (stars = 1)", [2, 3, 4]), ("NOT (stars IN {})", [1, 2, 3, 4]), ("3 <= stars", [3, 4]),
    ("isDone == YES", [2]), ("weight == 2.5", [3]), ("stars + 1 == 3", [2]),
    ("text == 'Apple'", [1]), ("text ==[c] 'APPLE'", [1]), ("text == 1", []),
    ("text != 1", [1, 2, 3, 5]), ("text BEGINSWITH 'ap'", [2]),
    ("text BEGINSWITH[c] 'ap'", [1, 2]),
    ("text BEGINSWITH[cd] 'ec'", [3]), ("text BEGINSWITH ''", []), ("text CONTAINS 'p'", [1, 2]),
    ("text CONTAINS[cd] 'CLAIR'", [3]), ("text ENDSWITH '0%'", [3]), ("text LIKE 'a*t'", [2]),
    ("text LIKE[c] 'a??le'", [1]), ("text MATCHES '[Aa]p.*'", [1, 2]), ("text < 'b'", [1, 2, 5]),
    ("text IN {'Apple', 'none'}", [1]), ("text IN[c] {'APPLE'}", [1]),
    ("'Apple pie' CONTAINS text", [1]),
    ("owner.name == 'Ann'", [1, 2]), ("owner.name == nil", [4, 5]), ("owner == nil", [4, 5]),
    ("owner.name != 'Ann'", [3]), ("tags.@count == 2", [1]), ("tags.@count == 0", [3, 4, 5]),
    ("ANY tags.name == 'red'", [1]), ("ALL tags.name == 'green'", [2, 3, 4, 5]),
    ("NONE tags.name == 'green'", [3, 4, 5]), ("ANY tags.name IN {'red', 'green'}", [1, 2]),
    ("owner.notes.@count == 2", [1, 2]),
    ("SUBQUERY(tags, $t, $t.name == 'green').@count == 1", [1, 2]),
    ("owner.notes.@max.stars == 2", [1, 2]), ("owner.notes.@sum.stars == 3", [1, 2, 3]),
    ("owner.notes.@count == 0", []),
    ("TRUEPREDICATE", [1, 2, 3, 4, 5]), ("FALSEPREDICATE", []),
    ("stars > 1 AND (owner.name == 'Ann' OR stars == 4)", [2, 4]),
  ]

  @Test(arguments: cases) func findsTheRows(_ format: String, _ keys: [Int64]) throws {
    #expect(try fixture.keys("Note", format).sorted() == keys)
  }

  @Test func takesObjectsAsConstants() throws {
    #expect(try fixture.keys("Note", "owner == %@", [owners[1]]) == [3])
    #expect(try fixture.keys("Note", "owner IN %@", [owners]) == [1, 2, 3])
    #expect(try fixture.keys("Note", "SELF IN %@", [[notes[0], notes[3]]]) == [1, 4])
    #expect(try fixture.keys("Note", "SELF == %@", [notes[2]]) == [3])
    #expect(try fixture.keys("Note", "SELF == %@", [owners[0]]) == [])
    let many = (0..<500).map { notes[$0 % 2] }
    #expect(try fixture.keys("Note", "SELF IN %@", [many]) == [1, 2])
    let unsaved = NSManagedObjectID.temporary(try fixture.layout("Owner"))
    #expect(try fixture.keys("Note", "owner == %@", [unsaved]) == [])
    #expect(try fixture.keys("Note", "owner != %@", [unsaved]) == [1, 2, 3])
    #expect(try fixture.keys("Owner", "notes CONTAINS %@", [notes[2]]) == [2])
    #expect(try fixture.keys("Owner", "ANY notes == %@", [notes[0]]) == [1])
  }

  @Test func takesDatesAndManyStrings() throws {
    let date = Date(timeIntervalSinceReferenceDate: 0)
    #expect(try fixture.keys("Note", "date <= %@", [date]) == [1])
    let words = (0..<200).map { "word \($0)" } + ["Apple", "It's \"quoted\""]
    #expect(try fixture.keys("Note", "text IN %@", [words]) == [1])
  }

  @Test func sortsWithNilFirstAndEqualRowsByKey() throws {
    func keys(_ key: String, _ ascending: Bool, _ selector: String? = nil) throws -> [Int64] {
      try fixture.keys(
        "Note",
        sortedBy: [NSSortDescriptor(key: key, ascending: ascending, selectorName: selector)])
    }
    #expect(try keys("text", true) == [4, 5, 1, 2, 3])
    #expect(try keys("text", false) == [3, 2, 1, 5, 4])
    #expect(try keys("owner.name", true) == [4, 5, 1, 2, 3])
    #expect(try keys("owner.name", false) == [3, 1, 2, 4, 5])
    #expect(try keys("text", true, "localizedStandardCompare:") == [4, 5, 1, 2, 3])
    #expect(try keys("tags.@count", false) == [1, 2, 3, 4, 5])
  }

  @Test(
    arguments: [
      ("tags == 1", "to-many"), ("nonsense == 1", "nonsense"), ("draft == 'a'", "draft"),
      ("words == 'a'", "words"), ("stars > nil", "nil"), ("stars CONTAINS 'a'", "strings"),
      ("owner.nothing == 1", "nothing"), ("text.count > 1", "count"),
      ("stars == $unknown", "unknown"),
    ])
  func namesWhatHasNoSQL(_ format: String, _ part: String) throws {
    let error = #expect(throws: NSError.self) { try fixture.keys("Note", format) }
    let reason = try #require(error?.userInfo["reason"] as? String)
    #expect(reason.contains(part))
  }

  @Test func anIndexServesThePredicatesOfALiveList() throws {
    let store = try #require(fixture.store as? SQLiteStore)
    let entity = try store.contents.entity(fixture.layout("Note"))
    let predicate = NSPredicate(format: "owner == %@", owners[0])
    let query = try SQLQuery(
      fixture.plan("Note", where: predicate), entity: entity,
      store: store.queryContext(store.contents))
    #expect(query.tail == " WHERE t0.ZOWNER = ?")
    let plan = try PlainSQL(url: fixture.url).rows(
      "EXPLAIN QUERY PLAN SELECT t0.Z_PK FROM ZNOTE t0\(query.tail)")
    #expect(plan.joined().contains("ZNOTE_ZOWNER_INDEX"))
  }
}
