internal import CDispatch
import Dispatch
import Synchronization

/// The queue of one context: where it is, and whether the caller is on it.
///
/// A queue is recognised by a value that it carries, never by its thread: under an async `main` the
/// main queue is drained by other threads. Besides, a thread remembers the contexts that it is
/// inside of, so that `performAndWait` may be nested in any order without waiting for itself.
final class Confinement: Sendable {
  let concurrencyType: NSManagedObjectContextConcurrencyType
  /// nil for a context without a queue, which is confined by its owner.
  private let queue: DispatchQueue?
  private let token: ObjectIdentifier?
  private let link = SoftReference<NSManagedObjectContext>()
  /// What waits for a queue of the context's own.
  private let work = QueuedWork()

  // Carried by a context's own queue: the identity of its confinement.
  private static let key = DispatchSpecificKey<ObjectIdentifier>()
  // Carried by the main queue.
  private static let mainKey: DispatchSpecificKey<Bool> = {
    let key = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: key, value: true)
    return key
  }()

  init(_ type: NSManagedObjectContextConcurrencyType) {
    concurrencyType = type
    switch type {
    case .mainQueueConcurrencyType:
      queue = .main
      token = nil
      _ = Self.mainKey
    case .privateQueueConcurrencyType:
      let number = Self.queueCount.wrappingAdd(1, ordering: .relaxed).newValue
      let queue = DispatchQueue(label: "NSManagedObjectContext \(number)")
      let token = ObjectIdentifier(queue)
      queue.setSpecific(key: Self.key, value: token)
      self.queue = queue
      self.token = token
    case .confinementConcurrencyType:
      queue = nil
      token = nil
    }
  }

  private static let queueCount = Atomic<Int>(0)

  /// What bounds the contexts that are at work at once.
  var limit: WorkLimit? {
    get { work.limit }
    set { work.limit = newValue }
  }

  /// nil once the context has begun to die.
  var context: NSManagedObjectContext? { link.target }

  func belong(to context: NSManagedObjectContext) { link.point(to: context) }

  func forgetContext() { link.clear() }

  /// Whether the caller may touch the context.
  var isCurrent: Bool {
    if queue == nil || EnteredContexts.contains(self) { return true }
    if let token { return DispatchQueue.getSpecific(key: Self.key) == token }
    return Self.isOnMainQueue
  }

  /// Whether the caller runs as the main queue, or inside of another context's queue that the main queue
  /// waits for.
  static var isOnMainQueue: Bool {
    DispatchQueue.getSpecific(key: mainKey) == true || EnteredContexts.mainQueueWaits
  }

  var hasQueue: Bool { queue != nil }

  /// The name of its queue.
  var name: String { queue?.label ?? "none" }

  /// The name of the queue that the caller is on.
  static var nameOfCurrentQueue: String {
    if DispatchQueue.getSpecific(key: mainKey) == true { return DispatchQueue.main.label }
    return String(cString: dispatch_queue_get_label(nil))
  }

  static let queueIsMissing =
    "Can only use perform and performAndWait on an NSManagedObjectContext that was created with a "
    + "queue."

  /// Runs `body` as the context's queue, waiting for its turn; at once when already there.
  func performAndWait(_ body: () -> Void) {
    if isCurrent { return EnteredContexts.with(self, body) }
    let mainQueueWaits = Self.isOnMainQueue
    queue?.sync {
      EnteredContexts.with(self, mainQueueWaits: mainQueueWaits) {
        // What came first has its turn first.
        work.runAll()
        body()
      }
    }
  }

  /// The same with a result or an error.
  func performAndWait<Result>(_ body: () throws -> Result) rethrows -> Result {
    try waitForResult(body) { throw $0 }
  }

  private func waitForResult<Success>(
    _ body: () throws -> Success, rescue: (any Error) throws -> Success
  ) rethrows -> Success {
    var result: Result<Success, any Error>?
    performAndWait { result = Result(catching: body) }
    switch result! {
    case .success(let value): return value
    case .failure(let error): return try rescue(error)
    }
  }

  /// Runs `body` at once where the caller may touch the context, else as ``performAndWait(_:)`` does: for what
  /// enters the queue by itself.
  func inTurn<Result>(_ body: () throws -> Result) rethrows -> Result {
    isCurrent ? try body() : try performAndWait(body)
  }

  /// Runs `body` on the context's queue, later; stops the program when there is none.
  func perform(_ body: @escaping @Sendable () -> Void) {
    guard let queue else { fatalError(Self.queueIsMissing) }
    guard token != nil else { return queue.async { EnteredContexts.with(self, body) } }
    work.add({ EnteredContexts.with(self, body) }, to: queue)
  }
}

/// The contexts that the current thread is inside of by `perform` and `performAndWait`.
enum EnteredContexts {
  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    pthread_key_create(&key) { pointer in
      guard let pointer else { return }
      Unmanaged<List>.fromOpaque(pointer).release()
    }
    return key
  }()

  private final class List {
    var entered: [Confinement] = []
    /// How many of them the main queue waits for, on this thread.
    var waits = 0
  }

  private static var list: List? {
    pthread_getspecific(key).map { Unmanaged<List>.fromOpaque($0).takeUnretainedValue() }
  }

  /// The innermost one.
  static var current: NSManagedObjectContext? { list?.entered.last?.context }

  /// Whether the main queue waits for what this thread does: then nobody else runs as the main queue.
  static var mainQueueWaits: Bool { (list?.waits ?? 0) > 0 }

  static func contains(_ confinement: Confinement) -> Bool {
    list?.entered.contains { $0 === confinement } ?? false
  }

  static func with(
    _ confinement: Confinement, mainQueueWaits: Bool = false, _ body: () -> Void
  ) {
    let list = self.list ?? makeList()
    list.entered.append(confinement)
    if mainQueueWaits { list.waits += 1 }
    body()
    if mainQueueWaits { list.waits -= 1 }
    list.entered.removeLast()
  }

  private static func makeList() -> List {
    let list = List()
    pthread_setspecific(key, Unmanaged.passRetained(list).toOpaque())
    return list
  }
}
