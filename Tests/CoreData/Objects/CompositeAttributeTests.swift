import CoreData
import Testing

@testable import CoreDataSamples

@Suite struct CompositeAttributeTests {
  static let kinds = StoreKind.builtIn

  private static var berlin: [String: Any] {
    ["latitude": 52.5, "longitude": 13.4, "address": ["city": "Berlin", "zip": 10115]]
  }

  private static func equal(_ left: Any?, _ right: [String: Any]?) -> Bool {
    left as? NSDictionary == right as NSDictionary?
  }

  private func withContext(
    _ kind: StoreKind = .inMemory, _ body: (NSManagedObjectContext) throws -> Void
  ) throws {
    try TestStack(kind, model: PlacesModel.make()).withContext(body)
  }

  @Test(arguments: kinds)
  func theValueIsADictionaryOfTheElementsNestedOnesToo(_ kind: StoreKind) throws {
    let stack = try TestStack(kind, model: PlacesModel.make())
    try stack.withContext { context in
      let place = context.makePlace("b", Self.berlin)
      #expect(Self.equal(place.location, Self.berlin))
      try context.save()
    }
    try stack.withContext { context in
      let place = try #require(try context.fetch(NSFetchRequest<Place>(entityName: "Place")).first)
      #expect(Self.equal(place.value(forKey: "location"), Self.berlin))
      #expect(Self.equal(place.primitiveValue(forKey: "location"), Self.berlin))
    }
  }

  @Test func elementsThatTheDictionaryLeavesOutBecomeNil() throws {
    try withContext { context in
      let place = context.makePlace("b", Self.berlin)
      place.location = ["longitude": 2.0]
      #expect(Self.equal(place.location, ["longitude": 2.0]))
      place.location = nil
      #expect(place.location == nil)
      place.location = [:]
      #expect(place.location == nil)
    }
  }

  @Test func elementsAreReadAndSetByKeyPath() throws {
    try withContext { context in
      let place = context.makePlace("b", Self.berlin)
      let other = context.makePlace("a")
      other.setValue(place, forKey: "next")
      #expect(place.value(forKeyPath: "location.address.city") as? String == "Berlin")
      #expect(other.value(forKeyPath: "next.location.latitude") as? Double == 52.5)
      place.setValue(1.5, forKeyPath: "location.latitude")
      other.setValue("Bonn", forKeyPath: "next.location.address.city")
      #expect(place.value(forKeyPath: "location.address.city") as? String == "Bonn")
      #expect(place.location?["latitude"] as? Double == 1.5)
      #expect(place.location?["longitude"] as? Double == 13.4)
      place.setValue(["zip": 7], forKeyPath: "location.address")
      #expect(Self.equal(place.value(forKeyPath: "location.address"), ["zip": 7]))
    }
  }

  @Test func aNewObjectHasTheDefaultsOfTheElementsAndOfTheAttribute() throws {
    try withContext { context in
      let place = context.makePlace("a")
      #expect(Self.equal(place.location, ["latitude": 1.0]))
      #expect(Self.equal(place.value(forKey: "region"), ["code": "none"]))
    }
  }

  @Test(arguments: kinds)
  func fetchesCompareAndSortByElements(_ kind: StoreKind) throws {
    try withContext(kind) { context in
      _ = context.makePlace("south", ["latitude": -30.0, "address": ["city": "x", "zip": 1]])
      _ = context.makePlace("north", ["latitude": 60.0, "address": ["city": "y", "zip": 2]])
      for _ in 0..<2 {
        #expect(try context.places("location.latitude > 0") == ["north"])
        #expect(try context.places("location.address.city == 'x'") == ["south"])
        #expect(try context.places("location.longitude == nil").count == 2)
        #expect(try context.places(sortedBy: "location.latitude") == ["south", "north"])
        try context.save()
      }
      context.reset()
      #expect(try context.places("location.address.zip IN {2, 3}") == ["north"])
    }
  }

