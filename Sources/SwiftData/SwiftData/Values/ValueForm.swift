import CoreData
import Foundation

/// The way in which an attribute stores the values of a Swift type.
indirect enum ValueForm {
  case column(any ColumnValue.Type)
  case composite(CompositeForm)
  case enumeration(EnumerationForm)
  case archive(ArchiveForm)

  /// nil for a type that is not Codable.
  init?(_ type: any Any.Type, isElement: Bool = false) {
    if let column = type as? any ColumnValue.Type {
      self = .column(column)
    } else if let enumeration = EnumerationForm(type) {
      self = .enumeration(enumeration)
    } else if let composite = CompositeForm(type) {
      self = .composite(composite)
    } else if let archive = ArchiveForm(type, isElement: isElement) {
      self = .archive(archive)
    } else {
      return nil
    }
  }

  /// The stored form of a value that is not nil.
  func boxed(_ value: Any) -> Any? {
    switch self {
    case .column: (value as? any ColumnValue)?.boxed
    case .composite(let form): form.boxed(value)
    case .enumeration(let form): form.boxed(value)
    case .archive(let form): form.boxed(value)
    }
  }

  /// The value of a stored form; nil if it is not a value of the type.
  func value(_ boxed: Any) -> Any? {
    switch self {
    case .column(let type): type.unboxed(boxed)
    case .composite(let form): form.value(boxed)
    case .enumeration(let form): form.value(boxed)
    case .archive(let form): form.value(boxed)
    }
  }

  /// Whether a value may consist of nil only: a structure whose members may all be nil.
  var mayBeEmpty: Bool {
    if case .composite(let form) = self { form.mayBeEmpty } else { false }
  }

  /// The substitute for a value that the store does not supply.
  var zero: Any? {
    switch self {
    case .column(let type): type.zero
    case .composite(let form): form.value([String: Any]())
    case .enumeration(let form): form.zero
    case .archive(let form): form.zero
    }
  }
}

/// A Codable structure, stored as a composite attribute with an element for each stored property.
///
/// Values are read and rebuilt through the memory of their stored properties. The type's own coding
/// keys and coding methods have no effect, as in the model.
///
/// Sendable: all stored properties are constants.
final class CompositeForm: @unchecked Sendable {
  struct Element {
    let name: String
    let isOptional: Bool
    let form: ValueForm
    /// The type without an optional around it.
    let type: any Any.Type
    fileprivate let declaredType: any Any.Type
    fileprivate let offset: Int

    // An enumeration element is a composite attribute of its own.

    func boxed(_ value: Any) -> Any? {
      if case .enumeration(let form) = form { return form.elements(of: value, named: name) }
      return form.boxed(value)
    }

    fileprivate func value(_ boxed: Any) -> Any? {
      guard case .enumeration(let form) = form else { return form.value(boxed) }
      return (boxed as? [String: Any]).flatMap { form.value(elements: $0) }
    }
  }

  let type: any Any.Type
  /// The elements in declared order.
  let elements: [Element]
  let mayBeEmpty: Bool

  /// nil if the type of a stored property cannot be stored.
  init?(_ type: any Any.Type) {
    guard let fields = Reflection.fields(of: type), !fields.isEmpty, type is any Codable.Type else {
      return nil
    }
    var elements: [Element] = []
    for field in fields {
      let wrapped = (field.type as? any AnyOptional.Type)?.wrappedType
      guard let form = ValueForm(wrapped ?? field.type, isElement: true) else { return nil }
      elements.append(
        Element(
          name: field.name, isOptional: wrapped != nil, form: form, type: wrapped ?? field.type,
          declaredType: field.type, offset: field.offset))
    }
    self.type = type
    self.elements = elements
    mayBeEmpty = elements.allSatisfy { $0.isOptional || $0.form.mayBeEmpty }
  }

  func boxed(_ value: Any) -> Any? {
    func bytes<T>(_ value: T) -> [String: Any] {
      withUnsafeBytes(of: value) { memory in
        var boxes: [String: Any] = [:]
        for element in elements {
          let field = Self.load(element.declaredType, place: memory.baseAddress! + element.offset)
          boxes[element.name] = unwrapped(field).flatMap(element.boxed)
        }
        return boxes
      }
    }
    return _openExistential(value, do: bytes)
  }

