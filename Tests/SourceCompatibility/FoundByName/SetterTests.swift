import CoreData
import Testing

/// Key-value coding calls the setters of classes, in a target with the plugin.
@Suite struct SetterTests {
  /// How a value is set by key.
  enum Form: CaseIterable {
    case key, keys, keyPath, longKeyPath

    func set(_ value: Any?, _ key: String, of meter: Meter) {
      switch self {
      case .key: meter.setValue(value, forKey: key)
      case .keys: meter.setValuesForKeys([key: value ?? NSNull()])
      case .keyPath: meter.setValue(value, forKeyPath: key)
      case .longKeyPath:
        guard let context = meter.managedObjectContext,
          let other = NSEntityDescription.insertNewObject(forEntityName: "Meter", into: context)
            as? Meter
        else { return }
        other.owner = meter
        other.setValue(value, forKeyPath: "owner.\(key)")
        context.delete(other)
      }
    }
  }

  private func withMeters(_ body: (Meter, FineMeter) throws -> Void) throws {
    let model = NSManagedObjectModel()
    let entities = ["Meter", "FineMeter"].map { name in
      let entity = NSEntityDescription()
      entity.name = name
      entity.managedObjectClassName = "SourceCompatibilityTests.\(name)"
      return entity
    }
    let types: [(String, NSAttributeType)] = [
      ("level", .integer16AttributeType), ("title", .stringAttributeType),
      ("unit", .stringAttributeType), ("size", .doubleAttributeType),
      ("label", .stringAttributeType), ("note", .stringAttributeType),
    ]
    let attributes = types.map { name, type in
      let attribute = NSAttributeDescription()
      attribute.name = name
      attribute.attributeType = type
      attribute.isOptional = true
      return attribute
    }
    let relationships = [("owner", 1), ("parts", 0)].map { name, count in
      let relationship = NSRelationshipDescription()
      relationship.name = name
      relationship.destinationEntity = entities[0]
      relationship.maxCount = count
      relationship.isOptional = true
      return relationship
    }
    entities[0].properties = attributes + relationships
    entities[0].subentities = [entities[1]]
    model.entities = entities
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    try coordinator.addPersistentStore(
      ofType: NSInMemoryStoreType, configurationName: nil, at: nil)
    let context = NSManagedObjectContext(.privateQueue)
    context.persistentStoreCoordinator = coordinator
    try context.performAndWait {
      let made = ["Meter", "FineMeter"].map {
        NSEntityDescription.insertNewObject(forEntityName: $0, into: context)
      }
      try body(#require(made[0] as? Meter), #require(made[1] as? FineMeter))
    }
  }

  @Test(arguments: Form.allCases) func aSetterOfTheClassIsCalled(_ form: Form) throws {
    try withMeters { plain, fine in
      for meter in [plain, fine] {
        form.set(120, "level", of: meter)
        form.set(" a ", "title", of: meter)
        form.set("volt", "unit", of: meter)
        form.set(plain, "owner", of: meter)
        form.set(NSSet(array: [plain]), "parts", of: meter)
        #expect(meter.calls == ["level", "title", "unit", "owner", "parts"])
        #expect(meter.level == 100 && meter.title == "a" && meter.unit == .volt)
        #expect(meter.owner === plain && meter.parts == [plain])
        #expect(
          meter.changedValues().keys.sorted() == ["level", "owner", "parts", "title", "unit"])
        form.set(nil, "title", of: meter)
        #expect(meter.title == nil && meter.calls.last == "title")
      }
      try plain.managedObjectContext?.save()
      #expect(plain.primitiveValue(forKey: "level") as? Int == 100)
    }
  }

  @Test(arguments: Form.allCases) func aValueThatTheTypeDoesNotHaveIsTheModels(
    _ form: Form
  ) throws {
    try withMeters { meter, _ in
      form.set("ohm", "unit", of: meter)
      form.set(nil, "level", of: meter)
      #expect(meter.calls.isEmpty)
      #expect(meter.primitiveValue(forKey: "unit") as? String == "ohm")
      #expect(meter.primitiveValue(forKey: "level") == nil)
    }
  }

  @Test(arguments: Form.allCases) func aSetterThatSetsItsOwnKeySetsTheModelsValue(
    _ form: Form
  ) throws {
    try withMeters { meter, _ in
      form.set(2.0, "size", of: meter)
      #expect(meter.size == 2 && meter.calls.isEmpty)
      meter.size = 3
      #expect(meter.size == 30 && meter.calls == ["size"])
    }
  }

  @Test(arguments: Form.allCases) func propertiesOutsideOfTheModelAreSet(_ form: Form) throws {
    try withMeters { meter, fine in
      form.set(50, "double", of: meter)
      #expect(meter.level == 25)
      form.set("new", "remark", of: meter)
      #expect(meter.remark == "new" && meter.calls == ["level", "remark"])
      form.set("text", "note", of: fine)
      #expect(fine.note == "text" && fine.settings == 1)
      form.set("read only", "label", of: meter)
      #expect(meter.label == "read only")
    }
  }

  @Test func undoAndPrimitiveValuesPassSettersBy() throws {
    try withMeters { meter, _ in
      meter.setPrimitiveValue(300, forKey: "level")
      #expect(meter.level == 300 && meter.calls.isEmpty)
    }
  }
}
