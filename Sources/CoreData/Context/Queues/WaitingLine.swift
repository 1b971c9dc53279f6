/// What waits, first come, first served. Taking the first costs the same, however many wait behind it.
struct WaitingLine<Element> {
  private var elements: [Element?] = []
  /// How many of them have been taken.
  private var taken = 0

  /// So many that have been taken are kept before the others move up.
  private static var mostTaken: Int { 1024 }

  var isEmpty: Bool { taken == elements.count }

  mutating func append(_ element: Element) { elements.append(element) }

  /// Nil when nothing waits.
  mutating func takeFirst() -> Element? {
    guard !isEmpty else { return nil }
    let first = elements[taken]
    elements[taken] = nil
    taken += 1
    if isEmpty || taken > Self.mostTaken {
      elements.removeFirst(taken)
      taken = 0
    }
    return first
  }
}
