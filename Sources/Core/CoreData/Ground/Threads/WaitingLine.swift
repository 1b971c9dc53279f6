/// A first-in, first-out queue. Removing the first element is cheap: the others move up once in
/// 1024 removals.
struct WaitingLine<Element> {
  private var elements: [Element?] = []
  /// The number of elements removed from the front of `elements`.
  private var taken = 0

  /// The number of removed elements from which on the rest is moved to the front.
  private static var mostTaken: Int { 1024 }

  var isEmpty: Bool { taken == elements.count }

  mutating func append(_ element: Element) { elements.append(element) }

  /// Removes and returns the first element; nil if there is none.
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
