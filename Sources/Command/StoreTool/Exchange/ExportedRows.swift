import CoreData

/// The objects of one entity for export, read from the store's rows without making managed objects.
/// Attributes are identified by their paths, relationships by names of objects.
///
/// Members of to-many relationships are read for a page of rows at once. Memory does not grow with
/// the number of objects, except for stores that are held in memory anyway.
struct ExportedRows {
  struct Column {
    enum Kind {
      case attribute(NSAttributeDescription)
      case toOne
      case toMany(NSRelationshipDescription)
    }

    /// The path of an attribute, or the name of a relationship.
    let name: String
    let kind: Kind
    // What is asked of each cell, once.
    let isToMany: Bool
    fileprivate let isWhole: Bool
    fileprivate let mayMiss: Bool
    fileprivate let hasDefault: Bool

    init(name: String, kind: Kind) {
      (self.name, self.kind) = (name, kind)
      if case .toMany = kind { isToMany = true } else { isToMany = false }
      guard case .attribute(let attribute) = kind else {
        (isWhole, mayMiss, hasDefault) = (false, false, false)
        return
      }
      let (type, wholes, data) = (
        attribute.attributeType, ExportedRows.wholes, ExportedRows.dataTypes
      )
      (isWhole, mayMiss) = (wholes.contains(type), data.contains(type))
      hasDefault = attribute.defaultValue != nil
    }
  }

  private static let wholes: Set<NSAttributeType> = [
    .integer16AttributeType, .integer32AttributeType, .integer64AttributeType,
  ]
  private static let dataTypes: Set<NSAttributeType> = [
    .binaryDataAttributeType, .transformableAttributeType,
  ]

  /// A member of a to-many relationship.
  struct Member {
    let entity: String
    let key: Int64

    var name: String { "\(entity)/p\(key)" }

    fileprivate init(_ identity: NSManagedObjectID) {
      (entity, key) = (identity.entity.name ?? "", identity.packed.key)
    }

    /// Writes ``name``, which no format has to escape.
    func write(to bytes: ByteWriter) {
      bytes.write(entity)
      bytes.write("/p" as StaticString)
      bytes.write(key)
    }
  }

  /// One object. Valid until the next one is read.
  struct Row {
    let entity: String
    let key: Int64
    fileprivate let cells: TableRow
    fileprivate let places: [Int]
    fileprivate let members: [[Member]]

    var name: String { "\(entity)/p\(key)" }

    /// Writes ``name``.
    func writeName(to bytes: ByteWriter) {
      bytes.write(entity)
      bytes.write("/p" as StaticString)
      bytes.write(key)
    }

    /// The cell of an attribute or a to-one relationship.
    func cell(_ column: Int) -> TableCell { cells.cell(places[column]) }

    /// The members of a to-many relationship.
    func members(_ column: Int) -> [Member] { members[places[column]] }
  }

  private static let page = 1000

  let entity: NSEntityDescription
  let columns: [Column]
  private let store: OpenedStore
  /// The index of each column among the fetch's columns, or among the to-many relationships.
  private let places: [Int]
  private let many: [NSRelationshipDescription]

  init(of entity: NSEntityDescription, in store: OpenedStore) {
    self.entity = entity
    self.store = store
    columns = Self.columns(of: entity)
    var (many, places): ([NSRelationshipDescription], [Int]) = ([], [])
    // The fetch's first column is the object ID.
    var fetched = 1
    for column in columns {
      if case .toMany(let relationship) = column.kind {
        places.append(many.count)
        many.append(relationship)
      } else {
        places.append(fetched)
        fetched += 1
      }
    }
    (self.places, self.many) = (places, many)
  }

  /// Whether values may be stored in external files.
  var mayMissValues: Bool {
    entity.attributesByName.values.contains { $0.allowsExternalBinaryDataStorage }
  }

  private static func columns(of entity: NSEntityDescription) -> [Column] {
    entity.properties.sorted { $0.name < $1.name }.flatMap { property -> [Column] in
      if property.isTransient || property is NSFetchedPropertyDescription
        || property is NSDerivedAttributeDescription
      {
        return []
      }
      switch property {
      case let relationship as NSRelationshipDescription:
        let kind: Column.Kind = relationship.isToMany ? .toMany(relationship) : .toOne
        return [Column(name: relationship.name, kind: kind)]
      case let composite as NSCompositeAttributeDescription:
        return elements(of: composite, composite.name)
      case let attribute as NSAttributeDescription:
        return [column(attribute, path: attribute.name)]
      default: return []
      }
    }
  }

  private static func elements(
    of composite: NSCompositeAttributeDescription, _ path: String
  ) -> [Column] {
    composite.elements.flatMap { element in
      (element as? NSCompositeAttributeDescription).map { elements(of: $0, "\(path).\($0.name)") }
        ?? [column(element, path: "\(path).\(element.name)")]
    }
  }

  private static func column(_ attribute: NSAttributeDescription, path: String) -> Column {
    Column(name: path, kind: .attribute(attribute))
  }

  // MARK: - Reading

