/// The `#if` conditions around a place, evaluated as far as their values are known.
struct ConditionStack {
  /// The target's compilation conditions.
  let names: Set<String>
  /// Modules that can be imported in addition to the system's.
  let modules: Set<String>
  private var branches: [Branch] = []

  private struct Branch {
    /// Whether the branch is compiled; nil if unknown.
    var isTaken: Bool?
    /// Whether no earlier branch was compiled; nil if unknown.
    var noneBefore: Bool?
  }

  init(names: Set<String>, modules: Set<String>) {
    self.names = names
    self.modules = modules
  }

  /// Whether the place is certainly compiled.
  var isActive: Bool { branches.allSatisfy { $0.isTaken == true } }

  mutating func open(_ condition: String) {
    branches.append(Branch(isTaken: value(condition), noneBefore: true))
  }

  /// Enters the next branch of the innermost condition.
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

/// Evaluates conditions such as `canImport(UIKit) && !os(Linux) || DEBUG`; nil means unknown.
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
    // Unread text means a condition of an unknown form.
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
    return take(")") ? call(String(name), argument: String(argument)) : nil
  }

  private func plain(_ name: String) -> Bool? {
    switch name {
    case "true": true
    case "false": false
    default: names.contains(name) ? true : nil
    }
  }

  private static let systems: Set<String> = ["Foundation", "CoreData", "Swift", "Dispatch"]

  private func call(_ name: String, argument: String) -> Bool? {
    switch name {
    case "os": argument == "Linux"
    case "targetEnvironment": false
    case "canImport" where modules.contains(argument) || Self.systems.contains(argument): true
    case "canImport" where AppleModules.all.contains(argument): false
    default: nil
    }
  }
}
