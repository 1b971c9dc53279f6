import Foundation

/// A value in a model file: a default value or a limit.
package enum ModelConstant: Hashable, Sendable {
  case integer(Int64)
  case double(Double)
  case float(Float)
  case decimal(Decimal)
  case boolean(Bool)
  case text(String)
  case date(Date)
  case uuid(UUID)
  case url(URL)

  /// The value as an object, as key-value coding represents it.
  package var value: Any {
    switch self {
    case .integer(let number): NSNumber(value: number)
    case .double(let number): NSNumber(value: number)
    case .float(let number): NSNumber(value: number)
    case .decimal(let number): NSDecimalNumber(decimal: number)
    case .boolean(let flag): NSNumber(value: flag)
    case .text(let text): text
    case .date(let date): date
    case .uuid(let uuid): uuid
    case .url(let url): url
    }
  }

  /// Converts an object to a constant of the type. Returns nil if the object is not of the type, or
  /// if values of the type have no text form.
  package init?(value: Any, type: ModelAttributeType) {
    switch (type, value) {
    case (.integer16, let number as NSNumber), (.integer32, let number as NSNumber),
      (.integer64, let number as NSNumber):
      self = .integer(number.int64Value)
    case (.double, let number as NSNumber): self = .double(number.doubleValue)
    case (.float, let number as NSNumber): self = .float(number.floatValue)
    case (.decimal, let number as NSDecimalNumber): self = .decimal(number.decimalValue)
    case (.decimal, let number as NSNumber): self = .decimal(number.decimalValue)
    case (.boolean, let number as NSNumber): self = .boolean(number.boolValue)
    case (.string, let text as String): self = .text(text)
    case (.date, let date as Date): self = .date(date)
    case (.uuid, let uuid as UUID): self = .uuid(uuid)
    // A URL with a base has no complete text of its own.
    case (.uri, let url as URL) where url.baseURL == nil: self = .url(url)
    default: return nil
    }
  }

  /// Parses a text as a value of the type. Returns nil if the text does not fit, or if values of
  /// the type have no text form.
  init?(text: String, type: ModelAttributeType) {
    switch type {
    case .integer16: self.init(integer: text, as: Int16.self)
    case .integer32: self.init(integer: text, as: Int32.self)
    case .integer64: self.init(integer: text, as: Int64.self)
    case .double: self.init(Double(text).map(Self.double))
    case .float: self.init(Float(text).map(Self.float))
    case .decimal: self.init(Self.isNumber(text) ? Decimal(string: text).map(Self.decimal) : nil)
    case .boolean: self.init(Self.flag(text).map(Self.boolean))
    case .string: self = .text(text)
    case .uuid: self.init(UUID(uuidString: text).map(Self.uuid))
    case .uri: self.init(URL(string: text).map(Self.url))
    case .undefined, .date, .binary, .transformable, .objectID, .composite: return nil
    }
  }

  private init?(_ value: Self?) {
    guard let value else { return nil }
    self = value
  }

  /// Parses an integer. Xcode keeps "0.0" for attributes that had a fractional type before.
  private init?<Number: FixedWidthInteger & SignedInteger>(integer text: String, as: Number.Type) {
    let whole = Number(text) ?? Double(text).flatMap { Number(exactly: $0) }
    self.init(whole.map { .integer(Int64($0)) })
  }

  /// Returns true for complete numbers; `Decimal(string:)` also accepts a number followed by other
  /// text.
  private static func isNumber(_ text: String) -> Bool { Double(text) != nil }

  /// Xcode keeps "0.0" for attributes that had a fractional type before, as for integers.
  private static func flag(_ text: String) -> Bool? {
    switch text.uppercased() {
    case "YES", "TRUE": true
    case "NO", "FALSE": false
    default: Double(text).flatMap { $0 == 0 ? false : $0 == 1 ? true : nil }
    }
  }

  /// Converts a default value that does not fit its type as leniently as Apple's tools: to the
  /// number at the beginning of the text, or else 0. Returns nil for types other than numbers and
  /// booleans.
  init?(unfitting text: String, type: ModelAttributeType) {
    let number = Self.leadingNumber(of: text)
    switch type {
    case .integer16: self = .integer(Self.clamped(number, to: Int16.self))
    case .integer32: self = .integer(Self.clamped(number, to: Int32.self))
    case .integer64: self = .integer(Self.clamped(number, to: Int64.self))
    case .double: self = .double(number)
    case .float: self = .float(Float(number))
    case .decimal: self = .decimal(Decimal(string: text) ?? 0)
    case .boolean: self = .boolean(["Y", "T"].contains(text.prefix(1).uppercased()) || number != 0)
    default: return nil
    }
  }

  private static func leadingNumber(of text: String) -> Double {
    let trimmed = text.drop(while: \.isWhitespace)
    let digits = trimmed.prefix { "+-.0123456789".contains($0) }
    return Double(digits) ?? 0
  }

  private static func clamped<Number: FixedWidthInteger>(
    _ number: Double, to type: Number.Type
  ) -> Int64 {
    if number >= Double(Number.max) { return Int64(Number.max) }
    if number <= Double(Number.min) { return Int64(Number.min) }
    return Int64(number)
  }
}
