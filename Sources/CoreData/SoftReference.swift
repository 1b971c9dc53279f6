import CRuntime
import Synchronization

/// A way back to an object that neither keeps it alive nor costs it anything.
///
/// An object that a Swift `weak` reference has pointed at is slower to retain from then on; and a model's entities
/// are retained for every object that is made, contexts for every edit, stores and coordinators for every read. The
/// target has the one reference to itself, hands it out, and clears it in its `deinit`: so a pointer read under the lock
/// points at live memory.
final class SoftReference<Target: AnyObject & Sendable>: Sendable {
  private let address = Mutex<UInt>(0)

  /// nil once the target has begun to die.
  var target: Target? {
    address.withLock { address in
      guard let pointer = UnsafeMutableRawPointer(bitPattern: address),
        swift_tryRetain(pointer) != nil
      else { return nil }
      return Unmanaged<Target>.fromOpaque(pointer).takeRetainedValue()
    }
  }

  /// Whether a condition holds for the target, which is not counted for it; false once it is gone. The target waits
  /// with its end meanwhile: the condition may read what never changes, and nothing else.
  func holds(_ condition: (Target) -> Bool) -> Bool {
    address.withLock { address in
      guard let pointer = UnsafeRawPointer(bitPattern: address) else { return false }
      return Unmanaged<Target>.fromOpaque(pointer)._withUnsafeGuaranteedRef(condition)
    }
  }

  /// Called by the target alone, when it has been made.
  func point(to target: Target) {
    address.withLock { $0 = UInt(bitPattern: Unmanaged.passUnretained(target).toOpaque()) }
  }

  /// Called by the target alone, in its `deinit`.
  func clear() { address.withLock { $0 = 0 } }
}

/// An object that has a soft reference to itself.
protocol SoftlyReferenced: AnyObject, Sendable {
  /// The class that declares the reference.
  associatedtype Referenced: AnyObject & Sendable
  var reference: SoftReference<Referenced> { get }
}

/// A property that is a way back: nil once its object is gone.
@propertyWrapper struct Soft<Target: SoftlyReferenced> where Target.Referenced == Target {
  private var reference: SoftReference<Target>?

  init() {}

  var wrappedValue: Target? {
    get { reference?.target }
    set { reference = newValue?.reference }
  }
}
