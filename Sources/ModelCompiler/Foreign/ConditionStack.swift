/// The `#if` conditions around a place, as far as they are known to hold on this platform.
struct ConditionStack {
  /// What the target is compiled with.
  let names: Set<String>
  /// Those that can be imported beside the system's.
  let modules: Set<String>
  private var branches: [Branch] = []

  private struct Branch {
    /// nil where it is not known.
    var isTaken: Bool?
    /// Whether none of the branches before was.
    var noneBefore: Bool?
  }

  init(names: Set<String>, modules: Set<String>) {
    self.names = names
    self.modules = modules
  }

  /// Whether what stands here is compiled for sure.
  var isActive: Bool { branches.allSatisfy { $0.isTaken == true } }

  mutating func open(_ condition: String) {
    branches.append(Branch(isTaken: value(condition), noneBefore: true))
  }

  /// The next branch of the innermost condition.
  mutating func turn(_ condition: String) {
    guard var branch = branches.popLast() else { return }
    branch.noneBefore = Self.both(branch.noneBefore, branch.isTaken.map { !$0 })
    branch.isTaken = Self.both(branch.noneBefore, value(condition))
    branches.append(branch)
  }

  mutating func close() { _ = branches.popLast() }

  // MARK: - Conditions

  private static func both(_ left: Bool?, _ right: Bool?) -> Bool? {
    if left == false || right == false { return false }
    return left == true && right == true ? true : nil
  }

  private func value(_ condition: String) -> Bool? {
    var parser = ConditionParser(text: condition, names: names, modules: modules)
    return parser.whole()
  }
}

/// `canImport(UIKit) && !os(Linux) || DEBUG`, where nil is what nobody here knows.
private struct ConditionParser {
  private var rest: Substring
  private let names: Set<String>
  private let modules: Set<String>

  init(text: String, names: Set<String>, modules: Set<String>) {
    rest = Substring(text.filter { !$0.isWhitespace })
    self.names = names
    self.modules = modules
  }

  mutating func whole() -> Bool? {
    let value = either()
    // What is left has a form that is not known.
    return rest.isEmpty ? value : nil
  }

  private mutating func take(_ text: String) -> Bool {
    guard rest.hasPrefix(text) else { return false }
    rest.removeFirst(text.count)
    return true
  }

  private mutating func either() -> Bool? {
    var value = both()
    while take("||") {
      let other = both()
      value = value == true || other == true ? true : value == false ? other : nil
    }
    return value
  }

  private mutating func both() -> Bool? {
    var value = one()
    while take("&&") {
      let other = one()
      value = value == false || other == false ? false : value == true ? other : nil
    }
    return value
  }

  private mutating func one() -> Bool? {
    if take("!") { return one().map { !$0 } }
    if take("(") {
      let value = either()
      return take(")") ? value : nil
    }
    let name = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
    rest.removeFirst(name.count)
    guard take("(") else { return plain(String(name)) }
    let argument = rest.prefix { $0 != ")" }
    rest.removeFirst(argument.count)
    return take(")") ? call(String(name), String(argument)) : nil
  }

  private func plain(_ name: String) -> Bool? {
    switch name {
    case "true": true
    case "false": false
    default: names.contains(name) ? true : nil
    }
  }

  private static let systems: Set<String> = ["Foundation", "CoreData", "Swift", "Dispatch"]

  private func call(_ name: String, _ argument: String) -> Bool? {
    switch name {
    case "os": argument == "Linux"
    case "targetEnvironment": false
    case "canImport" where modules.contains(argument) || Self.systems.contains(argument): true
    case "canImport" where AppleModules.all.contains(argument): false
    default: nil
    }
  }
}
