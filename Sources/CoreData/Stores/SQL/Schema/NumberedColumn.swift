/// A column that is named by the number of an entity and by a relationship, and how to find it in a file:
///
///     Z_<n><NAME>       in a join table          Z_FOK_<n><NAME>   the position there
///     Z<n><NAME>        of the members of a relationship without an inverse
///
/// A name that the entity has in an earlier table already gets a number behind it: `Z_3ARTWORKS`,
/// `Z_3ARTWORKS1`. Which table has which is not known of Apple's files, so that any of them is taken.
struct NumberedColumn {
  /// In upper case, as the columns of a file are given.
  let name: String
  private let prefix: Substring
  private let number: Substring
  private let relationship: String

  /// - Parameter name: What the rules of the format give.
  init(_ name: String, of relationship: NSRelationshipDescription) {
    let name = name.uppercased()
    self.name = name
    prefix = name.prefix { !Self.isDigit($0) }
    number = name.dropFirst(prefix.count).prefix(while: Self.isDigit)
    self.relationship = relationship.name.uppercased()
  }

  /// How unlike a column of a file is: another number behind the name is less than another entity's number,
  /// which a migrated store may have. Nil for a column of another relationship.
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

  /// The most alike of some columns.
  func nearest(in columns: some Sequence<String>) -> (name: String, distance: Int)? {
    columns.compactMap { column in distance(of: column).map { (name: column, distance: $0) } }
      .min { ($0.distance, $0.name) < ($1.distance, $1.name) }
  }

  private static func isDigit(_ character: Character) -> Bool {
    character.isASCII && character.isNumber
  }
}
