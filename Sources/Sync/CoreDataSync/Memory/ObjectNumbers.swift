/// A number for each object that has one: four bytes for each of a table's rows, 64 of which have a
/// page.
struct ObjectNumbers {
  private struct Page: Hashable {
    let store: UInt32
    let entity: UInt32
    let number: UInt64

    static let rows: UInt64 = 64
  }

  /// One more than a row's number; 0 where it has none.
  private var pages: [Page: [UInt32]] = [:]
  private var others: [String: UInt32] = [:]

  subscript(key: ObjectKey) -> UInt32? {
    get {
      switch key {
      case .other(let uri): return others[uri]
      case .row(let store, let entity, let number):
        let page = Page(store: store, entity: entity, number: number / Page.rows)
        guard let place = pages[page]?[Int(number % Page.rows)], place > 0 else { return nil }
        return place - 1
      }
    }
    set {
      switch key {
      case .other(let uri): others[uri] = newValue
      case .row(let store, let entity, let number):
        let page = Page(store: store, entity: entity, number: number / Page.rows)
        pages[page, default: Array(repeating: 0, count: Int(Page.rows))][
          Int(number % Page.rows)] = newValue.map { $0 + 1 } ?? 0
      }
    }
  }
}
