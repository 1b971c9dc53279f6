import Foundation
import StoreTool

/// Prints warnings to the standard error stream, separate from results.
enum Warnings {
  static func print(_ warnings: [String]) {
    for warning in warnings {
      let head = Terminal.standardError.styled("warning:", style: .yellow)
      FileHandle.standardError.write(Data("\(head) \(CellText.visible(warning))\n".utf8))
    }
  }
}
