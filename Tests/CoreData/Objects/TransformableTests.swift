import CoreData
import Testing

@Suite struct TransformableTests {
  private func model(_ transformer: String?) -> NSManagedObjectModel {
    let note = NSEntityDescription()
    note.name = "Note"
    let words = NestedModel.attribute("words", .transformableAttributeType)
    words.valueTransformerName = transformer
    note.properties = [words]
    let model = NSManagedObjectModel()
    model.entities = [note]
    return model
  }

  private func notes(_ context: NSManagedObjectContext) throws -> [NSManagedObject] {
    try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Note"))
  }

  private func roundTrip(
    _ kind: StoreKind, _ transformer: String?, _ value: Any
  ) throws -> Any? {
    let stack = try TestStack(kind, model: model(transformer))
    try stack.withContext { context in
      _ = context.insert("Note", ["words": value])
      try context.save()
    }
    return try stack.withContext { try notes($0)[0].value(forKey: "words") }
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
    let stack = try TestStack(.sqlite, model: model("Reversing"))
    try stack.withContext { context in
      _ = context.insert("Note", ["words": NSNumber(value: 3)])
      let error = try #require(throws: NSError.self) { try context.save() }
      #expect(error.code == 134060)
      #expect(error.localizedFailureReason?.contains("words") == true)
      #expect(context.hasChanges)
    }
  }

  @Test func dataThatCannotBeReadSayWhy() throws {
    let stack = try TestStack(.sqlite, model: model("Vanishing"))
    ValueTransformer.setValueTransformer(
      ReversingTransformer(), forName: NSValueTransformerName("Vanishing"))
    try stack.withContext { context in
      _ = context.insert("Note", ["words": "secret" as NSString])
      try context.save()
    }
    let url = stack.coordinator.persistentStores[0].url
    ReversingTransformer.register()
    let other = NSPersistentStoreCoordinator(managedObjectModel: model("Unreadable"))
    ValueTransformer.setValueTransformer(
      UnreadableTransformer(), forName: NSValueTransformerName("Unreadable"))
    try other.addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: nil, at: url,
      options: [NSIgnorePersistentStoreVersioningOption: true])
    let context = NSManagedObjectContext(.privateQueue)
    context.persistentStoreCoordinator = other
    try context.performAndWait {
      let text = "\(try notes(context)[0].value(forKey: "words") ?? "nil")"
      #expect(text.contains("“words” could not be read") && text.contains("Unreadable"))
      #expect(!text.contains("secret"))
    }
  }

  @Test func aChangeInsideOfAValueIsNotNoticed() throws {
    let stack = try TestStack(.inMemory, model: model(nil))
    try stack.withContext { context in
      let words = NSMutableArray(array: ["one"])
      let note = context.insert("Note", ["words": words])
      try context.save()
      (note.value(forKey: "words") as? NSMutableArray)?.add("two")
      #expect(!context.hasChanges)
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