  /// Elements missing from the dictionary become nil or their zero value.
  func value(_ boxed: Any) -> Any? {
    guard let boxes = boxed as? [String: Any] else { return nil }
    var values: [Any] = []
    for element in elements {
      let value = unwrapped(boxes[element.name]).flatMap(element.value)
      guard let value = value ?? (element.isOptional ? Any?.none as Any : element.form.zero) else {
        return nil
      }
      values.append(value)
    }
    func make<T>(_ type: T.Type) -> Any {
      withUnsafeTemporaryAllocation(
        byteCount: max(MemoryLayout<T>.size, 1), alignment: MemoryLayout<T>.alignment
      ) { memory in
        for (element, value) in zip(elements, values) {
          Self.store(value, type: element.declaredType, place: memory.baseAddress! + element.offset)
        }
        return memory.baseAddress!.assumingMemoryBound(to: T.self).move()
      }
    }
    return _openExistential(type, do: make)
  }

  private static func load(_ type: any Any.Type, place: UnsafeRawPointer) -> Any {
    func load<Field>(_ type: Field.Type) -> Any {
      place.assumingMemoryBound(to: Field.self).pointee
    }
    return _openExistential(type, do: load)
  }

  private static func store(
    _ value: Any, type: any Any.Type, place: UnsafeMutableRawPointer
  ) {
    func store<Field>(_ type: Field.Type) {
      if let optional = Field.self as? any AnyOptional.Type {
        let value = unwrapped(value).map { optional.init(wrapping: $0) } ?? optional.none
        place.initializeMemory(as: Field.self, to: value as! Field)
      } else {
        place.initializeMemory(as: Field.self, to: value as! Field)
      }
    }
    _openExistential(type, do: store)
  }
}

/// An enumeration without associated values, stored as a composite attribute. With raw values it
/// has one element, with the raw value and the name of the property. Otherwise it has an element
/// for each case; that of the chosen case holds the case's name.
///
/// Sendable: all stored properties are constants.
final class EnumerationForm: @unchecked Sendable {
  enum Storage {
    case rawValue(any ColumnValue.Type)
    case cases([String])
  }

  let type: any Any.Type
  let storage: Storage

  init?(_ type: any Any.Type) {
    if let raw = type as? any RawRepresentable.Type, Reflection.isEnumeration(type),
      let column = Self.rawType(raw) as? any ColumnValue.Type
    {
      self.type = type
      storage = .rawValue(column)
    } else if let names = Reflection.caseNames(of: type), !names.isEmpty {
      self.type = type
      storage = .cases(names)
    } else {
      return nil
    }
  }

  private static func rawType<R: RawRepresentable>(_ type: R.Type) -> any Any.Type {
    R.RawValue.self
  }

  private static func value<R: RawRepresentable>(_ type: R.Type, rawValue: Any) -> Any? {
    (rawValue as? R.RawValue).flatMap(R.init(rawValue:))
  }

  /// The raw value, or the name of the case, as Core Data stores it.
  func boxed(_ value: Any) -> Any? {
    switch storage {
    case .rawValue:
      let raw: Any? = (value as? any RawRepresentable)?.rawValue
      return (raw as? any ColumnValue)?.boxed
    case .cases(let names):
      return number(of: value).flatMap { names.indices.contains($0) ? names[$0] : nil }
    }
  }

  /// The case for a stored form; nil if there is none.
  func value(_ boxed: Any) -> Any? {
    switch storage {
    case .rawValue(let column):
      guard let raw = column.unboxed(boxed), let type = type as? any RawRepresentable.Type else {
        return nil
      }
      return Self.value(type, rawValue: raw)
    case .cases(let names):
      return (boxed as? String).flatMap(names.firstIndex).map(value(numbered:))
    }
  }

