import Foundation

/// A node of the tree that a renderer draws. It has no pixels: a frame is stored and never laid
/// out.
///
/// Source: UIKit, `UIView`.
open class UIView: UIResponder {
  public private(set) weak var superview: UIView?
  public private(set) var subviews: [UIView] = []

  /// The controller whose `view` this is; it follows the view in the responder chain.
  package weak var viewController: UIViewController?

  open var frame: CGRect
  open var tag = 0
  open var isHidden = false { didSet { if isHidden != oldValue { setNeedsDisplay() } } }
  open var isUserInteractionEnabled = true
  open var accessibilityLabel: String? { didSet { setNeedsDisplay() } }
  /// What comes of using the view, for those who hear the screen: “Adds one”.
  open var accessibilityHint: String?
  /// What tests find the view by. A browser page has it among the element's class names, so that a
  /// style sheet can name it too.
  open var accessibilityIdentifier: String? {
    didSet { if accessibilityIdentifier != oldValue { setNeedsDisplay() } }
  }
  /// In a cell: the identifier of the screen that the row leads to. The row is a link to it then.
  open var restorationIdentifier: String?

  public init(frame: CGRect) {
    self.frame = frame
    super.init()
  }

  public override convenience init() { self.init(frame: .zero) }

  /// Views are not read from archives here: always `nil`.
  public required init?(coder: NSCoder) { nil }

  open override var next: UIResponder? { viewController ?? superview }

  /// The window at the root of the tree.
  open var window: UIWindow? { superview?.window }

  open func addSubview(_ view: UIView) { insertSubview(view, at: subviews.count) }

  open func insertSubview(_ view: UIView, at index: Int) {
    view.removeFromSuperview()
    subviews.insert(view, at: min(index, subviews.count))
    view.superview = self
    setNeedsDisplay()
  }

  open func removeFromSuperview() {
    guard let parent = superview else { return }
    superview = nil
    parent.subviews.removeAll { $0 === self }
    parent.setNeedsDisplay()
  }

  open func isDescendant(of view: UIView) -> Bool {
    self === view || superview?.isDescendant(of: view) ?? false
  }

  /// Tells the renderer that what this view shows has changed.
  open func setNeedsDisplay() { window?.record(.viewChanged(self)) }

  /// The controller whose view this one is in.
  package var nearestController: UIViewController? {
    viewController ?? superview?.nearestController
  }

  /// The first view of a type in this tree, depth first.
  package func firstDescendant<View: UIView>(_ type: View.Type) -> View? {
    for view in subviews {
      if let match = view as? View ?? view.firstDescendant(type) { return match }
    }
    return nil
  }

  /// The nearest view of a type that contains this one, itself included.
  package func enclosing<View: UIView>(_ type: View.Type) -> View? {
    self as? View ?? superview?.enclosing(type)
  }
}
