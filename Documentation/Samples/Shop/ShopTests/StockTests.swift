import CoreData
import XCTest

@testable import Shop

final class StockTests: XCTestCase {
  func testSellingTakesFromTheStock() throws {
    let stock = Stock(inMemory: true)
    let tea = Article(context: stock.container.viewContext)
    (tea.name, tea.stock) = ("Tea", 3)
    try stock.sell(2, of: "Tea")
    XCTAssertEqual(tea.stock, 1)
    XCTAssertEqual(stock.saves, 1)
    XCTAssertThrowsError(try stock.sell(2, of: "Tea")) { XCTAssert($0 is SoldOut) }
  }

  func testChangesAreObserved() throws {
    let stock = Stock(inMemory: true)
    let tea = Article(context: stock.container.viewContext)
    var counts: [Int64] = []
    let observation = tea.observe(\.stock, options: [.new]) { _, change in
      counts.append(change.newValue ?? 0)
    }
    tea.stock = 5
    tea.setValue(7, forKey: #keyPath(Article.stock))
    observation.invalidate()
    XCTAssertEqual(counts, [5, 7])
  }
}
