import CoreData
import CoreDataSupport
import Testing

@testable import CoreDataSamples

@Suite struct TransformableTests {
  private static func model(_ transformer: String?) -> NSManagedObjectModel {
    let note = NSEntityDescription()
    note.name = "Note"
    let words = ModelPart.attribute("words", .transformableAttributeType)
    words.valueTransformerName = transformer
    note.properties = [words]
    let model = NSManagedObjectModel()
    model.entities = [note]
    return model
  }

  private static func notes(_ context: NSManagedObjectContext) throws -> [NSManagedObject] {
    try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Note"))
  }

  private func roundTrip(
    _ kind: StoreKind, _ transformer: String?, _ value: Any
  ) throws -> Any? {
    let stack = try TestStack(kind, model: Self.model(transformer))
    try stack.withContext { context in
      context.insert("Note", ["words": value])
      try context.save()
    }
    return try stack.withContext { try Self.notes($0)[0].value(forKey: "words") }
  }

  @Test(arguments: StoreKind.all)
  func withoutATransformerValuesAreArchived(_ kind: StoreKind) throws {
    let value = try roundTrip(kind, nil, ["one", "two"] as NSArray)
    #expect(value as? [String] == ["one", "two"])
  }

  @Test(arguments: StoreKind.all)
  func theSecureTransformerTakesPropertyLists(_ kind: StoreKind) throws {
    let date = NSDate(timeIntervalSinceReferenceDate: 5)
    let name = NSValueTransformerName.secureUnarchiveFromDataTransformerName.rawValue
    let value = try roundTrip(kind, name, ["word", NSNumber(value: 3), date] as NSArray)
    #expect((value as? NSArray)?.count == 3)
  }

  @Test(arguments: StoreKind.all)
  func aTransformerOfOnesOwnMakesTheData(_ kind: StoreKind) throws {
    ReversingTransformer.register()
    #expect(try roundTrip(kind, "Reversing", "word" as NSString) as? String == "word")
  }

  @Test func aValueThatCannotBeMadeDataFailsTheSaveWithItsReason() throws {
    ReversingTransformer.register()
    let stack = try TestStack(.sqlite, model: Self.model("Reversing"))
    try stack.withContext { context in
      context.insert("Note", ["words": NSNumber(value: 3)])
      let error = try #require(throws: NSError.self) { try context.save() }
      #expect(error.code == 134060)
      #expect(error.localizedFailureReason?.contains("words") == true)
      #expect(context.hasChanges)
    }
  }

  /// A stored value whose transformer has changed its mind since.
  private static func withUnreadableNote(_ body: (NSManagedObject) throws -> Void) throws {
    ValueTransformer.setValueTransformer(
      ReversingTransformer(), forName: NSValueTransformerName("Changing"))
    let stack = try TestStack(.sqlite, model: model("Changing"))
    try stack.withContext { context in
      context.insert("Note", ["words": "secret" as NSString])
      try context.save()
    }
    ValueTransformer.setValueTransformer(
      UnreadableTransformer(), forName: NSValueTransformerName("Changing"))
    let other = NSPersistentStoreCoordinator(managedObjectModel: model("Changing"))
    try other.addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: nil,
      at: stack.coordinator.persistentStores[0].url)
    let context = other.makeContext()
    try context.performAndWait { try body(try notes(context)[0]) }
  }

  @Test func dataThatCannotBeReadSayWhy() async throws {
    let result = try #require(
      await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
        try Self.withUnreadableNote { note in
          #expect("\(note.value(forKey: "words") ?? "nil")".contains("“words” could not be read"))
          let words: [String]? = note.managedValue(ManagedProperty("words"))
          #expect(words == nil)
        }
      })
    let log = result.complaint
    #expect(log.contains("CoreData: error: The value of “words” could not be read"))
    #expect(log.contains("Changing") && !log.contains("secret"))
  }

  @Test func aSubclassOfTheSecureTransformerAllowsItsClasses() throws {
    ValueTransformer.setValueTransformer(
      LengthTransformer(), forName: NSValueTransformerName("Length"))
    let value = try roundTrip(.sqlite, "Length", TransformedLength(metres: 3))
    #expect((value as? TransformedLength)?.metres == 3)
    // The other way round than transformers of one's own: towards data is the reverse.
    let data = LengthTransformer().reverseTransformedValue(TransformedLength(metres: 4))
    #expect(data is Data)
    let back = LengthTransformer().transformedValue(data) as? TransformedLength
    #expect(back?.metres == 4)
  }

  @Test func namesOfTransformersAreApples() {
    #expect(
      NSValueTransformerName.keyedUnarchiveFromDataTransformerName.rawValue
        == "NSKeyedUnarchiveFromData")
    #expect(
      NSValueTransformerName.secureUnarchiveFromDataTransformerName.rawValue
        == "NSSecureUnarchiveFromData")
  }

  @Test(arguments: StoreKind.all)
  func aDefaultObjectIsTheValueOfANewObjectUntilItIsSetToNil(_ kind: StoreKind) throws {
    let model = Self.model(nil)
    model.entities[0].attributesByName["words"]?.defaultValue = ["none"] as NSArray
    let stack = try TestStack(kind, model: model)
    try stack.withContext { context in
      let note = context.insert("Note")
      #expect(note.value(forKey: "words") as? [String] == ["none"])
      note.setValue(nil, forKey: "words")
      #expect(note.value(forKey: "words") == nil)
      try context.save()
    }
    try stack.withContext { context in
      let notes = try Self.notes(context)
      #expect(notes.count == 1 && notes[0].value(forKey: "words") == nil)
    }
  }

  @Test func aChangeInsideOfAValueIsNotNoticed() throws {
    let stack = try TestStack(.sqlite, model: Self.model(nil))
    try stack.withContext { context in
      let words = NSMutableArray(array: ["one"])
      let note = context.insert("Note", ["words": words])
      try context.save()
      (note.value(forKey: "words") as? NSMutableArray)?.add("two")
      #expect(!context.hasChanges)
      try context.save()
    }
    try stack.withContext { context in
      let words = try Self.notes(context).first?.value(forKey: "words") as? [String]
      #expect(words == ["one"])
    }
  }
}

/// Text to its characters in reverse.
private final class ReversingTransformer: ValueTransformer, @unchecked Sendable {
  static func register() {
    setValueTransformer(ReversingTransformer(), forName: NSValueTransformerName("Reversing"))
  }

  override func transformedValue(_ value: Any?) -> Any? {
    (value as? String).map { Data(String($0.reversed()).utf8) }
  }

  override func reverseTransformedValue(_ value: Any?) -> Any? {
    (value as? Data).map { String(String(decoding: $0, as: UTF8.self).reversed()) }
  }
}

private final class UnreadableTransformer: ValueTransformer, @unchecked Sendable {
  override func reverseTransformedValue(_ value: Any?) -> Any? { nil }
}

/// Goes from data to lengths, as its superclass does.
private final class LengthTransformer: NSSecureUnarchiveFromDataTransformer, @unchecked Sendable {
  override class var allowedTopLevelClasses: [AnyClass] {
    super.allowedTopLevelClasses + [TransformedLength.self]
  }
}

final class TransformedLength: NSObject, NSSecureCoding {
  static var supportsSecureCoding: Bool { true }
  let metres: Double

  init(metres: Double) { self.metres = metres }

  required init?(coder: NSCoder) { metres = coder.decodeDouble(forKey: "metres") }

  func encode(with coder: NSCoder) { coder.encode(metres, forKey: "metres") }
}
