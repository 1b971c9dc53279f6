import CRuntime

/// Makes objects by copying an empty one bit for bit, if initializers would do nothing else.
///
/// That is the case if no class from the object's own up to `NSManagedObject` declares an
/// initializer that makes objects (known from its registration) or a stored property (known from
/// the instance size). A fetch of a hundred thousand objects then needs no call of a factory and
/// three initializers for each.
///
///     ┌ header ┬ layout ┬ 0 … 0 ┬ lifecycle, flags ┐   an object without a context refers only to
///     └────────┴────────┴───────┴──────────────────┘   its layout, which is never freed or counted
enum BlankObject {
  private static let headerSize = 2 * MemoryLayout<UInt>.size
  private static let instance = InstanceSize(of: NSManagedObject.self)

  static func canBeCopied(_ object: NSManagedObject) -> Bool {
    let type = Swift.type(of: object)
    return InstanceSize(of: type) == instance && inheritsInitializer(type) && object.isBlank
  }

  private static func inheritsInitializer(_ type: NSManagedObject.Type) -> Bool {
    var type = type
    while type != NSManagedObject.self {
      guard ManagedObjectClasses.registration(of: type)?.inheritsInitializer == true,
        let superclass = _getSuperclass(type) as? NSManagedObject.Type
      else { return false }
      type = superclass
    }
    return true
  }

  // Sound: a blank object has no counted reference, and instances have the size that their class
  // metadata state, so a copy of the bits is an independent object. The new object starts with one
  // reference, which `takeRetainedValue` owns.
  @inline(__always)
  static func copy(_ blank: UnsafeRawPointer) -> NSManagedObject {
    let size = instance.size
    let memory = swift_allocObject(
      blank.load(as: UnsafeRawPointer.self), size, instance.alignmentMask)
    (memory + headerSize).copyMemory(from: blank + headerSize, byteCount: size - headerSize)
    return Unmanaged<NSManagedObject>.fromOpaque(memory).takeRetainedValue()
  }
}

/// The size and alignment of a class's instances.
private struct InstanceSize: Equatable {
  let size: Int
  let alignmentMask: Int

  /// Reads the class metadata: 32 bits of instance size and 16 of alignment follow kind,
  /// superclass, flags and address point.
  init(of type: NSManagedObject.Type) {
    // Sound: a class reference is the address of its metadata, which are never freed.
    let sizes = unsafeBitCast(type as AnyClass, to: UnsafePointer<UInt>.self)[3]
    size = Int(sizes & 0xFFFF_FFFF)
    alignmentMask = Int(sizes >> 32 & 0xFFFF)
  }
}
