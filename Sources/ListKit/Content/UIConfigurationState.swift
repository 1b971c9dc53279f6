import Foundation

/// The state that a configuration can depend on.
///
/// Source: UIKit, `UIConfigurationState`. States of your own are kept under keys.
@MainActor
public protocol UIConfigurationState {
  subscript(key: UIConfigurationStateCustomKey) -> AnyHashable? { get set }
}

/// Source: UIKit, `UIConfigurationStateCustomKey`.
public struct UIConfigurationStateCustomKey: RawRepresentable, Hashable, Sendable {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }
  public init(_ rawValue: String) { self.rawValue = rawValue }
}

/// The state of a cell.
///
/// Source: UIKit, `UICellConfigurationState`. Rows are not told when they are pressed or dragged:
/// `isHighlighted`, `isFocused`, `isSwiped` and `cellDragState` do not exist.
public struct UICellConfigurationState: UIConfigurationState {
  public var isSelected = false
  public var isEditing = false
  public var isDisabled = false
  /// Whether what stands under the item is shown; see `NSDiffableDataSourceSectionSnapshot`.
  public var isExpanded = false
  private var custom: [UIConfigurationStateCustomKey: AnyHashable] = [:]

  public init() {}

  public subscript(key: UIConfigurationStateCustomKey) -> AnyHashable? {
    get { custom[key] }
    set { custom[key] = newValue }
  }
}

/// What a view shows, by value: it makes the view, and says how it looks in a state.
///
/// Source: UIKit, `UIContentConfiguration`.
@MainActor
public protocol UIContentConfiguration {
  func makeContentView() -> UIView & UIContentView
  func updated(for state: any UIConfigurationState) -> Self
}

/// A view that shows what a configuration says.
///
/// Source: UIKit, `UIContentView`.
@MainActor
public protocol UIContentView: AnyObject {
  var configuration: any UIContentConfiguration { get set }
  func supports(_ configuration: any UIContentConfiguration) -> Bool
}

extension UIContentView {
  public func supports(_ configuration: any UIContentConfiguration) -> Bool {
    type(of: configuration) == type(of: self.configuration)
  }
}
