import CoreData

/// The next version of ``WriterModel``: notes lose their writer, their text is a body and they get stars; counters
/// are tallies.
enum MigratedModel {
  static func make() -> NSManagedObjectModel {
    let model = WriterModel.make()
    if let note = model.entitiesByName["Note"] {
      note.properties.removeAll { $0.name == "writer" }
      let text = note.propertiesByName["text"]
      text?.name = "body"
      text?.renamingIdentifier = "text"
      note.properties.append(stars())
    }
    if let counter = model.entitiesByName["Counter"] {
      counter.name = "Tally"
      counter.renamingIdentifier = "Counter"
    }
    return model
  }

  static func stars() -> NSAttributeDescription {
    let stars = NSAttributeDescription()
    stars.name = "stars"
    stars.attributeType = .integer64AttributeType
    stars.isOptional = false
    stars.defaultValue = 3
    return stars
  }
}
