import Foundation

/// The semantic markup of a part of a text.
///
/// Source: Foundation on Apple's platforms; swift-corelibs-foundation lacks it.
public struct InlinePresentationIntent: OptionSet, Hashable, Sendable {
  /// The bits of the set.
  public let rawValue: UInt
  public init(rawValue: UInt) { self.rawValue = rawValue }

  /// Emphasis.
  public static let emphasized = InlinePresentationIntent(rawValue: 1 << 0)
  /// Strong emphasis.
  public static let stronglyEmphasized = InlinePresentationIntent(rawValue: 1 << 1)
  /// Source code.
  public static let code = InlinePresentationIntent(rawValue: 1 << 2)
}

extension NSAttributedString.Key {
  /// The markup of a part of a text: the raw value of an `InlinePresentationIntent`.
  ///
  /// Source: Foundation on Apple's platforms, which has it under this name.
  public static let inlinePresentationIntent = NSAttributedString.Key("NSInlinePresentationIntent")
}

extension UILabel {
  /// The text with attributes. A renderer draws only the strong emphasis of
  /// `inlinePresentationIntent`; one without fonts draws the text alone.
  ///
  /// Setting `text` afterwards removes the attributes.
  public var attributedText: NSAttributedString? {
    get { styledText ?? text.map { NSAttributedString(string: $0) } }
    set {
      text = newValue?.string
      styledText = newValue
      setNeedsDisplay()
    }
  }

  /// The text in pieces, each with a flag for strong emphasis.
  package var pieces: [(text: String, isStrong: Bool)] {
    guard let styledText, styledText.string == text else { return [(text ?? "", false)] }
    var pieces: [(String, Bool)] = []
    let whole = NSRange(location: 0, length: styledText.length)
    styledText.enumerateAttribute(.inlinePresentationIntent, in: whole) { value, range, _ in
      let intent = InlinePresentationIntent(
        rawValue: (value as? NSNumber)?.uintValue ?? value as? UInt ?? 0)
      let part = styledText.attributedSubstring(from: range).string
      pieces.append((part, intent.contains(.stronglyEmphasized)))
    }
    return pieces
  }
}
