import Synchronization

/// An observer of one key path from one object, its root: its options and its recipient.
///
/// Owned by the root's ``ObserverTable``. Confined to the queue of the root's context, if it has
/// one. Sendable: only ``end()`` may be called on any thread, and the properties that it uses there
/// are constant, atomic or weak; the rest runs on the queue.
final class PropertyObserver: @unchecked Sendable {
  typealias Change = [NSKeyValueChangeKey: Any]

  /// The receiver of notifications: a handler, or an observer with its context pointer.
  enum Recipient {
    case handler((AnyObject, Change) -> Void)
    case observer(Weak, context: UnsafeMutableRawPointer?)
  }

  struct Weak {
    weak var observer: (any KeyValueObserver)?
  }

  let path: String
  private let options: NSKeyValueObservingOptions
  private let recipient: Recipient
  private weak var root: (any WatchedObject)?
  /// Keeps the stand-in of a plain root alive.
  private let ownRoot: PlainObject?
  private let confinement: Confinement?
  private let hasEnded = Atomic<Bool>(false)
  private var watch: PropertyWatch?

  init(
    _ root: any WatchedObject, path: String, options: NSKeyValueObservingOptions,
    recipient: Recipient
  ) {
    self.root = root
    self.path = path
    self.options = options
    self.recipient = recipient
    ownRoot = root as? PlainObject
    confinement = root.observingConfinement
  }

  func begin() {
    guard let root else { return }
    root.checkCanObserve(path)
    root.adopt(self)
    let watch = PropertyWatch(of: self, root, path: path)
    self.watch = watch
    watch.attach()
    if options.contains(.initial) {
      var change = Self.change(.setting)
      if options.contains(.new) { change[.newKey] = root.observedValue(along: path) }
      tell(change)
    }
  }

  // MARK: - Ending

  /// Ends the observation at once; its watches are removed when the queue of the objects gets to
  /// it.
  func end() {
    guard !hasEnded.exchange(true, ordering: .acquiringAndReleasing), root != nil else { return }
    if let confinement, !confinement.isCurrent {
      confinement.perform { self.detach() }
    } else {
      detach()
    }
  }

  private func detach() {
    watch?.detach()
    watch = nil
    root?.forgetObserver(self)
  }

  /// Whether the observation has ended, or the observer was freed.
  var isOver: Bool {
    if hasEnded.load(ordering: .acquiring) { return true }
    if case .observer(let observer, _) = recipient { return observer.observer == nil }
    return false
  }

  func isOf(
    _ observer: any KeyValueObserver, path: String, in context: UnsafeMutableRawPointer??
  ) -> Bool {
    guard path == self.path, case .observer(let own, let given) = recipient else { return false }
    return own.observer === observer && (context.map { $0 == given } ?? true)
  }

  // MARK: - Notifications

  /// The start of a notification, which ``didChange(_:change:)`` completes, and the whole old value
  /// if it was requested. Sends a notification before the change if that was requested. Returns nil
  /// if the observation has ended.
  func willChange(_ change: PropertyChange) -> (change: Change, old: Any?)? {
    guard !isOver, let root else { return nil }
    var told = Self.change(change.kind)
    if let indexes = change.indexes { told[.indexesKey] = indexes as NSIndexSet }
    let old = options.contains(.old) ? root.observedValue(along: path) : nil
    if let old { told[.oldKey] = change.kind == .setting ? old : change.old }
    if options.contains(.prior) {
      var prior = told
      prior[.notificationIsPriorKey] = NSNumber(value: true)
      tell(prior)
    }
    return (told, old)
  }

  /// The start of a notification for a change that turned out to be a setting.
  static func setting(old: Any?) -> Change {
    var change = change(.setting)
    change[.oldKey] = old
    return change
  }

  func didChange(_ begun: Change, change: PropertyChange) {
    guard !isOver, let root else { return }
    var told = begun
    if options.contains(.new) {
      if change.kind == .setting {
        told[.newKey] = root.observedValue(along: path)
      } else if let new = change.new?() {
        told[.newKey] = new
      }
    }
    tell(told)
  }

  /// Whether the observer requested notifications before changes.
  var isToldBefore: Bool { options.contains(.prior) }

  private func tell(_ change: Change) {
    guard let root = root?.observedSubject else { return }
    switch recipient {
    case .handler(let handler): handler(root, change)
    case .observer(let observer, let context):
      observer.observer?.observeValue(
        forKeyPath: path, of: root, change: change, context: context)
    }
  }

  private static func change(_ kind: NSKeyValueChange) -> Change {
    [.kindKey: NSNumber(value: kind.rawValue)]
  }

  static func kind(of change: Change) -> NSKeyValueChange {
    (change[.kindKey] as? NSNumber).flatMap { NSKeyValueChange(rawValue: $0.uintValue) } ?? .setting
  }
}
