/// What is left out for one reason, as a line of the summary; ordered by what it costs.
struct ReportedCause: Comparable, CustomStringConvertible {
  private let group: String
  private let tests: Int
  private let files: Int
  private let declarations: Int
  private let bodies: Int
  /// What is left out first, by its place.
  let first: LeftOut

  /// - Parameter left: what is left out, at least one.
  init(_ group: String, left: [LeftOut]) {
    self.group = group
    tests = left.reduce(0) { $0 + $1.tests }
    files = left.count { $0.cause == nil }
    bodies = left.count { $0.isOfBody }
    declarations = left.count - files - bodies
    first = left.min(by: Self.isBefore)!
  }

  private static func isBefore(_ left: LeftOut, _ right: LeftOut) -> Bool {
    (left.file.path, left.line ?? 0) < (right.file.path, right.line ?? 0)
  }

  private var cost: [Int] { [tests, files, declarations, bodies] }

  static func < (left: Self, right: Self) -> Bool {
    left.cost == right.cost
      ? right.group < left.group : left.cost.lexicographicallyPrecedes(right.cost)
  }

  static func == (left: Self, right: Self) -> Bool {
    left.cost == right.cost && left.group == right.group
  }

  var description: String {
    let counts = [(files, "files"), (declarations, "declarations"), (bodies, "bodies")]
    let text = counts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
    return "\(text)\(tests > 0 ? ", with \(tests) tests" : ""): \(group)"
  }
}
