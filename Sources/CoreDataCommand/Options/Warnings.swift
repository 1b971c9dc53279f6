import Foundation
import StoreTool

/// What is told beside the results, on the standard error stream.
enum Warnings {
  static func print(_ warnings: [String]) {
    for warning in warnings {
      let head = Terminal.standardError.styled("warning:", .yellow)
      FileHandle.standardError.write(Data("\(head) \(CellText.visible(warning))\n".utf8))
    }
  }
}
