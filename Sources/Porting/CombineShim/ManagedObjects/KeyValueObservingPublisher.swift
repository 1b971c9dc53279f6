#if Shims
  import CoreData

  extension KeyPathObservable where Self: NSObject {
    /// Publishes the value of a property at each change: for a managed object on the queue of its
    /// context, for any other object on the thread that changes it.
    ///
    /// Source:
    /// developer.apple.com/documentation/combine/performing-key-value-observing-with-combine
    public func publisher<Value>(
      for keyPath: KeyPath<Self, Value>, options: NSKeyValueObservingOptions = [.initial, .new]
    ) -> NSObject.KeyValueObservingPublisher<Self, Value> {
      .init(object: self, keyPath: keyPath, options: options)
    }
  }

  extension NSObject {
    /// Publishes the values of a property of an object that supports key-value observing.
    public struct KeyValueObservingPublisher<Subject: NSObject & KeyPathObservable, Value>:
      Publisher
    {
      public typealias Output = Value
      public typealias Failure = Never

      /// The observed object.
      public let object: Subject
      /// The observed property.
      public let keyPath: KeyPath<Subject, Value>
      /// The options of the observation.
      public let options: NSKeyValueObservingOptions

      /// Creates the publisher.
      public init(
        object: Subject, keyPath: KeyPath<Subject, Value>, options: NSKeyValueObservingOptions
      ) {
        self.object = object
        self.keyPath = keyPath
        self.options = options
      }

      /// Attaches a subscriber.
      public func receive<S: Subscriber>(subscriber: S) where S.Input == Value, S.Failure == Never {
        let values = ObservedValues(subscriber)
        subscriber.receive(subscription: values)
        values.observe(object, keyPath, options)
      }

      /// A publisher that emits once per change, without an initial value.
      public func didChange() -> Publishers.Map<Self, Void> {
        Self(object: object, keyPath: keyPath, options: options.subtracting(.initial)).map { _ in }
      }
    }
  }

  extension NSObject.KeyValueObservingPublisher: Equatable {
    public static func == (left: Self, right: Self) -> Bool {
      left.object === right.object && left.keyPath == right.keyPath && left.options == right.options
    }
  }

  /// Subscription that observes a property. If the subscriber has no demand left, the newest value
  /// waits for the next request.
  private final class ObservedValues<Downstream: Subscriber>: Subscription
  where Downstream.Failure == Never {
    private let lock = NSRecursiveLock()
    private var downstream: Downstream?
    private var observation: NSKeyValueObservation?
    private var demand = Subscribers.Demand.none
    private var waiting: Downstream.Input?

    init(_ downstream: Downstream) { self.downstream = downstream }

    func observe<Subject: NSObject & KeyPathObservable>(
      _ object: Subject, _ keyPath: KeyPath<Subject, Downstream.Input>,
      _ options: NSKeyValueObservingOptions
    ) {
      let observation = object.observe(keyPath, options: options.intersection([.initial, .prior])) {
        [weak self] object, _ in self?.take(object[keyPath: keyPath])
      }
      lock.lock()
      defer { lock.unlock() }
      if downstream == nil { observation.invalidate() } else { self.observation = observation }
    }

    private func take(_ value: Downstream.Input) {
      lock.lock()
      defer { lock.unlock() }
      waiting = .some(value)
      send()
    }

    private func send() {
      guard demand > 0, let value = waiting, let downstream else { return }
      waiting = nil
      demand -= 1
      demand += downstream.receive(value)
    }

    func request(_ demand: Subscribers.Demand) {
      lock.lock()
      defer { lock.unlock() }
      self.demand += demand
      send()
    }

    func cancel() {
      lock.lock()
      defer { lock.unlock() }
      observation?.invalidate()
      (observation, downstream, waiting) = (nil, nil, nil)
    }
  }
#endif
