import CoreData
import Testing

@testable import CoreDataSamples

/// An observer with a copy of what it observes, which is kept up to date by nothing but what it is told.
final class Mirror: KeyValueObserver {
  let root: NSManagedObject
  let path: String
  let options: NSKeyValueObservingOptions
  private(set) var copy: [String] = []
  private(set) var told = 0
  /// The first thing that was wrong.
  private(set) var complaint: String?
  private var isInChange = false

  init(_ root: NSManagedObject, _ path: String, _ options: NSKeyValueObservingOptions) {
    self.root = root
    self.path = path
    self.options = options
    copy = now
  }

  func begin() {
    root.addObserver(self, forKeyPath: path, options: options)
    if options.contains(.initial), told != 1 { complain("was not told in the beginning") }
    told = 0
  }

  func end() { root.removeObserver(self, forKeyPath: path) }

  /// What is there: a set sorted, an ordered one in its order.
  var now: [String] { Self.copy(root.value(forKeyPath: path)) }

  private static func copy(_ value: Any?) -> [String] {
    switch value {
    case let set as NSSet: set.allObjects.map(text).sorted()
    case let set as NSOrderedSet: set.array.map(text)
    case let array as NSArray: array.map { text($0) }
    case nil, is NSNull: []
    case let value?: [text(value)]
    }
  }

  private static func text(_ value: Any) -> String {
    guard let object = value as? NSManagedObject else { return "\(value)" }
    return "\(ObjectIdentifier(object))"
  }

  /// Whether it has been told of every change; counts from here again.
  func check() -> (told: Int, complaint: String?) {
    if isInChange { complain("was told that a change would come, and of none") }
    if copy != now { complain("was not told of \(now) in place of \(copy)") }
    defer { told = 0 }
    return (told, complaint)
  }

  private func complain(_ text: String) {
    if complaint == nil { complaint = "\(path) \(options.rawValue) \(text)" }
  }

  func observeValue(
    forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
    context: UnsafeMutableRawPointer?
  ) {
    let change = change ?? [:]
    guard keyPath == path, object as? NSManagedObject === root else {
      return complain("was told of \(keyPath ?? "nothing")")
    }
    let kind = NSKeyValueChange(rawValue: (change[.kindKey] as? NSNumber)?.uintValue ?? 0)
    if change[.notificationIsPriorKey] != nil { return prior(change, kind) }
    told += 1
    let isInitial = told == 1 && options.contains(.initial) && change[.oldKey] == nil
    if options.contains(.prior), !isInChange, !isInitial { complain("had not been told before") }
    isInChange = false
    let old = change[.oldKey].map(Self.copy)
    let new = change[.newKey].map(Self.copy)
    let indexes = (change[.indexesKey] as? NSIndexSet)?.map(\.self)
    if kind != .setting { apply(kind, old, new, indexes) } else { set(old, new, isInitial) }
    if copy != now {
      complain("has \(copy) after a change of kind \(String(describing: kind)), not \(now)")
    }
    copy = now
  }

  private func prior(_ change: [NSKeyValueChangeKey: Any], _ kind: NSKeyValueChange?) {
    if !options.contains(.prior) || change[.newKey] != nil { complain("was told before") }
    if copy != now { complain("was told before a change, and after it") }
    if kind == .setting, options.contains(.old), change[.oldKey].map(Self.copy) != copy {
      complain("was told another value beforehand")
    }
    isInChange = true
  }

  private func set(_ old: [String]?, _ new: [String]?, _ isInitial: Bool) {
    if !isInitial, (old != nil) != options.contains(.old) || old.map({ $0 != copy }) == true {
      complain("was told \(String(describing: old)) as the old value, not \(copy)")
    }
    if (new != nil) != options.contains(.new) { complain("was told no new value") }
    copy = new ?? now
  }

  /// Members that join or leave, by what is told alone where the options say enough.
  private func apply(
    _ kind: NSKeyValueChange?, _ old: [String]?, _ new: [String]?, _ indexes: [Int]?
  ) {
    let wants = (old: kind != .insertion, new: kind != .removal)
    if (old != nil) != (options.contains(.old) && wants.old) { complain("was told a wrong old") }
    if (new != nil) != (options.contains(.new) && wants.new) { complain("was told a wrong new") }
    guard wants.new == (new != nil), wants.old == (old != nil) || indexes != nil else {
      copy = now
      return
    }
    if let indexes {
      if let old, old != indexes.map({ copy[$0] }) { complain("was told others that leave") }
      if wants.old { for index in indexes.reversed() { copy.remove(at: index) } }
      for (index, member) in zip(indexes, new ?? []) { copy.insert(member, at: index) }
    } else {
      if let old, !Set(old).isSubset(of: copy) { complain("was told others that leave") }
      if let new, !Set(new).isDisjoint(with: copy) { complain("was told others that join") }
      copy.removeAll { old?.contains($0) == true }
      copy = (copy + (new ?? [])).sorted()
    }
  }
}

