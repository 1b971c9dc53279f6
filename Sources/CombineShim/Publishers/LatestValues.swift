#if Shims
  import Foundation

  /// The newest values of several publishers, told together at each new one: what `CombineLatest` of every size is.
  ///
  /// Upstream is never held back. Where downstream has asked for no more, the newest values wait until it does.
  final class LatestValues<Downstream: Subscriber, Output>: Subscription
  where Downstream.Input == Output {
    // Recursive, since downstream may make an upstream publish.
    private let lock = NSRecursiveLock()
    private let make: ([Any]) -> Output
    private var downstream: Downstream?
    private var values: [Any?]
    private var subscriptions: [(any Subscription)?]
    private var finished = 0
    private var demand = Subscribers.Demand.none
    private var waits = false

    init(_ count: Int, _ downstream: Downstream, _ make: @escaping ([Any]) -> Output) {
      self.make = make
      self.downstream = downstream
      values = Array(repeating: nil, count: count)
      subscriptions = Array(repeating: nil, count: count)
    }

    /// A subscriber for the publisher at a place.
    func subscriber<Input>(
      _ place: Int, _ type: Input.Type
    ) -> AnySubscriber<Input, Downstream.Failure> {
      AnySubscriber(
        receiveSubscription: { self.begin(place, $0) },
        receiveValue: { value in
          self.take(place, value)
          return .none
        },
        receiveCompletion: { self.finish(place, $0) })
    }

    private func begin(_ place: Int, _ subscription: any Subscription) {
      lock.lock()
      let isOver = downstream == nil
      if !isOver { subscriptions[place] = subscription }
      lock.unlock()
      if isOver { subscription.cancel() } else { subscription.request(.unlimited) }
    }

    private func take(_ place: Int, _ value: Any) {
      lock.lock()
      defer { lock.unlock() }
      values[place] = .some(value)
      waits = true
      send()
    }

    private func send() {
      guard waits, demand > 0, let downstream, !values.contains(where: { $0 == nil }) else {
        return
      }
      waits = false
      demand -= 1
      demand += downstream.receive(make(values.map { $0! }))
    }

    private func finish(_ place: Int, _ completion: Subscribers.Completion<Downstream.Failure>) {
      lock.lock()
      finished += 1
      subscriptions[place] = nil
      let isWithoutValue = values[place] == nil
      var isOver = finished == values.count || isWithoutValue
      if case .failure = completion { isOver = true }
      let downstream = isOver ? self.downstream : nil
      lock.unlock()
      if let downstream {
        cancel()
        downstream.receive(completion: completion)
      }
    }

    func request(_ demand: Subscribers.Demand) {
      lock.lock()
      defer { lock.unlock() }
      self.demand += demand
      send()
    }

    func cancel() {
      lock.lock()
      let open = subscriptions
      subscriptions = subscriptions.map { _ in nil }
      downstream = nil
      lock.unlock()
      for subscription in open { subscription?.cancel() }
    }
  }
#endif
