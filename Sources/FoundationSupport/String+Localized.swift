extension String {
  /// A text to look up, with values in it: `"\(count) items"` is looked up as `%lld items`.
  ///
  /// Source: developer.apple.com/documentation/swift/string/localizationvalue
  public struct LocalizationValue: ExpressibleByStringInterpolation, Equatable, Sendable {
    let key: String
    fileprivate let arguments: [Argument]

    public init(_ value: String) { (key, arguments) = (value, []) }

    public init(stringLiteral value: String) { self.init(value) }

    public init(stringInterpolation: StringInterpolation) {
      key = stringInterpolation.key
      arguments = stringInterpolation.arguments
    }

    fileprivate enum Argument: Equatable, Sendable {
      case text(String)
      case signed(Int64)
      case unsigned(UInt64)
      case number(Double)

      var value: any CVarArg {
        switch self {
        case .text(let text): text
        case .signed(let number): number
        case .unsigned(let number): number
        case .number(let number): number
        }
      }
    }

    public struct StringInterpolation: StringInterpolationProtocol {
      fileprivate var key = ""
      fileprivate var arguments: [Argument] = []

      public init(literalCapacity: Int, interpolationCount: Int) {}

      public mutating func appendLiteral(_ literal: String) {
        key += literal.replacingOccurrences(of: "%", with: "%%")
      }

      private mutating func append(_ specifier: String, _ argument: Argument) {
        key += specifier
        arguments.append(argument)
      }

      public mutating func appendInterpolation(_ text: String) { append("%@", .text(text)) }

      public mutating func appendInterpolation(_ text: Substring) {
        append("%@", .text(String(text)))
      }

      public mutating func appendInterpolation(_ number: some SignedInteger & FixedWidthInteger) {
        append(number.bitWidth <= 32 ? "%d" : "%lld", .signed(Int64(number)))
      }

      public mutating func appendInterpolation(_ number: some UnsignedInteger & FixedWidthInteger) {
        append(number.bitWidth <= 32 ? "%u" : "%llu", .unsigned(UInt64(number)))
      }

      public mutating func appendInterpolation(_ number: Double) { append("%lf", .number(number)) }

      public mutating func appendInterpolation(_ number: Float) {
        append("%f", .number(Double(number)))
      }

      @_disfavoredOverload
      public mutating func appendInterpolation(_ value: some CustomStringConvertible) {
        append("%@", .text(value.description))
      }

      /// A value with the specifier that the key has for it.
      public mutating func appendInterpolation(_ number: some BinaryInteger, specifier: String) {
        append(specifier, .signed(Int64(truncatingIfNeeded: number)))
      }

      public mutating func appendInterpolation(
        _ number: some BinaryFloatingPoint, specifier: String
      ) {
        append(specifier, .number(Double(number)))
      }
    }
  }

  /// A text of a bundle's table in the user's language; the key itself where the table has none.
  ///
  /// Source: developer.apple.com/documentation/swift/string/init(localized:table:bundle:locale:comment:)
  public init(
    localized key: LocalizationValue, table: String? = nil, bundle: Bundle? = nil,
    locale: Locale = .current, comment: StaticString? = nil
  ) {
    self.init(key.key, key.key, key.arguments, table, bundle, locale)
  }

  /// The same with a text for where the table has none.
  public init(
    localized key: StaticString, defaultValue: LocalizationValue, table: String? = nil,
    bundle: Bundle? = nil, locale: Locale = .current, comment: StaticString? = nil
  ) {
    self.init("\(key)", defaultValue.key, defaultValue.arguments, table, bundle, locale)
  }

  /// The text of a resource in its language.
  ///
  /// Source: developer.apple.com/documentation/swift/string/init(localized:)
  public init(localized resource: LocalizedStringResource) {
    let value = resource.defaultValue
    self.init(
      resource.key, value.key, value.arguments, resource.table, resource.bundle.bundle,
      resource.locale)
  }

  private init(
    _ key: String, _ defaultValue: String, _ arguments: [LocalizationValue.Argument],
    _ table: String?, _ bundle: Bundle?, _ locale: Locale
  ) {
    let found = (bundle ?? .main).localizedString(forKey: key, value: defaultValue, table: table)
    // A text without values is no format: its `%` are its own.
    if arguments.isEmpty {
      self = found
      return
    }
    self.init(format: found, locale: locale, arguments: arguments.map(\.value))
  }
}
