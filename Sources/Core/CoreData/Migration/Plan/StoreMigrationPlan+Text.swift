extension StoreMigrationPlan: CustomStringConvertible {
  /// The plan as text, line by line.
  public var description: String { text(isDone: false) }

  /// The plan as text, of what will be done or of what has been done.
  package func text(isDone: Bool) -> String {
    let lines = steps.enumerated().flatMap { $1.lines($0 + 1) }
    return (heading(isDone: isDone) + lines + indexLines(isDone: isDone) + problemLines)
      .joined(separator: "\n")
  }

  private func heading(isDone: Bool) -> [String] {
    let name = "\(store.lastPathComponent) (\(type))"
    guard isNeeded else { return ["\(name) is of this version of the model."] }
    let count = steps.count == 1 ? "1 step" : "\(steps.count) steps"
    return [
      isPossible
        ? "\(name) \(isDone ? "has migrated" : "migrates") in \(count)."
        : "\(name) cannot be migrated:"
    ]
  }

  private func indexLines(isDone: Bool) -> [String] {
    if missingIndexes.isEmpty { return [] }
    let heading = isDone ? "Indexes made:" : "Indexes to be made:"
    return ["\(heading) \(missingIndexes.joined(separator: ", "))"]
  }

  private var problemLines: [String] {
    problems.isEmpty ? [] : ["Problems:"] + problems.map { "  \($0)" }
  }
}

extension StoreMigrationPlan.Problem: CustomStringConvertible {
  public var description: String {
    let place = [entity, property].compactMap { $0 }.joined(separator: ".")
    let start = place.isEmpty ? "" : "\(place): "
    let count = objects.map { " (\($0 == 1 ? "1 object" : "\($0) objects"))" } ?? ""
    return "\(start)\(reason)\(count) [\(code)]"
  }
}

extension StoreMigrationPlan.Version: CustomStringConvertible {
  /// The identifiers, or else the beginning of the checksum.
  public var description: String {
    let names = identifiers.filter { !$0.isEmpty }
    return names.isEmpty
      ? "version \(checksum.prefix(8))" : names.map { "“\($0)”" }.joined(separator: ", ")
  }
}

extension StoreMigrationPlan.Step {
  func lines(_ number: Int) -> [String] {
    let mapping = mappingModel.map { "by the mapping model \($0)" } ?? "by an inferred mapping"
    let how = way == .inPlace ? "in place" : "object by object"
    let stage = stage.map { ", in the stage “\($0)”" } ?? ""
    return ["\(number). From \(source) to \(destination): \(how), \(mapping)\(stage)"]
      + entities.flatMap(\.lines)
  }
}

extension StoreMigrationPlan.Entity {
  package var lines: [String] {
    var parts = [text]
    if let objects { parts.append(objects == 1 ? "1 object" : "\(objects) objects") }
    if let table { parts.append(tableText(table)) }
    if let policy { parts.append("policy \(policy)") }
    return ["   \(parts.joined(separator: ", "))"] + properties.flatMap { $0.lines("      ") }
  }

  private var text: String {
    switch change {
    case .added: "+ \(name)"
    case .removed: "− \(name)"
    case .renamed: "~ \(name), was \(formerName ?? "")"
    case .copied: "= \(name)"
    case .transformed: "~ \(name)"
    }
  }

  private func tableText(_ table: Table) -> String {
    switch table {
    case .made: "a new table"
    case .kept: "its table stays"
    case .columnsAdded: "columns are added to its table"
    case .rebuilt: "its table is made anew"
    case .removed: "its table goes"
    }
  }
}

extension StoreMigrationPlan.Property {
  func lines(_ indent: String) -> [String] {
    ["\(indent)\(line)"] + elements.flatMap { $0.lines("\(indent)   ") }
  }

  private var line: String {
    let details = details.isEmpty ? "" : ": \(details.joined(separator: ", "))"
    return switch change {
    case .added: "+ \(kind) \(name)\(details)"
    case .removed: "− \(kind) \(name)"
    case .renamed: "~ \(kind) \(name), was \(formerName ?? "")\(details)"
    case .changed: "~ \(kind) \(name)\(details)"
    }
  }
}
