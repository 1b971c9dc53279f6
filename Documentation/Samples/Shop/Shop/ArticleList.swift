import SwiftUI

struct ArticleList: View {
  @ObservedObject var stock: Stock
  @FetchRequest(sortDescriptors: [SortDescriptor(\.name)]) private var articles: FetchedResults<Article>

  var body: some View {
    List(articles) { Text($0.name ?? "") }
  }
}
