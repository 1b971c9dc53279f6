/// Programming errors in the use of a snapshot, with the texts of UIKit's exceptions.
enum SnapshotMisuse {
  case duplicateItems([Any])
  case duplicateSections([Any])
  case noSections
  case unknownSection
  case unknownItem
  case duplicateOutlineItems([Any])
  case unknownOutlineItems([Any])

  var text: String {
    switch self {
    case .duplicateItems(let duplicates):
      "Fatal: supplied item identifiers are not unique. Duplicate identifiers: "
        + Self.list(duplicates)
    case .duplicateSections(let duplicates):
      "Fatal: supplied section identifiers are not unique. Duplicate identifiers: "
        + Self.list(duplicates)
    case .noSections:
      "There are currently no sections in the data source. Please add a section first."
    case .unknownSection:
      "Section identifier was not found. You can verify the section exists by calling the "
        + "indexOfSectionIdentifier API (which has O(1) performance)"
    case .unknownItem:
      "Item identifier was not found. You can verify the item exists by calling the "
        + "indexOfItemIdentifier API (which has O(1) performance)"
    case .duplicateOutlineItems(let duplicates):
      "Identifiers in a section snapshot must be unique. Duplicate item identifiers: "
        + Self.list(duplicates)
    case .unknownOutlineItems(let missing):
      "A section snapshot does not have these items; contains(_:) says whether it does: "
        + Self.list(missing)
    }
  }

  func trap() -> Never {
    fatalError(text)
  }

  /// The identifiers in the form in which Objective-C prints a set.
  private static func list(_ identifiers: [Any]) -> String {
    "{(\n" + identifiers.map { "    \($0)" }.joined(separator: ",\n") + "\n)}"
  }

  /// The identifiers that appear more than once. Each is listed once, in the order of their second
  /// appearance.
  static func duplicates<Identifier: Hashable>(in identifiers: [Identifier]) -> [Identifier] {
    guard identifiers.count > 1 else { return [] }
    var seen = Set<Identifier>(minimumCapacity: identifiers.count)
    var repeated = OrderedIdentifiers<Identifier>()
    for identifier in identifiers where !seen.insert(identifier).inserted {
      repeated.append(identifier)
    }
    return repeated.elements
  }
}
