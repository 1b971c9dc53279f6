extension NSManagedObjectContext {
  final func enqueue(_ block: @escaping @Sendable () -> Void) {
    // Sound: the block is Sendable, and the context is used on its own queue.
    let work = UncheckedSendable { [self] in
      autoreleasepool(invoking: block)
      endEvent()
    }
    confinement.perform { work.value() }
  }

  /// Processes the changes of a block and makes them one undo step: on a queue without a run loop,
  /// nothing else would end the event.
  final func endEvent() {
    if hasEventChanges { processPendingChanges() }
    undoManager?.endEvent()
  }

  /// Runs `block` on the context's queue, waits for it, and passes on its result or error.
  @discardableResult
  public func performAndWait<T>(_ block: () throws -> T) rethrows -> T {
    try waitForResult(block) { throw $0 }
  }

  // Calls the method that a subclass may override.
  private func waitForResult<T>(
    _ block: () throws -> T, rescue: (any Error) throws -> T
  ) rethrows -> T {
    var result: Result<T, any Error>?
    performAndWait { result = Result(catching: block) }
    switch result! {
    case .success(let value): return value
    case .failure(let error): return try rescue(error)
    }
  }

  /// The start of an asynchronous block.
  public enum ScheduledTaskType: Hashable, Sendable {
    /// At once if the caller runs on the context's queue, else as soon as the queue is free.
    case immediate
    /// After everything that already waits for the queue.
    case enqueued
  }

  /// Runs `block` on the context's queue and passes on its result or error.
  @preconcurrency
  public func perform<T>(
    schedule: ScheduledTaskType = .immediate, _ block: @escaping @Sendable () throws -> T
  ) async rethrows -> T {
    try await awaitResult(schedule, block: block) { throw $0 }
  }

  private func awaitResult<T>(
    _ schedule: ScheduledTaskType, block: @escaping () throws -> T,
    rescue: (any Error) throws -> T
  ) async rethrows -> T {
    // Sound: the block runs once, on the queue, while the caller waits for it; only the caller
    // reads its result.
    let work = UncheckedSendable { [self] in
      let result = Result(catching: block)
      endEvent()
      return result
    }
    let result = await run(schedule, work: work)
    switch result.value {
    case .success(let value): return value
    case .failure(let error): return try rescue(error)
    }
  }

  private func run<T>(
    _ schedule: ScheduledTaskType, work: UncheckedSendable<() -> Result<T, any Error>>
  ) async -> UncheckedSendable<Result<T, any Error>> {
    await withCheckedContinuation { continuation in
      if schedule == .immediate, confinement.isCurrent {
        return continuation.resume(returning: UncheckedSendable(work.value()))
      }
      let work = SpentOnce(work)
      confinement.perform {
        let result = UncheckedSendable(work.run())
        continuation.resume(returning: result)
      }
    }
  }

  /// Whether the caller is on the context's queue.
  package final var isOnItsQueue: Bool { confinement.isCurrent }

  /// Traps in a debug build if the caller is not on the context's queue.
  @inline(__always)
  final func assertConfined() {
    #if DEBUG
      if !confinement.isCurrent { refuse() }
    #endif
  }

  private func refuse() {
    guard ConcurrencyDebugging.isOn, stopsAtForeignUse else { return }
    guard failsTestAlone else { fatalError(confinementText) }
    // What cannot throw says it here, once.
    guard !hasToldForeignUse else { return }
    hasToldForeignUse = true
    Console.warning(confinementText)
  }

  /// Throws error 134060 where `assertConfined` would trap, had it not spared a test that lacks its
  /// actor.
  final func checkConfined() throws {
    assertConfined()
    #if DEBUG
      guard !confinement.isCurrent, ConcurrencyDebugging.isOn, stopsAtForeignUse, failsTestAlone
      else { return }
      throw CoreDataError.make(.coreData, reason: confinementText)
    #endif
  }

  /// Whether a test uses the main queue's context from elsewhere. A trap would end all tests of the
  /// process, so this test alone fails, by an error from whatever it calls that throws.
  private var failsTestAlone: Bool {
    concurrencyType == .mainQueueConcurrencyType && ConcurrencyDebugging.isInTests
  }

  private var confinementText: String {
    "The context \(name.map { "“\($0)” " } ?? "")belongs to the queue “\(confinement.name)” and is "
      + "used from “\(Confinement.nameOfCurrentQueue)”. Put the code into perform { } or "
      + "performAndWait { }\(failsTestAlone ? ", or mark the test or its suite @MainActor" : ""). Set the environment variable \(ConcurrencyDebugging.variable)=0 to go on "
      + "without this check, which debug builds make."
  }
}

/// The switch for the check that contexts are used on their queues, in debug builds.
package enum ConcurrencyDebugging {
  /// Whether the check is on where nothing is said. Ported sources are not checked then, as on
  /// Apple's systems.
  ///
  /// Unsafe in name only: it is set before `main`, by one thread.
  package nonisolated(unsafe) static var isOnByDefault = true

  static let variable = "OPENCOREDATA_CONCURRENCY_DEBUG"
  private static let launchArgument = "com.apple.CoreData.ConcurrencyDebug"

  /// Whether the program runs tests and the environment variable, which forces a trap, is not set.
  static var isInTests: Bool { runsTests && getenv(variable) == nil }

  private static let runsTests: Bool = {
    let arguments = CommandLine.arguments
    return arguments.first?.hasSuffix(".xctest") == true
      || arguments.contains { $0.hasPrefix("--testing-library") }
  }()

  /// Whether the check is on. The environment variable comes first, since it also reaches test
  /// runs, which take no launch arguments; then a user default or launch argument, as with Apple's
  /// framework.
  static var isOn: Bool {
    if let value = getenv(variable) { return String(cString: value) != "0" }
    let isSaid = UserDefaults.standard.object(forKey: launchArgument) != nil
    return isSaid ? UserDefaults.standard.bool(forKey: launchArgument) : isOnByDefault
  }
}