  @Test(arguments: kinds.filter(\.makesDictionaries))
  func fetchesOfDictionariesGiveElementsByKeyPath(_ kind: StoreKind) throws {
    try withContext(kind) { context in
      _ = context.makePlace("a", Self.berlin)
      try context.save()
      let request = NSFetchRequest<NSDictionary>(entityName: "Place")
      request.resultType = .dictionaryResultType
      request.propertiesToFetch = ["location.address.city", "name"]
      #expect(try context.fetch(request) == [["location.address.city": "Berlin", "name": "a"]])
      request.propertiesToFetch = ["location"]
      #expect(throws: NSError.self) { try context.fetch(request) }
    }
  }

  @Test func whatHasChangedIsTheWholeAttribute() throws {
    try withContext { context in
      let place = context.makePlace("b", ["longitude": 1.0])
      try context.save()
      place.setValue(2.0, forKeyPath: "location.longitude")
      #expect(place.changedValues().keys.sorted() == ["location"])
      #expect(Self.equal(place.changedValues()["location"], ["longitude": 2.0]))
      let old: [String: Any] = ["longitude": 1.0]
      #expect(Self.equal(place.committedValues(forKeys: ["location"])["location"], old))
      #expect(Self.equal(place.changedValuesForCurrentEvent()["location"], old))
    }
  }

  @Test func anEditOfAnElementIsUndone() throws {
    try withContext { context in
      let manager = UndoManager()
      context.undoManager = manager
      let place = context.makePlace("b", ["longitude": 1.0])
      manager.endEvent()
      place.setValue(2.0, forKeyPath: "location.longitude")
      context.undo()
      #expect(Self.equal(place.location, ["longitude": 1.0]))
      context.redo()
      #expect(Self.equal(place.location, ["longitude": 2.0]))
    }
  }

  private func failure(_ edit: (Place) -> Void) throws -> NSError? {
    var failure: NSError?
    try withContext { context in
      edit(context.makePlace("b"))
      do { try context.save() } catch { failure = error as NSError }
    }
    return failure
  }

  @Test func elementsAreValidatedUnlessTheCompositeIsNil() throws {
    #expect(try failure { $0.location = nil } == nil)
    #expect(try failure { $0.location = ["address": ["zip": 3]] } == nil)
    let missing = try #require(try failure { $0.location = ["address": ["city": "x"]] })
    #expect(missing.code == NSValidationMissingMandatoryPropertyError)
    #expect(missing.userInfo[NSValidationKeyErrorKey] as? String == "location.address.zip")
    let broken = try failure { $0.location = ["address": ["zip": 0]] }
    #expect(broken?.localizedDescription == "A zip below one")
  }

  @Test func aMandatoryCompositeMustHaveAnElement() throws {
    let missing = try #require(try failure { $0.setValue(nil, forKey: "region") })
    #expect(missing.code == NSValidationMissingMandatoryPropertyError)
    #expect(missing.userInfo[NSValidationKeyErrorKey] as? String == "region")
  }

  @Test(arguments: kinds)
  func byPropertyPoliciesMergeElementByElement(_ kind: StoreKind) throws {
    let stack = try TestStack(kind, model: PlacesModel.make())
    try stack.withContext { mine in
      let place = mine.makePlace("b", ["latitude": 1.0, "longitude": 1.0])
      try mine.save()
      try stack.withContext { theirs in
        let twin = try theirs.existingObject(with: place.objectID)
        twin.setValue(2.0, forKeyPath: "location.latitude")
        try theirs.save()
      }
      place.setValue(3.0, forKeyPath: "location.longitude")
      mine.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
      try mine.save()
      #expect(Self.equal(place.location, ["latitude": 2.0, "longitude": 3.0]))
    }
  }

  @Test func compositesGoThroughCompiledModelsAndCountInTheVersionHash() throws {
    let model = PlacesModel.make()
    let copy = try NSManagedObjectModel(archivedData: try model.compiledData())
    #expect(copy == model)
    #expect(copy.entityVersionHashesByName == model.entityVersionHashesByName)
    let location = try #require(
      PlacesModel.make().entitiesByName["Place"]?.attributesByName["location"]
        as? NSCompositeAttributeDescription)
    let before = location.versionHash
    location.elements.removeLast()
    #expect(location.versionHash != before)
  }

  @Test func aKeyPathOfSwiftNamesTheAttribute() throws {
    try withContext { context in
      _ = context.makePlace("b")
      #expect(NSExpression(forKeyPath: \Place.location).keyPath == "location")
    }
  }
}
