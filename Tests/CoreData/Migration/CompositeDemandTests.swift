import Foundation
import Testing

@testable import CoreData
@testable import CoreDataSamples

/// What a new version demands of composite attributes that are in the store already: every way to migrate fills in the
/// same defaults, and refuses the same rows.
struct CompositeDemandTests {
  typealias Versions = CompositeMigrationTests

  struct Case: CustomTestStringConvertible {
    let testDescription: String
    let old: String
    let new: String
    var isOptional = true
    /// What there is of one object, nil for one without a value, and what becomes of it.
    let rows: [(value: [String: any Sendable]?, expected: Outcome)]
  }

  enum Outcome {
    case becomes(String)
    /// By the key path of what is missing.
    case lacks(String)
  }

  private static let inner: [String: any Sendable] = ["a": 2]

  static let cases = [
    Case(
      testDescription: "a mandatory element is new", old: "number", new: "number extra!",
      rows: [(["number": 1], .lacks("place.extra")), (nil, .becomes("nil"))]),
    Case(
      testDescription: "a mandatory element with a default is new", old: "number",
      new: "number extra!=3",
      rows: [(["number": 1], .becomes("extra 3 number 1")), (nil, .becomes("extra 3"))]),
    Case(
      testDescription: "an element becomes mandatory", old: "number extra", new: "number extra!",
      rows: [
        (["number": 1], .lacks("place.extra")), (nil, .becomes("nil")),
        (["number": 1, "extra": 2], .becomes("extra 2 number 1")),
      ]),
    Case(
      testDescription: "an element with a default becomes mandatory", old: "number extra",
      new: "number extra!=3",
      rows: [
        (["number": 1], .becomes("extra 3 number 1")), (nil, .becomes("nil")),
        (["number": 1, "extra": 2], .becomes("extra 2 number 1")),
      ]),
    Case(
      testDescription: "a renamed element becomes mandatory", old: "number label:String extra",
      new: "number title<label:String extra!=3",
      rows: [
        (["label": "a"], .becomes("extra 3 title a")), (nil, .becomes("nil")),
        (["extra": 2], .becomes("extra 2")),
      ]),
    Case(
      testDescription: "a default makes a value of which more is demanded", old: "number!",
      new: "number! grade=3",
      rows: [(nil, .lacks("place.number")), (["number": 1], .becomes("grade 3 number 1"))]),
    Case(
      testDescription: "a default makes a value, and another one makes it whole", old: "number!=4",
      new: "number!=4 grade=3",
      rows: [
        (nil, .becomes("grade 3 number 4")), (["number": 1], .becomes("grade 3 number 1")),
      ]),
    Case(
      testDescription: "an element of a nested one becomes mandatory", old: "number inner(a b)",
      new: "number inner(a b!)",
      rows: [
        (["number": 1, "inner": inner], .lacks("place.inner.b")), (nil, .becomes("nil")),
        (["number": 1], .becomes("number 1")),
      ]),
    Case(
      testDescription: "an element of a nested one gets its default", old: "number inner(a b)",
      new: "number inner(a b!=5)",
      rows: [
        (["number": 1, "inner": inner], .becomes("inner (a 2 b 5) number 1")),
        (["number": 1], .becomes("number 1")), (nil, .becomes("nil")),
      ]),
    Case(
      testDescription: "a nested one becomes mandatory", old: "number inner(a b)",
      new: "number inner!(a b) other",
      rows: [
        (["number": 1], .lacks("place.inner")), (nil, .becomes("nil")),
        (["inner": inner], .becomes("inner (a 2)")),
      ]),
    Case(
      testDescription: "a nested one with defaults becomes mandatory", old: "number inner(a b)",
      new: "number inner!(a=7 b) other",
      rows: [
        (["number": 1], .becomes("inner (a 7) number 1")), (nil, .becomes("nil")),
        (["inner": ["b": 4]], .becomes("inner (b 4)")),
      ]),
    Case(
      testDescription: "the whole becomes mandatory", old: "number extra", new: "number extra more",
      isOptional: false,
      rows: [(nil, .lacks("place")), (["extra": 2], .becomes("extra 2"))]),
    Case(
      testDescription: "the whole with defaults becomes mandatory", old: "number extra inner(a b)",
      new: "number=5 extra inner(a b=6)", isOptional: false,
      rows: [
        (nil, .becomes("inner (b 6) number 5")), (["extra": 2], .becomes("extra 2")),
        (["inner": inner], .becomes("inner (a 2)")),
      ]),
    Case(
      testDescription: "the only element with a value of a mandatory whole is gone",
      old: "number! extra", new: "extra", isOptional: false,
      rows: [
        (["number": 1], .lacks("place")), (["number": 1, "extra": 2], .becomes("extra 2")),
      ]),
  ]

