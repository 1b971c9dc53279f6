internal import CDispatch
import Dispatch
import Synchronization

/// The queue of one context, and the check that the caller runs on it.
///
/// A queue is recognised by a specific value that it carries, never by its thread: under an async
/// `main` other threads drain the main queue. In addition, each thread remembers the contexts that
/// it has entered, so that `performAndWait` may be nested in any order without a deadlock.
final class Confinement: Sendable {
  let concurrencyType: NSManagedObjectContextConcurrencyType
  /// nil for a context without a queue, whose owner confines it.
  private let queue: DispatchQueue?
  private let token: ObjectIdentifier?
  private let link = SoftReference<AnyObject>()
  /// The blocks that wait for a private queue.
  private let work = QueuedWork()

  // The specific of a private queue: the identity of the queue.
  private static let key = DispatchSpecificKey<ObjectIdentifier>()
  // The specific of the main queue.
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

  /// Limits how many contexts run at once.
  var limit: WorkLimit? {
    get { work.limit }
    set { work.limit = newValue }
  }

  /// The context; nil once its deinitialisation has begun.
  var owner: AnyObject? { link.target }

  func belong(to context: AnyObject) { link.point(to: context) }

  func forgetContext() { link.clear() }

  /// Whether the caller may use the context.
  var isCurrent: Bool {
    if queue == nil || EnteredContexts.contains(self) { return true }
    if let token { return DispatchQueue.getSpecific(key: Self.key) == token }
    return Self.isOnMainQueue
  }

  /// Whether the caller runs on the main queue, or in another context's queue for which the main
  /// queue waits.
  static var isOnMainQueue: Bool {
    DispatchQueue.getSpecific(key: mainKey) == true || EnteredContexts.mainQueueWaits
  }

  var hasQueue: Bool { queue != nil }

  /// The name of the context's queue.
  var name: String { queue?.label ?? "none" }

  /// The name of the queue that the caller runs on.
  static var nameOfCurrentQueue: String {
    if DispatchQueue.getSpecific(key: mainKey) == true { return DispatchQueue.main.label }
    return String(cString: dispatch_queue_get_label(nil))
  }

  static let queueIsMissing =
    "Can only use perform and performAndWait on an NSManagedObjectContext that was created with a "
    + "queue."

  /// Runs `body` on the context's queue and waits for it; runs it at once if the caller is on that
  /// queue.
  func performAndWait(_ body: () -> Void) {
    if isCurrent { return EnteredContexts.with(self, body: body) }
    let mainQueueWaits = Self.isOnMainQueue
    queue?.sync {
      EnteredContexts.with(self, mainQueueWaits: mainQueueWaits) {
        // Blocks that were added earlier run first.
        work.runAll()
        body()
      }
    }
  }

  /// Runs `body` as ``performAndWait(_:)-(()->Void)`` does, and passes on its result or error.
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

  /// Runs `body` at once if the caller may use the context, else as
  /// ``performAndWait(_:)-(()->Void)`` does: for methods that enter the queue by themselves.
  func inTurn<Result>(_ body: () throws -> Result) rethrows -> Result {
    isCurrent ? try body() : try performAndWait(body)
  }

  /// Runs `body` later on the context's queue; traps if there is none.
  func perform(_ body: @escaping @Sendable () -> Void) {
    guard let queue else { fatalError(Self.queueIsMissing) }
    guard token != nil else { return queue.async { EnteredContexts.with(self, body: body) } }
    work.add({ EnteredContexts.with(self, body: body) }, to: queue)
  }
}

/// The contexts that the current thread has entered by `perform` and `performAndWait`.
enum EnteredContexts {
  // Sound: the thread owns one retained `List` under this key, which the key's destructor releases
  // when the thread ends; no other thread reads it.
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
    /// The number of entered contexts that the main queue waits for, on this thread.
    var waits = 0
  }

  private static var list: List? {
    pthread_getspecific(key).map { Unmanaged<List>.fromOpaque($0).takeUnretainedValue() }
  }

  /// The confinement of the context that was entered last.
  static var last: Confinement? { list?.entered.last }

  /// Whether the main queue waits for this thread: then no other thread runs as the main queue.
  static var mainQueueWaits: Bool { (list?.waits ?? 0) > 0 }

  static func contains(_ confinement: Confinement) -> Bool {
    list?.entered.contains { $0 === confinement } ?? false
  }

  static func with(
    _ confinement: Confinement, mainQueueWaits: Bool = false, body: () -> Void
  ) {
    let list = self.list ?? makeList()
    list.entered.append(confinement)
    if mainQueueWaits { list.waits += 1 }
    body()
    if mainQueueWaits { list.waits -= 1 }
    list.entered.removeLast()
  }

  // Retained for the thread; released by the destructor of `key`.
  private static func makeList() -> List {
    let list = List()
    pthread_setspecific(key, Unmanaged.passRetained(list).toOpaque())
    return list
  }
}
