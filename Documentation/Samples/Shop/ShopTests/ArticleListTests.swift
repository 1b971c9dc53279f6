import XCTest

@testable import Shop

final class ArticleListTests: XCTestCase {
  func testTheListHasABody() {
    _ = ArticleList(stock: Stock(inMemory: true)).body
  }
}
