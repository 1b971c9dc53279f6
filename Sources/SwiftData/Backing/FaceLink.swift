import CRuntime
import CoreData
import Synchronization

/// `_$faceLink` of a model class: tells the managed object of the face's end.
///
/// Not a weak reference in the object: the face would have a side table, which takes an allocation and makes every use
/// of the face slower to count.
public struct _FaceLink: ~Copyable {
  // The face's one reference: its backing data do not count theirs, and may go first or last.
  private let object: ManagedModelObject?
  private let number: UInt32

  public init() { (object, number) = (nil, 0) }

  public init(_ content: _ModelContent) {
    object = content.managed
    number = object?.knownFace.nextLink() ?? 0
  }

  deinit { object?.knownFace.end(number) }
}

/// The only face of a managed object, as long as somebody has it.
///
/// Faces die on any thread. A face's memory stays until its link has ended here, under the lock: a pointer that is seen
/// under the lock can be asked whether its object still lives.
struct KnownFace: ~Copyable {
  // Not private: the compiler of 6.3 stops at a private type in another file's stored property, in debug builds.
  struct Known {
    /// The number of the link that the face has. Of the first one from the start: until there is a second, nobody
    /// else can end what it stands for.
    var link: UInt32 = 1
    /// In place of a face with a link.
    var fallback: WeakFace?
  }

  private let address = Atomic<UInt>(0)
  private let known = Mutex(Known())
  // Of the context's queue: how many links there have been.
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

  /// Takes a face whose link, if it has one, is the last that was made.
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

/// A face of a class that somebody wrote without the macro, and that has no link.
final class WeakFace: @unchecked Sendable {
  // Set once; the runtime guards it.
  weak var face: AnyObject?

  init(_ face: AnyObject) { self.face = face }
}
