import CoreData
import Testing

@testable import CoreDataSync

/// Some devices of one model and a server.
struct Devices {
  let cloud: Cloud
  let phones: [Phone]
  var a: Phone { phones[0] }
  var b: Phone { phones[1] }

  init(
    _ model: NSManagedObjectModel, _ configuration: SyncConfiguration = .init(zone: "zone"),
    others: [NSManagedObjectModel]? = nil, newest: NSManagedObjectModel? = nil
  ) throws {
    let cloud = Cloud(model: newest ?? model, configuration: configuration)
    self.cloud = cloud
    phones = try ([model] + (others ?? [model])).map {
      try Phone(cloud, model: $0, configuration: configuration)
    }
  }

  func settle() async throws {
    for _ in 0..<3 { for phone in phones { try await phone.sync() } }
  }

  /// Settles, and then nobody has anything to send or to hide.
  func settleWholly() async throws {
    try await settle()
    let pushes = phones.map(\.line.pushes.count)
    try await settle()
    #expect(phones.map(\.line.pushes.count) == pushes, "sends without being asked")
    for phone in phones {
      #expect(phone.engine.status.toSend == 0)
      #expect(phone.engine.status.held.isEmpty)
    }
  }

  func expect(_ entity: String, _ property: String, _ values: [String]) throws {
    for (number, phone) in phones.enumerated() {
      let found = try phone.values(entity, property)
      #expect(found == values, "device \(number)")
    }
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

extension NSManagedObject {
  /// The names of what a relationship to many leads to, in their order where it has one.
  func names(_ relationship: String, _ property: String = "name") -> [String] {
    func name(_ object: Any) -> String {
      (object as? NSManagedObject)?.value(forKey: property) as? String ?? "nil"
    }
    return switch value(forKey: relationship) {
    case let list as NSOrderedSet: list.array.map(name)
    case let set as Set<NSManagedObject>: set.map(name).sorted()
    case let set as NSSet: set.allObjects.map(name).sorted()
    default: []
    }
  }
}
