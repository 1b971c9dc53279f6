/// A scenario that can be chosen by its name, with the sizes at which it is measured.
struct Plan {
  let family: String
  let size: Int
  let smokeSize: Int
  let make: (Int, Workspace) throws -> Scenario

  static var all: [Plan] {
    [
      Plan(family: "fetch", size: 100_000, smokeSize: 1_000) { try .fetch($0, in: $1) },
      Plan(family: "insert", size: 100_000, smokeSize: 1_000) { try .insert($0, in: $1) },
      Plan(family: "frc-change", size: 100_000, smokeSize: 1_000) { try .listChange($0, in: $1) },
      Plan(family: "frc-change", size: 1_000_000, smokeSize: 10_000) {
        try .listChange($0, in: $1)
      },
      Plan(family: "predicate-parse", size: 100_000, smokeSize: 1_000) {
        try .predicateParsing($0, in: $1)
      },
      Plan(family: "predicate-memory", size: 1_000_000, smokeSize: 1_000) {
        try .predicateEvaluation($0, in: $1)
      },
      Plan(family: "sort-localized", size: 100_000, smokeSize: 1_000) {
        try .localizedSort($0, in: $1)
      },
      Plan(family: "predicate-sql", size: 1_000_000, smokeSize: 1_000) {
        try .predicate($0, in: $1)
      },
      Plan(family: "predicate-sql-search", size: 1_000_000, smokeSize: 1_000) {
        try .search($0, in: $1)
      },
    ]
  }

  /// The name at full size: what a filter is matched against.
  var name: String { name(size: size) }

  func name(size: Int, way: String = "") -> String {
    let label = size % 1_000_000 == 0 ? "\(size / 1_000_000)m" : "\(size / 1_000)k"
    return way.isEmpty ? "\(family)-\(label)" : "\(family)-\(way)-\(label)"
  }
}
