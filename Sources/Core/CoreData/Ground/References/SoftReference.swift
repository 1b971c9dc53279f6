import CRuntime
import Synchronization

/// A weak reference that does not slow down its target.
///
/// Once a Swift `weak` reference has pointed at an object, each retain of the object is slower.
/// Entities are retained for every object that is made, contexts for every edit, stores and
/// coordinators for every read. So the target owns one soft reference to itself, hands it out, and
/// clears it in its `deinit`: a pointer that is read under the lock points at live memory.
final class SoftReference<Target: AnyObject>: Sendable {
  private let address = Mutex<UInt>(0)

  /// The target, retained; nil once its deinitialization has begun.
  var target: Target? {
    address.withLock { address in
      guard let pointer = UnsafeMutableRawPointer(bitPattern: address),
        swift_tryRetain(pointer) != nil
      else { return nil }
      // Sound: `swift_tryRetain` has retained the object, and `takeRetainedValue` owns that
      // reference.
      return Unmanaged<Target>.fromOpaque(pointer).takeRetainedValue()
    }
  }

  /// Whether `condition` holds for the target, which is not retained; false once the target is
  /// gone. The target's deinitialization waits for the lock meanwhile. `condition` may read only
  /// what never changes.
  func holds(_ condition: (Target) -> Bool) -> Bool {
    address.withLock { address in
      guard let pointer = UnsafeRawPointer(bitPattern: address) else { return false }
      // Sound: the target is not freed while the lock is held, because its `deinit` calls
      // ``clear()``.
      return Unmanaged<Target>.fromOpaque(pointer)._withUnsafeGuaranteedRef(condition)
    }
  }

  /// Points the reference at its target. Called by the target alone, after its initialization.
  func point(to target: Target) {
    // Sound: only the address is stored; the target clears it in its `deinit`.
    address.withLock { $0 = UInt(bitPattern: Unmanaged.passUnretained(target).toOpaque()) }
  }

  /// Clears the reference. Called by the target alone, in its `deinit`.
  func clear() { address.withLock { $0 = 0 } }
}

/// An object that owns a soft reference to itself.
protocol SoftlyReferenced: AnyObject, Sendable {
  /// The class that declares `reference`.
  associatedtype Referenced: AnyObject & Sendable
  var reference: SoftReference<Referenced> { get }
}

/// A property that refers softly to its object; nil once the object is gone.
@propertyWrapper struct Soft<Target: SoftlyReferenced> where Target.Referenced == Target {
  private var reference: SoftReference<Target>?

  init() {}

  var wrappedValue: Target? {
    get { reference?.target }
    set { reference = newValue?.reference }
  }
}
