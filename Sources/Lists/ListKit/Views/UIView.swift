import Foundation

/// A node of the tree that a renderer draws. There are no pixels: the frame is stored and never
/// laid out.
///
/// Source: UIKit, `UIView`.
open class UIView: UIResponder {
  /// The view that contains this one.
  public private(set) weak var superview: UIView?
  /// The views that this one contains, in order.
  public private(set) var subviews: [UIView] = []

  /// The controller whose `view` this is; it follows the view in the responder chain.
  package weak var viewController: UIViewController?

  /// The frame. Stored and not used.
  open var frame: CGRect
  /// A number for the application's use.
  open var tag = 0
  /// Whether the view is not drawn.
  open var isHidden = false { didSet { if isHidden != oldValue { setNeedsDisplay() } } }
  /// Whether the user can use the view. Read for cells alone: the state of a cell without is
  /// disabled.
  open var isUserInteractionEnabled = true
  /// The name that assistive technology reads for the view.
  open var accessibilityLabel: String? { didSet { setNeedsDisplay() } }
  /// The effect of using the view, for users of a screen reader: “Adds one”.
  open var accessibilityHint: String?
  /// The name by which tests find the view. A browser page adds it to the element's class names, so
  /// that style sheets can use it too.
  open var accessibilityIdentifier: String? {
    didSet { if accessibilityIdentifier != oldValue { setNeedsDisplay() } }
  }
  /// In a cell: the identifier of the screen that the row opens. The row is drawn as a link to it.
  open var restorationIdentifier: String?

  /// Makes a view.
  public init(frame: CGRect) {
    self.frame = frame
    super.init()
  }

  public override convenience init() { self.init(frame: .zero) }

  /// Views are not read from archives here: always `nil`.
  public required init?(coder: NSCoder) { nil }

  open override var next: UIResponder? { viewController ?? superview }

  /// The window at the root of the tree; `nil` outside of one.
  open var window: UIWindow? { superview?.window }

  /// Adds a view as the last subview. Removes it from its current superview first.
  open func addSubview(_ view: UIView) { insertSubview(view, at: subviews.count) }

  /// Inserts a subview at an index; at the end for one beyond it. Removes it from its current
  /// superview first.
  open func insertSubview(_ view: UIView, at index: Int) {
    view.removeFromSuperview()
    subviews.insert(view, at: min(index, subviews.count))
    view.superview = self
    setNeedsDisplay()
  }

  /// Removes the view from its superview.
  open func removeFromSuperview() {
    guard let parent = superview else { return }
    superview = nil
    parent.subviews.removeAll { $0 === self }
    parent.setNeedsDisplay()
  }

  /// Whether this view is `view` or in its tree.
  open func isDescendant(of view: UIView) -> Bool {
    self === view || superview?.isDescendant(of: view) ?? false
  }

  /// Reports to the renderer that the view's content has changed.
  open func setNeedsDisplay() { window?.record(.viewChanged(self)) }

  /// The controller in whose view this view is.
  package var nearestController: UIViewController? {
    viewController ?? superview?.nearestController
  }

  /// The first view of a type below this one, depth first.
  package func firstDescendant<View: UIView>(_ type: View.Type) -> View? {
    for view in subviews {
      if let match = view as? View ?? view.firstDescendant(type) { return match }
    }
    return nil
  }

  /// The nearest ancestor of a type, which may be the view itself.
  package func enclosing<View: UIView>(_ type: View.Type) -> View? {
    self as? View ?? superview?.enclosing(type)
  }
}
