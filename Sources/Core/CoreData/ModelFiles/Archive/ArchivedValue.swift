import Foundation

/// An object of an unknown class, such as the default value of a transformable attribute.
///
/// Keeps its fields, so that an archive that was read can be written again.
package final class ArchivedUnknownObject: NSObject {
  /// The class and its superclasses.
  package let classNames: [String]
  package let fields: [String: Any]

  init(classNames: [String], fields: [String: Any]) {
    self.classNames = classNames
    self.fields = fields
  }

  package override var hash: Int { classNames.hashValue }

  package override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? ArchivedUnknownObject else { return false }
    return classNames == other.classNames && ModelValue.areEqual(fields, other.fields)
  }

  /// The object itself if the program has its class and the class supports secure coding; otherwise
  /// this stand-in.
  func unarchived() throws -> Any {
    guard
      let type = ArchiveCheck.unarchivedClass(classNames[0]) as? (NSObject & NSSecureCoding).Type
    else {
      return self
    }
    let writer = ModelArchiveWriter(model: NSManagedObjectModel(), style: .compiled)
    let data = try writer.builder.data(root: writer.value(self))
    guard ArchiveCheck.isWhole(data, allowing: [type]) else { return self }
    return try NSKeyedUnarchiver.unarchivedObject(ofClasses: [type], from: data) ?? self
  }
}

extension KeyedArchive {
  /// The object with an identifier, converted to Foundation's or Swift's type: text, number, date,
  /// collection.
  func value(at identifier: Int, depth: Int = 0) throws -> Any? {
    guard depth < Self.deepest else {
      throw error("values are nested more than \(Self.deepest) deep")
    }
    guard let object = try object(at: identifier) else { return nil }
    guard let fields = object as? [String: Any], fields["$class"] != nil else {
      return plain(object)
    }
    guard let record = try record(at: identifier) else { return nil }
    return try value(of: record, depth: depth + 1)
  }

  private func plain(_ value: Any) -> Any {
    (value as? NSNumber) ?? value
  }

  private func value(of record: ArchiveRecord, depth: Int) throws -> Any? {
    switch record.className {
    case "NSString", "NSMutableString": try record.requiredText("NS.string")
    case "NSDate": try date(record)
    case "NSData", "NSMutableData": try data(record)
    case "NSUUID": try identifier(record)
    case "NSURL": try link(record)
    case "NSDecimalNumber": try decimal(record)
    case "NSNull": NSNull()
    case "NSArray", "NSMutableArray", "NSSet", "NSMutableSet", "NSOrderedSet":
      try collection(record, depth: depth)
    case "NSDictionary", "NSMutableDictionary": try dictionary(record, depth: depth)
    default: try unknown(record, depth: depth)
    }
  }

  private func date(_ record: ArchiveRecord) throws -> Date {
    guard let seconds = record.fields["NS.time"] as? NSNumber else {
      throw record.wrong("NS.time", expected: "a number")
    }
    return Date(timeIntervalSinceReferenceDate: seconds.doubleValue)
  }

  private func data(_ record: ArchiveRecord) throws -> Data {
    guard let data = try record.object("NS.data") as? Data else {
      throw record.wrong("NS.data", expected: "data")
    }
    return data
  }

  private func identifier(_ record: ArchiveRecord) throws -> UUID {
    guard let data = try record.object("NS.uuidbytes") as? Data, data.count == 16 else {
      throw record.wrong("NS.uuidbytes", expected: "16 bytes")
    }
    let bytes = [UInt8](data)
    return bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
  }

  private func link(_ record: ArchiveRecord) throws -> URL {
    let base = try record.record("NS.base").map { try link($0, depth: 1) }
    guard let url = URL(string: try record.requiredText("NS.relative"), relativeTo: base) else {
      throw record.wrong("NS.relative", expected: "a URL")
    }
    return url
  }

  /// The URL of a base, whose own base is ignored.
  private func link(_ record: ArchiveRecord, depth: Int) throws -> URL {
    guard let url = URL(string: try record.requiredText("NS.relative")) else {
      throw record.wrong("NS.relative", expected: "a URL")
    }
    return url
  }

  private func collection(_ record: ArchiveRecord, depth: Int) throws -> Any {
    let values = try record.identifiers("NS.objects").map { try value(at: $0, depth: depth) }
    let elements = values.map { $0 ?? NSNull() }
    switch record.className {
    case "NSSet", "NSMutableSet": return NSSet(array: elements)
    case "NSOrderedSet": return NSOrderedSet(array: elements)
    default: return elements
    }
  }

  private func dictionary(_ record: ArchiveRecord, depth: Int) throws -> [AnyHashable: Any] {
    var table: [AnyHashable: Any] = [:]
    let keys = try record.identifiers("NS.keys")
    let values = try record.identifiers("NS.objects")
    guard keys.count == values.count else {
      throw record.wrong("NS.keys", expected: "as many keys as values")
    }
    for (key, value) in zip(keys, values) {
      guard let name = try self.value(at: key, depth: depth) as? AnyHashable else {
        throw record.wrong("NS.keys", expected: "strings or numbers")
      }
      table[name] = try self.value(at: value, depth: depth) ?? NSNull()
    }
    return table
  }

  private func unknown(_ record: ArchiveRecord, depth: Int) throws -> ArchivedUnknownObject {
    var fields: [String: Any] = [:]
    for (key, value) in record.fields where key != "$class" {
      guard let identifier = Self.identifier(value) else {
        fields[key] = ArchivedPlainValue(value)
        continue
      }
      fields[key] = try self.value(at: identifier, depth: depth) ?? NSNull()
    }
    return ArchivedUnknownObject(classNames: record.classNames, fields: fields)
  }
}

/// A value that its field contains directly instead of a reference.
package final class ArchivedPlainValue: NSObject {
  package let value: Any

  init(_ value: Any) {
    self.value = value
  }

  package override var hash: Int { 0 }

  package override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? ArchivedPlainValue else { return false }
    return ModelValue.areEqual(value, other.value)
  }
}
