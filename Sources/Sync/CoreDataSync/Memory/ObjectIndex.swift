/// Which record an object shows, in two layers as ``Layered``: four bytes for each of a table's
/// rows, 64 of which have a page.
struct ObjectIndex {
  private struct Page: Hashable {
    let store: UInt32
    let entity: UInt32
    let number: UInt64

    static let rows: UInt64 = 64
  }

  private final class Base {
    let numbers: RecordNumbers
    /// One more than a record's number; 0 for a row that shows none.
    private var pages: [Page: [UInt32]] = [:]
    private var others: [String: RecordID] = [:]

    init(_ numbers: RecordNumbers) { self.numbers = numbers }

    subscript(key: ObjectKey) -> RecordID? {
      get {
        switch key {
        case .other(let uri): return others[uri]
        case .row(let store, let entity, let number):
          let page = Page(store: store, entity: entity, number: number / Page.rows)
          guard let place = pages[page]?[Int(number % Page.rows)], place > 0 else { return nil }
          return numbers.id(place - 1)
        }
      }
      set {
        switch key {
        case .other(let uri): others[uri] = newValue
        case .row(let store, let entity, let number):
          let page = Page(store: store, entity: entity, number: number / Page.rows)
          let place = newValue.map { numbers.add($0) + 1 } ?? 0
          pages[page, default: Array(repeating: 0, count: Int(Page.rows))][
            Int(number % Page.rows)] = place
        }
      }
    }
  }

  private let base: Base
  private var edits: [ObjectKey: RecordID?] = [:]

  init(_ numbers: RecordNumbers) { base = Base(numbers) }

  subscript(key: ObjectKey) -> RecordID? {
    get {
      if let edit = edits[key] { return edit }
      return base[key]
    }
    set { edits.updateValue(newValue, forKey: key) }
  }

  /// Makes the edits part of what all copies share.
  mutating func fold() {
    for (key, record) in edits { base[key] = record }
    edits = [:]
  }
}
