@_spi(Reflection) import Swift

/// Runtime metadata of types, available without an instance.
enum Reflection {
  struct Field {
    let name: String
    let type: any Any.Type
    let offset: Int
  }

  private enum Kind: Int {
    case structure = 0x200
    case enumeration = 0x201
  }

  private static func kind(of type: any Any.Type) -> Kind? {
    // Sound: an `any Any.Type` is one pointer to the metadata, whose first word is the kind.
    Kind(rawValue: unsafeBitCast(type, to: UnsafePointer<Int>.self).pointee)
  }

  static func isEnumeration(_ type: any Any.Type) -> Bool { kind(of: type) == .enumeration }

  /// The stored properties of a structure in declared order; nil for any other type, and for types
  /// of the standard library and of Foundation, whose layout is private.
  static func fields(of type: any Any.Type) -> [Field]? {
    guard kind(of: type) == .structure, !isOfALibrary(type) else { return nil }
    var fields: [Field] = []
    let isWhole = _forEachField(of: type) { name, offset, type, _ in
      fields.append(Field(name: String(cString: name), type: type, offset: offset))
      return true
    }
    return isWhole ? fields : nil
  }

  private static func isOfALibrary(_ type: any Any.Type) -> Bool {
    let module = String(reflecting: type).prefix { $0 != "." }
    return module == "Swift" || module.hasPrefix("Foundation") || module == "__C"
  }

  /// The names of an enumeration's cases in the order of their tags; nil if a case has an
  /// associated value.
  ///
  /// Reads the type's nominal type descriptor, whose layout is part of Swift's stable ABI (docs/ABI
  /// in Swift's repository, "TypeMetadata"). The bit cast is sound: an `any Any.Type` is one
  /// pointer to the metadata, whose second word is the descriptor.
  static func caseNames(of type: any Any.Type) -> [String]? {
    guard kind(of: type) == .enumeration else { return nil }
    let metadata = unsafeBitCast(type, to: UnsafePointer<UnsafeRawPointer>.self)
    let description = metadata[1]
    let payloadCases = description.load(fromByteOffset: 20, as: UInt32.self) & 0xFF_FFFF
    let emptyCases = Int(description.load(fromByteOffset: 24, as: UInt32.self))
    let fieldsOffset = description.load(fromByteOffset: 16, as: Int32.self)
    guard payloadCases == 0, fieldsOffset != 0 else { return nil }
    let fields = description + 16 + Int(fieldsOffset)
    // Header of the field descriptor: mangled type name, superclass, kind, size of a record, number
    // of records. The records follow.
    guard Int(fields.load(fromByteOffset: 12, as: UInt32.self)) == emptyCases else { return nil }
    let size = Int(fields.load(fromByteOffset: 10, as: UInt16.self))
    return (0..<emptyCases).map { index in
      let name = fields + 16 + index * size + 8
      return String(
        cString: (name + Int(name.load(as: Int32.self))).assumingMemoryBound(to: CChar.self))
    }
  }
}
