import CoreDataSupport
import Foundation
import Testing

@testable import CoreData
@testable import CoreDataSamples

/// Stores that applications have shipped with, opened with their applications' models.
@Suite(.enabled(if: Corpus.isNamed, Corpus.reason))
struct ShippedStoreTests {
  struct Shipped: Sendable, CustomTestStringConvertible {
    let store: String
    let model: String
    let keepsModel: Bool

    var testDescription: String { store }

    func copy() throws -> URL {
      let target = try StoreFixture.makeFolder().appendingPathComponent("Store.sqlite")
      try FileManager.default.copyItem(at: Corpus.url("shipped/\(store)"), to: target)
      return target
    }

    var modelURL: URL { get throws { try Corpus.url("shipped/\(model)") } }

    /// What its classes and transformers were is not here.
    func makeModel() throws -> NSManagedObjectModel {
      let model = try #require(NSManagedObjectModel(contentsOf: modelURL))
      RandomGraph.relax(model)
      return model
    }

    /// By the script that shares no code with the package.
    func check(_ url: URL) throws -> (status: Int32, text: String) {
      let model = keepsModel ? [] : [try modelURL.path]
      return try StoreChecker.run("check_rows.py", [url.path] + model)
    }
  }

  static let artsy = Shipped(
    store: "Artsy/ArtsyOSS.sqlite",
    model: "Artsy/ArtsyPartner.xcdatamodeld/ArtsyFolio v2.3.xcdatamodel", keepsModel: false)
  static let loopKit = Shipped(
    store: "LoopKit/Model.v1.sqlite", model: "LoopKit/Model.xcdatamodeld/Model.xcdatamodel",
    keepsModel: true)
  static let all = [artsy, loopKit]

  @Test(arguments: all) func everyValueIsWhatPlainSQLGives(_ shipped: Shipped) throws {
    try PlainValues.expect(of: shipped.copy(), shipped.makeModel())
  }

