import Foundation

/// A piece of text.
///
/// Source: UIKit, `UILabel`.
open class UILabel: UIView {
  open var text: String? {
    didSet {
      styledText = nil
      if text != oldValue { setNeedsDisplay() }
    }
  }
  /// The text with attributes, when it was set with some.
  var styledText: NSAttributedString?
  open var numberOfLines = 1
  open var textColor: UIColor! = .label {
    didSet { if textColor != oldValue { setNeedsDisplay() } }
  }
  /// The colour's name, unless it is the usual one.
  package var colorName: String? {
    textColor.flatMap { $0 == .label ? nil : $0.name }
  }
  open var isEnabled = true { didSet { if isEnabled != oldValue { setNeedsDisplay() } } }
}
