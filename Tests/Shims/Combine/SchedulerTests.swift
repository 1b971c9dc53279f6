import Combine
import FoundationSupport
import Testing

struct SchedulerTests {
  private func value<Value: Sendable>(
    _ publisher: some Publisher<Value, Never>
  ) async -> Value? {
    for await value in publisher.first().values { return value }
    return nil
  }

  @Test func eachSchedulerPassesValuesOn() async {
    let queue = DispatchQueue(label: "shims")
    queue.setSpecific(key: Self.mark, value: true)
    #expect(
      await value(Just(1).receive(on: queue).map { _ in DispatchQueue.getSpecific(key: Self.mark) })
        == true)
    #expect(await value(Just(2).receive(on: DispatchQueue.main)) == 2)
    // One at a time: in a queue of several the end may overtake the value, as on Apple's systems.
    let operations = OperationQueue()
    operations.maxConcurrentOperationCount = 1
    #expect(await value(Just(3).receive(on: operations)) == 3)
    #expect(await value(Just(4).receive(on: ImmediateScheduler.shared)) == 4)
    #expect(await value(Just(5).delay(for: .milliseconds(1), scheduler: queue)) == 5)
    let current = CurrentValueSubject<Int, Never>(7)
    #expect(await value(current.debounce(for: .milliseconds(1), scheduler: queue)) == 7)
  }

  private static let mark = DispatchSpecificKey<Bool>()

  @Test func aRunLoopIsAScheduler() {
    var taken: [Int] = []
    let subscription = Just(1).receive(on: RunLoop.current).sink { taken.append($0) }
    #expect(taken == [])
    while taken.isEmpty, RunLoop.current.run(mode: .default, before: Date() + 0.1) {}
    #expect(taken == [1])
    subscription.cancel()
  }

  @Test func aTimerPublishes() {
    var count = 0
    let subscription = Timer.publish(every: 0.001, on: .current, in: .default).autoconnect()
      .prefix(2).sink { _ in count += 1 }
    while count < 2, RunLoop.current.run(mode: .default, before: Date() + 0.1) {}
    #expect(count == 2)
    subscription.cancel()
  }

  @Test func aDataTaskPublishes() async throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try Data("text".utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let text = URLSession.shared.dataTaskPublisher(for: file)
      .map { String(decoding: $0.data, as: UTF8.self) }.replaceError(with: "error")
    // Foundation here opens no files; that it answers, and with what, is what a publisher is for.
    #expect(["text", "error"].contains(await value(text)))
  }
}
