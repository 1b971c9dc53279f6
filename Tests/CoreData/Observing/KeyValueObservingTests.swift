import CoreData
import CoreDataSupport
import Testing

@testable import CoreDataSamples

/// Writes down what it is told.
private final class Recorder: KeyValueObserver {
  var told: [String] = []

  func observeValue(
    forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
    context: UnsafeMutableRawPointer?
  ) {
    let change = change ?? [:]
    var parts = [keyPath ?? "", "\((change[.kindKey] as? NSNumber)?.uintValue ?? 0)"]
    if change[.notificationIsPriorKey] as? Bool == true { parts.append("prior") }
    if let old = change[.oldKey] { parts.append("old \(text(old))") }
    if let new = change[.newKey] { parts.append("new \(text(new))") }
    if let indexes = change[.indexesKey] as? NSIndexSet {
      parts.append("at \(indexes.map(\.self))")
    }
    told.append(parts.joined(separator: ", "))
  }

  private func text(_ value: Any) -> String {
    switch value {
    case is NSNull: "nil"
    case let set as NSSet: set.allObjects.map(text).sorted().joined(separator: "+")
    case let set as NSOrderedSet: set.array.map(text).joined(separator: ">")
    case let array as NSArray: array.map { text($0) }.joined(separator: ">")
    case let object as NSManagedObject: name(object)
    default: "\(value)"
    }
  }

  private func name(_ object: NSManagedObject) -> String {
    let key = object.entity.attributesByName.keys.first { ["name", "title"].contains($0) }
    return key.flatMap { object.value(forKey: $0) as? String } ?? "?"
  }

  func take() -> [String] {
    defer { told = [] }
    return told
  }
}

@Suite struct KeyValueObservingTests {
  private func withCompany(
    _ kind: StoreKind = .inMemory,
    _ body: (NSManagedObjectContext, Employee, NSManagedObject) throws -> Void
  ) throws {
    let stack = try TestStack.company(kind)
    try stack.withContext { context in
      let sales = context.insert("Department", ["name": "Sales"])
      let ann = try context.hire("Ann")
      ann.setValue(sales, forKey: "department")
      try context.save()
      try body(context, ann, sales)
    }
  }

  @Test func eachOptionSaysWhatIsTold() throws {
    try withCompany { context, ann, sales in
      let plain = Recorder()
      let full = Recorder()
      ann.addObserver(plain, forKeyPath: "name")
      ann.addObserver(full, forKeyPath: "name", options: [.old, .new, .initial, .prior])
      #expect(plain.take() == [] && full.take() == ["name, 1, new Ann"])
      ann.name = "Bea"
      #expect(plain.take() == ["name, 1"])
      #expect(full.take() == ["name, 1, prior, old Ann", "name, 1, old Ann, new Bea"])
      ann.setValue(nil, forKey: "name")
      #expect(full.take() == ["name, 1, prior, old Bea", "name, 1, old Bea, new nil"])
      ann.setValue(7, forKey: "salary")
      ann.setPrimitiveValue("Cleo", forKey: "name")
      #expect(full.take() == [])
      ann.removeObserver(full, forKeyPath: "name")
      ann.name = "Dora"
      #expect(full.take() == [] && plain.take().count == 2)
    }
  }

  @Test func aHandlerGetsTheTypeOfTheProperty() throws {
    let stack = try TestStack(.inMemory)
    stack.withContext { context in
      let root = context.makeItem("root")
      let item = context.makeItem("a", in: root)
      var titles: [String?] = []
      var orders: [Int64] = []
      var children: [Set<Item>] = []
      var parents: [String??] = []
      let observations = [
        item.observe(\.title, options: [.old, .new]) { item, change in
          titles += [change.oldValue ?? "none", change.newValue ?? "none"]
        },
        item.observe(\.order, options: [.initial, .new]) { orders.append($1.newValue ?? -1) },
        root.observe(\.children, options: [.new]) { _, change in
          #expect(!change.isPrior && change.indexes == nil)
          if change.kind == .insertion { children.append(change.newValue ?? []) }
        },
        item.observe(\.parent?.title, options: [.new]) { parents.append($1.newValue) },
      ]
      item.title = nil
      item.order = 3
      let other = context.makeItem("b", in: root)
      root.title = "top"
      item.parent = nil
      #expect(titles == ["a", nil] && orders == [0, 3] && children == [[other]])
      #expect(parents == [.some("top"), .some(nil)])
      for observation in observations { observation.invalidate() }
      item.title = "z"
      #expect(titles.count == 2)
    }
  }

