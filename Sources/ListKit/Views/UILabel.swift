/// A piece of text.
///
/// Source: UIKit, `UILabel`.
open class UILabel: UIView {
  open var text: String? { didSet { if text != oldValue { setNeedsDisplay() } } }
  open var numberOfLines = 1
  open var isEnabled = true { didSet { if isEnabled != oldValue { setNeedsDisplay() } } }
}
