/// A text's key as view models hand it to a view, which looks it up. Nothing is looked up here: keys are compared.
///
/// Source: developer.apple.com/documentation/swiftui/localizedstringkey
public struct LocalizedStringKey: ExpressibleByStringInterpolation, Equatable, Sendable {
  private let value: String.LocalizationValue

  public init(_ value: String) { self.value = String.LocalizationValue(value) }

  public init(stringLiteral value: String) { self.init(value) }

  public init(stringInterpolation: String.LocalizationValue.StringInterpolation) {
    value = String.LocalizationValue(stringInterpolation: stringInterpolation)
  }
}
