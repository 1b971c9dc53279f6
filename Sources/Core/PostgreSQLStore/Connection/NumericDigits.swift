/// The server's binary format of decimal numbers: groups of four digits.
///
///     -12345.678  ──►  3 groups, weight 1, negative, 3 digits behind the point: 1 │ 2345 │ 6780
struct NumericDigits {
  private static let positive: UInt16 = 0
  private static let negative: UInt16 = 0x4000
  private static let notANumber: UInt16 = 0xC000

  let groups: [Int16]
  /// The weight of the first group, as a power of 10000.
  let weight: Int16
  let sign: UInt16
  /// The number of digits after the decimal point.
  let scale: UInt16

  /// Parses a decimal number, or `NaN`; nil for any other text.
  init?(_ text: String) {
    if text == "NaN" {
      (groups, weight, sign, scale) = ([], 0, Self.notANumber, 0)
      return
    }
    let isNegative = text.hasPrefix("-")
    let parts = text.drop { $0 == "-" }.split(
      separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard let whole = parts.first, parts.allSatisfy({ $0.allSatisfy(\.isASCIIDigit) }),
      text.contains(where: \.isASCIIDigit)
    else { return nil }
    let rest = parts.count > 1 ? String(parts[1]) : ""
    let padded = String(repeating: "0", count: (4 - whole.count % 4) % 4) + whole
    let digits =
      Array((padded + rest).utf8)
      + [UInt8](
        repeating: 0x30, count: (4 - rest.count % 4) % 4)
    var groups = stride(from: 0, to: digits.count, by: 4).map { start in
      digits[start..<start + 4].reduce(0 as Int16) { $0 * 10 + Int16($1 - 0x30) }
    }
    var weight = padded.count / 4 - 1
    while groups.first == 0 {
      groups.removeFirst()
      weight -= 1
    }
    while groups.last == 0 { groups.removeLast() }
    self.groups = groups
    self.weight = groups.isEmpty ? 0 : Int16(weight)
    sign = isNegative && !groups.isEmpty ? Self.negative : Self.positive
    scale = UInt16(rest.count)
  }
}

extension Character {
  fileprivate var isASCIIDigit: Bool { isASCII && isNumber }
}
