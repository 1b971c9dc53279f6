/// Modifier keys of a key command. `command` also stands for Control where the keyboard has no
/// Command key.
///
/// Source: UIKit, `UIKeyModifierFlags`.
public struct UIKeyModifierFlags: OptionSet, Sendable {
  public let rawValue: Int
  public init(rawValue: Int) { self.rawValue = rawValue }

  public static let shift = UIKeyModifierFlags(rawValue: 1 << 17)
  public static let control = UIKeyModifierFlags(rawValue: 1 << 18)
  public static let alternate = UIKeyModifierFlags(rawValue: 1 << 19)
  public static let command = UIKeyModifierFlags(rawValue: 1 << 20)
}

/// A key that does something while its responder is in the chain of the visible controller.
///
/// UIKit's key commands name a selector; without the Objective-C runtime there is none, so a
/// command is made from an action.
@MainActor
public final class UIKeyCommand {
  public let title: String
  /// The character without modifiers, in lower case: `"z"`.
  public let input: String?
  public let modifierFlags: UIKeyModifierFlags
  package let action: UIAction

  public init(input: String, modifierFlags: UIKeyModifierFlags = [], primaryAction: UIAction) {
    self.title = primaryAction.title
    self.input = input.lowercased()
    self.modifierFlags = modifierFlags
    self.action = primaryAction
  }
}

extension UIResponder {
  /// All commands up the chain from here, the nearest first.
  package var keyCommandsInChain: [UIKeyCommand] {
    (keyCommands ?? []) + (next?.keyCommandsInChain ?? [])
  }

  /// Runs the nearest command for a key up the chain from here; false when there is none.
  @discardableResult
  package func performKeyCommand(input: String, modifierFlags: UIKeyModifierFlags) -> Bool {
    let command = keyCommandsInChain.first {
      $0.input == input.lowercased() && $0.modifierFlags == modifierFlags
    }
    command?.action.perform(sender: self)
    return command != nil
  }
}
