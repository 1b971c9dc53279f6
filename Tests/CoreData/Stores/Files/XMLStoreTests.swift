import CoreDataSupport
import Foundation
import Testing

@testable import CoreData
@testable import CoreDataSamples

/// XML stores: Apple's format, and what must not be read.
@Suite struct XMLStoreTests {
  private static let ignoring = [NSIgnorePersistentStoreVersioningOption: true]

  private func write(_ text: String) throws -> URL {
    let url = try StoreFixture.makeFolder().appendingPathComponent("store.xml")
    try Data(text.utf8).write(to: url)
    return url
  }

  private func open(
    _ url: URL, options: [AnyHashable: Any]? = ignoring,
    model: NSManagedObjectModel = PeopleModel.make()
  ) throws -> NSManagedObjectContext {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    try coordinator.addPersistentStore(type: .xml, at: url, options: options)
    let context = coordinator.makeContext()
    return context
  }

  private static func document(_ objects: String, declaration: String = "") -> String {
    """
    <?xml version="1.0" standalone="no"?>
    <!DOCTYPE database SYSTEM "file:///System/Library/DTDs/CoreData.dtd"\(declaration)>

    <database>
        <databaseInfo>
            <version>134481920</version>
            <UUID>7A0F9C1E-55D0-4B1C-9C7B-64D37BB0E5B1</UUID>
            <nextObjectID>110</nextObjectID>
            <metadata></metadata>
        </databaseInfo>
    \(objects)
    </database>
    """
  }

  private static let people = document(
    """
        <object type="PERSON" id="z102">
            <attribute name="name" type="string">Ann &amp; Bob</attribute>
            <attribute name="born" type="date">445103622.25000000000000000000</attribute>
            <relationship name="reports" type="0/0" destination="PERSON" idrefs="z104"></relationship>
            <relationship name="tags" type="0/0" destination="TAG" idrefs="z103"></relationship>
        </object>
        <object type="TAG" id="z103">
            <attribute name="name" type="string">red</attribute>
        </object>
        <object type="EMPLOYEE" id="z104">
            <attribute name="salary" type="int32">-7</attribute>
            <relationship name="boss" type="0/1" destination="PERSON" idrefs="z102"></relationship>
        </object>
    """)

