/// The patch of one window for the pages of others that show the same list: made and written once.
///
/// Pages differ in the names of their elements: that of the table is put in for each.
struct SharedPatch {
  private enum Piece {
    /// An operation on the table, after its name.
    case ofTable(String)
    /// A whole operation.
    case plain(String)
  }

  private let pieces: [Piece]

  /// Nil if a patch is not for others: it has more than rows of the table, and the words about them
  /// for screen readers.
  init?(_ operations: [PatchOperation], table: String) {
    var pieces: [Piece] = []
    for operation in operations {
      switch operation.op {
      case "rows" where operation.id == table:
        var nameless = operation
        nameless.id = nil
        pieces.append(.ofTable(",\(PatchText.text(nameless).dropFirst())"))
      case "status": pieces.append(.plain(PatchText.text(operation)))
      default: return nil
      }
    }
    self.pieces = pieces
  }

  var isEmpty: Bool { pieces.isEmpty }

  /// The message for a page that calls the table so.
  func text(table: String) -> MessageLog.Text {
    var texts: [String] = []
    var joint = "["
    for piece in pieces {
      switch piece {
      case .ofTable(let rest): texts += ["\(joint){\"id\":\"\(table)\"", rest]
      case .plain(let all): texts += [joint, all]
      }
      joint = ","
    }
    return MessageLog.Text(pieces: texts + ["]"])
  }
}
