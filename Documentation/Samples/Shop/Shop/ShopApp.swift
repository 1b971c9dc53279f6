import SwiftUI

@main
struct ShopApp: App {
  @StateObject private var stock = Stock()

  var body: some Scene {
    WindowGroup { ArticleList(stock: stock) }
  }
}