  @Test func aStoreWithNamesInOtherCasesIsRead() throws {
    let context = try open(write(Self.people))
    try context.performAndWait {
      let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
      request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: false)]
      let people = try context.fetch(request)
      #expect(people.map(\.entity.name) == ["Person", "Employee"])
      #expect(people[0].value(forKey: "name") as? String == "Ann & Bob")
      #expect(
        people[0].value(forKey: "born") as? Date
          == Date(timeIntervalSinceReferenceDate: 445_103_622.25))
      #expect(people[1].value(forKey: "boss") as? NSManagedObject === people[0])
      #expect(people[1].value(forKey: "salary") as? Int == -7)
      #expect((people[0].value(forKey: "tags") as? NSSet)?.count == 1)
      #expect(people[0].objectID.uriRepresentation().lastPathComponent == "p102")
      let next = NSEntityDescription.insertNewObject(forEntityName: "Tag", into: context)
      try context.save()
      #expect(next.objectID.uriRepresentation().lastPathComponent == "p110")
    }
  }

  @Test func aStoreThatNamesNoVersionsOpensOnlyWhenTheyAreIgnored() throws {
    let error = #expect(throws: NSError.self) { try open(write(Self.people), options: nil) }
    #expect(error?.code == NSPersistentStoreIncompatibleVersionHashError)
  }

  @Test func theFileIsAsApplesIs() throws {
    let url = try StoreFixture.makeFolder().appendingPathComponent("store.xml")
    let context = try open(url, options: nil)
    try context.performAndWait {
      let person = NSEntityDescription.insertNewObject(forEntityName: "Person", into: context)
      person.setValue("A<B", forKey: "name")
      person.setValue(Date(timeIntervalSinceReferenceDate: 445_103_622.25), forKey: "born")
      try context.save()
    }
    let text = try String(contentsOf: url, encoding: .utf8)
    let boss = try #require(
      PeopleModel.make().entitiesByName["Person"]?.relationshipsByName["boss"])
    let counts = "\(boss.minCount)/\(boss.maxCount)"
    for part in [
      "<!DOCTYPE database SYSTEM \"file:///System/Library/DTDs/CoreData.dtd\">",
      "<version>134481920</version>", "<nextObjectID>2</nextObjectID>",
      "<key>NSStoreModelVersionHashes</key>",
      "<object type=\"PERSON\" id=\"z1\">",
      "<attribute name=\"name\" type=\"string\">A&lt;B</attribute>",
      "<attribute name=\"born\" type=\"date\">445103622.25000000000000000000</attribute>",
      "<relationship name=\"boss\" type=\"\(counts)\" destination=\"PERSON\"></relationship>",
    ] { #expect(text.contains(part), "\(part)") }
    #expect(!text.contains("NSStoreUUID"))
  }

  @Test func entitiesOfADeclarationAreRefused() throws {
    let bomb = Self.document(
      "<object type=\"TAG\" id=\"z1\"><attribute name=\"name\" type=\"string\">&c;</attribute></object>",
      declaration: " [<!ENTITY a \"ha\"><!ENTITY b \"&a;&a;\"><!ENTITY c \"&b;&b;\">]")
    let error = #expect(throws: NSError.self) { try open(write(bomb)) }
    #expect(error?.code == CocoaError.fileReadCorruptFile.rawValue)
    #expect(error?.localizedFailureReason?.contains("entities") == true)
  }

  @Test func nestingIsLimited() throws {
    let deep = String(repeating: "<array>", count: 5000)
    let text = Self.document("").replacingOccurrences(
      of: "<metadata></metadata>", with: "<metadata><plist>\(deep)</plist></metadata>")
    let error = #expect(throws: NSError.self) { try open(write(text)) }
    #expect(error?.code == CocoaError.fileReadCorruptFile.rawValue)
  }

  @Test(arguments: [
    "<object type=\"TAG\" id=\"1\"></object>",
    "<object type=\"TAG\" id=\"z0\"></object>",
    "<object type=\"TAG\" id=\"z99999999999999\"></object>",
    "<object id=\"z1\"></object>",
    "<object type=\"TAG\" id=\"z1\"></object><object type=\"TAG\" id=\"z1\"></object>",
    "<object type=\"PERSON\" id=\"z1\"><attribute name=\"age\" type=\"int64\">x</attribute></object>",
    "<object type=\"PERSON\" id=\"z1\"><relationship name=\"boss\" idrefs=\"who\"/></object>",
  ])
  func whatIsNoObjectIsDamage(object: String) throws {
    let error = #expect(throws: NSError.self) { try open(write(Self.document(object))) }
    #expect(error?.code == CocoaError.fileReadCorruptFile.rawValue)
  }

  @Test func danglingReferencesAreRefusedOnlyWhenTheFileIsValidated() throws {
    let url = try write(
      Self.document(
        "<object type=\"PERSON\" id=\"z1\"><relationship name=\"boss\" idrefs=\"z9\"/></object>"))
    let context = try open(url)
    try context.performAndWait {
      let people = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Person"))
      #expect(people[0].value(forKey: "boss") == nil)
    }
    var options: [AnyHashable: Any] = Self.ignoring
    options[NSValidateXMLStoreOption] = true
    #expect(throws: NSError.self) { try open(url, options: options) }
  }

  @Test func aLongTextAndLongDataComeBack() throws {
    let url = try StoreFixture.makeFolder().appendingPathComponent("store.xml")
    let context = try open(url, options: nil)
    let (text, data) = (String(repeating: "ä", count: 200_000), Data(count: 300_000))
    try context.performAndWait {
      let person = NSEntityDescription.insertNewObject(forEntityName: "Person", into: context)
      person.setValue(text, forKey: "name")
      person.setValue(data, forKey: "photo")
      try context.save()
    }
    let other = try open(url, options: nil)
    try other.performAndWait {
      let person = try other.fetch(NSFetchRequest<NSManagedObject>(entityName: "Person"))[0]
      #expect(person.value(forKey: "name") as? String == text)
      #expect(person.value(forKey: "photo") as? Data == data)
    }
  }

  @Test func namesThatDifferInCaseAloneStayApart() throws {
    let (upper, lower) = (ModelPart.entity("Item"), ModelPart.entity("ITEM"))
    upper.properties = [
      ModelPart.attribute("url"),
      ModelPart.attribute("URL"),
    ]
    let model = NSManagedObjectModel()
    model.entities = [upper, lower]
    let url = try StoreFixture.makeFolder().appendingPathComponent("store.xml")
    let context = try open(url, options: nil, model: model)
    try context.performAndWait {
      let item = NSEntityDescription.insertNewObject(forEntityName: "Item", into: context)
      item.setValue("a", forKey: "url")
      item.setValue("b", forKey: "URL")
      _ = NSEntityDescription.insertNewObject(forEntityName: "ITEM", into: context)
      try context.save()
    }
    let copy = try #require(model.copy() as? NSManagedObjectModel)
    let other = try open(url, options: nil, model: copy)
    try other.performAndWait {
      let items = try other.fetch(NSFetchRequest<NSManagedObject>(entityName: "Item"))
      #expect(items.count == 1)
      #expect(items[0].value(forKey: "url") as? String == "a")
      #expect(items[0].value(forKey: "URL") as? String == "b")
      #expect(try other.count(for: NSFetchRequest<NSManagedObject>(entityName: "ITEM")) == 1)
    }
  }
}
