import CoreData
import CoreDataSupport
import TestSupport

@testable import CoreDataSync

/// A note whose lowest value is not above its highest.
final class HistoryNote: NSManagedObject {
  override func validateForInsert() throws {
    try super.validateForInsert()
    try checkBounds()
  }

  override func validateForUpdate() throws {
    try super.validateForUpdate()
    try checkBounds()
  }

  private func checkBounds() throws {
    let low = (value(forKey: "lo") as? NSNumber)?.intValue
    let high =
      entity.attributesByName["hi"] == nil ? nil : (value(forKey: "hi") as? NSNumber)?.intValue
    if let low, let high, low > high {
      throw NSError(
        domain: NSCocoaErrorDomain, code: NSManagedObjectValidationError,
        userInfo: [NSLocalizedDescriptionKey: "lo is above hi"])
    }
  }
}

/// The model of the histories: every kind of property, every delete rule. A folder's notes and
/// subfolders, and a note's lines, go with it.
///
/// | entity | attributes | to one | to many |
/// |---|---|---|---|
/// | Account | name | | folders (deny) |
/// | Folder | title, count (counter) | account (required), up | notes (ordered), subfolders |
/// | Note | title, lo, hi | folder, cover (one to one) | lines, tags |
/// | Cover | color | note | |
/// | Line | text | note (required) | |
/// | Tag | name (unique), hue, uses (counter) | | notes |
enum HistoriesModel {
  static let configuration = SyncConfiguration(
    zone: "zone", counters: ["Folder": ["count"], "Tag": ["uses"]])
  static let full = make(isOld: false)
  /// Without Tag.hue and Note.hi.
  static let old = make(isOld: true)
  /// A file of the old model: an upgrade finds it there, as an application's in its bundle, and
  /// need not read the models of all tests.
  static let oldFile = Result {
    let file = try TestFolder.make().appendingPathComponent("Old.mom")
    try old.archivedData().write(to: file)
    return file
  }

  private static func make(isOld: Bool) -> NSManagedObjectModel {
    ManagedObjectClasses.register(
      "HistoryNote", module: "CoreDataSyncTests", type: HistoryNote.self
    ) { HistoryNote(entity: $0, insertInto: $1) }
    let account = entity("Account", texts: ["name"])
    let folder = entity("Folder", texts: ["title"], integers: ["count"])
    let note = entity("Note", texts: ["title"], integers: isOld ? ["lo"] : ["lo", "hi"])
    note.managedObjectClassName = "HistoryNote"
    let cover = entity("Cover", texts: ["color"])
    let line = entity("Line", texts: ["text"])
    let tag = entity("Tag", texts: isOld ? ["name"] : ["name", "hue"], integers: ["uses"])
    tag.uniquenessConstraints = [["name"]]
    join(one(folder, "account", isRequired: true), many(account, "folders", .denyDeleteRule))
    join(one(folder, "up"), many(folder, "subfolders", .cascadeDeleteRule))
    join(one(note, "folder"), many(folder, "notes", .cascadeDeleteRule, isOrdered: true))
    join(one(note, "cover"), one(cover, "note"))
    join(one(line, "note", isRequired: true), many(note, "lines", .cascadeDeleteRule))
    join(many(note, "tags", .nullifyDeleteRule), many(tag, "notes", .nullifyDeleteRule))
    return ModelPart.model([account, folder, note, cover, line, tag])
  }

  private static func entity(_ name: String, texts: [String], integers: [String] = [])
    -> NSEntityDescription
  {
    ModelPart.entity(
      name,
      texts.map { ModelPart.attribute($0) }
        + integers.map { name in
          let value = name == "count" || name == "uses" ? 0 : nil
          return ModelPart.attribute(name, .integer64AttributeType, default: value)
        })
  }

  private static func one(_ entity: NSEntityDescription, _ name: String, isRequired: Bool = false)
    -> NSRelationshipDescription
  {
    let relationship = many(entity, name, .nullifyDeleteRule)
    relationship.maxCount = 1
    relationship.isOptional = !isRequired
    return relationship
  }

  private static func many(
    _ entity: NSEntityDescription, _ name: String, _ rule: NSDeleteRule, isOrdered: Bool = false
  ) -> NSRelationshipDescription {
    let relationship = NSRelationshipDescription()
    relationship.name = name
    relationship.deleteRule = rule
    relationship.isOrdered = isOrdered
    entity.properties.append(relationship)
    return relationship
  }

  private static func join(_ one: NSRelationshipDescription, _ other: NSRelationshipDescription) {
    one.destinationEntity = other.entity
    other.destinationEntity = one.entity
    ModelPart.connect(one, other)
  }
}
