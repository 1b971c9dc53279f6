/// A reference to a localized text: its key, its table and its bundle.
///
/// Source: developer.apple.com/documentation/foundation/localizedstringresource
public struct LocalizedStringResource: ExpressibleByStringInterpolation, Equatable, Sendable {
  /// The location of the string tables.
  public enum BundleDescription: Equatable, Sendable {
    /// The main bundle.
    case main
    /// The bundle at a URL; the main bundle if there is none.
    case atURL(URL)

    var bundle: Bundle {
      switch self {
      case .main: .main
      case .atURL(let url): Bundle(url: url) ?? .main
      }
    }
  }

  /// The key in the string table.
  public let key: String
  /// The text to use if the table does not have the key.
  public let defaultValue: String.LocalizationValue
  /// The name of the table; nil for `Localizable`.
  public let table: String?
  /// The locale that formats the values.
  public var locale: Locale
  /// The location of the table.
  public let bundle: BundleDescription

  /// Creates a reference whose key is also its default value.
  public init(
    _ keyAndValue: String.LocalizationValue, table: String? = nil, locale: Locale = .current,
    bundle: BundleDescription = .main, comment: StaticString? = nil
  ) {
    self.init(keyAndValue.key, keyAndValue, table, locale, bundle)
  }

  /// Creates a reference with a key and a default value.
  public init(
    _ key: StaticString, defaultValue: String.LocalizationValue, table: String? = nil,
    locale: Locale = .current, bundle: BundleDescription = .main, comment: StaticString? = nil
  ) {
    self.init("\(key)", defaultValue, table, locale, bundle)
  }

  private init(
    _ key: String, _ defaultValue: String.LocalizationValue, _ table: String?, _ locale: Locale,
    _ bundle: BundleDescription
  ) {
    self.key = key
    self.defaultValue = defaultValue
    self.table = table
    self.locale = locale
    self.bundle = bundle
  }

  public init(stringLiteral value: String) { self.init(String.LocalizationValue(value)) }

  /// Creates a reference from an interpolated string.
  public init(stringInterpolation: String.LocalizationValue.StringInterpolation) {
    self.init(String.LocalizationValue(stringInterpolation: stringInterpolation))
  }
}
