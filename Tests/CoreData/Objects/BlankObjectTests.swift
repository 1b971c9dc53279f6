import CoreData
import CoreDataSupport
import Synchronization
import Testing

@testable import CoreDataSamples

/// Objects that a fetch makes come into being as their class has it, whether they are copied or not.
@Suite(.serialized) struct BlankObjectTests {
  /// Everything that an initializer could do that a copy would not.
  @Test(arguments: Part.all)
  func aFetchedObjectIsAsItsClassMakesIt(part: Part) throws {
    let stack = try TestStack(.sqlite, model: Part.model())
    try stack.withContext { (context) throws in
      for number in 0..<3 { _ = context.insert(part.entity, ["number": number]) }
      try context.save()
    }
    let made = CountedBlank.made.withLock { $0 }
    try stack.withContext { (context) throws in
      let request = NSFetchRequest<BaseBlank>(entityName: part.entity)
      request.sortDescriptors = [NSSortDescriptor(key: "number", ascending: true)]
      let objects = try context.fetch(request)
      #expect(
        objects.map { ObjectIdentifier(type(of: $0)) } == Array(repeating: part.type, count: 3))
      #expect(objects.map { $0.value(forKey: "number") as? Int } == [0, 1, 2])
      #expect(objects.map(\.remark) == Array(repeating: part.remark, count: 3))
      #expect(objects.allSatisfy { $0.entity.name == part.entity && !$0.objectID.isTemporaryID })
      // Each is an object of its own.
      objects[0].setValue(7, forKey: "number")
      #expect(objects.map(\.hasChanges) == [true, false, false])
      try context.save()
      #expect(objects.map { $0.value(forKey: "number") as? Int } == [7, 1, 2])
    }
    let calls = CountedBlank.made.withLock { $0 } - made
    #expect(part.countsItself ? calls >= 3 : calls == 0)
  }

  struct Part: CustomTestStringConvertible {
    let entity: String
    let type: ObjectIdentifier
    let remark: String
    let countsItself: Bool
    var testDescription: String { entity }

    static let all = [
      Part(
        entity: "BaseBlank", type: ObjectIdentifier(BaseBlank.self), remark: "none",
        countsItself: false),
      Part(
        entity: "HeirBlank", type: ObjectIdentifier(HeirBlank.self), remark: "heir",
        countsItself: false),
      Part(
        entity: "StoringBlank", type: ObjectIdentifier(StoringBlank.self), remark: "stored",
        countsItself: false),
      Part(
        entity: "CountedBlank", type: ObjectIdentifier(CountedBlank.self), remark: "none",
        countsItself: true),
      Part(
        entity: "HeirOfCountedBlank", type: ObjectIdentifier(HeirOfCountedBlank.self),
        remark: "none",
        countsItself: true),
      Part(
        entity: "HeirOfUnknownBlank", type: ObjectIdentifier(HeirOfUnknownBlank.self),
        remark: "none",
        countsItself: true),
    ]

    static func model() -> NSManagedObjectModel {
      register("BaseBlank", BaseBlank.self) { BaseBlank(entity: $0, insertInto: $1) }
      register("HeirBlank", HeirBlank.self) { HeirBlank(entity: $0, insertInto: $1) }
      register("StoringBlank", StoringBlank.self) { StoringBlank(entity: $0, insertInto: $1) }
      register("CountedBlank", CountedBlank.self, inherits: false) {
        CountedBlank(entity: $0, insertInto: $1)
      }
      register("HeirOfCountedBlank", HeirOfCountedBlank.self) {
        HeirOfCountedBlank(entity: $0, insertInto: $1)
      }
      register("HeirOfUnknownBlank", HeirOfUnknownBlank.self) {
        HeirOfUnknownBlank(entity: $0, insertInto: $1)
      }
      let model = NSManagedObjectModel()
      model.entities = all.map { part in
        let entity = NSEntityDescription()
        entity.name = part.entity
        entity.managedObjectClassName = part.entity
        entity.properties = [ModelPart.attribute("number", .integer64AttributeType)]
        return entity
      }
      return model
    }

    private static func register(
      _ name: String, _ type: NSManagedObject.Type, inherits: Bool = true,
      make: @escaping ManagedObjectClasses.Factory
    ) {
      ManagedObjectClasses.register(
        name, module: "CoreDataObjectsTests", type: type, inheritsInitializer: inherits, make: make)
    }
  }
}

private class BaseBlank: NSManagedObject {
  var remark: String { "none" }
}

private final class HeirBlank: BaseBlank {
  override var remark: String { "heir" }
}

/// Says that it inherits its initializer, which sets up what it stores.
private final class StoringBlank: BaseBlank {
  var text = "stored"
  override var remark: String { text }
}

private class CountedBlank: BaseBlank {
  static let made = Mutex(0)

  override init(entity: NSEntityDescription, insertInto context: NSManagedObjectContext?) {
    super.init(entity: entity, insertInto: context)
    Self.made.withLock { $0 += 1 }
  }
}

private final class HeirOfCountedBlank: CountedBlank {}

/// Its superclass is no entity's, and registered by nobody.
private class UnknownBlank: BaseBlank {
  override init(entity: NSEntityDescription, insertInto context: NSManagedObjectContext?) {
    super.init(entity: entity, insertInto: context)
    CountedBlank.made.withLock { $0 += 1 }
  }
}

private final class HeirOfUnknownBlank: UnknownBlank {}
