import CoreData

/// What `watch` prints: a row of the list at the start, or a change of one.
package struct WatchReport: Codable, Sendable {
  package enum Kind: String, Codable, Sendable {
    /// Was there from the start.
    case row
    case insert, update, move, delete
  }

  package let kind: Kind
  package let object: String
  /// The place in the list, from 0; of a deletion, where it was.
  package let index: Int
  /// Of a move: the place before it.
  package let from: Int?
  /// In the order of the columns; none of a deletion.
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
    return ([terminal.styled("\(sign) \(place)", style), object] + shown).joined(separator: "  ")
  }

  /// On one line, with the values as an object.
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
