import CoreDataSupport
import Foundation
import Testing

@testable import CoreData
@testable import CoreDataSamples

/// What has changed is kept in bits for up to 64 slots: entities just below, at and above that, with every type of slot
/// at its borders, save what was changed and nothing else.
@Suite struct WideEntityTests {
  private static let types: [NSAttributeType] = [
    .integer64AttributeType, .stringAttributeType, .dateAttributeType, .binaryDataAttributeType,
    .UUIDAttributeType,
  ]

  private static func value(_ type: NSAttributeType, _ number: Int) -> Any {
    switch type {
    case .stringAttributeType: "the text of number \(number)"
    case .dateAttributeType: Date(timeIntervalSinceReferenceDate: Double(number))
    case .binaryDataAttributeType: Data(repeating: UInt8(number % 256), count: 20)
    case .UUIDAttributeType:
      UUID(
        uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, UInt8(number / 256), UInt8(number % 256)))
    default: number
    }
  }

  @Test(arguments: [1, 2, 31, 32, 33, 63, 64, 65, 66, 130], [false, true])
  func whatChangesIsSaved(width: Int, hasTransient: Bool) throws {
    let row = NSEntityDescription()
    row.name = "Row"
    row.properties = (0..<width).map { number in
      let attribute = ModelPart.attribute(
        "a\(number + 100)", Self.types[number % Self.types.count])
      attribute.isTransient = hasTransient && number == width / 2 && width > 1
      return attribute
    }
    let stored = row.properties.filter { !$0.isTransient }.map(\.name)
    let model = NSManagedObjectModel()
    model.entities = [row]
    let stack = try TestStack(.sqlite, model: model)
    func type(_ name: String) -> NSAttributeType { row.attributesByName[name]!.attributeType }
    try stack.withContext { context in
      let object = NSManagedObject(entity: row, insertInto: context)
      var expected: [String: Any] = [:]
      for (number, name) in stored.enumerated() { expected[name] = Self.value(type(name), number) }
      object.setValuesForKeys(expected)
      try context.save()
      let borders = [0, 1, 30, 31, 32, 62, 63, 64, width - 2, width - 1]
      for slot in Set(borders).sorted() where stored.indices.contains(slot) {
        let name = stored[slot]
        // Set to what it is, that is no change; to nothing and to another value, one each.
        for new in [expected[name], nil, Self.value(type(name), 1000 + slot)] {
          let isChange = "\(new ?? "nil")" != "\(expected[name] ?? "nil")"
          object.setValue(new, forKey: name)
          expected[name] = new
          #expect(object.hasPersistentChangedValues == isChange, "\(name)")
          try context.save()
          let read = try stack.withContext { other in
            let copy = try other.existingObject(with: object.objectID)
            return stored.map { "\(copy.value(forKey: $0) ?? "nil")" }
          }
          #expect(read == stored.map { "\(expected[$0] ?? "nil")" }, "\(name)")
        }
      }
    }
  }
}
