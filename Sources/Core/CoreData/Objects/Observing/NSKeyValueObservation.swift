/// A change, as a change handler gets it.
public struct NSKeyValueObservedChange<Value> {
  /// The kind of the change.
  public let kind: NSKeyValueChange
  /// The value after the change if `.new` was requested; `.some(nil)` for nil if the property is
  /// optional. For an insertion or replacement, the new members.
  public let newValue: Value?
  /// The value before the change if `.old` was requested. For a removal or replacement, the old
  /// members.
  public let oldValue: Value?
  /// The indexes of the changed members of an ordered relationship; nil for other changes.
  public let indexes: IndexSet?
  /// Whether the change has not happened yet.
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
    // The class declares the relationship's members as another collection.
    guard let members = value as? NSArray else { return nil }
    return DeclaredType.value(NSOrderedSet(array: members as? [Any] ?? []), as: Value.self)
  }
}

/// An observation by a change handler. It ends when this object is freed, when ``invalidate()`` is
/// called, on any thread, or when the observed object is freed.
public final class NSKeyValueObservation: NSObject, Sendable {
  private let observer: PropertyObserver

  init(_ observer: PropertyObserver) { self.observer = observer }

  deinit { observer.end() }

  /// Ends the observation. The handler is not called afterwards; a call on another thread may still
  /// be running.
  public func invalidate() { observer.end() }
}
