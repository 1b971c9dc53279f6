#if Shims
  // Operators missing from OpenCombine: the latest values of several publishers, at each new value
  // of any of them.

  extension Publishers {
    /// Publishes tuples of the latest values of two publishers.
    ///
    /// Source: developer.apple.com/documentation/combine/publishers/combinelatest
    public struct CombineLatest<A: Publisher, B: Publisher>: Publisher
    where A.Failure == B.Failure {
      public typealias Output = (A.Output, B.Output)
      public typealias Failure = A.Failure

      /// The first publisher.
      public let a: A
      /// The second publisher.
      public let b: B

      /// Creates the publisher.
      public init(_ a: A, _ b: B) {
        (self.a, self.b) = (a, b)
      }

      /// Attaches a subscriber.
      public func receive<S: Subscriber>(subscriber: S)
      where S.Input == Output, S.Failure == Failure {
        let latest = LatestValues(2, subscriber) { values -> Output in
          (values[0] as! A.Output, values[1] as! B.Output)
        }
        subscriber.receive(subscription: latest)
        a.subscribe(latest.subscriber(0, A.Output.self))
        b.subscribe(latest.subscriber(1, B.Output.self))
      }
    }

    /// Publishes tuples of the latest values of three publishers.
    ///
    /// Source: developer.apple.com/documentation/combine/publishers/combinelatest3
    public struct CombineLatest3<A: Publisher, B: Publisher, C: Publisher>: Publisher
    where A.Failure == B.Failure, B.Failure == C.Failure {
      public typealias Output = (A.Output, B.Output, C.Output)
      public typealias Failure = A.Failure

      /// The first publisher.
      public let a: A
      /// The second publisher.
      public let b: B
      /// The third publisher.
      public let c: C

      /// Creates the publisher.
      public init(_ a: A, _ b: B, _ c: C) {
        (self.a, self.b, self.c) = (a, b, c)
      }

      /// Attaches a subscriber.
      public func receive<S: Subscriber>(subscriber: S)
      where S.Input == Output, S.Failure == Failure {
        let latest = LatestValues(3, subscriber) { values -> Output in
          (values[0] as! A.Output, values[1] as! B.Output, values[2] as! C.Output)
        }
        subscriber.receive(subscription: latest)
        a.subscribe(latest.subscriber(0, A.Output.self))
        b.subscribe(latest.subscriber(1, B.Output.self))
        c.subscribe(latest.subscriber(2, C.Output.self))
      }
    }

    /// Publishes tuples of the latest values of four publishers.
    ///
    /// Source: developer.apple.com/documentation/combine/publishers/combinelatest4
    public struct CombineLatest4<A: Publisher, B: Publisher, C: Publisher, D: Publisher>: Publisher
    where A.Failure == B.Failure, B.Failure == C.Failure, C.Failure == D.Failure {
      public typealias Output = (A.Output, B.Output, C.Output, D.Output)
      public typealias Failure = A.Failure

      /// The first publisher.
      public let a: A
      /// The second publisher.
      public let b: B
      /// The third publisher.
      public let c: C
      /// The fourth publisher.
      public let d: D

      /// Creates the publisher.
      public init(_ a: A, _ b: B, _ c: C, _ d: D) {
        (self.a, self.b, self.c, self.d) = (a, b, c, d)
      }

      /// Attaches a subscriber.
      public func receive<S: Subscriber>(subscriber: S)
      where S.Input == Output, S.Failure == Failure {
        let latest = LatestValues(4, subscriber) { values -> Output in
          (
            values[0] as! A.Output, values[1] as! B.Output, values[2] as! C.Output,
            values[3] as! D.Output
          )
        }
        subscriber.receive(subscription: latest)
        a.subscribe(latest.subscriber(0, A.Output.self))
        b.subscribe(latest.subscriber(1, B.Output.self))
        c.subscribe(latest.subscriber(2, C.Output.self))
        d.subscribe(latest.subscriber(3, D.Output.self))
      }
    }
  }

  extension Publisher {
    /// Combines the latest values of this and another publisher.
    public func combineLatest<B: Publisher>(_ other: B) -> Publishers.CombineLatest<Self, B>
    where Failure == B.Failure { .init(self, other) }

    /// Combines the latest values of this and another publisher and transforms them.
    public func combineLatest<B: Publisher, T>(
      _ other: B, _ transform: @escaping (Output, B.Output) -> T
    ) -> Publishers.Map<Publishers.CombineLatest<Self, B>, T>
    where Failure == B.Failure {
      Publishers.CombineLatest<Self, B>(self, other).map { values in
        transform(values.0, values.1)
      }
    }

    /// Combines the latest values of this and two other publishers.
    public func combineLatest<B: Publisher, C: Publisher>(_ publisher1: B, _ publisher2: C)
      -> Publishers.CombineLatest3<Self, B, C>
    where Failure == B.Failure, Failure == C.Failure { .init(self, publisher1, publisher2) }

    /// Combines the latest values of this and two other publishers and transforms them.
    public func combineLatest<B: Publisher, C: Publisher, T>(
      _ publisher1: B, _ publisher2: C, _ transform: @escaping (Output, B.Output, C.Output) -> T
    ) -> Publishers.Map<Publishers.CombineLatest3<Self, B, C>, T>
    where Failure == B.Failure, Failure == C.Failure {
      Publishers.CombineLatest3<Self, B, C>(self, publisher1, publisher2).map { values in
        transform(values.0, values.1, values.2)
      }
    }

    /// Combines the latest values of this and three other publishers.
    public func combineLatest<B: Publisher, C: Publisher, D: Publisher>(
      _ publisher1: B, _ publisher2: C, _ publisher3: D
    ) -> Publishers.CombineLatest4<Self, B, C, D>
    where Failure == B.Failure, Failure == C.Failure, Failure == D.Failure {
      .init(self, publisher1, publisher2, publisher3)
    }

    /// Combines the latest values of this and three other publishers and transforms them.
    public func combineLatest<B: Publisher, C: Publisher, D: Publisher, T>(
      _ publisher1: B, _ publisher2: C, _ publisher3: D,
      _ transform: @escaping (Output, B.Output, C.Output, D.Output) -> T
    ) -> Publishers.Map<Publishers.CombineLatest4<Self, B, C, D>, T>
    where Failure == B.Failure, Failure == C.Failure, Failure == D.Failure {
      Publishers.CombineLatest4<Self, B, C, D>(self, publisher1, publisher2, publisher3).map {
        values in
        transform(values.0, values.1, values.2, values.3)
      }
    }
  }
#endif
