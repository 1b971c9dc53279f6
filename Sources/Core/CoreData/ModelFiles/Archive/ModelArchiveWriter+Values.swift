import Foundation

extension ModelArchiveWriter {
  /// Writes a value: text, number, date, data, UUID, URL, or a collection of these.
  func value(_ value: Any) throws -> ArchiveBuilder.Reference {
    switch value {
    case let text as String: builder.string(text)
    case let decimal as NSDecimalNumber: write(decimal.decimalValue)
    case let number as NSNumber: builder.plain(number)
    case let data as Data: builder.plain(data)
    case let date as Date:
      builder.add(
        class: ["NSDate", "NSObject"], ["NS.time": date.timeIntervalSinceReferenceDate])
    case let identifier as UUID:
      builder.add(class: ["NSUUID", "NSObject"], ["NS.uuidbytes": bytes(of: identifier)])
    case let url as URL:
      builder.add(
        class: ["NSURL", "NSObject"],
        [
          "NS.base": ArchiveBuilder.Reference.null,
          "NS.relative": builder.string(url.absoluteString),
        ])
    case let unknown as ArchivedUnknownObject: try write(unknown)
    case is NSNull: builder.add(class: ["NSNull", "NSObject"], [:])
    default: try collection(value)
    }
  }

  private func collection(_ value: Any) throws -> ArchiveBuilder.Reference {
    switch value {
    case let table as [AnyHashable: Any]: return try dictionary(table)
    case let list as [Any]:
      return builder.list(try list.map { try self.value($0) }, class: ArchiveClass.array)
    case let set as Set<AnyHashable>:
      let sorted = set.sorted { "\($0)" < "\($1)" }
      return builder.list(try sorted.map { try self.value($0.base) }, class: ArchiveClass.set)
    case let object as any (NSObject & NSSecureCoding): return try write(object)
    default:
      throw ModelFileError(
        file: "model archive", problem: "a value of type \(type(of: value)) cannot be archived")
    }
  }

  /// Writes an object of a client's class by its own coding, such as the default value of a
  /// transformable attribute.
  private func write(_ object: any (NSObject & NSSecureCoding)) throws -> ArchiveBuilder.Reference {
    // Foundation crashes for nested classes, for which it has no name.
    guard String(reflecting: type(of: object)).split(separator: ".").count == 2 else {
      throw ModelFileError(
        file: "model archive",
        problem: "a value of the nested class \(type(of: object)) cannot be archived")
    }
    let data = try NSKeyedArchiver.archivedData(withRootObject: object, requiringSecureCoding: true)
    let archive = try KeyedArchive(data: data, file: "archive of \(type(of: object))")
    guard let record = try archive.value(at: archive.root) as? ArchivedUnknownObject else {
      throw archive.error("an object with fields was expected")
    }
    return try write(record)
  }

  private func dictionary(_ table: [AnyHashable: Any]) throws -> ArchiveBuilder.Reference {
    let pairs = table.sorted { "\($0.key)" < "\($1.key)" }
    return builder.add(
      class: ArchiveClass.dictionary,
      [
        "NS.keys": try pairs.map { try value($0.key.base) },
        "NS.objects": try pairs.map { try value($0.value) },
      ])
  }

  private func bytes(of identifier: UUID) -> Data {
    withUnsafeBytes(of: identifier.uuid) { Data($0) }
  }

  private func write(_ decimal: Decimal) -> ArchiveBuilder.Reference {
    let parts = ArchivedDecimal.parts(of: decimal)
    let digits = parts.mantissa + [UInt16](repeating: 0, count: 8 - parts.mantissa.count)
    let bytes = digits.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
    return builder.add(
      class: ArchiveClass.decimal,
      [
        "NS.exponent": parts.exponent, "NS.length": parts.mantissa.count,
        "NS.negative": parts.isNegative, "NS.compact": true,
        "NS.mantissa.bo": ArchivedDecimal.bigEndianMark, "NS.mantissa": Data(bytes),
      ])
  }

  private func write(_ object: ArchivedUnknownObject) throws -> ArchiveBuilder.Reference {
    let fields = try object.fields.mapValues { field -> Any in
      if let plain = field as? ArchivedPlainValue { return plain.value }
      return field is NSNull ? ArchiveBuilder.Reference.null : try value(field)
    }
    return builder.add(class: object.classNames, fields)
  }

  /// Writes a fetch request: a template, or the request of a fetched property.
  func write(
    _ request: NSFetchRequest<NSFetchRequestResult>
  ) throws -> ArchiveBuilder.Reference {
    let null = ArchiveBuilder.Reference.null
    let order = try request.sortDescriptors.map { list in
      builder.list(try list.map { try write($0) }, class: ArchiveClass.array)
    }
    return builder.add(
      class: ArchiveClass.fetchRequest,
      [
        "NSEntity": reference(toEntity: request.entityName),
        "NSPredicate": try request.predicate.map { try write($0) } ?? null,
        "NSSortDescriptors": order ?? null,
        "NSFetchLimit": request.fetchLimit, "NSFetchOffset": request.fetchOffset,
        "NSBatchSize": request.fetchBatchSize, "NSResultType": Int(request.resultType.rawValue),
        "NSFetchRequestFlags": flags(of: request), "NSHasFetchRequestFlags": true,
        "NSAllocationType": 0, "NSHavingPredicate": null, "NSValuesToFetch": null,
        "NSValuesToGroupBy": null, "NSRelationshipKeyPathsForPrefetching": null,
      ])
  }

  private func flags(of request: NSFetchRequest<NSFetchRequestResult>) -> Int {
    let set: [(ArchivedFetchFlag, Bool)] = [
      (.distinctResults, request.returnsDistinctResults),
      (.subentities, request.includesSubentities),
      (.propertyValues, request.includesPropertyValues),
      (.faults, request.returnsObjectsAsFaults),
      (.pendingChanges, request.includesPendingChanges),
    ]
    return set.filter(\.1).reduce(0) { $0 | $1.0.rawValue }
  }

  private func write(_ descriptor: NSSortDescriptor) throws -> ArchiveBuilder.Reference {
    guard let key = descriptor.key, let selector = descriptor.selectorName else {
      throw ModelFileError(
        file: "model archive",
        problem: "a sort descriptor without a key or with a comparator cannot be archived")
    }
    return builder.add(
      class: ArchiveClass.sortDescriptor,
      [
        "NSKey": builder.string(key), "NSAscending": descriptor.ascending,
        "NSReverseNullOrder": false, "NSSelector": builder.string(selector),
      ])
  }
}
