/// The entities of persistent history, TRANSACTION and CHANGE, for requests for transactions and
/// changes. They belong to no model of a program; their names are those in the stores' entity
/// tables.
enum HistoryEntities {
  /// The model of both entities, immutable once made.
  private static let model: NSManagedObjectModel = {
    let model = NSManagedObjectModel()
    model.entities = [
      entity(
        "TRANSACTION",
        attributes: [
          ("author", .stringAttributeType), ("bundleID", .stringAttributeType),
          ("contextName", .stringAttributeType), ("processID", .stringAttributeType),
          ("timestamp", .dateAttributeType), ("token", .transformableAttributeType),
          ("transactionNumber", .integer64AttributeType), ("storeID", .stringAttributeType),
        ]),
      entity(
        "CHANGE",
        attributes: [
          ("changedID", .integer64AttributeType), ("changeID", .integer64AttributeType),
          ("changedEntity", .transformableAttributeType),
          ("changedObjectID", .objectIDAttributeType), ("changeType", .integer64AttributeType),
          ("token", .transformableAttributeType), ("transaction", .transformableAttributeType),
        ]),
    ]
    _ = model.entityLayouts()
    return model
  }()

  static var transaction: NSEntityDescription { known("TRANSACTION") }
  static var change: NSEntityDescription { known("CHANGE") }

  private static func known(_ name: String) -> NSEntityDescription {
    guard let entity = model.entitiesByName[name] else {
      preconditionFailure("The history has no entity \(name)")
    }
    return entity
  }

  private static func entity(
    _ name: String, attributes: [(name: String, type: NSAttributeType)]
  ) -> NSEntityDescription {
    let entity = NSEntityDescription()
    entity.name = name
    entity.properties = attributes.map { name, type in
      let attribute = NSAttributeDescription()
      attribute.name = name
      attribute.attributeType = type
      attribute.isOptional = true
      return attribute
    }
    return entity
  }

  static func request(for entity: NSEntityDescription) -> NSFetchRequest<NSFetchRequestResult> {
    let request = NSFetchRequest<NSFetchRequestResult>()
    request.entity = entity
    return request
  }
}
