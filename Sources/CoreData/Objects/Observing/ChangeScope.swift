/// Changes that belong together: an edit with all that it leads to at the other ends of relationships, or an operation
/// on many objects. Observers hear of them when all is done, each once, and paths lead where they lead then.
///
/// One for each context, in its registry, and used on its queue; scopes in scopes are one.
final class ChangeScope {
  private var depth = 0
  private var watches: [PropertyWatch] = []
  private var notices: [Notice] = []
  private var places: [ObjectIdentifier: Int] = [:]

  private struct Notice {
    let observer: PropertyObserver
    var begun: PropertyObserver.Change
    var change: PropertyChange
    /// The whole value before the change; nil where nobody wants to know.
    let old: Any?
    /// Whether there is a change, and not just something that may turn out to be none.
    var isCertain: Bool
  }

  func enter() { depth += 1 }

  /// Tells those who want to know beforehand. An observer that is told of more than one change hears of one setting.
  func begin(_ watches: [PropertyWatch], _ change: PropertyChange, isCertain: Bool = true) {
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

  /// The property has changed indeed.
  func confirm(_ watches: [PropertyWatch]) {
    for watch in watches {
      guard let (observer, _) = watch.event(.setting),
        let place = places[ObjectIdentifier(observer)]
      else { continue }
      notices[place].isCertain = true
    }
  }

  /// At the end of the outermost scope, tells what has been begun.
  func leave() {
    depth -= 1
    guard depth == 0, !watches.isEmpty else { return }
    let (watches, notices) = (watches, notices)
    self.watches = []
    self.notices = []
    places = [:]
    for watch in watches { watch.settle() }
    for notice in notices where notice.isCertain || notice.observer.isToldBefore {
      notice.observer.didChange(notice.begun, notice.change)
    }
  }
}
