import Foundation

/// Between a popover and the user.
///
/// Source: UIKit, `UIPopoverPresentationController`. A page shows a popover beside its source, on a
/// side where there is room; in a narrow window, and where its source is not to be seen, it is a
/// sheet. There are no pixels here: `sourceRect` is kept, and the whole source is meant.
open class UIPopoverPresentationController: UIPresentationController {
  /// A view on the screen below. For a row, its cell.
  open weak var sourceView: UIView?
  open var sourceRect: CGRect = .zero
  open weak var barButtonItem: UIBarButtonItem?
  /// A view or a button of a bar; it comes before the two others.
  open weak var sourceItem: (any UIPopoverPresentationControllerSourceItem)?
  /// Where the arrow may point: `.up` stands below the source. None is as good as any.
  open var permittedArrowDirections = UIPopoverArrowDirection.any

  /// What the popover stands beside.
  package var source: (any UIPopoverPresentationControllerSourceItem)? {
    sourceItem ?? barButtonItem ?? sourceView
  }

  /// Whether it is to stay a popover in a narrow window.
  package var isPopoverEverywhere: Bool {
    delegate?.adaptivePresentationStyle(for: self) == UIModalPresentationStyle.none
  }
}

/// What a popover can stand beside.
///
/// Source: UIKit, `UIPopoverPresentationControllerSourceItem`.
@MainActor
public protocol UIPopoverPresentationControllerSourceItem: AnyObject {}

extension UIView: UIPopoverPresentationControllerSourceItem {}
extension UIBarButtonItem: UIPopoverPresentationControllerSourceItem {}

/// Source: UIKit, `UIPopoverArrowDirection`.
public struct UIPopoverArrowDirection: OptionSet, Sendable {
  public let rawValue: UInt
  public init(rawValue: UInt) { self.rawValue = rawValue }

  public static let up = Self(rawValue: 1)
  public static let down = Self(rawValue: 2)
  public static let left = Self(rawValue: 4)
  public static let right = Self(rawValue: 8)
  public static let any: Self = [.up, .down, .left, .right]
  public static let unknown = Self(rawValue: .max)
}

extension UIViewController {
  /// There for a controller whose `modalPresentationStyle` was set to `.popover` before.
  public var popoverPresentationController: UIPopoverPresentationController? {
    presentationController as? UIPopoverPresentationController
  }
}
