/// What a change handler is told.
public struct NSKeyValueObservedChange<Value> {
  public let kind: NSKeyValueChange
  /// The value after the change where `.new` was asked for, `.some(nil)` for nil if the property may be nil; of an
  /// insertion or replacement the new members.
  public let newValue: Value?
  /// The value before the change where `.old` was asked for; of a removal or replacement the members that have gone.
  public let oldValue: Value?
  /// Where the members of an ordered relationship are, or were.
  public let indexes: IndexSet?
  /// Whether the change is still to come.
  public let isPrior: Bool
}

extension NSKeyValueObservedChange {
  init(_ change: [NSKeyValueChangeKey: Any]) {
    kind = PropertyObserver.kind(of: change)
    newValue = change[.newKey].flatMap(Self.typed)
    oldValue = change[.oldKey].flatMap(Self.typed)
    indexes = (change[.indexesKey] as? NSIndexSet).map { IndexSet($0) }
    isPrior = change[.notificationIsPriorKey] != nil
  }

  private static func typed(_ value: Any) -> Value? {
    if value is NSNull { return DeclaredType.empty(Value.self) }
    if let typed = DeclaredType.value(value, as: Value.self) { return typed }
    // Members of a relationship that a class declares as another collection.
    guard let members = value as? NSArray else { return nil }
    return DeclaredType.value(NSOrderedSet(array: members as? [Any] ?? []), as: Value.self)
  }
}

/// An observation by a change handler, which ends when this is released or ``invalidate()`` is called, on
/// whatever thread, and with the observed object.
public final class NSKeyValueObservation: NSObject, Sendable {
  private let observer: PropertyObserver

  init(_ observer: PropertyObserver) { self.observer = observer }

  deinit { observer.end() }

  /// Ends the observation: the handler is not called any more, but for a call that another thread is in.
  public func invalidate() { observer.end() }
}
