import CoreData
import Dispatch
import PostgreSQLServer
import TestSupport
import Testing

/// Books by way of a proxy that can be silent, and a store that waits for so long.
final class SilentStack: Sendable {
  /// What the store is told, seconds.
  static let timeout = 1.0
  /// What a request may take then: its turn, and what became of what was being committed; a connection takes two seconds at
  /// least. On a busy machine all of it takes longer.
  static var longest: TimeInterval { 6 * Patience.stretch }

  let stack: ServerStack
  let proxy: CuttingProxy
  let coordinator: NSPersistentStoreCoordinator

  init(_ options: [AnyHashable: Any] = [:]) throws {
    var options = options
    options[NSPersistentStoreTimeoutOption] = Self.timeout
    stack = try ServerStack(options: options)
    try stack.add("a", "b", "c")
    let (proxy, address) = try CuttingProxy.before(stack.url)
    self.proxy = proxy
    coordinator = try ServerStack.open(address, options)
    // So that connections are there already.
    _ = try Self.count(stack.context(coordinator))
  }

  deinit { proxy.close() }

  static func count(_ context: NSManagedObjectContext) throws -> Int {
    try context.performAndWait {
      try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Book"))
    }
  }

  /// What `body` throws while nothing is forwarded, and how long it took. A store that would wait for ever is let go on in
  /// the end.
  func whileSilent(
    _ context: NSManagedObjectContext, _ body: () throws -> Void
  ) -> (error: (any Error)?, time: TimeInterval) {
    proxy.beSilent()
    let rescue = DispatchWorkItem { [proxy] in proxy.speak() }
    DispatchQueue.global().asyncAfter(
      deadline: .now() + 3 * Self.longest, execute: rescue)
    let start = ContinuousClock.now
    var failure: (any Error)?
    do { try context.performAndWait { try body() } } catch { failure = error }
    let time = (ContinuousClock.now - start) / .seconds(1)
    rescue.cancel()
    proxy.speak()
    return (failure, time)
  }
}
