import Foundation

/// A view that sends actions for what the user does with it.
///
/// Source: UIKit, `UIControl`.
open class UIControl: UIView {
  /// The events for which actions are sent.
  public struct Event: OptionSet, Sendable, Hashable {
    /// The bits of the set.
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// A button was pressed.
    public static let touchUpInside = Event(rawValue: 1 << 6)
    /// The user has changed the value.
    public static let valueChanged = Event(rawValue: 1 << 12)
    /// The main event of the control: a button was pressed, a value changed, or Return ended a
    /// field.
    public static let primaryActionTriggered = Event(rawValue: 1 << 13)
    /// A field began editing.
    public static let editingDidBegin = Event(rawValue: 1 << 16)
    /// The user has changed a field's text.
    public static let editingChanged = Event(rawValue: 1 << 17)
    /// A field ended editing.
    public static let editingDidEnd = Event(rawValue: 1 << 18)
    /// Return was pressed in a field.
    public static let editingDidEndOnExit = Event(rawValue: 1 << 19)
    /// All events.
    public static let allEvents = Event(rawValue: 0xFFFF_FFFF)
  }

  /// The state of a control, for which `UIButton` is given a title.
  public struct State: OptionSet, Sendable, Hashable {
    /// The bits of the set.
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// No other state.
    public static let normal: State = []
    /// Pressed.
    public static let highlighted = State(rawValue: 1 << 0)
    /// Disabled.
    public static let disabled = State(rawValue: 1 << 1)
    /// Selected.
    public static let selected = State(rawValue: 1 << 2)
  }

  /// Whether the user can operate the control.
  open var isEnabled = true { didSet { if isEnabled != oldValue { setNeedsDisplay() } } }
  private var actions: [(action: UIAction, events: Event)] = []

  /// Whether the control is enabled: a page and a terminal give the keyboard to any.
  open override var canBecomeFirstResponder: Bool { isEnabled }

  /// Adds an action for these events. One that was added before is added again.
  open func addAction(_ action: UIAction, for controlEvents: Event) {
    actions.append((action, controlEvents))
  }

  /// Removes an action that was added for exactly these events.
  open func removeAction(_ action: UIAction, for controlEvents: Event) {
    actions.removeAll { $0.action === action && $0.events == controlEvents }
  }

  /// Whether an action was added for one of these events.
  package func hears(_ controlEvents: Event) -> Bool {
    actions.contains { !$0.events.isDisjoint(with: controlEvents) }
  }

  /// Runs the actions for these events, in the order in which they were added.
  open func sendActions(for controlEvents: Event) {
    for entry in actions where !entry.events.isDisjoint(with: controlEvents) {
      entry.action.perform(sender: self)
    }
  }
}
