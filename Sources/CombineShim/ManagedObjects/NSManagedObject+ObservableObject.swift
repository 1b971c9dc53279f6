#if Shims
  import CoreData

  extension NSManagedObject: ObservableObject {
    /// Publishes before a property of the object changes, whoever changes it: once for each setting, undo, merge or
    /// refresh. The object is observed from the first time that somebody asks for it. Ask on the context's queue.
    ///
    /// Source: developer.apple.com/documentation/coredata/nsmanagedobject/objectwillchange-swift.property
    public var objectWillChange: ObservableObjectPublisher {
      if let announcer = changeAnnouncer as? ChangeAnnouncer { return announcer.publisher }
      let announcer = ChangeAnnouncer(self)
      changeAnnouncer = announcer
      return announcer.publisher
    }
  }

  /// What an object has that publishes its changes. Used on the queue of its context.
  private final class ChangeAnnouncer {
    let publisher = ObservableObjectPublisher()
    private var observers: [PropertyAnnouncer] = []
    /// Properties of which it is known that they change, and not yet that they have changed.
    private var changing = 0

    init(_ object: NSManagedObject) {
      for (name, property) in object.entity.propertiesByName
      where !(property is NSFetchedPropertyDescription) {
        let observer = PropertyAnnouncer(self)
        object.addObserver(observer, forKeyPath: name, options: [.prior])
        observers.append(observer)
      }
    }

    /// An operation announces all properties before it changes one: that is one change.
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
