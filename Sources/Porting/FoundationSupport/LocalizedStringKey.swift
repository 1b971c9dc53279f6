/// The key of a localized text, as view models pass it to a view. Keys can be compared; they are
/// not looked up here.
///
/// Source: developer.apple.com/documentation/swiftui/localizedstringkey
public struct LocalizedStringKey: ExpressibleByStringInterpolation, Equatable, Sendable {
  private let value: String.LocalizationValue

  /// Creates a key from a string.
  public init(_ value: String) { self.value = String.LocalizationValue(value) }

  public init(stringLiteral value: String) { self.init(value) }

  /// Creates a key from an interpolated string.
  public init(stringInterpolation: String.LocalizationValue.StringInterpolation) {
    value = String.LocalizationValue(stringInterpolation: stringInterpolation)
  }
}