  @Test(arguments: all) func theHashesOfTheModelAreThoseOfTheStore(_ shipped: Shipped) throws {
    let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
      type: .sqlite, at: shipped.copy())
    #expect(
      try shipped.makeModel().entityVersionHashesByName
        == metadata[NSStoreModelVersionHashesKey] as? [String: Data])
  }

  @Test(arguments: all) func anEditedStoreKeepsEveryRule(_ shipped: Shipped) throws {
    let seed: UInt64 = 16
    let url = try shipped.copy()
    #expect(try shipped.check(url).status == 0, "before")
    var graph = RandomGraph(seed: seed)
    for round in 0..<Sample.part(of: 4) {
      let fixture = try StoreFixture(shipped.makeModel(), at: url)
      try graph.change(fixture.coordinator)
      let contents = try RandomGraph.contents(fixture.coordinator)
      try fixture.close()
      let result = try shipped.check(url)
      #expect(result.status == 0, "round \(round), seed \(seed): \(result.text)")
      let again = try StoreFixture(shipped.makeModel(), at: url)
      #expect(try RandomGraph.contents(again.coordinator) == contents, "seed \(seed)")
      try again.close()
      try PlainValues.expect(of: url, shipped.makeModel())
    }
  }

  /// The tables of the application, whose names no rule of ours has made.
  private static let members: [(entity: String, relationship: String, sql: String)] = [
    ("Artwork", "collections", "SELECT Z_1COLLECTIONS FROM Z_1ARTWORKS WHERE Z_3ARTWORKS = "),
    ("Album", "artworks", "SELECT Z_3ARTWORKS FROM Z_1ARTWORKS WHERE Z_1COLLECTIONS = "),
    ("Artwork", "shows", "SELECT Z_14SHOWS FROM Z_3SHOWS WHERE Z_3ARTWORKS1 = "),
    ("Show", "artworks", "SELECT Z_3ARTWORKS1 FROM Z_3SHOWS WHERE Z_14SHOWS = "),
    ("Artwork", "locations", "SELECT Z_10LOCATIONS FROM Z_3LOCATIONS WHERE Z_3ARTWORKS2 = "),
    ("Location", "artworks", "SELECT Z_3ARTWORKS2 FROM Z_3LOCATIONS WHERE Z_10LOCATIONS = "),
    ("Album", "artists", "SELECT Z_2ARTISTS FROM Z_1ARTISTS WHERE Z_1ALBUMSFEATURINGARTIST = "),
    (
      "Show", "artists",
      "SELECT Z_2ARTISTS1 FROM Z_2SHOWSFEATURINGARTIST WHERE Z_14SHOWSFEATURINGARTIST = "
    ),
    (
      "Artist", "showsFeaturingArtist",
      "SELECT Z_14SHOWSFEATURINGARTIST FROM Z_2SHOWSFEATURINGARTIST WHERE Z_2ARTISTS1 = "
    ),
  ]

  @Test func membersAreThoseOfNumberedJoinColumns() throws {
    let url = try Self.artsy.copy()
    let fixture = try StoreFixture(Self.artsy.makeModel(), at: url)
    var graph = RandomGraph(seed: 9)
    for isChanged in [false, true] {
      if isChanged { try graph.change(fixture.coordinator) }
      let context = fixture.coordinator.makeContext()
      try context.performAndWait {
        var count = 0
        for (entity, relationship, sql) in Self.members {
          for object in try context.fetch(NSFetchRequest<NSManagedObject>(entityName: entity)) {
            let members = (object.value(forKey: relationship) as? NSSet)?.allObjects ?? []
            let keys = members.compactMap { ($0 as? NSManagedObject)?.objectID.packed.key }
            let plain = try PlainSQL(url: url).rows(sql + "\(object.objectID.packed.key)")
            #expect(keys.map(String.init).sorted() == plain.sorted(), "\(entity).\(relationship)")
            count += keys.count
          }
        }
        #expect(count > 20)
      }
    }
  }

  @Test func aDecimalThatIsNoNumberStaysOne() throws {
    let url = try Self.artsy.copy()
    let plain = PlainSQL(url: url)
    let numbers = "SELECT COUNT(*) FROM ZARTWORK WHERE typeof(ZDEPTH) = 'text' AND ZDEPTH = 'NaN'"
    let before = try #require(Int(plain.rows(numbers).first ?? ""))
    #expect(before > 0)
    let fixture = try StoreFixture(Self.artsy.makeModel(), at: url)
    let context = fixture.coordinator.makeContext()
    try context.performAndWait {
      let request = NSFetchRequest<NSManagedObject>(entityName: "Artwork")
      let all = try context.fetch(request)
      let found = all.count { $0.value(forKey: "depth") as? NSDecimalNumber == .notANumber }
      #expect(found == before)
      let other = try #require(all.first { $0.value(forKey: "depth") == nil })
      other.setValue(NSDecimalNumber.notANumber, forKey: "depth")
      try context.save()
      context.refresh(other, mergeChanges: false)
      #expect(other.value(forKey: "depth") as? NSDecimalNumber == .notANumber)
    }
    #expect(try plain.rows(numbers) == ["\(before + 1)"])
    #expect(try Self.artsy.check(url).status == 0)
  }

  /// Of an early framework: other indexes, and an order of join tables that no rule gives.
  @Test func aFreshStoreOfTheModelHasTheSameTables() throws {
    let original = try PlainSQL(url: Self.artsy.copy()).schema
    let fresh = try PlainSQL(url: StoreFixture(Self.artsy.makeModel()).url).schema
    func tables(_ schema: [String], _ form: String) -> [String] {
      schema.filter { $0.hasPrefix("CREATE TABLE \(form)") }
    }
    let entities = tables(original, "ZA") + tables(original, "ZI") + tables(original, "ZS")
    #expect(entities.count == 8)
    for table in entities + tables(original, "ZD") { #expect(fresh.contains(table)) }
    func unnumbered(_ schema: [String]) -> Set<String> {
      Set(
        (1...14).flatMap { tables(schema, "Z_\($0)") }.map { table in
          table.replacingOccurrences(
            of: "(Z_[0-9]+[A-Z]+)[0-9]*", with: "$1", options: .regularExpression)
        })
    }
    #expect(unnumbered(fresh) == unnumbered(original))
    #expect(unnumbered(original).count == 5)
    #expect(fresh.filter { $0.hasPrefix("CREATE TABLE") && $0.contains("Z_3ARTWORKS2") }.count == 1)
  }

  @Test func aFreshStoreOfAModelWithTwoConstraintsHasTheSameSchema() throws {
    let url = try Self.loopKit.copy()
    let original = try PlainSQL(url: url).schema
    let model = try NSPersistentStoreCoordinator.cachedModelForPersistentStore(at: url)
    RandomGraph.relax(model)
    #expect(try PlainSQL(url: StoreFixture(model).url).schema == original)
  }
}
