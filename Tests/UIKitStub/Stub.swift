// Names and signatures of UIKit, written from Apple's public documentation, as far as the applications
// use them: so that their controllers can be type-checked where there is no SDK of Apple's. Nothing here
// does anything.
//
// Optional methods of Objective-C's protocols are written as methods with defaults.
@_exported import Foundation
@_exported import ListSnapshots
@_exported import Undo

func stub() -> Never { fatalError("The stub of UIKit was called") }

// What Foundation has on Apple's platforms and not here.
public struct InlinePresentationIntent: OptionSet, Hashable, Sendable {
  public let rawValue: UInt
  public init(rawValue: UInt) { self.rawValue = rawValue }
  public static let emphasized = InlinePresentationIntent(rawValue: 1)
  public static let stronglyEmphasized = InlinePresentationIntent(rawValue: 2)
}

extension NSAttributedString.Key {
  public static let inlinePresentationIntent = NSAttributedString.Key("NSInlinePresentationIntent")
}

public struct UIKeyModifierFlags: OptionSet, Sendable {
  public let rawValue: Int
  public init(rawValue: Int) { self.rawValue = rawValue }
}

public final class UIImage: NSObject, @unchecked Sendable {
  public convenience init?(systemName name: String) { stub() }
}

public final class UIColor: NSObject, @unchecked Sendable {
  public class var label: UIColor { stub() }
  public class var secondaryLabel: UIColor { stub() }
  public class var tertiaryLabel: UIColor { stub() }
  public class var tintColor: UIColor { stub() }
  public class var clear: UIColor { stub() }
  public class var systemRed: UIColor { stub() }
  public class var systemGreen: UIColor { stub() }
  public class var systemBlue: UIColor { stub() }
  public class var systemYellow: UIColor { stub() }
}
