#if Shims
  import Foundation

  /// Emits the latest values of several publishers together at each new value: the subscription of
  /// `CombineLatest` of every size.
  ///
  /// Demand on the upstream publishers is unlimited. If the subscriber has no demand left, the
  /// latest values wait for the next request. `lock` guards the state.
  final class LatestValues<Downstream: Subscriber, Output>: Subscription
  where Downstream.Input == Output {
    // Recursive, because the subscriber may make an upstream publisher emit.
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

    /// The subscriber for the publisher with this index.
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
