/// In how many columns a value stands, and at which side of them.
///
/// Source: developer.apple.com/documentation/os/oslogstringalignment
public struct OSLogStringAlignment {
  private enum Side { case left, right }

  private let columns: () -> Int
  private let side: Side

  public static var none: OSLogStringAlignment { .init(columns: { 0 }, side: .right) }

  public static func left(columns: @autoclosure @escaping () -> Int) -> OSLogStringAlignment {
    .init(columns: columns, side: .left)
  }

  public static func right(columns: @autoclosure @escaping () -> Int) -> OSLogStringAlignment {
    .init(columns: columns, side: .right)
  }

  func aligned(_ text: String) -> String {
    let space = String(repeating: " ", count: max(0, columns() - text.count))
    return side == .left ? text + space : space + text
  }
}
