import CoreData
import Foundation
import Testing

/// Keyed archives have the names that classes have on Apple's systems, wherever they stand.
@Suite struct ArchiveTests {
  private func archive(_ object: Any, secure: Bool = true) throws -> Data {
    try NSKeyedArchiver.archivedData(withRootObject: object, requiringSecureCoding: secure)
  }

  /// The names of classes in an archive.
  private func names(_ data: Data) throws -> [String] {
    let archive = try PropertyListSerialization.propertyList(from: data, format: nil)
    let objects = (archive as? [String: Any])?["$objects"] as? [Any] ?? []
    return objects.compactMap { ($0 as? [String: Any])?["$classname"] as? String }
  }

  @Test(arguments: AllMarks.made.indices) func aClassIsArchivedByItsName(index: Int) throws {
    let (mark, name) = AllMarks.made[index]
    let data = try archive(mark)
    #expect(try names(data) == [name])
    let found = try #require(
      try NSKeyedUnarchiver.unarchivedObject(ofClass: Mark.self, from: data))
    #expect(type(of: found) == type(of: mark) && found.text == mark.text)
    #expect(AllMarks.name(of: mark) == name)
    #expect(AllMarks.markClass(named: name) == type(of: mark))
  }

  @Test func collectionsHaveThemAll() throws {
    let marks = AllMarks.made.map(\.mark)
    let data = try archive(marks as NSArray)
    let found = try NSKeyedUnarchiver.unarchivedObject(
      ofClasses: [NSArray.self, Mark.self], from: data)
    #expect(
      (found as? [Mark])?.map { "\(type(of: $0)) \($0.text)" }
        == marks.map { "\(type(of: $0)) \($0.text)" })
  }

  @Test func theNamesOfAncestorsAreThereToo() throws {
    let data = try archive(Below("x"))
    let archive = try PropertyListSerialization.propertyList(from: data, format: nil)
    let objects = (archive as? [String: Any])?["$objects"] as? [Any] ?? []
    let classes = objects.compactMap { ($0 as? [String: Any])?["$classes"] as? [String] }
    #expect(
      classes == [
        [
          "PortedSourcesTests.Below", "_TtCV18PortedSourcesTests5Marks5Inner",
          "PortedSourcesTests.Mark", "NSObject",
        ]
      ])
  }

  @Test func oneIsDecodedWithoutSecureCoding() throws {
    let data = try archive(Mark.Plain(7), secure: false)
    #expect(try names(data) == ["_TtCC18PortedSourcesTests4Mark5Plain"])
    let reader = try NSKeyedUnarchiver(forReadingFrom: data)
    reader.requiresSecureCoding = false
    let found = reader.decodeObject(forKey: NSKeyedArchiveRootObjectKey) as? Mark.Plain
    #expect(found?.number == 7)
  }

  @Test func aClassMayNameAnother() throws {
    #expect(
      try names(archive(Disguised.Inner("x"))) == ["_TtCV18PortedSourcesTests5Marks5Inner"])
  }

  @Test(arguments: AllMarks.made.indices) func transformersAllowThem(index: Int) throws {
    final class MarkTransformer: NSSecureUnarchiveFromDataTransformer {
      override class var allowedTopLevelClasses: [AnyClass] { [Mark.self] }
    }
    let (mark, _) = AllMarks.made[index]
    let transformer = MarkTransformer()
    let data = try #require(transformer.reverseTransformedValue(mark) as? Data)
    let found = try #require(transformer.transformedValue(data) as? Mark)
    #expect(type(of: found) == type(of: mark) && found.text == mark.text)
  }

  /// A transformable attribute whose class the model names, without a transformer of its own.
  @Test(arguments: AllMarks.made.indices) @MainActor func storesKeepThem(index: Int) throws {
    let (mark, name) = AllMarks.made[index]
    let attribute = NSAttributeDescription()
    (attribute.name, attribute.attributeType) = ("mark", .transformableAttributeType)
    attribute.attributeValueClassName = name
    let entity = NSEntityDescription()
    (entity.name, entity.properties) = ("Page", [attribute])
    let model = NSManagedObjectModel()
    model.entities = [entity]
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: nil, at: URL(fileURLWithPath: "/dev/null"))
    let context = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    let page = NSManagedObject(entity: entity, insertInto: context)
    page.setValue(mark, forKey: "mark")
    try context.save()
    context.reset()
    let found = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Page"))
    let kept = try #require(found.first?.value(forKey: "mark") as? Mark)
    #expect(type(of: kept) == type(of: mark) && kept.text == mark.text)
  }

  @Test func whatIsNotBuiltIsNotRegistered() {
    let answer = Desk().perform(Selector(("knock"))).takeUnretainedValue()
    #expect(answer as? NSString == "come in")
    #expect(!Desk().responds(to: Selector(("knock:"))))
  }
}
