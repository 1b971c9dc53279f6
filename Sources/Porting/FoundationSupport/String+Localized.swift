extension String {
  /// A localizable text with interpolated values: the key of `"\(count) items"` is `%lld items`.
  ///
  /// Source: developer.apple.com/documentation/swift/string/localizationvalue
  public struct LocalizationValue: ExpressibleByStringInterpolation, Equatable, Sendable {
    let key: String
    fileprivate let arguments: [Argument]

    /// Creates a text without values.
    public init(_ value: String) { (key, arguments) = (value, []) }

    public init(stringLiteral value: String) { self.init(value) }

    /// Creates a text from an interpolated string.
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

    /// Builds the key and the list of values of an interpolated string.
    public struct StringInterpolation: StringInterpolationProtocol {
      fileprivate var key = ""
      fileprivate var arguments: [Argument] = []

      /// Creates an empty interpolation.
      public init(literalCapacity: Int, interpolationCount: Int) {}

      /// Appends text; `%` is escaped in the key.
      public mutating func appendLiteral(_ literal: String) {
        key += literal.replacingOccurrences(of: "%", with: "%%")
      }

      private mutating func append(_ specifier: String, _ argument: Argument) {
        key += specifier
        arguments.append(argument)
      }

      /// Appends a string as `%@`.
      public mutating func appendInterpolation(_ text: String) { append("%@", .text(text)) }

      /// Appends a substring as `%@`.
      public mutating func appendInterpolation(_ text: Substring) {
        append("%@", .text(String(text)))
      }

      /// Appends a signed integer as `%d` up to 32 bits, else as `%lld`.
      public mutating func appendInterpolation(_ number: some SignedInteger & FixedWidthInteger) {
        append(number.bitWidth <= 32 ? "%d" : "%lld", .signed(Int64(number)))
      }

      /// Appends an unsigned integer as `%u` up to 32 bits, else as `%llu`.
      public mutating func appendInterpolation(_ number: some UnsignedInteger & FixedWidthInteger) {
        append(number.bitWidth <= 32 ? "%u" : "%llu", .unsigned(UInt64(number)))
      }

      /// Appends a number as `%lf`.
      public mutating func appendInterpolation(_ number: Double) { append("%lf", .number(number)) }

      /// Appends a number as `%f`.
      public mutating func appendInterpolation(_ number: Float) {
        append("%f", .number(Double(number)))
      }

      /// Appends the description of a value as `%@`.
      @_disfavoredOverload
      public mutating func appendInterpolation(_ value: some CustomStringConvertible) {
        append("%@", .text(value.description))
      }

      /// Appends an integer with the given specifier.
      public mutating func appendInterpolation(_ number: some BinaryInteger, specifier: String) {
        append(specifier, .signed(Int64(truncatingIfNeeded: number)))
      }

      /// Appends a floating-point number with the given specifier.
      public mutating func appendInterpolation(
        _ number: some BinaryFloatingPoint, specifier: String
      ) {
        append(specifier, .number(Double(number)))
      }
    }
  }

  /// Looks a text up in a bundle's table in the user's language; the key itself if the table does
  /// not have it.
  ///
  /// Source:
  /// developer.apple.com/documentation/swift/string/init(localized:table:bundle:locale:comment:)
  public init(
    localized key: LocalizationValue, table: String? = nil, bundle: Bundle? = nil,
    locale: Locale = .current, comment: StaticString? = nil
  ) {
    self.init(key.key, key.key, key.arguments, table, bundle, locale)
  }

  /// Looks a text up in a bundle's table in the user's language; `defaultValue` if the table does
  /// not have it.
  public init(
    localized key: StaticString, defaultValue: LocalizationValue, table: String? = nil,
    bundle: Bundle? = nil, locale: Locale = .current, comment: StaticString? = nil
  ) {
    self.init("\(key)", defaultValue.key, defaultValue.arguments, table, bundle, locale)
  }

  /// Looks up the text of a resource.
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
    // A text without values is not a format: its `%` is literal.
    if arguments.isEmpty {
      self = found
      return
    }
    self.init(format: found, locale: locale, arguments: arguments.map(\.value))
  }
}
