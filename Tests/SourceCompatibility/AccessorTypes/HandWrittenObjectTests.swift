import CoreData
import Foundation
import Testing

/// Hand-written classes with what clients declare beside plain properties.
@Suite struct HandWrittenObjectTests {
  private static let model: NSManagedObjectModel = {
    let tool = NSEntityDescription()
    tool.name = "Tool"
    tool.managedObjectClassName = "SourceCompatibilityTests.Workshop.Tool"
    let drawer = NSEntityDescription()
    drawer.name = "Drawer"
    drawer.managedObjectClassName = "SourceCompatibilityTests.Workshop.Drawer"
    func attribute(_ name: String, _ type: NSAttributeType) -> NSAttributeDescription {
      let attribute = NSAttributeDescription()
      attribute.name = name
      attribute.attributeType = type
      attribute.isOptional = true
      return attribute
    }
    func relationship(
      _ name: String, _ destination: NSEntityDescription, maxCount: Int
    ) -> NSRelationshipDescription {
      let relationship = NSRelationshipDescription()
      relationship.name = name
      relationship.destinationEntity = destination
      relationship.maxCount = maxCount
      relationship.isOptional = true
      return relationship
    }
    let queue = relationship("queue", tool, maxCount: 0)
    queue.isOrdered = true
    tool.properties = [
      attribute("kind", .integer16AttributeType),
      attribute("primitiveKind", .integer16AttributeType),
      attribute("title", .stringAttributeType), attribute("stamp", .transformableAttributeType),
      relationship("drawer", drawer, maxCount: 1),
    ]
    drawer.properties = [relationship("tools", tool, maxCount: 0), queue]
    let model = NSManagedObjectModel()
    model.entities = [tool, drawer]
    return model
  }()

  private func withContext(_ body: (NSManagedObjectContext) throws -> Void) throws {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Self.model)
    _ = try coordinator.addPersistentStore(
      ofType: NSInMemoryStoreType, configurationName: nil, at: nil, options: nil)
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    try context.performAndWait { try body(context) }
  }

  @Test func everyFunctionOfARelationshipChangesIt() throws {
    try withContext { context in
      let drawer = Workshop.Drawer(context: context)
      let tools = (0..<6).map { _ in Workshop.Tool(context: context) }
      drawer.addTools(NSSet(array: [tools[0]]))
      drawer.addToTools([tools[1], tools[2]])
      drawer.addToolsObject(tools[3])
      #expect(drawer.tools == Set(tools[0...3]))
      drawer.removeTools(NSSet(object: tools[0]))
      drawer.removeFromTools([tools[1]])
      drawer.removeToolsObject(tools[2])
      #expect(drawer.tools == [tools[3]])
    }
  }

  @Test func everyFunctionOfAnOrderedRelationshipChangesIt() throws {
    try withContext { context in
      let drawer = Workshop.Drawer(context: context)
      let tools = (0..<6).map { _ in Workshop.Tool(context: context) }
      func order() -> [Int] {
        (drawer.queue?.array as? [Workshop.Tool] ?? []).compactMap(tools.firstIndex(of:))
      }
      drawer.insertObject(tools[0], inQueueAtIndex: 0)
      drawer.insertQueue([tools[1], tools[2]], atIndexes: NSIndexSet(indexSet: [0, 2]))
      #expect(order() == [1, 0, 2])
      drawer.replaceObjectInQueueAtIndex(1, withObject: tools[3])
      #expect(order() == [1, 3, 2])
      drawer.replaceQueueAtIndexes(
        NSIndexSet(indexSet: [0, 2]), withQueue: [tools[4], tools[5]])
      #expect(order() == [4, 3, 5])
      drawer.removeObjectFromQueueAtIndex(0)
      drawer.removeQueueAtIndexes(NSIndexSet(index: 1))
      #expect(order() == [3])
      drawer.queue = nil
      #expect(order() == [])
    }
  }

  @Test func aModelledPropertyIsNoPrimitiveAccessor() throws {
    try withContext { context in
      let tool = Workshop.Tool(context: context)
      tool.primitiveKind = 7
      tool.kind = .saw
      #expect(tool.primitiveKind == 7)
      #expect(tool.value(forKey: "primitiveKind") as? Int == 7)
      #expect(tool.value(forKey: "kind") as? Int == 1)
      tool.primitiveTitle = "Saw"
      #expect(tool.title == "Saw")
      #expect(tool.shownTitle == "Saw")
      tool.primitiveTitle = nil
      #expect(tool.primitiveTitle == nil)
    }
  }

  @Test func anUnknownRawValueIsNilThroughAnOptional() throws {
    try withContext { context in
      let tool = Workshop.Tool(context: context)
      tool.setValue(9, forKey: "kind")
      #expect(tool.kind == nil)
      #expect(tool.value(forKey: "kind") as? Int == 9)
    }
  }

  @Test func keyPathsHaveNamesBeforeAnyModelIsInUse() async {
    await #expect(processExitsWith: .success) {
      for test in AttributeCase.all {
        #expect(test.expressionKey() == test.name)
        #expect(test.sortKey() == test.name)
      }
      for test in RelationshipCase.all { #expect(test.expressionKey() == test.name) }
      #expect(NSExpression(forKeyPath: \Workshop.Tool.stamp).keyPath == "stamp")
      #expect(NSExpression(forKeyPath: \Workshop.Tool.drawer.tools).keyPath == "drawer.tools")
      #expect(
        NSExpression(forKeyPath: \TypedObject.toOne_0_1?.toOne_0_0).keyPath == "toOne_0_1.toOne_0_0"
      )
      #expect(NSExpression(forKeyPath: \Workshop.Tool.shownTitle).keyPath == "shownTitle")
    }
  }

  @Test func aValueOfAClassOfTheClientsEndsAKeyPath() throws {
    try withContext { context in
      _ = Workshop.Tool(context: context)
      #expect(NSExpression(forKeyPath: \Workshop.Tool.stamp).keyPath == "stamp")
    }
  }

  @Test func nilThroughATypeWithoutNilStopsTheProgramWithItsName() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try HandWrittenObjectTests().withContext { print(Workshop.Tool(context: $0).drawer) }
    }
    expectText(result, "“Tool.drawer” is nil, and the class Tool declares it as never nil")
  }

  @Test func aValueOfAnotherClassStopsTheProgramWithItsName() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try HandWrittenObjectTests().withContext {
        let tool = Workshop.Tool(context: $0)
        tool.setValue("text", forKey: "stamp")
        print(tool.stamp)
      }
    }
    expectText(result, "declares @NSManaged stamp as Stamp")
  }

  private func expectText(_ result: ExitTest.Result?, _ text: String) {
    let output = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(output.contains(text), "\(output.prefix(2000))")
  }
}
