/// An ordered set of identifiers, in the order of their first insertion.
struct OrderedIdentifiers<Identifier: Hashable> {
  private(set) var elements: [Identifier] = []
  private var members: Set<Identifier> = []

  mutating func append(_ identifier: Identifier) {
    if members.insert(identifier).inserted { elements.append(identifier) }
  }

  mutating func append(contentsOf identifiers: [Identifier]) {
    identifiers.forEach { append($0) }
  }

  mutating func remove(where isGone: (Identifier) -> Bool) {
    guard !elements.isEmpty else { return }
    elements.removeAll(where: isGone)
    members = Set(elements)
  }
}

extension OrderedIdentifiers: Sendable where Identifier: Sendable {}