/// Random observers of random objects through random edits.
struct ObservedHistory {
  private let stack: TestStack
  private let context: NSManagedObjectContext
  private let manager = UndoManager()
  private var random: SplitMix64
  private var mirrors: [Mirror] = []
  private var objects: [String: [NSManagedObject]] = [:]
  private var next = 0
  private(set) var told = 0

  private static let paths: [String: [String]] = [
    "Department": ["name", "staff"],
    "Employee": [
      "name", "salary", "mood", "department", "department.name", "department.staff", "tasks",
      "projects",
    ],
    "Task": [
      "title", "owner", "owner.name", "owner.tasks", "owner.department", "owner.department.name",
      "owner.department.staff", "members",
    ],
  ]

  init(_ stack: TestStack, _ context: NSManagedObjectContext, seed: UInt64) {
    self.stack = stack
    self.context = context
    random = SplitMix64(seed: seed)
    context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
    manager.groupsByEvent = false
    if seed % 2 == 0 { context.undoManager = manager }
    for _ in 0..<2 { _ = insert("Department") }
    for _ in 0..<3 { _ = insert("Employee") }
    for _ in 0..<4 { _ = insert("Task") }
  }

  mutating func step() throws -> String {
    let grouped = context.undoManager != nil
    if grouped { manager.beginUndoGrouping() }
    let done = try randomStep()
    context.processPendingChanges()
    // A rollback empties the manager, its open group among the rest.
    if manager.groupingLevel > 0 { manager.endUndoGrouping() }
    return done
  }

  private mutating func randomStep() throws -> String {
    switch random.next() % 32 {
    case 0..<4: return observe()
    case 4: return stopObserving()
    case 5..<9: return setAttribute()
    case 9..<12: return setDestination()
    case 12..<16: return editSet()
    case 16..<21: return editOrder()
    case 21: return insert(["Department", "Employee", "Task"].randomElement(using: &random)!)
    case 22: return delete()
    case 23: return save()
    case 24, 25: return try saveElsewhere()
    case 26: return refresh()
    case 27: return elsewise("rollback") { $0.rollback() }
    case 28 where random.next() % 4 == 0: return elsewise("reset") { $0.reset() }
    case 28: return elsewise("refresh all") { $0.refreshAllObjects() }
    default: return undo()
    }
  }

  /// What is wrong with what the observers were told.
  mutating func complaints() -> [String] {
    mirrors.compactMap { mirror in
      let (told, complaint) = mirror.check()
      self.told += told
      return complaint
    }
  }

  // MARK: - Observers

  private mutating func pick(_ entity: String) -> NSManagedObject? {
    objects[entity]?.filter { $0.managedObjectContext != nil && !$0.isDeleted }
      .randomElement(using: &random)
  }

  private mutating func observe() -> String {
    let entity = Self.paths.keys.sorted().randomElement(using: &random)!
    let path = Self.paths[entity]!.randomElement(using: &random)!
    guard let object = pick(entity) else { return "nothing" }
    let options = NSKeyValueObservingOptions(rawValue: UInt(random.next() % 16))
    let mirror = Mirror(object, path, options)
    mirrors.append(mirror)
    mirror.begin()
    return "observe \(path) \(options.rawValue)"
  }

  private mutating func stopObserving() -> String {
    guard let index = mirrors.indices.randomElement(using: &random) else { return "nothing" }
    let mirror = mirrors.remove(at: index)
    mirror.end()
    return "end \(mirror.path)"
  }

  // MARK: - Edits

  private mutating func insert(_ entity: String) -> String {
    next += 1
    let object = context.insert(entity, [entity == "Task" ? "title" : "name": "\(entity)\(next)"])
    objects[entity, default: []].append(object)
    return "insert \(entity)"
  }

  private mutating func setAttribute() -> String {
    let (entity, key) = [
      ("Department", "name"), ("Employee", "name"), ("Employee", "salary"), ("Employee", "mood"),
      ("Task", "title"),
    ].randomElement(using: &random)!
    guard let object = pick(entity) else { return "nothing" }
    let value = Int(random.next() % 3)
    object.setValue(key == "salary" ? value : "\(key)\(value)", forKey: key)
    // Whoever observes just this is told of it once, be the value another or not.
    for mirror in mirrors where mirror.root === object && mirror.path == key && mirror.told != 1 {
      Issue.record("\(key) was told \(mirror.told) times")
    }
    return "set \(entity).\(key)"
  }

  private mutating func setDestination() -> String {
    let (entity, key, other) = [
      ("Employee", "department", "Department"), ("Task", "owner", "Employee"),
    ].randomElement(using: &random)!
    guard let object = pick(entity) else { return "nothing" }
    object.setValue(random.next() % 4 == 0 ? nil : pick(other), forKey: key)
    return "set \(entity).\(key)"
  }

  private mutating func some(_ entity: String) -> [NSManagedObject] {
    var some: [NSManagedObject] = []
    for _ in 0..<(random.next() % 3) {
      if let object = pick(entity), !some.contains(object) { some.append(object) }
    }
    return some
  }

