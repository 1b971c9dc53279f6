import CoreData

/// An object outside of any store: texts by the names of the model.
package struct ExchangedObject: Codable, Sendable {
  let entity: String
  /// `Book/p7`; what references name.
  let id: String
  /// Without those that have no value.
  var attributes: [String: String] = [:]
  /// By relationship, in their order if it has one.
  var relationships: [String: [String]] = [:]

  init(entity: String, id: String) {
    self.entity = entity
    self.id = id
  }

  init(_ object: NSManagedObject) {
    self.init(entity: object.entity.name ?? "", id: CellText.name(of: object.objectID))
    for property in object.entity.properties where !property.isTransient {
      switch property {
      case is NSFetchedPropertyDescription, is NSDerivedAttributeDescription: continue
      case let relationship as NSRelationshipDescription:
        let names =
          ObjectReport.text(object, relationship)?.split(separator: ",").map(String.init) ?? []
        if !names.isEmpty { relationships[relationship.name] = names }
      case let composite as NSCompositeAttributeDescription: add(composite, composite.name, object)
      default: attributes[property.name] = object.value(forKey: property.name).map(Self.text)
      }
    }
  }

  private mutating func add(
    _ composite: NSCompositeAttributeDescription, _ path: String, _ object: NSManagedObject
  ) {
    for element in composite.elements {
      let path = "\(path).\(element.name)"
      if let inner = element as? NSCompositeAttributeDescription {
        add(inner, path, object)
      } else {
        attributes[path] = object.value(forKeyPath: path).map(Self.text)
      }
    }
  }

  /// A date that its text does not say to the last bit is told in seconds since 2001.
  private static func text(_ value: Any) -> String {
    guard let date = value as? Date else { return CellText.text(of: value) }
    let text = ISODate.text(date)
    return ISODate.date(text) == date ? text : "@\(date.timeIntervalSinceReferenceDate)"
  }
}

/// Reads the objects of a store page by page, so that memory does not grow with their number.
struct ObjectPages {
  private static let size = 1000
  let store: OpenedStore

  /// The entities that have objects of their own, in the order of their names.
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
    try store.withContext { context in
      let request = NSFetchRequest<NSManagedObjectID>()
      request.entity = entity
      request.includesSubentities = false
      request.resultType = .managedObjectIDResultType
      let identities = try context.fetch(request)
      for start in stride(from: 0, to: identities.count, by: Self.size) {
        let page = Array(identities[start..<min(start + Self.size, identities.count)])
        let objects = self.request(entity)
        objects.predicate = NSPredicate(format: "self IN %@", page)
        for object in try context.fetch(objects) { try body(ExchangedObject(object)) }
        context.reset()
      }
    }
  }
}
