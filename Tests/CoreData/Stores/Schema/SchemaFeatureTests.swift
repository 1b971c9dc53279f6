import CoreDataSupport
import Foundation
import Testing

@testable import CoreData
@testable import CoreDataSamples

/// What a model says about indexes and relationships beyond the usual, in the file.
@Suite struct SchemaFeatureTests {
  private func element(
    _ attribute: NSPropertyDescription, _ type: NSFetchIndexElementType = .binary
  ) -> NSFetchIndexElementDescription {
    NSFetchIndexElementDescription(property: attribute, collationType: type)
  }

  private func model(_ change: (NSEntityDescription) -> Void) -> NSManagedObjectModel {
    let place = ModelPart.entity("Place")
    place.properties = [
      ModelPart.attribute("latitude", .doubleAttributeType),
      ModelPart.attribute("longitude", .doubleAttributeType),
      ModelPart.attribute("name"),
      ModelPart.attribute("kind", .integer16AttributeType),
    ]
    change(place)
    let model = NSManagedObjectModel()
    model.entities = [place]
    return model
  }

  private func attribute(_ name: String, _ entity: NSEntityDescription) -> NSPropertyDescription {
    entity.propertiesByName[name] ?? NSPropertyDescription()
  }

  @Test func anRTreeFollowsItsRows() throws {
    let fixture = try StoreFixture(
      model { place in
        place.indexes = [
          NSFetchIndexDescription(
            name: "bounds",
            elements: ["latitude", "longitude"].map { element(attribute($0, place), .rTree) })
        ]
      })
    let plain = PlainSQL(url: fixture.url)
    let schema = try plain.schema
    #expect(
      schema.contains(
        "CREATE VIRTUAL TABLE Z_RT_Place_bounds USING RTREE (Z_PK INTEGER PRIMARY KEY, "
          + "ZLATITUDE_MIN FLOAT, ZLATITUDE_MAX FLOAT, ZLONGITUDE_MIN FLOAT, ZLONGITUDE_MAX FLOAT)")
    )
    #expect(
      schema.contains(
        "CREATE TRIGGER Z_RT_Place_bounds_INSERT AFTER INSERT ON ZPLACE FOR EACH ROW BEGIN "
          + "INSERT OR REPLACE INTO Z_RT_Place_bounds (Z_PK, ZLATITUDE_MIN, ZLATITUDE_MAX, "
          + "ZLONGITUDE_MIN, ZLONGITUDE_MAX) VALUES (NEW.Z_PK, NEW.ZLATITUDE ,NEW.ZLATITUDE, "
          + "NEW.ZLONGITUDE, NEW.ZLONGITUDE) ; END"))
    let ids = try fixture.insert(
      "Place",
      [
        ["latitude": .real(1), "longitude": .real(2)],
        ["latitude": .real(50), "longitude": .real(8)],
      ])
    let inside =
      "SELECT Z_PK FROM Z_RT_Place_bounds WHERE ZLATITUDE_MIN >= 40 AND ZLATITUDE_MAX <= 60"
    #expect(try plain.rows(inside) == ["2"])
    let row = try #require(try fixture.store.row(of: ids[0]))
    try fixture.update(row, ["latitude": .real(45)])
    #expect(try plain.rows(inside).sorted() == ["1", "2"])
    var changes = StoreChanges()
    changes.deleted = [.init(identity: ids[1], snapshot: nil)]
    try fixture.store.save(changes)
    #expect(try plain.rows(inside) == ["1"])
    try fixture.close()
    let again = try StoreFixture(
      fixture.coordinator.managedObjectModel, in: fixture.folder)
    #expect(try again.keys("Place", "latitude > 40") == [1])
  }

  @Test func anRTreeOfTextIsRefused() throws {
    let model = model { place in
      place.indexes = [
        NSFetchIndexDescription(name: "odd", elements: [element(attribute("name", place), .rTree)])
      ]
    }
    let error = #expect(throws: NSError.self) { try StoreFixture(model) }
    let reason = error?.userInfo["reason"] as? String ?? ""
    #expect(reason.contains("odd"))
  }

  @Test func aPartialIndexHasItsCondition() throws {
    let fixture = try StoreFixture(
      model { place in
        let index = NSFetchIndexDescription(
          name: "named", elements: [element(attribute("name", place))])
        index.partialIndexPredicate = NSPredicate(format: "kind == 3 AND name != %@", "it's")
        let fuzzy = NSFetchIndexDescription(
          name: "fuzzy", elements: [element(attribute("kind", place))])
        fuzzy.partialIndexPredicate = NSPredicate(format: "name LIKE[cd] 'a*'")
        place.indexes = [index, fuzzy]
      })
    let schema = try PlainSQL(url: fixture.url).schema
    #expect(
      schema.contains {
        $0.hasPrefix("CREATE INDEX Z_Place_named ON ZPLACE (ZNAME COLLATE BINARY ASC) WHERE (")
          && $0.contains("ZKIND = 3")
      }, "\(schema)")
    #expect(schema.contains("CREATE INDEX Z_Place_fuzzy ON ZPLACE (ZKIND COLLATE BINARY ASC)"))
    try fixture.insert("Place", [["name": .text("a"), "kind": .integer(3)]])
    #expect(try fixture.keys("Place", "kind == 3 AND name == 'a'") == [1])
    #expect(try PlainSQL(url: fixture.url).rows("PRAGMA integrity_check") == ["ok"])
  }

  // MARK: - Indexes that no column is for

  /// Of a relationship to many, alone and beside others, and of a transient attribute.
  @Test func anIndexOfWhatHasNoColumnIsNoIndexAndNoError() throws {
    let (child, parent) = (ModelPart.entity("Child"), ModelPart.entity("Parent"))
    let children = ModelPart.relationship("children", to: child, maxCount: 0)
    let up = ModelPart.relationship("parent", to: parent, maxCount: 1)
    (children.inverseRelationship, up.inverseRelationship) = (up, children)
    let (name, shown) = (
      ModelPart.attribute("name"),
      ModelPart.attribute("shown")
    )
    shown.isTransient = true
    parent.properties = [name, shown, children]
    child.properties = [ModelPart.attribute("name"), up]
    parent.indexes = [
      NSFetchIndexDescription(name: "many", elements: [element(children)]),
      NSFetchIndexDescription(name: "both", elements: [element(name), element(children)]),
      NSFetchIndexDescription(name: "shown", elements: [element(shown)]),
      NSFetchIndexDescription(name: "name", elements: [element(name)]),
    ]
    let model = NSManagedObjectModel()
    model.entities = [child, parent]
    let fixture = try StoreFixture(model)
    try fixture.insert("Parent", [["name": .text("a")]])
    let indexes = try PlainSQL(url: fixture.url).schema.filter { $0.contains("Z_Parent") }
    #expect(indexes == ["CREATE INDEX Z_Parent_name ON ZPARENT (ZNAME COLLATE BINARY ASC)"])
  }

  // MARK: - To-many without an inverse

  private func onesided(isOrdered: Bool) -> NSManagedObjectModel {
    let (child, parent) = (ModelPart.entity("Child"), ModelPart.entity("Parent"))
    parent.properties = [
      ModelPart.relationship("children", to: child, maxCount: 0, isOrdered: isOrdered)
    ]
    child.properties = [ModelPart.attribute("name")]
    let model = NSManagedObjectModel()
    model.entities = [child, parent]
    return model
  }

  @Test(arguments: [false, true])
  func aToManyRelationshipWithoutAnInverseKeepsItsMembers(_ isOrdered: Bool) throws {
    let stack = try TestStack(.sqlite, model: onesided(isOrdered: isOrdered))
    func names(_ parent: NSManagedObject) -> [String] {
      let members = parent.value(forKey: "children")
      let array = (members as? NSOrderedSet)?.array ?? (members as? NSSet)?.allObjects ?? []
      let names = array.compactMap { ($0 as? NSManagedObject)?.value(forKey: "name") as? String }
      return isOrdered ? names : names.sorted()
    }
    try stack.withContext { context in
      let children = ["c", "a", "b"].map { name in
        let child = NSEntityDescription.insertNewObject(forEntityName: "Child", into: context)
        child.setValue(name, forKey: "name")
        return child
      }
      let parent = NSEntityDescription.insertNewObject(forEntityName: "Parent", into: context)
      let set: Any = isOrdered ? NSOrderedSet(array: children) : NSSet(array: children)
      parent.setValue(set, forKey: "children")
      try context.save()
      context.reset()
      let again = context.object(with: parent.objectID)
      #expect(names(again) == (isOrdered ? ["c", "a", "b"] : ["a", "b", "c"]))
      let rest = [children[2], children[0]].map { context.object(with: $0.objectID) }
      again.setValue(
        isOrdered ? NSOrderedSet(array: rest) as Any : NSSet(array: rest), forKey: "children")
      try context.save()
      context.reset()
      #expect(
        names(context.object(with: parent.objectID)) == (isOrdered ? ["b", "c"] : ["b", "c"]))
      let request = NSFetchRequest<NSManagedObject>(entityName: "Parent")
      request.predicate = NSPredicate(format: "ANY children.name == 'b' AND children.@count == 2")
      #expect(try context.fetch(request).count == 1)
      context.delete(context.object(with: parent.objectID))
      try context.save()
      let left = NSFetchRequest<NSManagedObject>(entityName: "Child")
      #expect(try context.count(for: left) == 3)
    }
    let store = try #require(stack.coordinator.persistentStores.first as? SQLiteStore)
    let columns = try PlainSQL(url: try #require(store.url)).rows(
      "SELECT Z2CHILDREN FROM ZCHILD WHERE Z2CHILDREN IS NOT NULL")
    #expect(columns == [])
  }

  @Test func aConfigurationBringsTheWholeTreeOfItsEntities() throws {
    let (base, book, other) = (
      ModelPart.entity("Base"), ModelPart.entity("Book"), ModelPart.entity("Other")
    )
    base.properties = [ModelPart.attribute("name")]
    base.subentities = [book]
    let model = NSManagedObjectModel()
    model.entities = [base, book, other]
    model.setEntities([base], forConfigurationName: "Bases")
    model.setEntities([other], forConfigurationName: "Others")
    let folder = try StoreFixture.makeFolder()
    let url = folder.appendingPathComponent("Store.sqlite")
    let whole = try StoreFixture(model, in: folder)
    try whole.insert("Book", [["name": .text("b")]])
    try whole.close()
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    try coordinator.addPersistentStore(type: .sqlite, configuration: "Bases", at: url)
    let rows = try coordinator.rows(FetchPlan(layout: base.layout), in: nil)
    #expect(rows.map { $0.layout.entity.name } == ["Book"])
  }

  // MARK: - Composite attributes

  @Test func elementsOfCompositesHaveColumnsIndexesAndConstraints() throws {
    let shop = ModelPart.entity("Shop")
    let places = ["home", "branch"].map { name in
      let composite = NSCompositeAttributeDescription()
      composite.name = name
      composite.isOptional = true
      composite.elements = [
        ModelPart.attribute("code", .integer32AttributeType),
        ModelPart.attribute("city"),
      ]
      return composite
    }
    shop.properties = places + [ModelPart.attribute("city")]
    shop.uniquenessConstraints = [["home.code"]]
    let model = NSManagedObjectModel()
    model.entities = [shop]
    let fixture = try StoreFixture(model)
    let schema = try PlainSQL(url: fixture.url).schema
    #expect(
      schema[0] == "CREATE TABLE ZSHOP ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, "
        + "ZCODE INTEGER, ZCODE1 INTEGER, ZCITY VARCHAR, ZCITY1 VARCHAR, ZCITY2 VARCHAR )")
    #expect(
      schema.contains(
        "CREATE UNIQUE INDEX \"Z_Shop_UNIQUE_home.code\" ON ZSHOP (ZCODE1 COLLATE BINARY ASC)"))
    try fixture.insert("Shop", [["home.code": .integer(1), "branch.city": .text("Ulm")]])
    #expect(throws: (any Error).self) { try fixture.insert("Shop", [["home.code": .integer(1)]]) }
    #expect(try fixture.keys("Shop", "branch.city == 'Ulm' AND home.code == 1") == [1])
  }
}
