import Foundation

/// The state that a configuration can depend on.
///
/// Source: UIKit, `UIConfigurationState`. Custom states are stored under keys.
@MainActor
public protocol UIConfigurationState {
  /// The custom state under a key; `nil` when there is none.
  subscript(key: UIConfigurationStateCustomKey) -> AnyHashable? { get set }
}

/// A key of a custom state.
///
/// Source: UIKit, `UIConfigurationStateCustomKey`.
public struct UIConfigurationStateCustomKey: RawRepresentable, Hashable, Sendable {
  /// The key's name.
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }
  /// Makes a key of a name that is unique in the program.
  public init(_ rawValue: String) { self.rawValue = rawValue }
}

/// The state of a cell.
///
/// Source: UIKit, `UICellConfigurationState`. Renderers do not report pressing and dragging:
/// `isHighlighted`, `isFocused`, `isSwiped` and `cellDragState` do not exist.
public struct UICellConfigurationState: UIConfigurationState {
  /// Whether the cell is selected.
  public var isSelected = false
  /// Whether the list is in editing mode.
  public var isEditing = false
  /// Whether the cell ignores the user.
  public var isDisabled = false
  /// Whether the children of the item are shown; see `NSDiffableDataSourceSectionSnapshot`.
  public var isExpanded = false
  private var custom: [UIConfigurationStateCustomKey: AnyHashable] = [:]

  /// Makes a state in which nothing is set.
  public init() {}

  /// The custom state under a key; `nil` when there is none.
  public subscript(key: UIConfigurationStateCustomKey) -> AnyHashable? {
    get { custom[key] }
    set { custom[key] = newValue }
  }
}

/// The content of a view by value. It makes the view, and adapts itself to a state.
///
/// Source: UIKit, `UIContentConfiguration`.
@MainActor
public protocol UIContentConfiguration {
  /// Makes a view that shows this configuration.
  func makeContentView() -> UIView & UIContentView
  /// Returns the configuration for a state.
  func updated(for state: any UIConfigurationState) -> Self
}

/// A view that shows a content configuration.
///
/// Source: UIKit, `UIContentView`.
@MainActor
public protocol UIContentView: AnyObject {
  /// The configuration that is shown. Setting it updates the view.
  var configuration: any UIContentConfiguration { get set }
  /// Whether the view can show a configuration: by default one of the type of its current one.
  func supports(_ configuration: any UIContentConfiguration) -> Bool
}

extension UIContentView {
  /// Returns true for a configuration of the type of the current one.
  public func supports(_ configuration: any UIContentConfiguration) -> Bool {
    type(of: configuration) == type(of: self.configuration)
  }
}
