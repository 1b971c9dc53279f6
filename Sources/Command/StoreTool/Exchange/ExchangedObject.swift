import CoreData

/// An object outside of any store: texts by the names of the model.
package struct ExchangedObject: Codable, Sendable {
  let entity: String
  /// The identifier by which others refer to the object: `Book/p7`.
  let id: String
  /// The values of attributes, by path. Attributes without a value are absent.
  var attributes: [String: String] = [:]
  /// Attributes that are explicitly without a value: a new object would have a default.
  var cleared: [String]?
  /// The members of relationships; in their order if the relationship has one.
  var relationships: [String: [String]] = [:]

  init(entity: String, id: String) {
    self.entity = entity
    self.id = id
  }

  /// Reads an object.
  ///
  /// - Parameter keys: the properties to read; nil for all.
  init(_ object: NSManagedObject, keys: Set<String>? = nil) {
    self.init(entity: object.entity.name ?? "", id: CellText.name(of: object.objectID))
    for property in object.entity.properties
    where !property.isTransient && keys?.contains(property.name) ?? true {
      switch property {
      case is NSFetchedPropertyDescription, is NSDerivedAttributeDescription: continue
      case let relationship as NSRelationshipDescription:
        let names =
          ObjectReport.text(object, property: relationship)?.split(separator: ",").map(String.init)
          ?? []
        if !names.isEmpty { relationships[relationship.name] = names }
      case let composite as NSCompositeAttributeDescription:
        add(composite, path: composite.name, object: object)
      default: attributes[property.name] = object.value(forKey: property.name).map(Self.text)
      }
    }
  }

  init(_ row: ExportedRows.Row, columns: [ExportedRows.Column]) {
    self.init(entity: row.entity, id: row.name)
    for (index, column) in columns.enumerated() {
      switch column.kind {
      case .toMany:
        let names = row.members(index).map(\.name)
        if !names.isEmpty { relationships[column.name] = names }
      case .toOne:
        if let name = ExportedRows.text(row.cell(index)) { relationships[column.name] = [name] }
      case .attribute:
        let cell = row.cell(index)
        if !ExportedRows.isMissing(cell, column: column) {
          attributes[column.name] = ExportedRows.text(cell)
        }
      }
    }
  }

  private mutating func add(
    _ composite: NSCompositeAttributeDescription, path: String, object: NSManagedObject
  ) {
    for element in composite.elements {
      let path = "\(path).\(element.name)"
      if let inner = element as? NSCompositeAttributeDescription {
        add(inner, path: path, object: object)
      } else {
        attributes[path] = object.value(forKeyPath: path).map(Self.text)
      }
    }
  }

  private static func text(_ value: Any) -> String {
    guard let date = value as? Date else { return CellText.text(of: value) }
    return ExchangeText.date(date.timeIntervalSinceReferenceDate)
  }
}

/// Reads the objects of a store page by page, so that memory does not grow with their number.
struct ObjectPages {
  let store: OpenedStore

  /// The entities that are not abstract, ordered by name.
  var entities: [NSEntityDescription] {
    store.model.entities.filter { !$0.isAbstract }.sorted { ($0.name ?? "") < ($1.name ?? "") }
  }

  func count() throws -> Int {
    try store.withContext { context in
      try entities.reduce(0) { try $0 + context.count(for: request($1)) }
    }
  }

  private func request(_ entity: NSEntityDescription) -> NSFetchRequest<NSManagedObject> {
    let request = NSFetchRequest<NSManagedObject>()
    request.entity = entity
    request.includesSubentities = false
    return request
  }

  func forEach(of entity: NSEntityDescription, _ body: (ExchangedObject) throws -> Void) throws {
    let rows = ExportedRows(of: entity, in: store)
    try rows.forEach { try body(ExchangedObject($0, columns: rows.columns)) }
  }
}
