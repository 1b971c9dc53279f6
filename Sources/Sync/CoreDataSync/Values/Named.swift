/// Values by the names of properties: a sorted array.
///
/// A record has a handful of each kind, and a replica a hundred thousand records: a dictionary
/// takes three times the room, and hashing a short name takes longer than comparing it with the
/// others.
struct Named<Value>: RandomAccessCollection, ExpressibleByDictionaryLiteral {
  typealias Element = (key: String, value: Value)
  /// Names up to this number are looked through one by one.
  private static var few: Int { 8 }
  private var items: [Element] = []

  init() {}

  init(dictionaryLiteral elements: (String, Value)...) {
    for (name, value) in elements { self[name] = value }
  }

  /// Of a name that comes twice the first value counts.
  init(_ elements: some Sequence<(String, Value)>) {
    for (name, value) in elements where self[name] == nil { self[name] = value }
  }

  /// - Parameter sorted: items in the order of their names, each once.
  private init(sorted: [Element]) { items = sorted }

  /// Items that are in the order of their names nearly always: those of another `Named`.
  init(ordered: [Element]) {
    var next = 1
    while next < ordered.count, ordered[next - 1].key < ordered[next].key { next += 1 }
    let isSorted = next >= ordered.count
    self = isSorted ? Named(sorted: ordered) : Named(ordered.lazy.map { ($0.key, $0.value) })
  }

  var startIndex: Int { 0 }
  var endIndex: Int { items.count }
  subscript(index: Int) -> Element { items[index] }

  subscript(name: String) -> Value? {
    get { place(of: name).map { items[$0].value } }
    set {
      switch (place(of: name), newValue) {
      case (nil, nil): break
      case (let place?, nil): items.remove(at: place)
      case (let place?, let value?): items[place].value = value
      case (nil, let value?): items.insert((name, value), at: lowerBound(of: name))
      }
    }
  }

  var keys: [String] { items.map(\.key) }
  var values: LazyMapSequence<[Element], Value> { items.lazy.map(\.value) }

  var dictionary: [String: Value] { Dictionary(uniqueKeysWithValues: items) }

  // MARK: - Places

  private func place(of name: String) -> Int? {
    if items.count <= Self.few { return items.firstIndex { $0.key == name } }
    let place = lowerBound(of: name)
    return place < items.count && items[place].key == name ? place : nil
  }

  private func lowerBound(of name: String) -> Int {
    if let last = items.last, last.key < name { return items.count }
    var low = 0
    var high = items.count
    while low < high {
      let middle = (low + high) / 2
      if items[middle].key < name { low = middle + 1 } else { high = middle }
    }
    return low
  }

  // MARK: - Whole

  func filter(_ isIncluded: (Element) throws -> Bool) rethrows -> Named {
    try items.contains { try !isIncluded($0) }
      ? Named(sorted: items.filter(isIncluded)) : self
  }

  func mapValues<Other>(_ transform: (Value) throws -> Other) rethrows -> Named<Other> {
    Named<Other>(sorted: try items.map { ($0.key, try transform($0.value)) })
  }

  mutating func merge(
    _ others: some Sequence<Element>, uniquingKeysWith combine: (Value, Value) -> Value
  ) {
    for (name, value) in others { self[name] = self[name].map { combine($0, value) } ?? value }
  }

  func merging(
    _ others: some Sequence<Element>, uniquingKeysWith combine: (Value, Value) -> Value
  ) -> Named {
    var all = self
    all.merge(others, uniquingKeysWith: combine)
    return all
  }
}

extension Named: Equatable where Value: Equatable {
  static func == (one: Named, other: Named) -> Bool {
    one.items.elementsEqual(other.items) { $0.key == $1.key && $0.value == $1.value }
  }
}

extension Named: Sendable where Value: Sendable {}
