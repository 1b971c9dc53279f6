import CoreData

/// Notes in folders, with tags; both have unique names. Stars are a counter.
enum NotesModel {
  static func container(at url: URL) throws -> NSPersistentContainer {
    let container = NSPersistentContainer(name: "Notes", managedObjectModel: model())
    let description = NSPersistentStoreDescription(url: url)
    description.setOption(true as NSNumber, forKey: NSPersistentHistoryTrackingKey)
    container.persistentStoreDescriptions = [description]
    nonisolated(unsafe) var failure: (any Error)?
    container.loadPersistentStores { failure = $1 }
    if let failure { throw failure }
    return container
  }

  private static func model() -> NSManagedObjectModel {
    let (folder, note, tag) = (entity("Folder"), entity("Note"), entity("Tag"))
    let notes = relationship("notes", to: note, count: 0)
    let home = relationship("folder", to: folder, count: 1)
    notes.deleteRule = .cascadeDeleteRule
    (notes.inverseRelationship, home.inverseRelationship) = (home, notes)
    let tags = relationship("tags", to: tag, count: 0)
    let tagged = relationship("notes", to: note, count: 0)
    (tags.inverseRelationship, tagged.inverseRelationship) = (tagged, tags)
    folder.properties = [attribute("name", .stringAttributeType), notes]
    note.properties = [
      attribute("code", .stringAttributeType), attribute("text", .stringAttributeType),
      attribute("stars", .integer64AttributeType), home, tags,
    ]
    tag.properties = [attribute("name", .stringAttributeType), tagged]
    for entity in [folder, tag] { entity.uniquenessConstraints = [["name"]] }
    let model = NSManagedObjectModel()
    model.entities = [folder, note, tag]
    return model
  }

  private static func entity(_ name: String) -> NSEntityDescription {
    let entity = NSEntityDescription()
    entity.name = name
    return entity
  }

  private static func attribute(_ name: String, _ type: NSAttributeType) -> NSAttributeDescription {
    let attribute = NSAttributeDescription()
    (attribute.name, attribute.attributeType) = (name, type)
    if type == .integer64AttributeType { attribute.defaultValue = 0 }
    return attribute
  }

  private static func relationship(
    _ name: String, to entity: NSEntityDescription, count: Int
  ) -> NSRelationshipDescription {
    let relationship = NSRelationshipDescription()
    (relationship.name, relationship.destinationEntity) = (name, entity)
    (relationship.minCount, relationship.maxCount) = (0, count)
    return relationship
  }
}
