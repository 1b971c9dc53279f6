internal import CRuntime

// Core Foundation's run loops, which Foundation has inside and does not show here.

public typealias CFIndex = Int
public typealias CFOptionFlags = UInt

/// What allocates: nothing else but the default can be named.
public final class CFAllocator: Sendable {}

public let kCFAllocatorDefault: CFAllocator? = nil

/// The modes of a run loop.
public struct CFRunLoopMode: RawRepresentable, Hashable, Sendable {
  public let rawValue: String

  public init(rawValue: String) { self.rawValue = rawValue }
  public init(_ rawValue: String) { self.rawValue = rawValue }

  public static let defaultMode = CFRunLoopMode("kCFRunLoopDefaultMode")
  public static let commonModes = CFRunLoopMode("kCFRunLoopCommonModes")

  /// Core Foundation knows the common modes by their address; of other names it looks at the text, and it shares the class
  /// of strings with Foundation.
  fileprivate func with<Result>(_ body: (UnsafeRawPointer) -> Result) -> Result {
    if self == .commonModes { return body(cfRunLoopCommonModes) }
    if self == .defaultMode { return body(cfRunLoopDefaultMode) }
    let name = NSString(string: rawValue)
    return withExtendedLifetime(name) { body(Unmanaged.passUnretained(name).toOpaque()) }
  }
}

/// The run loop of a thread.
// Sendable: Core Foundation locks it.
public final class CFRunLoop: @unchecked Sendable {
  fileprivate let reference: UnsafeRawPointer

  fileprivate init(_ reference: UnsafeRawPointer) { self.reference = reference }
}

public func CFRunLoopGetMain() -> CFRunLoop! { CFRunLoop(cfRunLoopGetMain()) }

public func CFRunLoopGetCurrent() -> CFRunLoop! { CFRunLoop(cfRunLoopGetCurrent()) }

/// Runs the thread's run loop until it is stopped, or has nothing left to wait for.
public func CFRunLoopRun() { cfRunLoopRun() }

/// Ends the innermost run of a run loop.
public func CFRunLoopStop(_ rl: CFRunLoop!) { cfRunLoopStop(rl.reference) }

public func CFRunLoopWakeUp(_ rl: CFRunLoop!) { cfRunLoopWakeUp(rl.reference) }

// MARK: - Observers

/// The moments of a run loop at which observers are called.
public struct CFRunLoopActivity: OptionSet, Sendable {
  public let rawValue: CFOptionFlags

  public init(rawValue: CFOptionFlags) { self.rawValue = rawValue }

  public static let entry = CFRunLoopActivity(rawValue: 1 << 0)
  public static let beforeTimers = CFRunLoopActivity(rawValue: 1 << 1)
  public static let beforeSources = CFRunLoopActivity(rawValue: 1 << 2)
  public static let beforeWaiting = CFRunLoopActivity(rawValue: 1 << 5)
  public static let afterWaiting = CFRunLoopActivity(rawValue: 1 << 6)
  public static let exit = CFRunLoopActivity(rawValue: 1 << 7)
  public static let allActivities = CFRunLoopActivity(rawValue: 0x0FFF_FFFF)
}

/// Is called when a run loop does something. Run loops that it has been added to keep it.
// Sendable: Core Foundation locks it.
public final class CFRunLoopObserver: @unchecked Sendable {
  fileprivate let reference: UnsafeRawPointer

  /// Takes over a reference that is counted already.
  fileprivate init(_ reference: UnsafeRawPointer) { self.reference = reference }

  deinit { cfRelease(reference) }
}

/// What Core Foundation keeps for an observer: its handler.
private final class Handler {
  let body: (CFRunLoopObserver?, CFRunLoopActivity) -> Void

  init(_ body: @escaping (CFRunLoopObserver?, CFRunLoopActivity) -> Void) { self.body = body }
}

public func CFRunLoopObserverCreateWithHandler(
  _ allocator: CFAllocator!, _ activities: CFOptionFlags, _ repeats: Bool, _ order: CFIndex,
  _ block: @escaping (CFRunLoopObserver?, CFRunLoopActivity) -> Void
) -> CFRunLoopObserver! {
  let handler = Unmanaged.passRetained(Handler(block))
  // The context is copied, and the handler retained, while the observer is made.
  defer { handler.release() }
  var context = CFRunLoopObserverContextOfC(
    version: 0, info: handler.toOpaque(),
    retain: { UnsafeRawPointer(Unmanaged<Handler>.fromOpaque($0!).retain().toOpaque()) },
    release: { Unmanaged<Handler>.fromOpaque($0!).release() },
    copyDescription: nil)
  let reference = cfRunLoopObserverCreate(
    nil, activities, repeats ? 1 : 0, order,
    { observer, activity, info in
      Unmanaged<Handler>.fromOpaque(info!).takeUnretainedValue().body(
        observer.map { CFRunLoopObserver(cfRetain($0)) }, CFRunLoopActivity(rawValue: activity))
    }, &context)
  return reference.map { CFRunLoopObserver($0) }
}

public func CFRunLoopAddObserver(
  _ rl: CFRunLoop!, _ observer: CFRunLoopObserver!, _ mode: CFRunLoopMode!
) {
  mode.with { cfRunLoopAddObserver(rl.reference, observer.reference, $0) }
}

public func CFRunLoopRemoveObserver(
  _ rl: CFRunLoop!, _ observer: CFRunLoopObserver!, _ mode: CFRunLoopMode!
) {
  mode.with { cfRunLoopRemoveObserver(rl.reference, observer.reference, $0) }
}

public func CFRunLoopContainsObserver(
  _ rl: CFRunLoop!, _ observer: CFRunLoopObserver!, _ mode: CFRunLoopMode!
) -> Bool {
  mode.with { cfRunLoopContainsObserver(rl.reference, observer.reference, $0) != 0 }
}

/// Takes an observer out of all run loops: it is never called again.
public func CFRunLoopObserverInvalidate(_ observer: CFRunLoopObserver!) {
  cfRunLoopObserverInvalidate(observer.reference)
}

public func CFRunLoopObserverIsValid(_ observer: CFRunLoopObserver!) -> Bool {
  cfRunLoopObserverIsValid(observer.reference) != 0
}
