/// What to measure, from environment variables: `make bench FILTER=fetch` passes them on.
///
/// - `FILTER`: a regular expression; a scenario runs when it occurs in the scenario's name.
/// - `SMOKE`: when set and not empty, tiny sizes and two runs: proves that everything works, measures nothing.
/// - `RUNS`: measured runs of each side, five at least and seven unless told (one more is discarded);
///   nine times as many where they are over at once.
/// - `RESULTS`: a file that gets the results as a Markdown page.
struct Options {
  let filter: Regex<AnyRegexOutput>?
  let isSmoke: Bool
  let runs: Int
  /// Where the runs of all sides are over at once.
  let runsOfShort: Int
  let resultsPath: String?

  init(environment: [String: String]) throws {
    let filter = environment["FILTER"] ?? ""
    self.filter = filter.isEmpty ? nil : try Regex(filter)
    isSmoke = !(environment["SMOKE"] ?? "").isEmpty
    runs = isSmoke ? 2 : max(5, environment["RUNS"].flatMap { Int($0) } ?? 7)
    runsOfShort = isSmoke ? runs : runs * 9
    resultsPath = environment["RESULTS"].flatMap { $0.isEmpty ? nil : $0 }
  }

  func selects(_ plan: Plan) -> Bool {
    guard let filter else { return isSmoke || !plan.isOnRequest }
    return plan.name.contains(filter)
  }
}
