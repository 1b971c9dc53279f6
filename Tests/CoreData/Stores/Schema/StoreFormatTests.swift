import Foundation
import Testing

@testable import CoreData
@testable import CoreDataSamples

/// The files that are made for the applications' models, checked by a script that knows nothing of this
/// package.
@Suite struct StoreFormatTests {
  private static let checkout = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  static let models = [
    "Examples/NestedLists/NestedLists.xcdatamodeld", "Examples/Goods/Goods.xcdatamodeld",
    "Examples/Books/Books.xcdatamodeld", "Examples/Heroes/Heroes.xcdatamodeld",
    "Examples/Employees/Employees.xcdatamodeld",
    "Tests/SourceCompatibility/Library.xcdatamodeld",
  ]

  private func makeStore(_ model: URL) throws -> StoreFixture {
    try StoreFixture(NSManagedObjectModel(contentsOfModelAt: model))
  }

  private func check(_ model: URL, _ store: URL) throws -> (status: Int32, text: String) {
    try StoreChecker.run("check_store.py", [model.path, store.path])
  }

  @Test(arguments: models) func aStoreIsWhatTheModelFileSays(_ path: String) throws {
    let model = Self.checkout.appendingPathComponent(path)
    let fixture = try makeStore(model)
    for layout in fixture.coordinator.layouts {
      try fixture.insert(layout.entity.name ?? "", [[:], [:]])
    }
    let result = try check(model, fixture.url)
    #expect(result.status == 0, "\(result.text)")
    try fixture.close()
    #expect(try check(model, fixture.url).status == 0, "after the store was closed")
  }

  @Test func theScriptSeesADifference() throws {
    let model = Self.checkout.appendingPathComponent(Self.models[0])
    let fixture = try makeStore(model)
    try fixture.close()
    try PlainSQL(url: fixture.url).execute("DROP INDEX ZITEM_ZPARENT_INDEX")
    #expect(try check(model, fixture.url).status == 1)
  }
}
