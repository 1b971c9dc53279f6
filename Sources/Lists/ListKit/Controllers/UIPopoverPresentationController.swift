import Foundation

/// The presentation controller of a popover.
///
/// Source: UIKit, `UIPopoverPresentationController`. A page shows a popover beside its source, on a
/// side with enough room. In a narrow window, and while its source is not visible, it is a sheet.
/// There are no pixels here: `sourceRect` is stored, and the popover points at the whole source.
open class UIPopoverPresentationController: UIPresentationController {
  /// The view on the screen below at which the popover points; for a row, its cell.
  open weak var sourceView: UIView?
  /// Stored and not used.
  open var sourceRect: CGRect = .zero
  /// The button at which the popover points.
  open weak var barButtonItem: UIBarButtonItem?
  /// The view or the bar button at which the popover points. It overrides the two other sources.
  open weak var sourceItem: (any UIPopoverPresentationControllerSourceItem)?
  /// The permitted directions of the arrow: `.up` is a popover below its source. An empty set
  /// permits any.
  open var permittedArrowDirections = UIPopoverArrowDirection.any

  /// The view or the button at which the popover points.
  package var source: (any UIPopoverPresentationControllerSourceItem)? {
    sourceItem ?? barButtonItem ?? sourceView
  }

  /// Whether the popover stays one in a narrow window.
  package var isPopoverEverywhere: Bool {
    delegate?.adaptivePresentationStyle(for: self) == UIModalPresentationStyle.none
  }
}

/// A view or a bar button at which a popover can point.
///
/// Source: UIKit, `UIPopoverPresentationControllerSourceItem`.
@MainActor
public protocol UIPopoverPresentationControllerSourceItem: AnyObject {}

extension UIView: UIPopoverPresentationControllerSourceItem {}
extension UIBarButtonItem: UIPopoverPresentationControllerSourceItem {}

/// The directions of a popover's arrow.
///
/// Source: UIKit, `UIPopoverArrowDirection`.
public struct UIPopoverArrowDirection: OptionSet, Sendable {
  /// The bits of the set.
  public let rawValue: UInt
  public init(rawValue: UInt) { self.rawValue = rawValue }

  /// The arrow points up: the popover is below its source.
  public static let up = Self(rawValue: 1)
  /// The arrow points down: the popover is above its source.
  public static let down = Self(rawValue: 2)
  /// The arrow points left: the popover is at the right of its source.
  public static let left = Self(rawValue: 4)
  /// The arrow points right: the popover is at the left of its source.
  public static let right = Self(rawValue: 8)
  /// All four directions.
  public static let any: Self = [.up, .down, .left, .right]
  /// The direction is not known yet.
  public static let unknown = Self(rawValue: .max)
}

extension UIViewController {
  /// The presentation controller as a popover's, if `modalPresentationStyle` was `.popover` when it
  /// was first read.
  public var popoverPresentationController: UIPopoverPresentationController? {
    presentationController as? UIPopoverPresentationController
  }
}
