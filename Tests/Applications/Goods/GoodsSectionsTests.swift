import CoreData
import Foundation
import Testing

@testable import Goods

/// The list's sections: how they are asked for, and the two errors that everybody meets who shows goods
/// in sections.
struct GoodsSectionsTests {
  @MainActor
  @Test func sectionsAreTheCategoriesAndKeptInTheCacheOfTheirName() throws {
    let list = GoodsViewController(context: try makeMemoryContext(model: "Goods"))
    list.loadViewIfNeeded()
    let controller = try #require(list.dataSource?.fetchedResultsController)
    #expect(controller.cacheName == "GoodCache")
    #expect(controller.sectionNameKeyPath == "category")
    // Categories that a dictionary has at one place are apart all the same.
    let keys = controller.fetchRequest.sortDescriptors?.map(\.key)
    #expect(keys == ["category", "category", "name"])
  }

  @Test func aRequestWithoutSortDescriptorsStopsTheProgramWithTheReason() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      try await MainActor.run {
        _ = NSFetchedResultsController(
          fetchRequest: Goods.fetchRequest(),
          managedObjectContext: try makeMemoryContext(model: "Goods"),
          sectionNameKeyPath: "category", cacheName: nil)
      }
    }
    let said = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(said.contains("requires a fetch request with sort descriptors"))
  }

  @MainActor
  @Test func aSectionKeyPathAtOddsWithTheFirstSortDescriptorSaysWhichObjectIsOutOfOrder() throws {
    let context = try makeMemoryContext(model: "Goods")
    for (name, category) in [("a", "Dairy"), ("b", "Fruit"), ("c", "Dairy")] {
      try Goods.insert(name: name, number: "1", category: category, in: context)
    }
    let request = Goods.fetchRequest()
    request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
    let controller = NSFetchedResultsController(
      fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: "category",
      cacheName: "GoodCache")
    let error = #expect(throws: NSError.self) { try controller.performFetch() }
    #expect(error?.code == 134060)
    let reason = error?.localizedFailureReason ?? ""
    #expect(reason.contains("index 2 has an out of order section name 'Dairy"))
  }
}
