import Foundation

/// How a part of a text is meant.
///
/// Source: Foundation on Apple's platforms; the Foundation of this one does not have it.
public struct InlinePresentationIntent: OptionSet, Hashable, Sendable {
  public let rawValue: UInt
  public init(rawValue: UInt) { self.rawValue = rawValue }

  public static let emphasized = InlinePresentationIntent(rawValue: 1 << 0)
  public static let stronglyEmphasized = InlinePresentationIntent(rawValue: 1 << 1)
  public static let code = InlinePresentationIntent(rawValue: 1 << 2)
}

extension NSAttributedString.Key {
  /// How a part of a text is meant: the raw value of an `InlinePresentationIntent`.
  ///
  /// Source: Foundation on Apple's platforms, which has it under the same name.
  public static let inlinePresentationIntent = NSAttributedString.Key("NSInlinePresentationIntent")
}

extension UILabel {
  /// The text with its attributes. Of these `inlinePresentationIntent` is drawn, where it says
  /// strong emphasis; a renderer without fonts shows the text alone.
  ///
  /// Setting `text` afterwards takes the attributes away.
  public var attributedText: NSAttributedString? {
    get { styledText ?? text.map { NSAttributedString(string: $0) } }
    set {
      text = newValue?.string
      styledText = newValue
      setNeedsDisplay()
    }
  }

  /// The text in pieces, each with whether it is strongly emphasised.
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
