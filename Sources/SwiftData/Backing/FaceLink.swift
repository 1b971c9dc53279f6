import CRuntime
import CoreData
import Synchronization

/// `_$faceLink` of a model class: tells the managed object of the face's end.
///
/// Not a weak reference in the object: the face would have a side table, which takes an allocation and makes every use
/// of the face slower to count.
public struct _FaceLink: ~Copyable {
  // Counted: the backing data may go first.
  private let object: ManagedModelObject?
  private let number: UInt32

  public init() { (object, number) = (nil, 0) }

  public init<Model: PersistentModel>(_ data: any BackingData<Model>) {
    object = data._content.managed
    number = object?.knownFace.nextLink() ?? 0
  }

  deinit { object?.knownFace.end(number) }
}

/// The only face of a managed object, as long as somebody has it.
///
/// Faces die on any thread. A face's memory stays until its link has ended here, under the lock: a pointer that is seen
/// under the lock can be asked whether its object still lives.
struct KnownFace: ~Copyable {
  private let address = Atomic<UInt>(0)
  /// The number of the link that the face has.
  private let known = Mutex<UInt32>(0)
  // Of the context's queue, as the rest.
  private let links = Atomic<UInt32>(0)
  private let fallback = Mutex<WeakFace?>(nil)

  var face: AnyObject? {
    if address.load(ordering: .acquiring) == 0 { return withoutLink }
    return known.withLock { _ in
      UnsafeMutableRawPointer(bitPattern: address.load(ordering: .relaxed))
        .flatMap(swift_tryRetain)
        .map { Unmanaged<AnyObject>.fromOpaque($0).takeRetainedValue() }
    }
  }

  private var withoutLink: AnyObject? {
    links.load(ordering: .relaxed) == 0 ? fallback.withLock { $0?.face } : nil
  }

  func nextLink() -> UInt32 { links.add(1, ordering: .relaxed).newValue }

  /// Takes a face whose link, if it has one, is the last that was made.
  func adopt(_ face: AnyObject) {
    let link = links.load(ordering: .relaxed)
    if link == 0 { return fallback.withLock { $0 = WeakFace(face) } }
    known.withLock { known in
      known = link
      address.store(
        UInt(bitPattern: Unmanaged.passUnretained(face).toOpaque()), ordering: .releasing)
    }
  }

  func end(_ link: UInt32) {
    known.withLock { known in
      if known == link { address.store(0, ordering: .releasing) }
    }
  }
}

/// A face of a class that somebody wrote without the macro, and that has no link.
final class WeakFace: @unchecked Sendable {
  // Set once; the runtime guards it.
  weak var face: AnyObject?

  init(_ face: AnyObject) { self.face = face }
}
