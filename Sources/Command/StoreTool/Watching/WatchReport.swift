import CoreData

/// A line of `watch`: a row of the initial list, or a change.
package struct WatchReport: Codable, Sendable {
  package enum Kind: String, Codable, Sendable {
    /// A row of the initial list.
    case row
    case insert, update, move, delete
  }

  package let kind: Kind
  package let object: String
  /// The index in the list, from 0; for a deletion the former one.
  package let index: Int
  /// The former index of a moved row.
  package let from: Int?
  /// The values in the order of the columns; none for a deletion.
  package let values: [Value]

  package struct Value: Codable, Sendable {
    package let name: String
    package let text: String?
  }

  package func text(_ terminal: Terminal = .standardOutput) -> String {
    let (sign, style): (String, Terminal.Style) =
      switch kind {
      case .row: (" ", .faint)
      case .insert: ("+", .green)
      case .update: ("~", .yellow)
      case .move: ("→", .yellow)
      case .delete: ("−", .red)
      }
    let place = from.map { "\($0)→\(index)" } ?? "\(index)"
    let shown = values.map { "\($0.name)=\($0.text.map { CellText.visible($0) } ?? "nil")" }
    return ([terminal.styled("\(sign) \(place)", style: style), object] + shown).joined(
      separator: "  ")
  }

  /// The report as JSON on one line, with the values as an object.
  package var json: String {
    let pairs = values.map {
      "\(JSONText.text($0.name)):\($0.text.map { JSONText.text($0) } ?? "null")"
    }
    let start = from.map { ",\"from\":\($0)" } ?? ""
    let rest = kind == .delete ? "" : ",\"values\":{\(pairs.joined(separator: ","))}"
    return
      "{\"change\":\"\(kind.rawValue)\",\"object\":\(JSONText.text(object)),\"index\":\(index)\(start)\(rest)}"
  }
}
