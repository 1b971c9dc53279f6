/// What makes a comparison worthless.
enum BenchmarkError: Error, CustomStringConvertible {
  case unequalWork(String, String, String, String)
  case unequalSettings(String, expected: ConnectionSettings, found: ConnectionSettings)
  case noConnection(String)
  case sqlite(Int32, String)
  case wrongNumberOfChanges(String, expected: Int, found: Int)
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
    case .noSuchScenario(let names): "No scenario matches FILTER; there are: \(names)."
    }
  }
}
