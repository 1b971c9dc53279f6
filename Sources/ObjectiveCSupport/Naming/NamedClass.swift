/// Makes classes that are nothing but a name: what Foundation's archiver takes the names of other classes from.
///
/// Each is a block of memory that is never freed, as a class is not:
///
///     class     as the compiler lays out one of Swift, with what is in front of its address: a copy of `Template`
///     module    12 bytes: flags, no context around it, where its name is
///     type      44 bytes: flags, where the module is, where its name is; nothing else is set
///     names     ending with 0
///
/// Such a class has no methods, and none is called of it: the archiver asks for its name and its superclass.
enum NamedClass {
  private final class Template {}

  /// Offsets in a class, from its address, and the size of what is behind the class.
  private enum Layout {
    static let superclass = 8
    static let size = 32
    static let addressPoint = 36
    static let type = 40
    static let moduleSize = 12
    static let typeSize = 44
  }

  // Flags of a context in Swift's metadata: its kind, and that no other describes the same.
  private static let moduleFlags: UInt32 = 0x40
  private static let classFlags: UInt32 = 0x50

  static func make(module: String, name: String, superclass: AnyClass?) -> AnyClass {
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
    return unsafeBitCast(UnsafeRawPointer(made), to: AnyClass.self)
  }

  /// Places in metadata are relative to where they are written.
  private static func distance(
    _ from: UnsafeMutableRawPointer, _ to: UnsafeMutableRawPointer
  ) -> Int32 { Int32(to - from) }
}