  func forEach(_ body: (Row) throws -> Void) throws {
    guard let rows = store.store.rowStore else { return }
    // Rows without members to read beside them come in one go, as those of a query.
    guard !many.isEmpty else { return try read(nil, members: [], body: body) }
    let identities = try identities()
    // A store in memory scans all objects for each page: it is read in one.
    let size = [.sqlite, .postgreSQL].contains(store.format) ? Self.page : max(1, identities.count)
    for start in stride(from: 0, to: identities.count, by: size) {
      let page = Array(identities[start..<min(start + size, identities.count)])
      let members = try members(of: page, in: rows)
      try read(page, members: members, body: body)
    }
  }

  /// Reads the rows of some objects, or of all for nil.
  private func read(
    _ page: [NSManagedObjectID]?, members: [[Int64: [Member]]], body: (Row) throws -> Void
  ) throws {
    try store.coordinator.stream(request(page)) { cells in
      guard case .reference(let name, let key) = Self.reference(cells.cell(0)) else {
        return true
      }
      try body(
        Row(
          entity: name, key: key, cells: cells, places: places,
          members: members.isEmpty ? [] : members.map { $0[key] ?? [] }))
      return true
    }
  }

  private func identities() throws -> [NSManagedObjectID] {
    try store.withContext { context in
      let request = NSFetchRequest<NSManagedObjectID>()
      request.entity = entity
      request.includesSubentities = false
      request.resultType = .managedObjectIDResultType
      return try context.fetch(request)
    }
  }

  private func request(_ page: [NSManagedObjectID]?) -> NSFetchRequest<NSDictionary> {
    let request = NSFetchRequest<NSDictionary>()
    request.entity = entity
    request.includesSubentities = false
    request.resultType = .dictionaryResultType
    request.propertiesToFetch =
      ["objectID"]
      + columns.filter { !$0.isToMany }.map(\.name)
    request.predicate = page.map { NSPredicate(format: "self IN %@", $0) }
    return request
  }

  /// The members by relationship and owner's key; in their order if they have one, else by
  /// entity number and key.
  private func members(
    of page: [NSManagedObjectID], in rows: any RowStore
  ) throws -> [[Int64: [Member]]] {
    try many.map { relationship in
      let owners = page.map(\.packed)
      let found = try rows.members(of: relationship, owners: owners)
      var members: [Int64: [Member]] = [:]
      for (owner, identities) in zip(owners, found) where !identities.isEmpty {
        let ordered =
          relationship.isOrdered
          ? identities
          : identities.sorted {
            ($0.packed.entityNumber, $0.packed.key) < ($1.packed.entityNumber, $1.packed.key)
          }
        members[owner.key] = ordered.map(Member.init)
      }
      return members
    }
  }

  /// The reference of a cell. Stores in memory return the object ID itself.
  static func reference(_ cell: TableCell) -> TableCell {
    guard case .object(let value as NSManagedObjectID) = cell else { return cell }
    return .reference(value.entity.name ?? "", value.packed.key)
  }
}

extension ExportedRows {
  /// The text of a value; nil without a value.
  static func text(_ cell: TableCell) -> String? {
    switch cell {
    case .null: nil
    case .date(let seconds): ExchangeText.date(seconds)
    case .object(let value as Date): ExchangeText.date(value.timeIntervalSinceReferenceDate)
    case let cell: CellText.plain(reference(cell))
    }
  }

  /// Whether the value's external data file is missing.
  static func isMissing(_ cell: TableCell, column: Column) -> Bool {
    guard column.mayMiss, case .object(let value) = cell else { return false }
    return !(value is Data)
  }

  /// The integer of a cell. Stores in memory return integers as `NSNumber`.
  static func whole(_ cell: TableCell, column: Column) -> TableCell {
    guard column.isWhole, case .object(let number as NSNumber) = cell else { return cell }
    return .integer(number.int64Value)
  }

  /// Whether nil must be written explicitly, since a new object would have a default value.
  static func hasDefault(_ column: Column) -> Bool { column.hasDefault }
}

enum ExchangeText {
  /// The text of a date; seconds since 2001, as `@SECONDS`, if the text would not be exact.
  static func date(_ seconds: Double) -> String {
    isExact(seconds)
      ? ISODate.text(Date(timeIntervalSinceReferenceDate: seconds)) : "@\(seconds)"
  }

  /// Writes a date, see ``date(_:)``.
  static func write(_ seconds: Double, to bytes: ByteWriter) {
    isExact(seconds) ? ISODate.write(seconds, to: bytes) : bytes.write("@\(seconds)")
  }

  /// Whether reading the text, which has milliseconds, gives the same number. It computes what
  /// ``ISODate/date(_:)`` computes of the text: a quotient by 1000 is rounded as the text is.
  private static func isExact(_ seconds: Double) -> Bool {
    guard seconds.isFinite, abs(seconds) < 1e14 else { return false }
    let secondsTo2001 = 978_307_200.0
    let thousandths = Int(((seconds + secondsTo2001) * 1000).rounded())
    let rest = thousandths % 60_000
    let inMinute = rest < 0 ? rest + 60_000 : rest
    let whole = Double((thousandths - inMinute) / 1000)
    return whole + Double(inMinute) / 1000 - secondsTo2001 == seconds
  }
}
