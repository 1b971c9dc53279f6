/// A column that is named by an entity number and a relationship, and the search for it in a file:
///
///     Z_<n><NAME>       in a join table          Z_FOK_<n><NAME>   the position there
///     Z<n><NAME>        of the members of a relationship without an inverse
///
/// If the entity has such a name in an earlier table already, a number follows: `Z_3ARTWORKS`,
/// `Z_3ARTWORKS1`. Apple's rule for which table has which number is not known, so any of them
/// matches.
struct NumberedColumn {
  /// The name in upper case, as the columns of a file are given.
  let name: String
  private let prefix: Substring
  private let number: Substring
  private let relationship: String

  /// - Parameter name: the name by the format's rules.
  init(_ name: String, of relationship: NSRelationshipDescription) {
    let name = name.uppercased()
    self.name = name
    prefix = name.prefix { !Self.isDigit($0) }
    number = name.dropFirst(prefix.count).prefix(while: Self.isDigit)
    self.relationship = relationship.name.uppercased()
  }

  /// The difference between this name and a column of a file. Another number at the end counts less
  /// than another entity number, which a migrated store may have. Nil for a column of another
  /// relationship.
  func distance(of column: String) -> Int? {
    if column == name { return 0 }
    guard !number.isEmpty, column.hasPrefix(prefix) else { return nil }
    let rest = column.dropFirst(prefix.count)
    let number = rest.prefix(while: Self.isDigit)
    let name = rest.dropFirst(number.count)
    guard !number.isEmpty, name.hasPrefix(relationship),
      name.dropFirst(relationship.count).allSatisfy(Self.isDigit)
    else { return nil }
    return (number == self.number ? 0 : 4) + (name == relationship ? 0 : 1)
  }

  /// The column with the smallest distance; nil if none matches.
  func nearest(in columns: some Sequence<String>) -> (name: String, distance: Int)? {
    columns.compactMap { column in distance(of: column).map { (name: column, distance: $0) } }
      .min { ($0.distance, $0.name) < ($1.distance, $1.name) }
  }

  private static func isDigit(_ character: Character) -> Bool {
    character.isASCII && character.isNumber
  }
}
