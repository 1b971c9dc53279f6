/// Makes classes that consist of a name only, from which Foundation's archiver takes the names of
/// other classes.
///
/// Each class is a block of memory that is never freed, like any class:
///
///     class     layout of a compiled Swift class, with the words before its address point: a copy
///               of `Template`
///     module    12 bytes: flags, no parent context, relative address of its name
///     type      44 bytes: flags, relative address of the module, relative address of its name;
///               the rest is zero
///     names     terminated by 0
///
/// The class has no methods, and none is called: the archiver reads its name and its superclass.
enum NamedClass {
  private final class Template {}

  /// Byte offsets within a class, from its address point, and sizes of the parts after it.
  private enum Layout {
    static let superclass = 8
    static let size = 32
    static let addressPoint = 36
    static let type = 40
    static let moduleSize = 12
    static let typeSize = 44
  }

  // Flags of a context descriptor: its kind, and that it is unique.
  private static let moduleFlags: UInt32 = 0x40
  private static let classFlags: UInt32 = 0x50

  static func make(module: String, name: String, superclass: AnyClass?) -> AnyClass {
    // Sound: an `AnyClass` is one pointer, to the class's metadata.
    let template = unsafeBitCast(Template.self as AnyClass, to: UnsafeRawPointer.self)
    let size = Int(template.load(fromByteOffset: Layout.size, as: UInt32.self))
    let addressPoint = Int(template.load(fromByteOffset: Layout.addressPoint, as: UInt32.self))
    let names = Array(module.utf8) + [0] + Array(name.utf8) + [0]
    let block = UnsafeMutableRawPointer.allocate(
      byteCount: size + Layout.moduleSize + Layout.typeSize + names.count, alignment: 16)

    block.copyMemory(from: template - addressPoint, byteCount: size)
    let made = block + addressPoint
    let moduleContext = block + size
    let type = moduleContext + Layout.moduleSize
    let text = type + Layout.typeSize
    text.copyMemory(from: names, byteCount: names.count)
    type.initializeMemory(as: UInt8.self, repeating: 0, count: Layout.typeSize)

    // Sound: an `AnyClass` is one pointer, to the class's metadata.
    made.storeBytes(
      of: superclass.map { unsafeBitCast($0, to: UInt.self) } ?? 0,
      toByteOffset: Layout.superclass, as: UInt.self)
    made.storeBytes(of: type, toByteOffset: Layout.type, as: UnsafeMutableRawPointer.self)
    moduleContext.storeBytes(of: moduleFlags, as: UInt32.self)
    moduleContext.storeBytes(of: 0, toByteOffset: 4, as: Int32.self)
    moduleContext.storeBytes(of: distance(moduleContext + 8, text), toByteOffset: 8, as: Int32.self)
    type.storeBytes(of: classFlags, as: UInt32.self)
    type.storeBytes(of: distance(type + 4, moduleContext), toByteOffset: 4, as: Int32.self)
    type.storeBytes(
      of: distance(type + 8, text + module.utf8.count + 1), toByteOffset: 8, as: Int32.self)
    // Sound: the block has the layout of class metadata and is never freed.
    return unsafeBitCast(UnsafeRawPointer(made), to: AnyClass.self)
  }

  /// The distance for a relative pointer, which is stored as an offset from its own address.
  private static func distance(
    _ from: UnsafeMutableRawPointer, _ to: UnsafeMutableRawPointer
  ) -> Int32 { Int32(to - from) }
}
