@_spi(Reflection) import Swift

/// What the runtime knows of a type of which there is no instance.
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
    Kind(rawValue: unsafeBitCast(type, to: UnsafePointer<Int>.self).pointee)
  }

  static func isEnumeration(_ type: any Any.Type) -> Bool { kind(of: type) == .enumeration }

  /// The stored properties of a structure in declared order; nil for any other type, and for those of the standard
  /// library and Foundation, whose insides are theirs.
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

  /// The names of an enumeration's cases in the order of their numbers; nil where a case has an associated value.
  ///
  /// They are read from the type's description, whose layout belongs to Swift's stable binary interface (docs/ABI
  /// in Swift's repository, "TypeMetadata").
  static func caseNames(of type: any Any.Type) -> [String]? {
    guard kind(of: type) == .enumeration else { return nil }
    let metadata = unsafeBitCast(type, to: UnsafePointer<UnsafeRawPointer>.self)
    let description = metadata[1]
    let payloadCases = description.load(fromByteOffset: 20, as: UInt32.self) & 0xFF_FFFF
    let emptyCases = Int(description.load(fromByteOffset: 24, as: UInt32.self))
    let fieldsOffset = description.load(fromByteOffset: 16, as: Int32.self)
    guard payloadCases == 0, fieldsOffset != 0 else { return nil }
    let fields = description + 16 + Int(fieldsOffset)
    // A name of the type, its superclass, kind and size of a record, number of records; then the records.
    guard Int(fields.load(fromByteOffset: 12, as: UInt32.self)) == emptyCases else { return nil }
    let size = Int(fields.load(fromByteOffset: 10, as: UInt16.self))
    return (0..<emptyCases).map { index in
      let name = fields + 16 + index * size + 8
      return String(
        cString: (name + Int(name.load(as: Int32.self))).assumingMemoryBound(to: CChar.self))
    }
  }
}
