import Foundation

/// A row's picture, text and second text, by value.
///
/// Source: UIKit, `UIListContentConfiguration`. Fonts, margins and the sizes of pictures are the
/// renderer's.
public struct UIListContentConfiguration: UIContentConfiguration, Hashable, Sendable {
  /// How a text is drawn.
  public struct TextProperties: Hashable, Sendable {
    public enum TextTransform: Int, Sendable {
      case none, uppercase, lowercase, capitalized
    }

    public var color: UIColor
    public var numberOfLines = 0
    public var transform = TextTransform.none

    init(color: UIColor) { self.color = color }

    package func transformed(_ text: String?) -> String? {
      switch transform {
      case .none: text
      case .uppercase: text?.uppercased()
      case .lowercase: text?.lowercased()
      case .capitalized: text?.capitalized
      }
    }
  }

  public struct ImageProperties: Hashable, Sendable {
    /// `nil` is the tint.
    public var tintColor: UIColor?
  }

  public var image: UIImage?
  public var imageProperties = ImageProperties()
  public var text: String?
  public var textProperties = TextProperties(color: .label)
  public var secondaryText: String?
  public var secondaryTextProperties = TextProperties(color: .secondaryLabel)
  /// The second text stands at the row's end rather than below the first one.
  public var prefersSideBySideTextAndSecondaryText: Bool

  init(isValue: Bool) { prefersSideBySideTextAndSecondaryText = isValue }

  public static func cell() -> Self { Self(isValue: false) }
  public static func subtitleCell() -> Self { Self(isValue: false) }
  /// The secondary text stands at the row's end.
  public static func valueCell() -> Self { Self(isValue: true) }
  public static func header() -> Self { ofSection() }
  public static func plainHeader() -> Self { ofSection() }
  public static func groupedHeader() -> Self { ofSection() }
  public static func footer() -> Self { ofSection() }
  public static func plainFooter() -> Self { ofSection() }
  public static func groupedFooter() -> Self { ofSection() }
  public static func sidebarCell() -> Self { cell() }
  public static func sidebarSubtitleCell() -> Self { subtitleCell() }
  public static func sidebarHeader() -> Self { ofSection() }

  private static func ofSection() -> Self {
    var content = Self(isValue: false)
    content.textProperties.color = .secondaryLabel
    return content
  }

  public func makeContentView() -> UIView & UIContentView { UIListContentView(configuration: self) }

  /// A row that cannot be used is drawn so.
  public func updated(for state: any UIConfigurationState) -> Self {
    guard let state = state as? UICellConfigurationState, state.isDisabled else { return self }
    var content = self
    content.textProperties.color = .tertiaryLabel
    content.secondaryTextProperties.color = .tertiaryLabel
    return content
  }
}

/// Shows a list content configuration anywhere.
///
/// Source: UIKit, `UIListContentView`.
open class UIListContentView: UIView, UIContentView {
  private let label = UILabel()
  private let secondLabel = UILabel()

  open var configuration: any UIContentConfiguration { didSet { show() } }

  public init(configuration: UIListContentConfiguration) {
    self.configuration = configuration
    super.init(frame: .zero)
    addSubview(label)
    addSubview(secondLabel)
    show()
  }

  public required init?(coder: NSCoder) { nil }

  private func show() {
    guard let content = configuration as? UIListContentConfiguration else { return }
    label.text = content.textProperties.transformed(content.text)
    label.textColor = content.textProperties.color
    secondLabel.text = content.secondaryTextProperties.transformed(content.secondaryText)
    secondLabel.textColor = content.secondaryTextProperties.color
    secondLabel.isHidden = content.secondaryText == nil
  }
}
