/// The width of a value in columns, and its side within them.
///
/// Source: developer.apple.com/documentation/os/oslogstringalignment
public struct OSLogStringAlignment {
  private enum Side { case left, right }

  private let columns: () -> Int
  private let side: Side

  /// No padding.
  public static var none: OSLogStringAlignment { .init(columns: { 0 }, side: .right) }

  /// Pads on the right to a number of columns.
  public static func left(columns: @autoclosure @escaping () -> Int) -> OSLogStringAlignment {
    .init(columns: columns, side: .left)
  }

  /// Pads on the left to a number of columns.
  public static func right(columns: @autoclosure @escaping () -> Int) -> OSLogStringAlignment {
    .init(columns: columns, side: .right)
  }

  func aligned(_ text: String) -> String {
    let space = String(repeating: " ", count: max(0, columns() - text.count))
    return side == .left ? text + space : space + text
  }
}
