import CoreData
import CoreDataSupport
import Testing

@testable import CoreDataSync

/// Entities and properties of a version of a model that had another name when they were first
/// synced.
extension ModelPart {
  static func renamed(
    _ name: String, was first: String, _ properties: [NSPropertyDescription] = [],
    info: [String: Any] = [:]
  ) -> NSEntityDescription {
    let entity = ModelPart.entity(name, properties, was: name == first ? nil : first)
    var info = info
    if name != first { info[SyncConfiguration.Annotation.name] = first }
    entity.userInfo = info
    return entity
  }

  static func counter(_ name: String, was former: String? = nil) -> NSAttributeDescription {
    let counter = ModelPart.attribute(name, .integer64AttributeType, default: 0, was: former)
    counter.userInfo = [SyncConfiguration.Annotation.counter: "YES"]
    return counter
  }
}