  private static let inferredWays = Versions.Way.allCases.filter { $0 != .explicit }

  @Test(arguments: Sample.of(cases, inferredWays))
  func whatIsDemandedIsFilledInOrRefused(_ test: Case, _ way: Versions.Way) throws {
    let new = Versions.model("place", test.new, isOptional: test.isOptional, isNew: true)
    for (value, expected) in test.rows {
      let old = Versions.model("place", test.old)
      let values: [String: Any] = value.map { ["place": $0] } ?? [:]
      let url = try VersionFolder.makeStore(way.type, old, [values])
      let folder = url.deletingLastPathComponent()
      defer { try? FileManager.default.removeItem(at: folder) }
      let foreseen = try way == .inPlace ? plan(url, new) : nil
      switch expected {
      case .becomes(let text):
        #expect(foreseen?.isPossible != false, "\(String(describing: foreseen))")
        try Versions().migrate(url, way, old, new, "place")
        #expect(try Versions.values("place", url, way.type, new) == [text])
      case .lacks(let path):
        if let foreseen {
          #expect(foreseen.problems.map { "\($0.code) \($0.property ?? "")" } == ["134110 \(path)"])
          #expect(foreseen.problems.first?.objects == 1)
        }
        try expectRefusal(path, url, way, old, new)
      }
    }
  }

  private func expectRefusal(
    _ path: String, _ url: URL, _ way: Versions.Way, _ old: NSManagedObjectModel,
    _ new: NSManagedObjectModel
  ) throws {
    let before = try Versions.values("place", url, way.type, old)
    let error = try #require(
      #expect(throws: NSError.self) { try Versions().migrate(url, way, old, new, "place") })
    if way == .inPlace {
      #expect(error.code == NSMigrationError)
      #expect(error.userInfo["entity"] as? String == "Thing")
      #expect(error.userInfo["attribute"] as? String == path)
      #expect(error.localizedFailureReason?.contains("“\(path)”") == true)
    } else {
      let underlying = error.userInfo[NSUnderlyingErrorKey] as? NSError ?? error
      #expect(underlying.code == NSValidationMissingMandatoryPropertyError)
      #expect(underlying.userInfo[NSValidationKeyErrorKey] as? String == path)
    }
    #expect(try Versions.values("place", url, way.type, old) == before)
  }

  private func plan(_ url: URL, _ model: NSManagedObjectModel) throws -> StoreMigrationPlan {
    try NSPersistentStoreCoordinator(managedObjectModel: model).migrationPlan(
      forStoreAt: url, type: .sqlite, options: VersionFolder.migrating)
  }

  // MARK: - The plan

  @Test func thePlanNamesElementsThatChange() throws {
    let old = Versions.model("place", "number extra inner(a b) label:String")
    let new = Versions.model(
      "place", "number!=3 inner(a c!) title<label:String more(x:Double)", isNew: true)
    let url = try VersionFolder.makeStore(.sqlite, old, [["place": ["number": 1]]])
    defer { try? FileManager.default.removeItem(at: url.deletingLastPathComponent()) }
    let plan = try self.plan(url, new)
    let thing = try #require(plan.steps.first?.entities.first)
    let place = try #require(thing.properties.first { $0.name == "place" })
    #expect(
      place.lines("") == [
        "~ attribute place",
        "   ~ element number: mandatory now",
        "   ~ element inner",
        "      + element c: Integer 64, mandatory, without a default",
        "      − element b",
        "   ~ element title, was label",
        "   + element more: Composite",
        "      + element x: Double",
        "   − element extra",
      ])
    #expect(plan.description.contains("         ~ element title, was label\n"))
    let coded = try JSONEncoder().encode(plan)
    #expect(try JSONDecoder().decode(StoreMigrationPlan.self, from: coded) == plan)
  }

  @Test func aNewCompositeIsToldWithItsElements() throws {
    let old = Versions.model("place", "number")
    let new = Versions.model("spot", "number extra!", isNew: true)
    new.entities.first?.attributesByName["spot"]?.renamingIdentifier = "spot"
    let url = try VersionFolder.makeStore(.sqlite, old, [["place": ["number": 1]]])
    defer { try? FileManager.default.removeItem(at: url.deletingLastPathComponent()) }
    let properties = try #require(try plan(url, new).steps.first?.entities.first).properties
    #expect(
      properties.first { $0.name == "spot" }?.lines("") == [
        "+ attribute spot: Composite",
        "   + element number: Integer 64",
        "   + element extra: Integer 64, mandatory, without a default",
      ])
    #expect(properties.first { $0.name == "place" }?.change == .removed)
  }
}
