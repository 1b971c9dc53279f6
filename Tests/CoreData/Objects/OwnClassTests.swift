import CoreData
import CoreDataSupport
import Testing

@testable import CoreDataSamples

/// What a class of one's own adds to its entity's objects.
@Suite struct OwnClassTests {
  private func withContext(_ body: (TestStack, NSManagedObjectContext) throws -> Void) throws {
    let stack = try TestStack(.inMemory, model: DiaryModel.make())
    try stack.withContext { try body(stack, $0) }
  }

  @Test func keyValueCodingReadsAModelledPropertyThroughTheClasssGetter() throws {
    try withContext { _, context in
      let diary = context.insert("Diary", ["text": "quiet", "count": 2])
      #expect(diary.value(forKey: "text") as? String == "QUIET")
      #expect(diary.primitiveValue(forKey: "text") as? String == "quiet")
      #expect(diary.value(forKey: "count") as? Int == 2, "no getter: the model's storage")
    }
  }

  @Test(arguments: [
    ("text", true), ("setText:", true), ("count", true), ("setCount:", true), ("partner", false),
    ("image", false), ("setImage:", false), ("setText", false), ("set:", false), ("text:", false),
    ("", false), ("Text", false),
  ])
  func anObjectRespondsToTheNamesOfItsProperties(_ name: String, responds: Bool) throws {
    try withContext { _, context in
      let diary = context.insert("Diary", [:])
      #expect(diary.responds(to: NSSelectorFromString(name)) == responds)
      #expect(diary.responds(to: Selector(name)) == responds)
    }
  }

  @Test func aGetterThatAsksForItsOwnKeyGetsTheModelsValue() throws {
    try withContext { _, context in
      let diary = try #require(context.insert("Diary", ["remark": "own"]) as? Diary)
      #expect(diary.remark == "own")
      #expect(diary.value(forKey: "remark") as? String == "own")
      #expect(diary["remark"] as? String == "own")
      #expect(diary.value(forKeyPath: "remark") as? String == "own")
      #expect(NSPredicate(format: "remark == %@", "own").evaluate(with: diary))
      // Another object of the class is asked on the way.
      let second = try #require(context.insert("Diary", ["remark": "second"]) as? Diary)
      diary.partner = second
      #expect(diary.value(forKey: "remark") as? String == "own second")
    }
  }

  @Test func aTransformableAttributeMayBeDeclaredAsAManagedObject() throws {
    try withContext { _, context in
      let diary = try #require(context.insert("Diary", [:]) as? Diary)
      let second = try #require(context.insert("Diary", [:]) as? Diary)
      #expect(diary.model == nil)
      diary.model = second
      #expect(diary.model === second && diary.value(forKey: "model") as? Diary === second)
      diary.model = nil
      #expect(diary.model == nil)
    }
  }

  @Test func whatAwakeFromFetchSetsIsNoChange() throws {
    try withContext { stack, context in
      context.insert("Diary", ["text": "a"])
      try context.save()
      try stack.withContext { reader in
        let diary = try #require(
          try reader.fetch(NSFetchRequest<NSManagedObject>(entityName: "Diary")).first)
        let notes = ContextNotes.of(reader) {
          #expect(diary.value(forKey: "count") as? Int == 7)
          reader.processPendingChanges()
        }
        #expect(notes.isEmpty && !diary.hasChanges && !reader.hasChanges)
      }
    }
  }

  @Test func validationThatDoesNotCallItsSuperclassLeavesTheModelsRulesOut() throws {
    try withContext { _, context in
      let diary = context.insert("Diary", ["count": 1])
      try diary.validateForInsert()
      #expect(throws: NSError.self) { try diary.validateForUpdate() }
    }
  }

  @Test func undoSetsValuesPastTheClasssSetters() throws {
    try withContext { _, context in
      let manager = UndoManager()
      context.undoManager = manager
      let diary = try #require(context.insert("Diary", ["text": "a"]) as? Diary)
      context.processPendingChanges()
      manager.endEvent()
      diary.text = "b"
      context.undo()
      #expect(diary.text == "a" && diary.settings == 1)
    }
  }
}

private enum DiaryModel {
  static func make() -> NSManagedObjectModel {
    ManagedObjectClasses.register(
      "Diary", module: "CoreDataObjectsTests", type: Diary.self,
      getters: [
        "text": { ($0 as? Diary)?.text?.uppercased() }, "remark": { ($0 as? Diary)?.remark },
      ]
    ) {
      Diary(entity: $0, insertInto: $1)
    }
    let diary = NSEntityDescription()
    diary.name = "Diary"
    diary.managedObjectClassName = "Diary"
    diary.properties = [
      ModelPart.attribute("text", isOptional: false),
      ModelPart.attribute("count", .integer64AttributeType),
      ModelPart.attribute("remark"),
      ModelPart.attribute("model", .transformableAttributeType),
    ]
    let model = NSManagedObjectModel()
    model.entities = [diary]
    return model
  }
}

private final class Diary: NSManagedObject {
  private static let textProperty = ManagedProperty("text")
  var settings = 0

  var text: String? {
    get { managedValue(Self.textProperty) }
    set {
      settings += 1
      setManagedValue(newValue, Self.textProperty)
    }
  }

  private static let modelProperty = ManagedProperty("model")
  var partner: Diary?

  var model: Diary? {
    get { managedValue(Self.modelProperty) }
    set { setManagedValue(newValue, Self.modelProperty) }
  }

  /// Not seen by Objective-C, where it would be no getter of the model's property.
  var remark: String? {
    let all = [value(forKey: "remark"), partner?.value(forKey: "remark")]
    return all.compactMap { $0 as? String }.joined(separator: " ")
  }

  override func awakeFromFetch() { setValue(7, forKey: "count") }

  override func validateForInsert() throws {}
}
