import CoreData
import Testing

@testable import CoreDataSync

/// Entities and properties of a version of a model that had another name when they were first
/// synced.
extension Draft {
  static func renamed(
    _ name: String, was first: String, _ properties: [NSPropertyDescription] = [],
    info: [String: Any] = [:]
  ) -> NSEntityDescription {
    let entity = Draft.entity(name, properties, was: name == first ? nil : first)
    var info = info
    if name != first { info[SyncConfiguration.Annotation.name] = first }
    entity.userInfo = info
    return entity
  }

  static func counter(_ name: String, was former: String? = nil) -> NSAttributeDescription {
    let counter = attribute(name, .integer64AttributeType, 0, was: former)
    counter.userInfo = [SyncConfiguration.Annotation.counter: "YES"]
    return counter
  }
}

extension Devices {
  /// Settles, and closes what a loop of cases would leave open.
  func close() async throws { for phone in phones { try await phone.engine.close() } }

  /// A device that comes last, with everything.
  func newcomer(_ model: NSManagedObjectModel, _ configuration: SyncConfiguration? = nil)
    async throws -> Phone
  {
    let phone = try Phone(
      cloud, model: model, configuration: configuration ?? phones[0].configuration)
    for _ in 0..<2 { try await phone.sync() }
    return phone
  }
}
