import CRuntime
import CoreData
import Synchronization

/// `_$faceLink` of a model class. Its deinitialiser reports the end of the face to the managed
/// object.
///
/// Used instead of a weak reference in the object, which would give the face a side table: an
/// allocation, and slower reference counting for each use of the face.
public struct _FaceLink: ~Copyable {
  // The face's only strong reference: its backing data hold theirs unretained and may be destroyed
  // before or after it.
  private let object: ManagedModelObject?
  private let number: UInt32

  /// A link without an object, for a new model.
  public init() { (object, number) = (nil, 0) }

  /// A link to the managed object of a model's content, if it has one.
  public init(_ content: _ModelContent) {
    object = content.managed
    number = object?.knownFace.nextLink() ?? 0
  }

  deinit { object?.knownFace.end(number) }
}

/// Weak reference to the only face of a managed object.
///
/// Faces are destroyed on any thread. The memory of a face stays allocated until its link has
/// called ``end(_:)``, which takes the lock. So a pointer that is read under the lock can be passed
/// to `swift_tryRetain`, which fails if the face is being destroyed.
struct KnownFace: ~Copyable {
  // Not private: in debug builds the 6.3 compiler crashes on a private type in another file's
  // stored property.
  struct Known {
    /// The number of the current face's link. 1 from the start, so that the first face needs no
    /// lock: as long as there is only one link, no other can clear its address.
    var link: UInt32 = 1
    /// Replaces `address` for a face without a link.
    var fallback: WeakFace?
  }

  private let address = Atomic<UInt>(0)
  private let known = Mutex(Known())
  // The number of links so far; written on the context's queue only.
  private let links = Atomic<UInt32>(0)
  private let hasFallback = Atomic(false)

  var face: AnyObject? {
    if address.load(ordering: .acquiring) == 0 { return withoutLink }
    return known.withLock { _ in
      UnsafeMutableRawPointer(bitPattern: address.load(ordering: .relaxed))
        .flatMap(swift_tryRetain)
        .map { Unmanaged<AnyObject>.fromOpaque($0).takeRetainedValue() }
    }
  }

  @inline(__always)
  private var withoutLink: AnyObject? {
    hasFallback.load(ordering: .acquiring) ? known.withLock { $0.fallback?.face } : nil
  }

  func nextLink() -> UInt32 {
    let next = links.load(ordering: .relaxed) &+ 1
    links.store(next, ordering: .relaxed)
    return next
  }

  /// Sets the face. If the face has a link, it must be the last one that was made.
  func adopt(_ face: AnyObject) {
    let link = links.load(ordering: .relaxed)
    if link == 0 {
      known.withLock { $0.fallback = WeakFace(face) }
      return hasFallback.store(true, ordering: .releasing)
    }
    let new = UInt(bitPattern: Unmanaged.passUnretained(face).toOpaque())
    if link == 1 { return address.store(new, ordering: .releasing) }
    known.withLock { known in
      known.link = link
      address.store(new, ordering: .releasing)
    }
  }

  func end(_ link: UInt32) {
    known.withLock { known in
      if known.link == link { address.store(0, ordering: .releasing) }
    }
  }
}

/// Weak reference to a face of a class that was written without the macro and so has no link.
///
/// Sendable: `face` is set once, in the initialiser, and weak loads are thread-safe.
final class WeakFace: @unchecked Sendable {
  weak var face: AnyObject?

  init(_ face: AnyObject) { self.face = face }
}