  @Test func anObservationEndsWithItsToken() throws {
    try withCompany { context, ann, sales in
      let item = try #require(ann as Employee?)
      var count = 0
      var token: NSKeyValueObservation? = item.observe(\.name) { _, _ in count += 1 }
      item.name = "Bea"
      #expect(count == 1 && token != nil)
      token = nil
      item.name = "Cleo"
      #expect(count == 1)
    }
  }

  @Test func aPathIsFollowedWhereItLeads() throws {
    try withCompany { context, ann, sales in
      let law = context.insert("Department", ["name": "Law"])
      let recorder = Recorder()
      ann.addObserver(recorder, forKeyPath: "department.name", options: [.old, .new])
      sales.setValue("Trade", forKey: "name")
      #expect(recorder.take() == ["department.name, 1, old Sales, new Trade"])
      ann.setValue(law, forKey: "department")
      #expect(recorder.take() == ["department.name, 1, old Trade, new Law"])
      sales.setValue("Sales", forKey: "name")
      #expect(recorder.take() == [])
      law.setValue("Justice", forKey: "name")
      #expect(recorder.take() == ["department.name, 1, old Law, new Justice"])
      ann.setValue(nil, forKey: "department")
      law.setValue("Law", forKey: "name")
      #expect(recorder.take() == ["department.name, 1, old Justice, new nil"])
    }
  }

  @Test func theOtherEndOfARelationshipIsTold() throws {
    try withCompany { context, ann, sales in
      let recorder = Recorder()
      let bea = try context.hire("Bea")
      sales.addObserver(recorder, forKeyPath: "staff", options: [.old, .new])
      bea.addObserver(recorder, forKeyPath: "department", options: [.old, .new])
      bea.setValue(sales, forKey: "department")
      #expect(recorder.take() == ["department, 1, old nil, new Sales", "staff, 2, new Bea"])
      sales.mutableSetValue(forKey: "staff").remove(bea)
      #expect(recorder.take() == ["department, 1, old Sales, new nil", "staff, 3, old Bea"])
      context.delete(ann)
      context.processPendingChanges()
      #expect(recorder.take() == ["staff, 3, old Ann"])
    }
  }

  @Test func setsTellWhatJoinsAndLeaves() throws {
    try withCompany { context, ann, sales in
      let staff = try ["b", "c", "d"].map { try context.hire($0) }
      let recorder = Recorder()
      sales.addObserver(recorder, forKeyPath: "staff", options: [.old, .new])
      let set = sales.mutableSetValue(forKey: "staff")
      set.union([ann, staff[0], staff[1]])
      #expect(recorder.take() == ["staff, 2, new b+c"])
      set.minus([ann, staff[2]])
      #expect(recorder.take() == ["staff, 3, old Ann"])
      set.intersect([staff[0]])
      #expect(recorder.take() == ["staff, 3, old c"])
      set.setSet([staff[0], staff[1]])
      #expect(recorder.take() == ["staff, 4, old , new c"])
      set.add(staff[1])
      #expect(recorder.take() == [])
      set.removeAllObjects()
      #expect(recorder.take() == ["staff, 3, old b+c"])
      sales.setValue(NSSet(array: [ann]), forKey: "staff")
      #expect(recorder.take() == ["staff, 1, old , new Ann"])
      let property = ManagedProperty("staff")
      sales.managedAdd(NSSet(array: staff), to: property)
      sales.managedRemove([ann, staff[0]], from: property)
      #expect(recorder.take() == ["staff, 2, new b+c+d", "staff, 3, old Ann+b"])
    }
  }