  /// The non-nil elements of the composite attribute of a property with this name.
  func elements(of value: Any, named name: String) -> [String: Any]? {
    guard let boxed = boxed(value) else { return nil }
    if case .cases = storage { return ["\(boxed)": boxed] }
    return [name: boxed]
  }

  /// The case for the non-nil elements, of which there is one.
  func value(elements: [String: Any]) -> Any? { elements.values.first.flatMap(value) }

  /// The first case.
  var zero: Any? {
    switch storage {
    case .cases: return value(numbered: 0)
    case .rawValue:
      guard Reflection.caseNames(of: type)?.isEmpty == false else { return nil }
      return value(numbered: 0)
    }
  }

  // The cases of an enumeration without associated values are numbered from 0, in as many bytes as
  // needed.

  private func number(of value: Any) -> Int? {
    func number<T>(_ value: T) -> Int {
      withUnsafeBytes(of: value) { $0.reversed().reduce(0) { $0 << 8 | Int($1) } }
    }
    return _openExistential(value, do: number)
  }

  func value(numbered number: Int) -> Any {
    func make<T>(_ type: T.Type) -> Any {
      withUnsafeTemporaryAllocation(
        byteCount: max(MemoryLayout<T>.size, 1), alignment: MemoryLayout<T>.alignment
      ) { memory in
        for index in 0..<MemoryLayout<T>.size {
          memory[index] = UInt8(truncatingIfNeeded: number >> (8 * index))
        }
        return memory.baseAddress!.assumingMemoryBound(to: T.self).move()
      }
    }
    return _openExistential(type, do: make)
  }
}

/// Storage of all other Codable types: an array of plain values as a Core Data archive, anything
/// else as JSON.
///
/// Sendable: all stored properties are constants.
final class ArchiveForm: @unchecked Sendable {
  enum Storage {
    /// A transformable attribute of property list values.
    case array(any ColumnValue.Type)
    /// UTF-8 text in a binary attribute.
    case json
  }

  let type: any Any.Type
  let storage: Storage
  private let codableType: any Codable.Type

  init?(_ type: any Any.Type, isElement: Bool) {
    guard let codable = type as? any Codable.Type else { return nil }
    self.type = type
    codableType = codable
    if !isElement, let array = type as? any AnyArray.Type,
      let column = array.elementType as? any ColumnValue.Type
    {
      storage = .array(column)
    } else {
      storage = .json
    }
  }

  func boxed(_ value: Any) -> Any? {
    switch storage {
    case .array: return (value as? any AnyArray)?.boxedElements
    case .json: return (value as? any Encodable).flatMap { try? Self.encoder.encode($0) }
    }
  }

  /// Accepts both forms: the form in which Apple's framework stores arrays of structures is
  /// unknown.
  func value(_ boxed: Any) -> Any? {
    if let array = boxed as? NSArray, let type = type as? any AnyArray.Type {
      return type.make(array.map { $0 })
    }
    guard let data = boxed as? Data else { return nil }
    return try? Self.decoder.decode(codableType, from: data)
  }

  var zero: Any? {
    for text in ["[]", "{}", "null", "\"\"", "0"] {
      if let value = try? Self.decoder.decode(codableType, from: Data(text.utf8)) { return value }
    }
    return nil
  }

  private static var encoder: JSONEncoder {
    let encoder = JSONEncoder()
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    return encoder
  }

  private static var decoder: JSONDecoder {
    let decoder = JSONDecoder()
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    return decoder
  }
}

/// An array of any element type.
protocol AnyArray {
  static var elementType: any Any.Type { get }
  static func make(_ elements: [Any]) -> Any?
  var boxedElements: NSArray? { get }
}

extension Array: AnyArray {
  static var elementType: any Any.Type { Element.self }

  static func make(_ elements: [Any]) -> Any? {
    guard let column = Element.self as? any ColumnValue.Type else { return nil }
    let values = elements.compactMap { column.unboxed($0) as? Element }
    return values.count == elements.count ? values : nil
  }

  var boxedElements: NSArray? {
    let boxes = compactMap { ($0 as? any ColumnValue)?.boxed }
    return boxes.count == count ? NSArray(array: boxes) : nil
  }
}
