import CRuntime

/// Makes objects by copying an empty one, bit for bit, where no initializer would do anything else.
///
/// That is so where no class from the object's own up to `NSManagedObject` declares an initializer that makes
/// objects, as its registration says, and none has a stored property, as the size of its instances says. A hundred
/// thousand objects of a fetch need no call of a factory and of three initializers each then.
///
///     ┌ header ┬ layout ┬ 0 … 0 ┬ lifecycle, flags ┐   an object of no context refers to nothing but its layout,
///     └────────┴────────┴───────┴──────────────────┘   which lives for ever and is not counted
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

  // Sound because a blank object has no reference that is counted, and because a class's instances are as large as
  // its metadata say: a copy of the bits is an object of its own.
  @inline(__always)
  static func copy(_ blank: UnsafeRawPointer) -> NSManagedObject {
    let size = instance.size
    let memory = swift_allocObject(
      blank.load(as: UnsafeRawPointer.self), size, instance.alignmentMask)
    (memory + headerSize).copyMemory(from: blank + headerSize, byteCount: size - headerSize)
    return Unmanaged<NSManagedObject>.fromOpaque(memory).takeRetainedValue()
  }
}

/// How much memory an instance of a class takes.
private struct InstanceSize: Equatable {
  let size: Int
  let alignmentMask: Int

  /// Behind kind, superclass, flags and address point in a class's metadata, which are never freed: 32 bits of size
  /// and 16 of alignment.
  init(of type: NSManagedObject.Type) {
    let sizes = unsafeBitCast(type as AnyClass, to: UnsafePointer<UInt>.self)[3]
    size = Int(sizes & 0xFFFF_FFFF)
    alignmentMask = Int(sizes >> 32 & 0xFFFF)
  }
}
