import CoreData
import CoreDataSupport

/// Notes in folders, with tags; both have unique names. Stars are a counter.
enum NotesModel {
  static func container(at url: URL) throws -> NSPersistentContainer {
    try .open("Notes", model(), at: url)
  }

  private static func model() -> NSManagedObjectModel {
    let (folder, note, tag) = (
      ModelPart.entity("Folder"), ModelPart.entity("Note"), ModelPart.entity("Tag")
    )
    let notes = ModelPart.relationship("notes", to: note, maxCount: 0)
    let home = ModelPart.relationship("folder", to: folder, maxCount: 1)
    notes.deleteRule = .cascadeDeleteRule
    ModelPart.connect(notes, home)
    let tags = ModelPart.relationship("tags", to: tag, maxCount: 0)
    let tagged = ModelPart.relationship("notes", to: note, maxCount: 0)
    ModelPart.connect(tags, tagged)
    folder.properties = [ModelPart.attribute("name"), notes]
    note.properties = [
      ModelPart.attribute("code"), ModelPart.attribute("text"),
      ModelPart.attribute("stars", .integer64AttributeType, default: 0), home, tags,
    ]
    tag.properties = [ModelPart.attribute("name"), tagged]
    for entity in [folder, tag] { entity.uniquenessConstraints = [["name"]] }
    return ModelPart.model([folder, note, tag])
  }
}
