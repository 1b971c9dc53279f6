import Foundation
import Synchronization
import Undo

extension NotificationCenter {
  /// Calls a method of an object for each notification. The object is not retained and need not be
  /// removed.
  public func addObserver(
    _ observer: Any, selector aSelector: Selector, name aName: NSNotification.Name?,
    object anObject: Any?
  ) {
    let target = observer as AnyObject
    let entry = ObservationTable.Entry(
      center: self, target: target, name: aName, object: anObject.map { $0 as AnyObject })
    // Sound: the notification center calls the closure on the thread where it would call the
    // object.
    let call = UncheckedCall { [weak target, weak entry] notification in
      guard let target else {
        entry?.remove()
        return
      }
      _ = Sending.call(aSelector, of: target, [notification])
    }
    entry.token = addObserver(forName: aName, object: anObject, queue: nil) { call.body($0) }
    ObservationTable.add(entry)
  }

  /// Removes all observations of an object, or the one of a token.
  public func removeObserver(_ observer: AnyObject) {
    ObservationTable.remove { $0.center === self && $0.target === observer }
    removeObserver(observer as Any, name: nil, object: nil)
  }

  /// Removes the observations of an object, restricted to a name and a sender if given.
  public func removeObserver(
    _ observer: AnyObject, name aName: NSNotification.Name?, object anObject: Any?
  ) {
    ObservationTable.remove { entry in
      entry.center === self && entry.target === observer
        && (aName == nil || entry.name == aName)
        && (anObject == nil || entry.object === (anObject as AnyObject))
    }
    removeObserver(observer as Any, name: aName, object: anObject)
  }
}

/// Sendable: only the notification center calls the closure, on the thread of the poster.
private struct UncheckedCall: @unchecked Sendable {
  let body: (Notification) -> Void
  init(_ body: @escaping (Notification) -> Void) { self.body = body }
}

/// Observations that call a method.
private enum ObservationTable {
  final class Entry: @unchecked Sendable {
    // Sendable: fully initialised before other threads can see it; weak references are thread-safe.
    weak var center: NotificationCenter?
    weak var target: AnyObject?
    weak var object: AnyObject?
    let name: NSNotification.Name?
    var token: (any NSObjectProtocol)?

    init(
      center: NotificationCenter, target: AnyObject, name: NSNotification.Name?, object: AnyObject?
    ) {
      self.center = center
      self.target = target
      self.name = name
      self.object = object
    }

    func remove() {
      ObservationTable.remove { $0 === self }
    }

    func end() {
      if let token { center?.removeObserver(token as Any, name: nil, object: nil) }
    }
  }

  private static let entries = Mutex<[Entry]>([])

  static func add(_ entry: Entry) {
    entries.withLock { all in
      // Dead entries are removed when the count reaches a power of two, so that the amortized cost
      // of adding is constant.
      if all.count >= 64, all.count & (all.count - 1) == 0 {
        let gone = all.filter { $0.target == nil }
        all.removeAll { $0.target == nil }
        gone.forEach { $0.end() }
      }
      all.append(entry)
    }
  }

  static func remove(where matches: (Entry) -> Bool) {
    let removed = entries.withLock { all in
      let removed = all.filter(matches)
      if !removed.isEmpty { all.removeAll(where: matches) }
      return removed
    }
    removed.forEach { $0.end() }
  }
}
