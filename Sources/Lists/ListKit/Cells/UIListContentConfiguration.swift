import Foundation

/// The content of a list row by value: a picture, a text and a secondary text.
///
/// Source: UIKit, `UIListContentConfiguration`. Fonts, margins and sizes of pictures are chosen by
/// the renderer.
public struct UIListContentConfiguration: UIContentConfiguration, Hashable, Sendable {
  /// The attributes of one text.
  public struct TextProperties: Hashable, Sendable {
    /// How the case of letters is changed before the text is drawn.
    public enum TextTransform: Int, Sendable {
      case none, uppercase, lowercase, capitalized
    }

    /// The colour of the text.
    public var color: UIColor
    /// The maximum number of lines; 0 means no limit.
    public var numberOfLines = 0
    /// The change of case.
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

  /// The attributes of the picture.
  public struct ImageProperties: Hashable, Sendable {
    /// The colour of a symbol; `nil` is the tint.
    public var tintColor: UIColor?
  }

  /// The picture before the text.
  public var image: UIImage?
  /// The attributes of the picture.
  public var imageProperties = ImageProperties()
  /// The primary text.
  public var text: String?
  /// The attributes of the primary text.
  public var textProperties = TextProperties(color: .label)
  /// The secondary text.
  public var secondaryText: String?
  /// The attributes of the secondary text.
  public var secondaryTextProperties = TextProperties(color: .secondaryLabel)
  /// Whether the secondary text stands at the row's trailing edge rather than below the primary
  /// one.
  public var prefersSideBySideTextAndSecondaryText: Bool

  init(isValue: Bool) { prefersSideBySideTextAndSecondaryText = isValue }

  /// The content of a default cell.
  public static func cell() -> Self { Self(isValue: false) }
  /// The content of a cell with the secondary text below the primary one.
  public static func subtitleCell() -> Self { Self(isValue: false) }
  /// The content of a cell with the secondary text at its trailing edge.
  public static func valueCell() -> Self { Self(isValue: true) }
  /// The content of a section's header: text in the secondary colour.
  public static func header() -> Self { ofSection() }
  /// The content of a header in a plain list. Equal to `header()` here.
  public static func plainHeader() -> Self { ofSection() }
  /// The content of a header in a grouped list. Equal to `header()` here.
  public static func groupedHeader() -> Self { ofSection() }
  /// The content of a section's footer: text in the secondary colour.
  public static func footer() -> Self { ofSection() }
  /// The content of a footer in a plain list. Equal to `footer()` here.
  public static func plainFooter() -> Self { ofSection() }
  /// The content of a footer in a grouped list. Equal to `footer()` here.
  public static func groupedFooter() -> Self { ofSection() }
  /// The content of a cell in a sidebar. Equal to `cell()` here.
  public static func sidebarCell() -> Self { cell() }
  /// The content of a subtitle cell in a sidebar. Equal to `subtitleCell()` here.
  public static func sidebarSubtitleCell() -> Self { subtitleCell() }
  /// The content of a header in a sidebar. Equal to `header()` here.
  public static func sidebarHeader() -> Self { ofSection() }

  private static func ofSection() -> Self {
    var content = Self(isValue: false)
    content.textProperties.color = .secondaryLabel
    return content
  }

  /// Makes a `UIListContentView` with this configuration.
  public func makeContentView() -> UIView & UIContentView { UIListContentView(configuration: self) }

  /// A copy with both texts in the tertiary colour when the cell's state is disabled; else the
  /// receiver.
  public func updated(for state: any UIConfigurationState) -> Self {
    guard let state = state as? UICellConfigurationState, state.isDisabled else { return self }
    var content = self
    content.textProperties.color = .tertiaryLabel
    content.secondaryTextProperties.color = .tertiaryLabel
    return content
  }
}

/// A view that shows a list content configuration outside of a list.
///
/// Source: UIKit, `UIListContentView`.
open class UIListContentView: UIView, UIContentView {
  private let label = UILabel()
  private let secondLabel = UILabel()

  /// The configuration that is shown. One of another type than `UIListContentConfiguration` is
  /// ignored.
  open var configuration: any UIContentConfiguration { didSet { show() } }

  /// Makes a view that shows `configuration`.
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
