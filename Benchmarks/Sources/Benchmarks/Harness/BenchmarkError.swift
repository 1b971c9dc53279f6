/// What makes a comparison worthless.
enum BenchmarkError: Error, CustomStringConvertible {
  case unequalWork(String, String, String, String)
  case unequalSettings(String, expected: ConnectionSettings, found: ConnectionSettings)
  case noConnection(String)
  case sqlite(Int32, String)
  case wrongNumberOfChanges(String, expected: Int, found: Int)
  case wrongResult(String, expected: Int, found: Int)
  case childFailed(String)
  case noSuchScenario(String)

  var description: String {
    switch self {
    case .unequalWork(let name, let sum, let otherName, let otherSum):
      "The sides did different work: \(name) says \(sum), \(otherName) says \(otherSum)."
    case .unequalSettings(let name, let expected, let found):
      "\(name) has other settings than ours: expected \(expected), found \(found)."
    case .noConnection(let name): "\(name) opened no connection that could be asked."
    case .sqlite(let code, let message): "SQLite says \(code): \(message)."
    case .wrongNumberOfChanges(let name, let expected, let found):
      "\(name) told of \(found) changes; expected \(expected)."
    case .wrongResult(let what, let expected, let found):
      "\(what): expected \(expected), found \(found)."
    case .childFailed(let work): "The process that does “\(work)” failed."
    case .noSuchScenario(let names): "No scenario matches FILTER; there are: \(names)."
    }
  }

  /// Stops the comparison when work of ours without a peer has not led where it must.
  static func expect(_ what: String, _ found: Int, toBe expected: Int) throws {
    guard found == expected else { throw wrongResult(what, expected: expected, found: found) }
  }
}
