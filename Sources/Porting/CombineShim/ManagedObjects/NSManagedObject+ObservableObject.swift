#if Shims
  import CoreData

  extension NSManagedObject: ObservableObject {
    /// Emits before a property of the object changes: once per assignment, undo, merge or refresh.
    /// Observation starts at the first access. Use it on the queue of the context.
    ///
    /// Source:
    /// developer.apple.com/documentation/coredata/nsmanagedobject/objectwillchange-swift.property
    public var objectWillChange: ObservableObjectPublisher {
      if let announcer = changeAnnouncer as? ChangeAnnouncer { return announcer.publisher }
      let announcer = ChangeAnnouncer(self)
      changeAnnouncer = announcer
      return announcer.publisher
    }
  }

  /// Observes all properties of an object for ``NSManagedObject/objectWillChange``. Confined to the
  /// queue of the object's context.
  private final class ChangeAnnouncer {
    let publisher = ObservableObjectPublisher()
    private var observers: [PropertyAnnouncer] = []
    /// The number of properties between their will-change and did-change notifications.
    private var changing = 0

    init(_ object: NSManagedObject) {
      for (name, property) in object.entity.propertiesByName
      where !(property is NSFetchedPropertyDescription) {
        let observer = PropertyAnnouncer(self)
        object.addObserver(observer, forKeyPath: name, options: [.prior])
        observers.append(observer)
      }
    }

    /// Emits at the first will-change notification. An operation announces all properties before it
    /// changes the first one, which counts as one change.
    fileprivate func tell(isPrior: Bool) {
      if isPrior {
        changing += 1
        if changing == 1 { publisher.send() }
      } else {
        changing = max(0, changing - 1)
      }
    }
  }

  private final class PropertyAnnouncer: KeyValueObserver {
    private weak var announcer: ChangeAnnouncer?

    init(_ announcer: ChangeAnnouncer) { self.announcer = announcer }

    func observeValue(
      forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
      context: UnsafeMutableRawPointer?
    ) {
      announcer?.tell(isPrior: change?[.notificationIsPriorKey] != nil)
    }
  }
#endif
