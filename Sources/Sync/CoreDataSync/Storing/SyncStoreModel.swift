import CoreData

/// The model of the sync store.
///
/// | entity | attributes |
/// |---|---|
/// | `Record` | `key`: 16 bytes; `body`: `StoredBytes+Records` |
/// | `Pair` | `key`: number of the relationship's name, 32 bytes; `body` |
/// | `Alias` | `key`: the loser; `body`: the winner |
/// | `State` | `key`: "standing", "names", "intent" or "unshown"; `body` |
///
/// In all of them the key is unique.
enum SyncStoreModel {
  enum Table: String, CaseIterable {
    case record = "Record"
    case pair = "Pair"
    case alias = "Alias"
    case state = "State"
  }

  static let shared: NSManagedObjectModel = {
    let model = NSManagedObjectModel()
    model.entities = Table.allCases.map { entity($0.rawValue) }
    return model
  }()

  private static func entity(_ name: String) -> NSEntityDescription {
    let entity = NSEntityDescription()
    entity.name = name
    entity.properties = ["key", "body"].map { name in
      let attribute = NSAttributeDescription()
      attribute.name = name
      attribute.attributeType = .binaryDataAttributeType
      attribute.isOptional = false
      return attribute
    }
    entity.uniquenessConstraints = [["key"]]
    return entity
  }
}
