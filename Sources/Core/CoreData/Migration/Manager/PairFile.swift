/// The pairs of a running migration that need not be in memory: in a temporary database, so that
/// memory does not grow with the rows.
///
///     pair    mapping, place       the number of a mapping, and the pair's number there, from 0
///             source, destination  the bits of two identities, see ``TrackedObjects``
///
/// Owned by ``InstanceAssociations``, and used by the migration's thread alone.
final class PairFile {
  /// One of a pair's two objects.
  enum Side {
    case source, destination

    var other: Side { self == .source ? .destination : .source }
    fileprivate var column: String { self == .source ? "source" : "destination" }
  }

  private let connection: SQLiteConnection
  /// The first error of a reading. Policies ask for associations by methods that do not throw: the
  /// migration ends with it after the current object.
  private(set) var failure: (any Error)?

  init() throws {
    connection = try SQLiteConnection.temporary([
      "CREATE TABLE pair (mapping INTEGER, place INTEGER, source INTEGER, destination INTEGER, "
        + "PRIMARY KEY (mapping, place)) WITHOUT ROWID",
      "CREATE INDEX bySource ON pair (source, mapping, place, destination)",
      "CREATE INDEX byDestination ON pair (destination, mapping, place, source)",
    ])
  }

  /// Adds pairs of a mapping, of which the first has the number `place`: all of them, or none if it
  /// throws.
  func append(_ pairs: Zip2Sequence<[UInt64], [UInt64]>, mapping: Int, from place: Int) throws {
    try connection.writeTransaction {
      try connection.withStatement(Self.insertion) { statement in
        statement.bind(Int64(mapping), at: 1)
        for (number, (source, destination)) in pairs.enumerated() {
          statement.bind(Int64(place + number), at: 2)
          statement.bind(Int64(bitPattern: source), at: 3)
          statement.bind(Int64(bitPattern: destination), at: 4)
          try statement.run()
        }
      }
    }
  }

  /// The partners of a number in one mapping, in the order of their pairs.
  func partners(of number: UInt64, on side: Side, mapping: Int) -> [UInt64] {
    reading(side == .source ? Self.destinations : Self.sources) { statement in
      statement.bind(Int64(bitPattern: number), at: 1)
      statement.bind(Int64(mapping), at: 2)
      return try Self.numbers(statement)
    } ?? []
  }

  /// The destinations of a source in all mappings, in the order of the mappings and their pairs.
  func destinations(of source: UInt64) -> [(mapping: Int, number: UInt64)] {
    reading(Self.allDestinations) { statement in
      statement.bind(Int64(bitPattern: source), at: 1)
      var result: [(mapping: Int, number: UInt64)] = []
      while try statement.step() {
        result.append((Int(statement.integer(0)), UInt64(bitPattern: statement.integer(1))))
      }
      return result
    } ?? []
  }

  /// The numbers on one side of a range of a mapping's pairs, each at its first pair alone.
  func numbers(on side: Side, mapping: Int, _ places: Range<Int>) -> [UInt64] {
    reading(side == .source ? Self.sourceRange : Self.destinationRange) { statement in
      for (index, number) in [mapping, places.lowerBound, places.upperBound].enumerated() {
        statement.bind(Int64(number), at: Int32(index + 1))
      }
      return try Self.numbers(statement)
    } ?? []
  }

  private static func numbers(_ statement: SQLiteStatement) throws -> [UInt64] {
    var result: [UInt64] = []
    while try statement.step() { result.append(UInt64(bitPattern: statement.integer(0))) }
    return result
  }

  private func reading<Result>(
    _ sql: SQLText, body: (SQLiteStatement) throws -> Result
  ) -> Result? {
    do { return try connection.withStatement(sql, body: body) } catch {
      failure =
        failure
        ?? CoreDataError.make(
          .migration, reason: "A temporary file of the migration could not be read.",
          underlying: error)
      return nil
    }
  }

  private static let insertion = SQLText("INSERT INTO pair VALUES (?, ?, ?, ?)")
  private static let destinations = partners(of: .source)
  private static let sources = partners(of: .destination)
  private static let allDestinations = SQLText(
    "SELECT mapping, destination FROM pair WHERE source = ? ORDER BY mapping, place")
  private static let sourceRange = range(of: .source)
  private static let destinationRange = range(of: .destination)

  private static func partners(of side: Side) -> SQLText {
    SQLText(
      "SELECT \(side.other.column) FROM pair WHERE \(side.column) = ? AND mapping = ? "
        + "ORDER BY place")
  }

  private static func range(of side: Side) -> SQLText {
    let name = side.column
    return SQLText(
      "SELECT \(name) FROM pair WHERE mapping = ? AND place >= ? AND place < ? "
        + "AND NOT EXISTS (SELECT 1 FROM pair AS earlier WHERE earlier.\(name) = pair.\(name) "
        + "AND earlier.mapping = pair.mapping AND earlier.place < pair.place) ORDER BY place")
  }
}
