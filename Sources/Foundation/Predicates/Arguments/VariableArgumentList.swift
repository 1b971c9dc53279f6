internal import CRuntime
import Foundation
import KeyValueCoding

/// The arguments of a format in a C argument list; the format determines their types.
enum VariableArgumentList {
  /// The type of one argument, as a letter of the C function that reads the list.
  private enum Kind: UInt8 {
    /// `%d`
    case integer = 0x69
    /// `%ld`, `%lld`
    case long = 0x6C
    /// `%f`
    case double = 0x64
    /// `%@`, `%K`, `%s`
    case pointer = 0x70
  }

  /// The values in a list for a format. Empty if the format is not valid; parsing it reports the
  /// error.
  static func values(of format: String, in list: CVaListPointer) -> [Any?] {
    // The error is ignored here: parsing the format finds it again.
    guard let tokens = try? KnownFormats.tokens(of: format) else { return [] }
    let scalars = Array(format.unicodeScalars)
    var conversions: [(Token.Conversion, Kind, Character)] = []
    for token in tokens {
      guard case .argument(let conversion, _) = token.kind else { continue }
      let text = scalars[token.position...].dropFirst()
      let letter = text.first { $0 == "@" || $0.properties.isAlphabetic && !lengths.contains($0) }
      let isLong = text.prefix { $0 != letter }.contains { $0 != "h" && lengths.contains($0) }
      conversions.append(
        (conversion, kind(conversion, isLong: isLong, letter: letter), Character(letter ?? "@")))
    }
    var words = [UInt64](repeating: 0, count: conversions.count)
    var kinds = conversions.map { CChar(bitPattern: $0.1.rawValue) } + [0]
    readVariableArguments(&kinds, list, &words)
    return zip(conversions, words).map { value($0.0, kind: $0.1, letter: $0.2, word: $1) }
  }

  /// The length modifiers of printf's number conversions.
  private static let lengths: Set<Unicode.Scalar> = ["h", "l", "q", "j", "z", "t", "L"]

  private static func kind(
    _ conversion: Token.Conversion, isLong: Bool, letter: Unicode.Scalar?
  ) -> Kind {
    switch conversion {
    case .object, .keyPath: .pointer
    case .integer: isLong ? .long : .integer
    case .double: .double
    case .text: letter == "s" || letter == "S" ? .pointer : .integer
    }
  }

  private static func value(
    _ conversion: Token.Conversion, kind: Kind, letter: Character, word: UInt64
  ) -> Any? {
    switch kind {
    case .integer: return NSNumber(value: Int32(truncatingIfNeeded: Int64(bitPattern: word)))
    case .long where "uxXo".contains(letter): return NSNumber(value: word)
    case .long: return NSNumber(value: Int64(bitPattern: word))
    case .double: return NSNumber(value: Double(bitPattern: word))
    case .pointer:
      guard let pointer = UnsafeRawPointer(bitPattern: UInt(word)) else { return nil }
      if conversion == .text { return String(cString: pointer.assumingMemoryBound(to: CChar.self)) }
      // Sound: the caller that made the list keeps the object alive during the call.
      return Unmanaged<AnyObject>.fromOpaque(pointer).takeUnretainedValue()
    }
  }
}

extension PredicateFactory where Self: NSPredicate {
  /// Parses a format with its arguments in a C argument list, such as `withVaList` makes. Traps if
  /// the format is not valid.
  public init(format predicateFormat: String, arguments: CVaListPointer) {
    self.init(
      format: predicateFormat,
      values: VariableArgumentList.values(of: predicateFormat, in: arguments))
  }
}

extension NSExpression {
  /// Parses a format with its arguments in a C argument list, such as `withVaList` makes. Traps if
  /// the format is not valid.
  public convenience init(format expressionFormat: String, arguments: CVaListPointer) {
    let values = VariableArgumentList.values(of: expressionFormat, in: arguments)
    let parsed = trapping {
      try PredicateParser.parse(expressionFormat: expressionFormat, arguments: values)
    }
    self.init(content: parsed.content)
  }
}
