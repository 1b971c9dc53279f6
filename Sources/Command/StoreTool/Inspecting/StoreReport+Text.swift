import CoreData

extension StoreReport {
  /// The report as text.
  package func text(_ terminal: Terminal = .standardOutput) -> String {
    var lines = [terminal.styled(path, style: .bold)]
    lines += facts.map { "  \($0.0.padding(toLength: 14, withPad: " ", startingAt: 0))\($0.1)" }
    lines += ["", entityTable(terminal)]
    if !joinTables.isEmpty {
      let names = joinTables.sorted { $0.key < $1.key }.map { "\($0.key) (\($0.value))" }
      lines += ["", "Join tables: \(names.joined(separator: ", "))"]
    }
    let indexes = entities.flatMap(\.indexes)
    if !indexes.isEmpty { lines += ["", "Indexes: \(indexes.joined(separator: ", "))"] }
    if !warnings.isEmpty {
      lines +=
        [""] + warnings.map { terminal.styled("Warning: ", style: .yellow) + CellText.visible($0) }
    }
    return lines.joined(separator: "\n")
  }

  private var facts: [(String, String)] {
    var facts = [
      ("type", (server ?? format.rawValue) + (journalMode.map { ", journal \($0)" } ?? ""))
    ]
    facts.append(
      (
        "size",
        files.map {
          server != nil
            ? "tables \(CellText.size($0.bytes))"
            : "\(URL(fileURLWithPath: $0.path).lastPathComponent) \(CellText.size($0.bytes))"
        }
        .joined(separator: ", ")
      ))
    facts.append(("UUID", CellText.visible(uuid)))
    if let frameworkVersion { facts.append(("framework", String(frameworkVersion))) }
    facts.append(("model", model.origin))
    let identifiers = model.versionIdentifiers.map { CellText.visible($0) }.joined(separator: ", ")
    facts.append(
      ("version", (identifiers.isEmpty ? "" : identifiers + ", ") + "checksum \(model.checksum)"))
    if let history { facts.append(("history", Self.text(of: history))) }
    if let externalData {
      facts.append(
        ("external data", "\(externalData.files) files, \(CellText.size(externalData.bytes))"))
    }
    for (key, value) in metadata.sorted(by: { $0.key < $1.key }) {
      facts.append(("metadata", CellText.visible("\(key) = \(value)")))
    }
    return facts
  }

  private static func text(of history: History) -> String {
    var text = "\(history.transactions) transactions, \(history.changes) changes"
    if let first = history.first, let last = history.last {
      text += ", \(ISODate.text(first)) to \(ISODate.text(last))"
    }
    return history.authors.isEmpty
      ? text : text + ", by \(history.authors.map { CellText.visible($0) }.joined(separator: ", "))"
  }

  private func entityTable(_ terminal: Terminal) -> String {
    let hasSizes = entities.contains { $0.tableBytes != nil }
    let columns =
      ["entity", "objects", "attributes", "relationships", "table"] + (hasSizes ? ["size"] : [])
    let rows = entities.map { entity in
      let indent = String(repeating: "  ", count: depth(of: entity))
      let name = indent + CellText.visible(entity.name) + (entity.isAbstract ? " (abstract)" : "")
      let cells = [
        TextTable.Cell(name), TextTable.Cell(String(entity.objects), isNumber: true),
        TextTable.Cell(String(entity.attributes), isNumber: true),
        TextTable.Cell(String(entity.relationships), isNumber: true),
        TextTable.Cell(CellText.visible(entity.table ?? "")),
      ]
      return hasSizes
        ? cells + [TextTable.Cell(entity.tableBytes.map(CellText.size) ?? "", isNumber: true)]
        : cells
    }
    return TextTable.text(columns, rows: rows, terminal: terminal)
  }

  private func depth(of entity: Entity) -> Int {
    var depth = 0
    var parent = entity.parent
    while let name = parent, depth < 64 {
      depth += 1
      parent = entities.first { $0.name == name }?.parent
    }
    return depth
  }
}