  @Test func orderedRelationshipsTellPlaces() throws {
    try withCompany { context, ann, sales in
      let tasks = ["a", "b", "c", "d"].map { context.insert("Task", ["title": $0]) }
      let recorder = Recorder()
      ann.addObserver(recorder, forKeyPath: "tasks", options: [.old, .new])
      let property = ManagedProperty("tasks")
      ann.managedAdd(NSOrderedSet(array: Array(tasks.prefix(2))), to: property)
      #expect(recorder.take() == ["tasks, 2, new a>b, at [0, 1]"])
      ann.managedInsert(tasks[2], into: property, at: 1)
      #expect(recorder.take() == ["tasks, 2, new c, at [1]"])
      ann.managedReplace(property, at: 0, with: tasks[3])
      #expect(recorder.take() == ["tasks, 4, old a, new d, at [0]"])
      tasks[2].setValue(nil, forKey: "owner")
      #expect(recorder.take() == ["tasks, 3, old c, at [1]"])
      let set = ann.mutableOrderedSetValue(forKey: "tasks")
      set.insert(tasks[0], at: 0)
      set.exchangeObject(at: 0, withObjectAt: 2)
      set.removeObject(at: 1)
      #expect(
        recorder.take() == [
          "tasks, 2, new a, at [0]", "tasks, 4, old a>b, new b>a, at [0, 2]",
          "tasks, 3, old d, at [1]",
        ])
      ann.setValue(NSOrderedSet(array: [tasks[1]]), forKey: "tasks")
      #expect(recorder.take() == ["tasks, 1, old b>a, new b"])
    }
  }

  @Test func aClassSaysWhatAPropertyDependsOn() throws {
    let stack = try TestStack(.inMemory, model: DependentItem.makeModel())
    stack.withContext { context in
      let parent = DependentItem(context: context)
      let item = DependentItem(context: context)
      parent.setValue("P", forKey: "title")
      item.setValue("i", forKey: "title")
      item.setValue(parent, forKey: "parent")
      let recorder = Recorder()
      item.addObserver(recorder, forKeyPath: "label", options: [.old, .new])
      item.addObserver(recorder, forKeyPath: "parent.label", options: [.new])
      item.setValue("j", forKey: "title")
      #expect(recorder.take() == ["label, 1, old P/i, new P/j"])
      parent.setValue("Q", forKey: "title")
      #expect(
        recorder.take() == ["label, 1, old P/j, new Q/j", "parent.label, 1, new /Q"])
      item.setValue(nil, forKey: "parent")
      #expect(recorder.take() == ["label, 1, old Q/j, new /j", "parent.label, 1, new nil"])
      parent.setValue("R", forKey: "title")
      #expect(recorder.take() == [])
    }
  }

  @Test func accessorsOfOnesOwnAnnounceTheirChanges() throws {
    try withCompany { context, ann, sales in
      let recorder = Recorder()
      ann.addObserver(recorder, forKeyPath: "name", options: [.old, .new])
      ann.addObserver(recorder, forKeyPath: "tasks", options: [.old, .new])
      sales.addObserver(recorder, forKeyPath: "staff", options: [.old, .new])
      ann.willChangeValue(forKey: "name")
      ann.setPrimitiveValue("Bea", forKey: "name")
      ann.didChangeValue(forKey: "name")
      #expect(recorder.take() == ["name, 1, old Ann, new Bea"])
      let cleo = try context.hire("Cleo")
      sales.willChangeValue(forKey: "staff", withSetMutation: .union, using: [cleo, ann])
      sales.setPrimitiveValue(NSSet(array: [ann, cleo]), forKey: "staff")
      sales.didChangeValue(forKey: "staff", withSetMutation: .union, using: [cleo, ann])
      #expect(recorder.take() == ["staff, 2, new Cleo"])
      let task = context.insert("Task", ["title": "t"])
      ann.willChange(.insertion, valuesAt: [0], forKey: "tasks")
      ann.setPrimitiveValue(NSOrderedSet(array: [task]), forKey: "tasks")
      ann.didChange(.insertion, valuesAt: [0], forKey: "tasks")
      #expect(recorder.take() == ["tasks, 2, new t, at [0]"])
      ann.didChangeValue(forKey: "name")
      #expect(recorder.take() == [])
    }
  }

  @Test(arguments: [StoreKind.inMemory, .sqlite])
  func whatOthersSaveIsToldOnceForEachValueThatDiffers(_ kind: StoreKind) throws {
    let stack = try TestStack.company(kind)
    try stack.withContext { context in
      let sales = context.insert("Department", ["name": "Sales"])
      let ann = try context.hire("Ann")
      ann.setValue(sales, forKey: "department")
      try context.save()
      let recorder = Recorder()
      for key in ["name", "salary", "department.name", "nickname"] {
        ann.addObserver(recorder, forKeyPath: key, options: [.old, .new])
      }
      sales.addObserver(recorder, forKeyPath: "staff", options: [.new, .initial])
      #expect(recorder.take() == ["staff, 1, new Ann"])
      let other = stack.makeContext()
      let saved = try other.performAndWait {
        let twin = try #require(try other.existingObject(with: ann.objectID) as? Employee)
        twin.setValue(5, forKey: "salary")
        twin.setValue("Aq", forKey: "nickname")
        (twin.value(forKey: "department") as? NSManagedObject)?.setValue("Law", forKey: "name")
        let bea = try other.hire("Bea")
        bea.setValue(twin.value(forKey: "department"), forKey: "department")
        return try #require(other.savedChanges())
      }
      context.mergeChanges(fromContextDidSave: saved)
      #expect(
        recorder.take().sorted() == [
          "department.name, 1, old Sales, new Law", "nickname, 1, old new, new Aq",
          "salary, 1, old 0, new 5", "staff, 1, new Ann+Bea",
        ])
      try context.save()
      #expect(recorder.take() == [])
    }
  }

  @Test func undoRollbackAndRefreshAreTold() throws {
    try withCompany(.sqlite) { context, ann, sales in
      let manager = UndoManager()
      manager.groupsByEvent = false
      context.undoManager = manager
      let recorder = Recorder()
      ann.addObserver(recorder, forKeyPath: "name", options: [.old, .new])
      ann.addObserver(recorder, forKeyPath: "department", options: [.old, .new])
      manager.beginUndoGrouping()
      ann.name = "Bea"
      ann.setValue(nil, forKey: "department")
      context.processPendingChanges()
      manager.endUndoGrouping()
      _ = recorder.take()
      context.undo()
      #expect(
        recorder.take() == [
          "department, 1, old nil, new Sales", "name, 1, old Bea, new Ann",
        ])
      context.redo()
      #expect(recorder.take().count == 2)
      context.rollback()
      #expect(
        recorder.take() == [
          "department, 1, old nil, new Sales", "name, 1, old Bea, new Ann",
        ])
      context.refresh(ann, mergeChanges: false)
      #expect(
        recorder.take() == [
          "department, 1, old Sales, new Sales", "name, 1, old Ann, new Ann",
        ])
      context.reset()
      #expect(
        recorder.take() == ["department, 1, old ?, new nil", "name, 1, old Ann, new nil"])
    }
  }

  @Test func aFaultStaysOneWhereNobodyAsksForValues() throws {
    try withCompany(.sqlite) { context, ann, sales in
      let recorder = Recorder()
      ann.addObserver(recorder, forKeyPath: "name")
      context.refresh(ann, mergeChanges: false)
      #expect(recorder.take() == ["name, 1"] && ann.isFault)
      context.refresh(ann, mergeChanges: false)
      #expect(recorder.take() == [] && ann.isFault)
      _ = ann.name
      #expect(recorder.take() == [])
    }
  }

  @Test func aDeletedObjectIsEmptyOnceThatIsSaved() throws {
    try withCompany(.sqlite) { context, ann, sales in
      let recorder = Recorder()
      ann.addObserver(recorder, forKeyPath: "name", options: [.new])
      ann.addObserver(recorder, forKeyPath: "department.name", options: [.new])
      context.delete(ann)
      context.processPendingChanges()
      #expect(recorder.take() == [])
      try context.save()
      #expect(recorder.take() == ["department.name, 1, new nil", "name, 1, new nil"])
      #expect(ann.name == nil)
    }
  }

  @Test func elementsOfACompositeAttributeAreTold() throws {
    let stack = try TestStack(.inMemory, model: PlacesModel.make())
    stack.withContext { context in
      let place = context.insert("Place")
      let recorder = Recorder()
      for key in ["location", "location.latitude", "location.address.city"] {
        place.addObserver(recorder, forKeyPath: key)
      }
      place.setValue(1.5, forKeyPath: "location.latitude")
      #expect(recorder.take() == ["location, 1", "location.latitude, 1"])
      place.setValue(["latitude": 2.5], forKey: "location")
      #expect(
        recorder.take().sorted() == [
          "location, 1", "location.address.city, 1", "location.latitude, 1",
        ])
    }
  }

  @Test func aHandlerMayEditAndEndItself() throws {
    try withCompany { context, ann, sales in
      var names: [String?] = []
      var observation: NSKeyValueObservation?
      observation = ann.observe(\.name, options: [.new]) { ann, change in
        names.append(change.newValue ?? nil)
        if names.count == 1 { ann.name = "Cleo" } else { observation?.invalidate() }
      }
      ann.name = "Bea"
      ann.name = "Dora"
      #expect(names == ["Cleo", "Bea"] || names == ["Bea", "Cleo"])
      context.processPendingChanges()
      #expect(ann.hasChanges && ann.name == "Dora" && observation != nil)
    }
  }

  @Test func nobodyIsKeptAlive() throws {
    try withCompany { context, ann, sales in
      weak var lost: Recorder?
      do {
        let recorder = Recorder()
        lost = recorder
        ann.addObserver(recorder, forKeyPath: "name")
      }
      #expect(lost == nil)
      ann.name = "Bea"
      let recorder = Recorder()
      weak var item: NSManagedObject?
      var token: NSKeyValueObservation?
      do {
        let other = try context.hire("Zoe")
        other.setValue(ann.value(forKey: "department"), forKey: "department")
        other.addObserver(recorder, forKeyPath: "department.name", options: [.new])
        token = other.observe(\.name) { _, _ in }
        item = other
        try context.save()
      }
      #expect(item == nil)
      sales.setValue("Law", forKey: "name")
      #expect(recorder.take() == [])
      token?.invalidate()
    }
  }

  @Test func aTokenMayBeReleasedByAnyThread() throws {
    let stack = try TestStack(.inMemory)
    let context = stack.makeContext()
    let tokens = context.performAndWait {
      let items = (0..<50).map { context.makeItem("\($0)") }
      context.retainsRegisteredObjects = true
      return items.map { $0.observe(\.title) { _, _ in Issue.record("told after the end") } }
    }
    DispatchQueue.concurrentPerform(iterations: tokens.count) { tokens[$0].invalidate() }
    context.performAndWait {
      for item in context.registeredObjects { item.setValue("x", forKey: "title") }
    }
  }

  #if compiler(>=6.2)
    @Test func aPathThroughManyObjectsIsRefused() async throws {
      let result = await #expect(
        processExitsWith: .failure, observing: [\.standardErrorContent]
      ) {
        let stack = try TestStack.company()
        try stack.withContext { context in
          let recorder = Recorder()
          try context.hire("Ann").addObserver(recorder, forKeyPath: "department.staff.name")
        }
      }
      let text = result?.complaint ?? ""
      #expect(text.contains("the relationship “staff” is to many objects"))
    }

    @Test func whatIsNoPropertyIsRefused() async throws {
      let result = await #expect(
        processExitsWith: .failure, observing: [\.standardErrorContent]
      ) {
        let stack = try TestStack.company()
        try stack.withContext { context in
          try context.hire("Ann").addObserver(Recorder(), forKeyPath: "hasChanges")
        }
      }
      let text = result?.complaint ?? ""
      #expect(text.contains("observers are told of properties, not of “hasChanges”"))
    }

    @Test func removingAStrangerIsRefused() async throws {
      let result = await #expect(
        processExitsWith: .failure, observing: [\.standardErrorContent]
      ) {
        let stack = try TestStack.company()
        try stack.withContext { context in
          try context.hire("Ann").removeObserver(Recorder(), forKeyPath: "name")
        }
      }
      let text = result?.complaint ?? ""
      #expect(text.contains("is not registered as an observer"))
    }
  #endif
}

/// Has a property that depends on others, of itself and of its parent.
private final class DependentItem: NSManagedObject {
  static func makeModel() -> NSManagedObjectModel {
    ManagedObjectClasses.register(
      "DependentItem", module: "CoreDataObservingTests", type: DependentItem.self,
      getters: ["label": { ($0 as? DependentItem)?.label }]
    ) { DependentItem(entity: $0, insertInto: $1) }
    let item = NSEntityDescription()
    item.name = "DependentItem"
    item.managedObjectClassName = "DependentItem"
    let (parent, children) = ModelPart.relate(item, "parent", 1, item, "children", 0)
    item.properties = [ModelPart.attribute("title"), parent, children]
    let model = NSManagedObjectModel()
    model.entities = [item]
    return model
  }

  var label: String {
    let parent = value(forKey: "parent") as? NSManagedObject
    let title = value(forKey: "title") as? String ?? ""
    return "\(parent?.value(forKey: "title") as? String ?? "")/\(title)"
  }

  override class func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> {
    key == "label" ? ["title", "parent.title"] : super.keyPathsForValuesAffectingValue(forKey: key)
  }
}
