import Foundation

/// A piece of text.
///
/// Source: UIKit, `UILabel`.
open class UILabel: UIView {
  /// The text. Setting it removes the attributes.
  open var text: String? {
    didSet {
      styledText = nil
      if text != oldValue { setNeedsDisplay() }
    }
  }
  /// The text with attributes, if it was set by `attributedText`.
  var styledText: NSAttributedString?
  /// The maximum number of lines; 0 is no limit. 1 by default.
  open var numberOfLines = 1
  /// The colour of the text.
  open var textColor: UIColor! = .label {
    didSet { if textColor != oldValue { setNeedsDisplay() } }
  }
  /// The colour's name; `nil` for the default.
  package var colorName: String? {
    textColor.flatMap { $0 == .label ? nil : $0.name }
  }
  /// Whether the text is drawn as enabled.
  open var isEnabled = true { didSet { if isEnabled != oldValue { setNeedsDisplay() } } }
}
