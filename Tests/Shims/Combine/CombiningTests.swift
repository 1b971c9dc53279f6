import Combine
import Testing

/// What the stand-in has of its own: publishers that combine several.
struct CombiningTests {
  private enum Failure: Error { case broken }
  private typealias Subject = PassthroughSubject<Int, Failure>

  private struct Log: Equatable {
    var values: [[Int]] = []
    var end: String?
  }

  /// Subscribes, publishes by subject and value, and says what came.
  private func log(
    _ publisher: (([Subject]) -> AnyPublisher<[Int], Failure>), _ steps: ([Subject]) -> Void
  ) -> Log {
    let subjects = (0..<8).map { _ in Subject() }
    var log = Log()
    let subscription = publisher(subjects).sink(
      receiveCompletion: { log.end = "\($0)" }, receiveValue: { log.values.append($0) })
    steps(subjects)
    subscription.cancel()
    return log
  }

  private let latest: [(Int, ([Subject]) -> AnyPublisher<[Int], Failure>)] = [
    (2, { $0[0].combineLatest($0[1]).map { [$0, $1] }.eraseToAnyPublisher() }),
    (2, { $0[0].combineLatest($0[1]) { [$0, $1] }.eraseToAnyPublisher() }),
    (2, { Publishers.CombineLatest($0[0], $0[1]).map { [$0, $1] }.eraseToAnyPublisher() }),
    (3, { $0[0].combineLatest($0[1], $0[2]).map { [$0, $1, $2] }.eraseToAnyPublisher() }),
    (3, { $0[0].combineLatest($0[1], $0[2]) { [$0, $1, $2] }.eraseToAnyPublisher() }),
    (4, { $0[0].combineLatest($0[1], $0[2], $0[3]) { [$0, $1, $2, $3] }.eraseToAnyPublisher() }),
    (
      4,
      {
        Publishers.CombineLatest4($0[0], $0[1], $0[2], $0[3]).map { [$0, $1, $2, $3] }
          .eraseToAnyPublisher()
      }
    ),
  ]

  @Test func theLatestOfEachAtEachNewOne() {
    for (count, publisher) in latest {
      let log = log(publisher) { subjects in
        for place in 0..<count { subjects[place].send(place) }
        subjects[0].send(10)
        subjects[count - 1].send(20)
        subjects[0].send(completion: .finished)
        subjects[1].send(30)
        for place in 1..<count { subjects[place].send(completion: .finished) }
      }
      var expected = [Array(0..<count)]
      expected.append(expected[0])
      expected[1][0] = 10
      expected.append(expected[1])
      expected[2][count - 1] = 20
      expected.append(expected[2])
      expected[3][1] = 30
      #expect(log == Log(values: expected, end: "finished"))
    }
  }

  @Test func onePartFailsForAll() {
    for (count, publisher) in latest {
      for failing in 0..<count {
        let log = log(publisher) { subjects in
          subjects[failing].send(completion: .failure(.broken))
          for place in 0..<count { subjects[place].send(place) }
        }
        #expect(
          log == Log(values: [], end: "failure(\(Failure.broken))")
            || log.end?.contains("broken") == true)
        #expect(log.values == [])
      }
    }
  }

  @Test func aPartWithoutAValueEndsAll() {
    for (count, publisher) in latest {
      let log = log(publisher) { $0[count - 1].send(completion: .finished) }
      #expect(log == Log(values: [], end: "finished"))
    }
  }

  @Test func partsOfOptionalsAndDemand() {
    let first = CurrentValueSubject<Int?, Never>(nil)
    let second = CurrentValueSubject<String, Never>("a")
    var taken: [String] = []
    var subscription: (any Subscription)?
    first.combineLatest(second).subscribe(
      AnySubscriber(
        receiveSubscription: { subscription = $0 },
        receiveValue: {
          taken.append("\($0.0 ?? -1)\($0.1)")
          return .none
        }, receiveCompletion: { _ in }))
    subscription?.request(.max(1))
    first.send(1)
    second.send("b")
    #expect(taken == ["-1a"])
    subscription?.request(.unlimited)
    first.send(nil)
    #expect(taken == ["-1a", "1b", "-1b"])
    subscription?.cancel()
    first.send(3)
    #expect(taken.count == 3)
  }

  private let merged: [(Int, ([Subject]) -> AnyPublisher<[Int], Failure>)] = [
    (2, { $0[0].merge(with: $0[1]).map { [$0] }.eraseToAnyPublisher() }),
    (2, { $0[0].merge(with: $0[1].map { $0 }).map { [$0] }.eraseToAnyPublisher() }),
    (2, { Publishers.Merge($0[0], $0[1]).map { [$0] }.eraseToAnyPublisher() }),
    (3, { $0[0].merge(with: $0[1], $0[2]).map { [$0] }.eraseToAnyPublisher() }),
    (4, { $0[0].merge(with: $0[1], $0[2], $0[3]).map { [$0] }.eraseToAnyPublisher() }),
    (5, { $0[0].merge(with: $0[1], $0[2], $0[3], $0[4]).map { [$0] }.eraseToAnyPublisher() }),
    (
      6,
      {
        $0[0].merge(with: $0[1], $0[2], $0[3], $0[4], $0[5]).map { [$0] }.eraseToAnyPublisher()
      }
    ),
    (
      7,
      {
        $0[0].merge(with: $0[1], $0[2], $0[3], $0[4], $0[5], $0[6]).map { [$0] }
          .eraseToAnyPublisher()
      }
    ),
    (
      8,
      {
        $0[0].merge(with: $0[1], $0[2], $0[3], $0[4], $0[5], $0[6], $0[7]).map { [$0] }
          .eraseToAnyPublisher()
      }
    ),
    (8, { Publishers.MergeMany($0).map { [$0] }.eraseToAnyPublisher() }),
    (2, { Publishers.MergeMany($0[0], $0[1]).map { [$0] }.eraseToAnyPublisher() }),
  ]

  @Test func allAsTheyCome() {
    for (count, publisher) in merged {
      let log = log(publisher) { subjects in
        for place in (0..<count).reversed() { subjects[place].send(place) }
        for place in 0..<count {
          subjects[place].send(10 + place)
          subjects[place].send(completion: .finished)
        }
      }
      let expected = (0..<count).reversed().map { [$0] } + (0..<count).map { [10 + $0] }
      #expect(log == Log(values: expected, end: "finished"))
    }
  }

  @Test func onePartFailsForAllMerged() {
    for (count, publisher) in merged {
      let log = log(publisher) { subjects in
        subjects[count - 1].send(completion: .failure(.broken))
        subjects[0].send(1)
      }
      #expect(log.values == [] && log.end?.contains("broken") == true)
    }
  }
}
