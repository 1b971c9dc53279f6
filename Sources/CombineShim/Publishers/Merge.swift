#if Shims
  // What OpenCombine has not: the values of several publishers as they come.

  extension Publishers {
    /// Source: developer.apple.com/documentation/combine/publishers/mergemany
    public struct MergeMany<Upstream: Publisher>: Publisher {
      public typealias Output = Upstream.Output
      public typealias Failure = Upstream.Failure

      public let publishers: [Upstream]

      public init(_ upstream: Upstream...) { publishers = upstream }

      public init(_ upstream: some Swift.Sequence<Upstream>) { publishers = Array(upstream) }

      public func receive<S: Subscriber>(subscriber: S)
      where S.Input == Output, S.Failure == Failure {
        Publishers.Sequence<[Upstream], Failure>(sequence: publishers).flatMap { $0 }
          .receive(subscriber: subscriber)
      }

      public func merge(with other: Upstream) -> MergeMany { MergeMany(publishers + [other]) }
    }

    public struct Merge<A: Publisher, B: Publisher>: Publisher
    where
      A.Output == B.Output, A.Failure == B.Failure
    {
      public typealias Output = A.Output
      public typealias Failure = A.Failure

      public let a: A
      public let b: B

      public init(_ a: A, _ b: B) {
        (self.a, self.b) = (a, b)
      }

      public func receive<S: Subscriber>(subscriber: S)
      where S.Input == Output, S.Failure == Failure {
        MergeMany(
          a.eraseToAnyPublisher(),
          b.eraseToAnyPublisher()
        ).receive(subscriber: subscriber)
      }
    }

    public struct Merge3<A: Publisher, B: Publisher, C: Publisher>: Publisher
    where
      A.Output == B.Output, A.Failure == B.Failure,
      A.Output == C.Output, A.Failure == C.Failure
    {
      public typealias Output = A.Output
      public typealias Failure = A.Failure

      public let a: A
      public let b: B
      public let c: C

      public init(_ a: A, _ b: B, _ c: C) {
        (self.a, self.b, self.c) = (a, b, c)
      }

      public func receive<S: Subscriber>(subscriber: S)
      where S.Input == Output, S.Failure == Failure {
        MergeMany(
          a.eraseToAnyPublisher(),
          b.eraseToAnyPublisher(),
          c.eraseToAnyPublisher()
        ).receive(subscriber: subscriber)
      }
    }

    public struct Merge4<A: Publisher, B: Publisher, C: Publisher, D: Publisher>: Publisher
    where
      A.Output == B.Output, A.Failure == B.Failure,
      A.Output == C.Output, A.Failure == C.Failure,
      A.Output == D.Output, A.Failure == D.Failure
    {
      public typealias Output = A.Output
      public typealias Failure = A.Failure

      public let a: A
      public let b: B
      public let c: C
      public let d: D

      public init(_ a: A, _ b: B, _ c: C, _ d: D) {
        (self.a, self.b, self.c, self.d) = (a, b, c, d)
      }

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

      public let a: A
      public let b: B
      public let c: C
      public let d: D
      public let e: E

      public init(_ a: A, _ b: B, _ c: C, _ d: D, _ e: E) {
        (self.a, self.b, self.c, self.d, self.e) = (a, b, c, d, e)
      }

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

      public let a: A
      public let b: B
      public let c: C
      public let d: D
      public let e: E
      public let f: F

      public init(_ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F) {
        (self.a, self.b, self.c, self.d, self.e, self.f) = (a, b, c, d, e, f)
      }

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

      public let a: A
      public let b: B
      public let c: C
      public let d: D
      public let e: E
      public let f: F
      public let g: G

      public init(_ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G) {
        (self.a, self.b, self.c, self.d, self.e, self.f, self.g) = (a, b, c, d, e, f, g)
      }

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

      public let a: A
      public let b: B
      public let c: C
      public let d: D
      public let e: E
      public let f: F
      public let g: G
      public let h: H

      public init(_ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G, _ h: H) {
        (self.a, self.b, self.c, self.d, self.e, self.f, self.g, self.h) = (a, b, c, d, e, f, g, h)
      }

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
    public func merge(with other: Self) -> Publishers.MergeMany<Self> { .init(self, other) }

    public func merge<B: Publisher>(
      with b: B
    ) -> Publishers.Merge<Self, B>
    where
      Output == B.Output, Failure == B.Failure
    { .init(self, b) }

    public func merge<B: Publisher, C: Publisher>(
      with b: B, _ c: C
    ) -> Publishers.Merge3<Self, B, C>
    where
      Output == B.Output, Failure == B.Failure,
      Output == C.Output, Failure == C.Failure
    { .init(self, b, c) }

    public func merge<B: Publisher, C: Publisher, D: Publisher>(
      with b: B, _ c: C, _ d: D
    ) -> Publishers.Merge4<Self, B, C, D>
    where
      Output == B.Output, Failure == B.Failure,
      Output == C.Output, Failure == C.Failure,
      Output == D.Output, Failure == D.Failure
    { .init(self, b, c, d) }

    public func merge<B: Publisher, C: Publisher, D: Publisher, E: Publisher>(
      with b: B, _ c: C, _ d: D, _ e: E
    ) -> Publishers.Merge5<Self, B, C, D, E>
    where
      Output == B.Output, Failure == B.Failure,
      Output == C.Output, Failure == C.Failure,
      Output == D.Output, Failure == D.Failure,
      Output == E.Output, Failure == E.Failure
    { .init(self, b, c, d, e) }

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
