/// A group of changes: an edit with its effects on the other ends of relationships, or an operation
/// on many objects. Observers are notified at its end, once each, when key paths lead to their new
/// objects.
///
/// Owned by a context's registry and confined to its queue. Nested scopes are one scope.
final class ChangeScope {
  private var depth = 0
  private var watches: [PropertyWatch] = []
  private var notices: [Notice] = []
  private var places: [ObjectIdentifier: Int] = [:]

  private struct Notice {
    let observer: PropertyObserver
    var begun: PropertyObserver.Change
    var change: PropertyChange
    /// The whole value before the change; nil if it was not requested.
    let old: Any?
    /// Whether the property changes for certain; otherwise it may turn out to be unchanged.
    var isCertain: Bool
  }

  func enter() { depth += 1 }

  /// Begins a change: sends notifications before the change to observers that requested them. An
  /// observer of more than one change in the scope gets one setting.
  func begin(_ watches: [PropertyWatch], change: PropertyChange, isCertain: Bool = true) {
    self.watches += watches
    for watch in watches {
      guard let (observer, change) = watch.event(change) else { continue }
      if let place = places[ObjectIdentifier(observer)] {
        join(place, isCertain: isCertain)
      } else if let begun = observer.willChange(change) {
        places[ObjectIdentifier(observer)] = notices.count
        notices.append(
          Notice(
            observer: observer, begun: begun.change, change: change, old: begun.old,
            isCertain: isCertain))
      }
    }
  }

  private func join(_ place: Int, isCertain: Bool) {
    if isCertain { notices[place].isCertain = true }
    guard notices[place].change.kind != .setting else { return }
    notices[place].change = .setting
    notices[place].begun = PropertyObserver.setting(old: notices[place].old)
  }

  /// Marks the properties as changed for certain.
  func confirm(_ watches: [PropertyWatch]) {
    for watch in watches {
      guard let (observer, _) = watch.event(.setting),
        let place = places[ObjectIdentifier(observer)]
      else { continue }
      notices[place].isCertain = true
    }
  }

  /// Leaves the scope. At the end of the outermost one, sends the notifications of all changes.
  func leave() {
    depth -= 1
    guard depth == 0, !watches.isEmpty else { return }
    let (watches, notices) = (watches, notices)
    self.watches = []
    self.notices = []
    places = [:]
    for watch in watches { watch.settle() }
    for notice in notices where notice.isCertain || notice.observer.isToldBefore {
      notice.observer.didChange(notice.begun, change: notice.change)
    }
  }
}
