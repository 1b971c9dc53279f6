#if Shims
  // Operators missing from OpenCombine: the values of several publishers as they arrive.

  extension Publishers {
    /// Publishes the values of any number of publishers of one type as they arrive.
    ///
    /// Source: developer.apple.com/documentation/combine/publishers/mergemany
    public struct MergeMany<Upstream: Publisher>: Publisher {
      public typealias Output = Upstream.Output
      public typealias Failure = Upstream.Failure

      /// The merged publishers.
      public let publishers: [Upstream]

      /// Creates the publisher.
      public init(_ upstream: Upstream...) { publishers = upstream }

      /// Creates the publisher.
      public init(_ upstream: some Swift.Sequence<Upstream>) { publishers = Array(upstream) }

      /// Attaches a subscriber.
      public func receive<S: Subscriber>(subscriber: S)
      where S.Input == Output, S.Failure == Failure {
        Publishers.Sequence<[Upstream], Failure>(sequence: publishers).flatMap { $0 }
          .receive(subscriber: subscriber)
      }

      /// A publisher that merges another one too.
      public func merge(with other: Upstream) -> MergeMany { MergeMany(publishers + [other]) }
    }

    /// Publishes the values of two publishers as they arrive.
    public struct Merge<A: Publisher, B: Publisher>: Publisher
    where
      A.Output == B.Output, A.Failure == B.Failure
    {
      public typealias Output = A.Output
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
        MergeMany(
          a.eraseToAnyPublisher(),
          b.eraseToAnyPublisher()
        ).receive(subscriber: subscriber)
      }
    }

    /// Publishes the values of three publishers as they arrive.
    public struct Merge3<A: Publisher, B: Publisher, C: Publisher>: Publisher
    where
      A.Output == B.Output, A.Failure == B.Failure,
      A.Output == C.Output, A.Failure == C.Failure
    {
      public typealias Output = A.Output
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
        MergeMany(
          a.eraseToAnyPublisher(),
          b.eraseToAnyPublisher(),
          c.eraseToAnyPublisher()
        ).receive(subscriber: subscriber)
      }
    }

    /// Publishes the values of four publishers as they arrive.
    public struct Merge4<A: Publisher, B: Publisher, C: Publisher, D: Publisher>: Publisher
    where
      A.Output == B.Output, A.Failure == B.Failure,
      A.Output == C.Output, A.Failure == C.Failure,
      A.Output == D.Output, A.Failure == D.Failure
    {
      public typealias Output = A.Output
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
        MergeMany(
          a.eraseToAnyPublisher(),
          b.eraseToAnyPublisher(),
          c.eraseToAnyPublisher(),
          d.eraseToAnyPublisher()
        ).receive(subscriber: subscriber)
      }
    }

    /// Publishes the values of five publishers as they arrive.
    public struct Merge5<A: Publisher, B: Publisher, C: Publisher, D: Publisher, E: Publisher>:
      Publisher
    where
      A.Output == B.Output, A.Failure == B.Failure,
      A.Output == C.Output, A.Failure == C.Failure,
      A.Output == D.Output, A.Failure == D.Failure,
      A.Output == E.Output, A.Failure == E.Failure
    {
      public typealias Output = A.Output
      public typealias Failure = A.Failure

      /// The first publisher.
      public let a: A
      /// The second publisher.
      public let b: B
      /// The third publisher.
      public let c: C
      /// The fourth publisher.
      public let d: D
      /// The fifth publisher.
      public let e: E

      /// Creates the publisher.
      public init(_ a: A, _ b: B, _ c: C, _ d: D, _ e: E) {
        (self.a, self.b, self.c, self.d, self.e) = (a, b, c, d, e)
      }

      /// Attaches a subscriber.
      public func receive<S: Subscriber>(subscriber: S)
      where S.Input == Output, S.Failure == Failure {
        MergeMany(
          a.eraseToAnyPublisher(),
          b.eraseToAnyPublisher(),
          c.eraseToAnyPublisher(),
          d.eraseToAnyPublisher(),
          e.eraseToAnyPublisher()
        ).receive(subscriber: subscriber)
      }
    }

    /// Publishes the values of six publishers as they arrive.
    public struct Merge6<
      A: Publisher, B: Publisher, C: Publisher, D: Publisher, E: Publisher, F: Publisher
    >: Publisher
    where
      A.Output == B.Output, A.Failure == B.Failure,
      A.Output == C.Output, A.Failure == C.Failure,
      A.Output == D.Output, A.Failure == D.Failure,
      A.Output == E.Output, A.Failure == E.Failure,
      A.Output == F.Output, A.Failure == F.Failure
    {
      public typealias Output = A.Output
      public typealias Failure = A.Failure

      /// The first publisher.
      public let a: A
      /// The second publisher.
      public let b: B
      /// The third publisher.
      public let c: C
      /// The fourth publisher.
      public let d: D
      /// The fifth publisher.
      public let e: E
      /// The sixth publisher.
      public let f: F

      /// Creates the publisher.
      public init(_ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F) {
        (self.a, self.b, self.c, self.d, self.e, self.f) = (a, b, c, d, e, f)
      }

      /// Attaches a subscriber.
      public func receive<S: Subscriber>(subscriber: S)
      where S.Input == Output, S.Failure == Failure {
        MergeMany(
          a.eraseToAnyPublisher(),
          b.eraseToAnyPublisher(),
          c.eraseToAnyPublisher(),
          d.eraseToAnyPublisher(),
          e.eraseToAnyPublisher(),
          f.eraseToAnyPublisher()
        ).receive(subscriber: subscriber)
      }
    }

    /// Publishes the values of seven publishers as they arrive.
    public struct Merge7<
      A: Publisher, B: Publisher, C: Publisher, D: Publisher, E: Publisher, F: Publisher,
      G: Publisher
    >: Publisher
    where
      A.Output == B.Output, A.Failure == B.Failure,
      A.Output == C.Output, A.Failure == C.Failure,
      A.Output == D.Output, A.Failure == D.Failure,
      A.Output == E.Output, A.Failure == E.Failure,
      A.Output == F.Output, A.Failure == F.Failure,
      A.Output == G.Output, A.Failure == G.Failure
    {
      public typealias Output = A.Output
      public typealias Failure = A.Failure

      /// The first publisher.
      public let a: A
      /// The second publisher.
      public let b: B
      /// The third publisher.
      public let c: C
      /// The fourth publisher.
      public let d: D
      /// The fifth publisher.
      public let e: E
      /// The sixth publisher.
      public let f: F
      /// The seventh publisher.
      public let g: G

      /// Creates the publisher.
      public init(_ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G) {
        (self.a, self.b, self.c, self.d, self.e, self.f, self.g) = (a, b, c, d, e, f, g)
      }

      /// Attaches a subscriber.
      public func receive<S: Subscriber>(subscriber: S)
      where S.Input == Output, S.Failure == Failure {
        MergeMany(
          a.eraseToAnyPublisher(),
          b.eraseToAnyPublisher(),
          c.eraseToAnyPublisher(),
          d.eraseToAnyPublisher(),
          e.eraseToAnyPublisher(),
          f.eraseToAnyPublisher(),
          g.eraseToAnyPublisher()
        ).receive(subscriber: subscriber)
      }
    }

    /// Publishes the values of eight publishers as they arrive.
    public struct Merge8<
      A: Publisher, B: Publisher, C: Publisher, D: Publisher, E: Publisher, F: Publisher,
      G: Publisher, H: Publisher
    >: Publisher
    where
      A.Output == B.Output, A.Failure == B.Failure,
      A.Output == C.Output, A.Failure == C.Failure,
      A.Output == D.Output, A.Failure == D.Failure,
      A.Output == E.Output, A.Failure == E.Failure,
      A.Output == F.Output, A.Failure == F.Failure,
      A.Output == G.Output, A.Failure == G.Failure,
      A.Output == H.Output, A.Failure == H.Failure
    {
      public typealias Output = A.Output
      public typealias Failure = A.Failure

      /// The first publisher.
      public let a: A
      /// The second publisher.
      public let b: B
      /// The third publisher.
      public let c: C
      /// The fourth publisher.
      public let d: D
      /// The fifth publisher.
      public let e: E
      /// The sixth publisher.
      public let f: F
      /// The seventh publisher.
      public let g: G
      /// The eighth publisher.
      public let h: H

      /// Creates the publisher.
      public init(_ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G, _ h: H) {
        (self.a, self.b, self.c, self.d, self.e, self.f, self.g, self.h) = (a, b, c, d, e, f, g, h)
      }

      /// Attaches a subscriber.
      public func receive<S: Subscriber>(subscriber: S)
      where S.Input == Output, S.Failure == Failure {
        MergeMany(
          a.eraseToAnyPublisher(),
          b.eraseToAnyPublisher(),
          c.eraseToAnyPublisher(),
          d.eraseToAnyPublisher(),
          e.eraseToAnyPublisher(),
          f.eraseToAnyPublisher(),
          g.eraseToAnyPublisher(),
          h.eraseToAnyPublisher()
        ).receive(subscriber: subscriber)
      }
    }
  }

  extension Publisher {
    /// Merges this and another publisher of the same type.
    public func merge(with other: Self) -> Publishers.MergeMany<Self> { .init(self, other) }

    /// Merges this and another publisher.
    public func merge<B: Publisher>(
      with b: B
    ) -> Publishers.Merge<Self, B>
    where
      Output == B.Output, Failure == B.Failure
    { .init(self, b) }

    /// Merges this and two other publishers.
    public func merge<B: Publisher, C: Publisher>(
      with b: B, _ c: C
    ) -> Publishers.Merge3<Self, B, C>
    where
      Output == B.Output, Failure == B.Failure,
      Output == C.Output, Failure == C.Failure
    { .init(self, b, c) }

    /// Merges this and three other publishers.
    public func merge<B: Publisher, C: Publisher, D: Publisher>(
      with b: B, _ c: C, _ d: D
    ) -> Publishers.Merge4<Self, B, C, D>
    where
      Output == B.Output, Failure == B.Failure,
      Output == C.Output, Failure == C.Failure,
      Output == D.Output, Failure == D.Failure
    { .init(self, b, c, d) }

    /// Merges this and four other publishers.
    public func merge<B: Publisher, C: Publisher, D: Publisher, E: Publisher>(
      with b: B, _ c: C, _ d: D, _ e: E
    ) -> Publishers.Merge5<Self, B, C, D, E>
    where
      Output == B.Output, Failure == B.Failure,
      Output == C.Output, Failure == C.Failure,
      Output == D.Output, Failure == D.Failure,
      Output == E.Output, Failure == E.Failure
    { .init(self, b, c, d, e) }

    /// Merges this and five other publishers.
    public func merge<B: Publisher, C: Publisher, D: Publisher, E: Publisher, F: Publisher>(
      with b: B, _ c: C, _ d: D, _ e: E, _ f: F
    ) -> Publishers.Merge6<Self, B, C, D, E, F>
    where
      Output == B.Output, Failure == B.Failure,
      Output == C.Output, Failure == C.Failure,
      Output == D.Output, Failure == D.Failure,
      Output == E.Output, Failure == E.Failure,
      Output == F.Output, Failure == F.Failure
    { .init(self, b, c, d, e, f) }

    /// Merges this and six other publishers.
    public func merge<
      B: Publisher, C: Publisher, D: Publisher, E: Publisher, F: Publisher, G: Publisher
    >(
      with b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G
    ) -> Publishers.Merge7<Self, B, C, D, E, F, G>
    where
      Output == B.Output, Failure == B.Failure,
      Output == C.Output, Failure == C.Failure,
      Output == D.Output, Failure == D.Failure,
      Output == E.Output, Failure == E.Failure,
      Output == F.Output, Failure == F.Failure,
      Output == G.Output, Failure == G.Failure
    { .init(self, b, c, d, e, f, g) }

    /// Merges this and seven other publishers.
    public func merge<
      B: Publisher, C: Publisher, D: Publisher, E: Publisher, F: Publisher, G: Publisher,
      H: Publisher
    >(
      with b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G, _ h: H
    ) -> Publishers.Merge8<Self, B, C, D, E, F, G, H>
    where
      Output == B.Output, Failure == B.Failure,
      Output == C.Output, Failure == C.Failure,
      Output == D.Output, Failure == D.Failure,
      Output == E.Output, Failure == E.Failure,
      Output == F.Output, Failure == F.Failure,
      Output == G.Output, Failure == G.Failure,
      Output == H.Output, Failure == H.Failure
    { .init(self, b, c, d, e, f, g, h) }
  }
#endif
