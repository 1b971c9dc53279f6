internal import CRuntime

// Core Foundation's run loops. Foundation's library contains them but exposes no header on this
// platform.

/// An index or a count.
public typealias CFIndex = Int
/// A set of bit flags.
public typealias CFOptionFlags = UInt

/// An allocator. Only the default allocator, nil, is available.
public final class CFAllocator: Sendable {}

/// The default allocator.
public let kCFAllocatorDefault: CFAllocator? = nil

/// The mode of a run loop.
public struct CFRunLoopMode: RawRepresentable, Hashable, Sendable {
  /// The mode's name.
  public let rawValue: String

  public init(rawValue: String) { self.rawValue = rawValue }
  /// Creates a mode from its name.
  public init(_ rawValue: String) { self.rawValue = rawValue }

  /// The default mode.
  public static let defaultMode = CFRunLoopMode("kCFRunLoopDefaultMode")
  /// The set of common modes.
  public static let commonModes = CFRunLoopMode("kCFRunLoopCommonModes")

  /// Calls a closure with the mode as a `CFStringRef`. Core Foundation recognizes the common modes
  /// by address and all other modes by text. `NSString` is toll-free bridged.
  fileprivate func with<Result>(_ body: (UnsafeRawPointer) -> Result) -> Result {
    if self == .commonModes { return body(cfRunLoopCommonModes) }
    if self == .defaultMode { return body(cfRunLoopDefaultMode) }
    let name = NSString(string: rawValue)
    // Sound: `withExtendedLifetime` keeps the name alive during the call.
    return withExtendedLifetime(name) { body(Unmanaged.passUnretained(name).toOpaque()) }
  }
}

/// The run loop of a thread.
// Sendable: Core Foundation guards it with a lock.
public final class CFRunLoop: @unchecked Sendable {
  fileprivate let reference: UnsafeRawPointer

  fileprivate init(_ reference: UnsafeRawPointer) { self.reference = reference }
}

/// The run loop of the main thread.
public func CFRunLoopGetMain() -> CFRunLoop! { CFRunLoop(cfRunLoopGetMain()) }

/// The run loop of the calling thread.
public func CFRunLoopGetCurrent() -> CFRunLoop! { CFRunLoop(cfRunLoopGetCurrent()) }

/// Runs the calling thread's run loop until it is stopped or has no sources and timers left.
public func CFRunLoopRun() { cfRunLoopRun() }

/// Stops the innermost run of a run loop.
public func CFRunLoopStop(_ rl: CFRunLoop!) { cfRunLoopStop(rl.reference) }

/// Wakes up a run loop that is waiting.
public func CFRunLoopWakeUp(_ rl: CFRunLoop!) { cfRunLoopWakeUp(rl.reference) }

// MARK: - Observers

/// The stages of a run loop at which observers are called.
public struct CFRunLoopActivity: OptionSet, Sendable {
  /// The bits of the stages, as in Core Foundation.
  public let rawValue: CFOptionFlags

  public init(rawValue: CFOptionFlags) { self.rawValue = rawValue }

  /// The run loop starts to run.
  public static let entry = CFRunLoopActivity(rawValue: 1 << 0)
  /// The run loop is about to process timers.
  public static let beforeTimers = CFRunLoopActivity(rawValue: 1 << 1)
  /// The run loop is about to process sources.
  public static let beforeSources = CFRunLoopActivity(rawValue: 1 << 2)
  /// The run loop is about to wait.
  public static let beforeWaiting = CFRunLoopActivity(rawValue: 1 << 5)
  /// The run loop woke up and has not processed the event yet.
  public static let afterWaiting = CFRunLoopActivity(rawValue: 1 << 6)
  /// The run loop stops running.
  public static let exit = CFRunLoopActivity(rawValue: 1 << 7)
  /// All stages.
  public static let allActivities = CFRunLoopActivity(rawValue: 0x0FFF_FFFF)
}

/// An observer that is called at stages of a run loop. Run loops retain their observers.
// Sendable: Core Foundation guards it with a lock.
public final class CFRunLoopObserver: @unchecked Sendable {
  fileprivate let reference: UnsafeRawPointer

  /// Takes ownership of a reference that is already retained.
  fileprivate init(_ reference: UnsafeRawPointer) { self.reference = reference }

  deinit { cfRelease(reference) }
}

/// The handler of an observer, owned by Core Foundation through the observer's context.
private final class Handler {
  let body: (CFRunLoopObserver?, CFRunLoopActivity) -> Void

  init(_ body: @escaping (CFRunLoopObserver?, CFRunLoopActivity) -> Void) { self.body = body }
}

/// Creates an observer that calls a closure.
public func CFRunLoopObserverCreateWithHandler(
  _ allocator: CFAllocator!, _ activities: CFOptionFlags, _ repeats: Bool, _ order: CFIndex,
  _ block: @escaping (CFRunLoopObserver?, CFRunLoopActivity) -> Void
) -> CFRunLoopObserver! {
  let handler = Unmanaged.passRetained(Handler(block))
  // Core Foundation copies the context and retains the handler when it creates the observer, and
  // releases it with the observer. So the callbacks below can use it unretained.
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

/// Adds an observer to a mode of a run loop.
public func CFRunLoopAddObserver(
  _ rl: CFRunLoop!, _ observer: CFRunLoopObserver!, _ mode: CFRunLoopMode!
) {
  mode.with { cfRunLoopAddObserver(rl.reference, observer.reference, $0) }
}

/// Removes an observer from a mode of a run loop.
public func CFRunLoopRemoveObserver(
  _ rl: CFRunLoop!, _ observer: CFRunLoopObserver!, _ mode: CFRunLoopMode!
) {
  mode.with { cfRunLoopRemoveObserver(rl.reference, observer.reference, $0) }
}

/// Returns whether an observer is in a mode of a run loop.
public func CFRunLoopContainsObserver(
  _ rl: CFRunLoop!, _ observer: CFRunLoopObserver!, _ mode: CFRunLoopMode!
) -> Bool {
  mode.with { cfRunLoopContainsObserver(rl.reference, observer.reference, $0) != 0 }
}

/// Removes an observer from all run loops, so that it is never called again.
public func CFRunLoopObserverInvalidate(_ observer: CFRunLoopObserver!) {
  cfRunLoopObserverInvalidate(observer.reference)
}

/// Returns whether an observer has not been invalidated.
public func CFRunLoopObserverIsValid(_ observer: CFRunLoopObserver!) -> Bool {
  cfRunLoopObserverIsValid(observer.reference) != 0
}
