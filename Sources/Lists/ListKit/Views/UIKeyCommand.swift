/// Modifier keys of a key command. `command` also stands for Control on keyboards without a Command
/// key.
///
/// Source: UIKit, `UIKeyModifierFlags`.
public struct UIKeyModifierFlags: OptionSet, Sendable {
  /// The bits of the set.
  public let rawValue: Int
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// Shift.
  public static let shift = UIKeyModifierFlags(rawValue: 1 << 17)
  /// Control.
  public static let control = UIKeyModifierFlags(rawValue: 1 << 18)
  /// Alt, or Option.
  public static let alternate = UIKeyModifierFlags(rawValue: 1 << 19)
  /// Command, or Control on keyboards without it.
  public static let command = UIKeyModifierFlags(rawValue: 1 << 20)
}

/// A key that runs an action while its responder is in the chain of the visible controller.
///
/// Source: UIKit, `UIKeyCommand`. UIKit's commands name a selector, which needs the Objective-C
/// runtime; here a command is made of an action.
@MainActor
public final class UIKeyCommand {
  /// The title of the action.
  public let title: String
  /// The character without modifiers, in lower case: `"z"`.
  public let input: String?
  /// The modifiers that must be pressed with the character, and no others.
  public let modifierFlags: UIKeyModifierFlags
  package let action: UIAction

  /// Makes a command. The input is converted to lower case.
  public init(input: String, modifierFlags: UIKeyModifierFlags = [], primaryAction: UIAction) {
    self.title = primaryAction.title
    self.input = input.lowercased()
    self.modifierFlags = modifierFlags
    self.action = primaryAction
  }
}

extension UIResponder {
  /// All commands in the responder chain from here, the nearest first.
  package var keyCommandsInChain: [UIKeyCommand] {
    (keyCommands ?? []) + (next?.keyCommandsInChain ?? [])
  }

  /// Runs the nearest command for a key in the chain from here; returns false without one.
  @discardableResult
  package func performKeyCommand(input: String, modifierFlags: UIKeyModifierFlags) -> Bool {
    let command = keyCommandsInChain.first {
      $0.input == input.lowercased() && $0.modifierFlags == modifierFlags
    }
    command?.action.perform(sender: self)
    return command != nil
  }
}
