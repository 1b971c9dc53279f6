import CoreData
import Testing

@Suite struct FoundByNameTests {
  private func withContext(_ body: (NSManagedObjectContext) throws -> Void) throws {
    let model = NSManagedObjectModel()
    model.entities = [("Contact", "Contact"), ("Strict", "StrictContact")].map { name, className in
      let entity = NSEntityDescription()
      entity.name = name
      entity.managedObjectClassName = "SourceCompatibilityTests.\(className)"
      entity.properties = ["firstName", "lastName", "age", "note"].map { name in
        let attribute = NSAttributeDescription()
        attribute.name = name
        attribute.attributeType = name == "age" ? .integer16AttributeType : .stringAttributeType
        attribute.isOptional = true
        return attribute
      }
      return entity
    }
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    try coordinator.addPersistentStore(
      ofType: NSInMemoryStoreType, configurationName: nil, at: nil)
    let context = NSManagedObjectContext(.privateQueue)
    context.persistentStoreCoordinator = coordinator
    try context.performAndWait { try body(context) }
  }

  private func make<Made: Contact>(
    _ entity: String, _ type: Made.Type, in context: NSManagedObjectContext
  ) throws -> Made {
    try #require(
      NSEntityDescription.insertNewObject(forEntityName: entity, into: context) as? Made)
  }

  @Test func methodsCheckTheirKeysWhenTheContextSaves() throws {
    try withContext { context in
      let contact = try make("Contact", Contact.self, in: context)
      contact.firstName = "  Ann "
      try context.save()
      #expect(contact.firstName == "Ann")
      contact.firstName = "refused"
      #expect(throws: (any Error).self) { try context.save() }
      var value: Any? = " Bob "
      try contact.validateValue(&value, forKey: "firstName")
      #expect(value as? String == "Bob")
      var object: AnyObject? = " Zoe " as NSString
      try contact.validateValue(&object, forKey: "firstName")
      #expect(object as? String == "Zoe")
    }
  }

  @Test func theMethodForAllValuesMayHaveApplesForm() throws {
    try withContext { context in
      let contact = try make("Strict", StrictContact.self, in: context)
      contact.firstName = " Ann"
      try context.save()
      #expect(contact.firstName == "Ann" && contact.note == "none")
      contact.age = -1
      #expect(throws: (any Error).self) { try context.save() }
      var value: Any? = -3
      #expect(throws: (any Error).self) { try contact.validateValue(&value, forKey: "age") }
    }
  }

  @Test func computedPropertiesAreObservedByKeyPaths() throws {
    try withContext { context in
      let contact = try make("Strict", StrictContact.self, in: context)
      var told: [String] = []
      let observations = [
        contact.observe(\.fullName, options: [.new]) { _, change in
          told.append("name \(change.newValue ?? "?")")
        },
        (contact as Contact).observe(\.initials, options: [.new]) { _, change in
          told.append("initials \(change.newValue ?? "?")")
        },
      ]
      contact.firstName = "Ann"
      contact.note = "unrelated"
      contact.lastName = "Lee"
      #expect(
        told.sorted() == ["initials ", "initials AL", "name Ann", "name Ann Lee"], "\(told)")
      withExtendedLifetime(observations) {}
    }
  }

  @Test func protocolsOfResultsAreFetched() throws {
    try withContext { context in
      let contact = try make("Contact", Contact.self, in: context)
      try context.save()
      #expect(try Contact.all(in: context) == [contact])
      #expect(try Contact.first(in: context) === contact)
      #expect(try NSManagedObject.count(of: Contact.self, context) == 1)
      let request = NSFetchRequest<NSFetchRequestResult>(entityName: "Contact")
      #expect(try context.fetch(request) as? [Contact] == [contact])
      let typed = Contact.fetchRequest() as NSFetchRequest<Contact>
      #expect(try context.fetch(typed) == [contact])
    }
  }

  @Test func castsBridgeAsOnApplesSystems() throws {
    let description = NSPersistentStoreDescription()
    description.setOption(
      FileProtectionType.complete as NSObject, forKey: NSPersistentStoreFileProtectionKey)
    #expect(
      description.options[NSPersistentStoreFileProtectionKey] as? String
        == FileProtectionType.complete.rawValue)
    var snapshot = NSDiffableDataSourceSnapshot<String, Int>()
    snapshot.appendSections(["a"])
    snapshot.appendItems([1, 2])
    let reference = NSDiffableDataSourceSnapshotReference(snapshot)
    let typed = reference as NSDiffableDataSourceSnapshot<String, Int>
    #expect(typed.itemIdentifiers == [1, 2])
    #expect((reference as Any) as? NSDiffableDataSourceSnapshot<String, String> == nil)
    #expect(NSSelectorFromString("name:") == Selector("name:"))
  }
}