  private mutating func editSet() -> String {
    guard let department = pick("Department") else { return "nothing" }
    let set = department.mutableSetValue(forKey: "staff")
    let staff = some("Employee")
    let given = Set(staff.map { $0 as AnyHashable })
    let kind = random.next() % 8
    switch kind {
    case 0: for member in staff { set.add(member) }
    case 1: for member in staff { set.remove(member) }
    case 2: set.union(given)
    case 3: set.minus(given)
    case 4: set.intersect(given)
    case 5: set.setSet(given)
    case 6: department.managedAdd(NSSet(array: staff), to: ManagedProperty("staff"))
    default: department.setValue(NSSet(array: staff), forKey: "staff")
    }
    return "edit staff \(kind) with \(staff.count)"
  }

  private mutating func editOrder() -> String {
    guard let employee = pick("Employee") else { return "nothing" }
    let key = random.next() % 2 == 0 ? "tasks" : "projects"
    let property = ManagedProperty(key)
    let set = employee.mutableOrderedSetValue(forKey: key)
    let tasks = some("Task")
    let index = Int(random.next() % UInt64(set.count + 1))
    let isInside = index < set.count
    let kind = random.next() % 9
    switch kind {
    case 0: set.addObjects(from: tasks)
    case 1 where isInside: set.removeObject(at: index)
    case 2:
      for task in tasks where !set.contains(task) {
        employee.managedInsert(task, into: property, at: index)
      }
    case 3 where isInside: employee.managedRemove(from: property, at: index)
    case 4 where isInside:
      if let task = tasks.first, !set.contains(task) {
        employee.managedReplace(property, at: index, with: task)
      }
    case 5: employee.managedAdd(NSOrderedSet(array: tasks), to: property)
    case 6: employee.managedRemove(NSSet(array: tasks), from: property)
    case 7 where isInside: set.moveObjects(at: IndexSet(integer: index), to: 0)
    default: employee.setValue(NSOrderedSet(array: tasks), forKey: key)
    }
    return "edit \(key) \(kind) at \(index) with \(tasks.count)"
  }

  private mutating func delete() -> String {
    let entity = ["Department", "Employee", "Task"].randomElement(using: &random)!
    guard let object = pick(entity) else { return "nothing" }
    context.delete(object)
    return "delete \(entity)"
  }

  // MARK: - What gives values that nobody sets

  private func save() -> String {
    // A department with staff cannot be deleted.
    do { try context.save() } catch {
      context.rollback()
      return "rollback for want of a save"
    }
    return "save"
  }

  /// Another context saves edits, which are merged here.
  private mutating func saveElsewhere() throws -> String {
    _ = save()
    guard let employee = pick("Employee"), !employee.objectID.isTemporaryID else {
      return "nothing"
    }
    let ids = (employee.objectID, pick("Department")?.objectID, pick("Task")?.objectID)
    let number = random.next()
    let other = stack.makeContext()
    var saved: Notification?
    try other.performAndWait {
      let twin = try other.existingObject(with: ids.0)
      if number % 2 == 0 { twin.setValue(Int(number / 2 % 3), forKey: "salary") }
      if number % 3 == 0 {
        twin.setValue(try ids.1.map(other.existingObject), forKey: "department")
      }
      if number % 5 == 0, let task = try ids.2.map(other.existingObject) {
        twin.mutableOrderedSetValue(forKey: "projects").insert(task, at: 0)
        task.setValue("elsewhere", forKey: "title")
      }
      if number % 7 == 0 { other.delete(twin) }
      saved = other.savedChanges()
    }
    if let saved { context.mergeChanges(fromContextDidSave: saved) }
    return "saved elsewhere"
  }

  private mutating func refresh() -> String {
    let keepsEdits = random.next() % 2 == 0
    let entity = ["Department", "Employee", "Task"].randomElement(using: &random)!
    guard let object = pick(entity) else { return "nothing" }
    context.refresh(object, mergeChanges: keepsEdits)
    return "refresh \(entity) \(keepsEdits)"
  }

  private func elsewise(_ name: String, _ body: (NSManagedObjectContext) -> Void) -> String {
    body(context)
    return name
  }

  private mutating func undo() -> String {
    guard context.undoManager != nil else { return "nothing" }
    context.processPendingChanges()
    if manager.groupingLevel > 0 { manager.endUndoGrouping() }
    defer { manager.beginUndoGrouping() }
    if random.next() % 3 == 0, manager.canRedo {
      context.redo()
      return "redo"
    }
    guard manager.canUndo else { return "nothing" }
    context.undo()
    return "undo"
  }
}

extension NSManagedObjectContext {
  /// Saves, and returns what it tells of that; nil when there is nothing to save, or nothing can be saved.
  func savedChanges() -> Notification? {
    guard hasChanges else { return nil }
    nonisolated(unsafe) var saved: Notification?
    let token = NotificationCenter.default.addObserver(
      forName: .NSManagedObjectContextDidSave, object: self, queue: nil
    ) { saved = $0 }
    defer { NotificationCenter.default.removeObserver(token) }
    // Deleting who has staff is refused; then nothing has been saved.
    do { try save() } catch { return nil }
    return saved
  }
}
