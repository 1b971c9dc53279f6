import Foundation

/// Decimal numbers in archives: up to eight 16-bit digits of the mantissa, little-endian.
enum ArchivedDecimal {
  static let bigEndianMark = 1

  /// The decimal number with a sign, an exponent of ten and a mantissa.
  static func decimal(exponent: Int, isNegative: Bool, mantissa: [UInt16]) -> Decimal {
    var value = Decimal(0)
    for digit in mantissa.reversed() { value = value * 65536 + Decimal(Int(digit)) }
    let scaled = Decimal(sign: .plus, exponent: exponent, significand: value)
    return isNegative ? -scaled : scaled
  }

  /// Sign, exponent and mantissa of a number; the mantissa has as few digits as possible. Equal
  /// numbers have equal parts.
  static func parts(of number: Decimal) -> (exponent: Int, isNegative: Bool, mantissa: [UInt16]) {
    guard number != 0 else { return (0, false, []) }
    var decimal = number
    NSDecimalCompact(&decimal)
    var rest = decimal.significand
    var mantissa: [UInt16] = []
    while rest > 0, mantissa.count < 8 {
      var quotient = rest / 65536
      var whole = Decimal()
      NSDecimalRound(&whole, &quotient, 0, .down)
      let digit = rest - whole * 65536
      mantissa.append(UInt16(truncating: NSDecimalNumber(decimal: digit)))
      rest = whole
    }
    return (decimal.exponent, decimal.sign == .minus, mantissa)
  }
}

extension KeyedArchive {
  func decimal(_ record: ArchiveRecord) throws -> NSDecimalNumber {
    guard let data = record.fields["NS.mantissa"] as? Data, data.count <= 16 else {
      throw record.wrong("NS.mantissa", expected: "at most 16 bytes")
    }
    let length = try record.integer("NS.length") ?? data.count / 2
    let isSwapped = try record.integer("NS.mantissa.bo") == 2
    let bytes = [UInt8](data)
    let digits = stride(from: 0, to: bytes.count - 1, by: 2).map { index in
      let (low, high) = isSwapped ? (index + 1, index) : (index, index + 1)
      return UInt16(bytes[low]) | UInt16(bytes[high]) << 8
    }
    let exponent = try record.integer("NS.exponent") ?? 0
    guard (-128...127).contains(exponent), length >= 0 else {
      throw record.wrong("NS.exponent", expected: "-128 to 127")
    }
    return NSDecimalNumber(
      decimal: ArchivedDecimal.decimal(
        exponent: exponent, isNegative: try record.flag("NS.negative"),
        mantissa: Array(digits.prefix(length))))
  }
}
