import CoreData
import Testing

@testable import CoreDataSamples

@Suite struct OrderedRelationshipTests {
  private static let tasks = ManagedProperty("tasks")

  private func titles(_ owner: NSManagedObject, _ key: String = "tasks") -> String {
    let tasks = (owner.value(forKey: key) as? NSOrderedSet)?.array as? [NSManagedObject] ?? []
    return tasks.map { $0.value(forKey: "title") as? String ?? "-" }.joined()
  }

  private func withTasks(
    _ kind: StoreKind = .inMemory,
    _ body: (NSManagedObjectContext, Employee, [NSManagedObject]) throws -> Void
  ) throws {
    let stack = try TestStack.company(kind)
    try stack.withContext { context in
      let employee = try context.hire("Ann")
      let tasks = ["a", "b", "c", "d"].map { context.insert("Task", ["title": $0]) }
      employee.setValue(NSOrderedSet(array: Array(tasks.prefix(3))), forKey: "tasks")
      try context.save()
      try body(context, employee, tasks)
    }
  }

  @Test(arguments: StoreKind.all)
  func theOrderIsThereAfterReopening(_ kind: StoreKind) throws {
    try withTasks(kind) { context, employee, tasks in
      employee.mutableOrderedSetValue(forKey: "tasks").moveObjects(at: IndexSet(integer: 2), to: 0)
      #expect(titles(employee) == "cab")
      try context.save()
      context.reset()
      #expect(titles(try context.employees()[0]) == "cab")
    }
  }

  @Test func aMutableOrderedSetReadsAndWritesTheRelationship() throws {
    try withTasks { context, employee, tasks in
      let set = employee.mutableOrderedSetValue(forKey: "tasks")
      set.insert(tasks[3], at: 1)
      #expect(titles(employee) == "adbc" && set.index(of: tasks[3]) == 1)
      set.exchangeObject(at: 0, withObjectAt: 3)
      #expect(titles(employee) == "cdba")
      set.removeObject(at: 0)
      #expect(titles(employee) == "dba")
      #expect(tasks[2].value(forKey: "owner") == nil)
      set.replaceObject(at: 0, with: tasks[2])
      #expect(titles(employee) == "cba")
      set.addObjects(from: [tasks[3]])
      set.sort { left, _ in left as AnyObject === tasks[1] ? .orderedAscending : .orderedDescending
      }
      #expect(titles(employee).hasPrefix("b") && titles(employee).count == 4)
      set.intersect([tasks[0], tasks[1]])
      #expect(titles(employee) == "ba" && set.array as? [NSManagedObject] == [tasks[1], tasks[0]])
      #expect(set.firstObject as? NSManagedObject === tasks[1])
      #expect(employee.isUpdated && employee.hasPersistentChangedValues)
    }
  }

  private typealias Edit = (Employee, [NSManagedObject]) -> Void

  /// A relationship has each member once, whatever puts it there again.
  @Test func aMemberIsNeverThereTwice() throws {
    let places = NSIndexSet(indexesIn: NSRange(0...2))
    let edits: [(result: String, edit: Edit)] = [
      ("abc", { $0.managedInsert($1[2], into: Self.tasks, at: 0) }),
      ("dabc", { $0.managedInsert([$1[2], $1[3], $1[0]], into: Self.tasks, at: places) }),
      ("abc", { $0.managedAdd([$1[2], $1[0]], to: Self.tasks) }),
      ("cb", { $0.managedReplace(Self.tasks, at: 0, with: $1[2]) }),
      ("ba", { $0.managedReplace(Self.tasks, at: 2, with: $1[0]) }),
      ("abc", { $0.managedReplace(Self.tasks, at: 1, with: $1[1]) }),
      ("dca", { $0.managedReplace(Self.tasks, at: places, with: [$1[3], $1[2], $1[0]]) }),
      ("abc", { $0.mutableOrderedSetValue(forKey: "tasks").insert($1[2], at: 0) }),
      ("cb", { $0.mutableOrderedSetValue(forKey: "tasks").replaceObject(at: 0, with: $1[2]) }),
      ("ba", { $0.mutableOrderedSetValue(forKey: "tasks").replaceObject(at: 2, with: $1[0]) }),
      ("abc", { $0.mutableOrderedSetValue(forKey: "tasks").replaceObject(at: 1, with: $1[1]) }),
      ("cda", { $0.setManagedValue([$1[2], $1[3], $1[2], $1[0]], Self.tasks) }),
    ]
    for (number, (result, edit)) in edits.enumerated() {
      try withTasks { context, employee, tasks in
        edit(employee, tasks)
        #expect(titles(employee) == result, "edit \(number)")
        try context.save()
        context.refreshAllObjects()
        #expect(titles(employee) == result, "edit \(number), saved")
      }
    }
  }

  @Test func severalReplacementsMoveMembers() throws {
    try withTasks { _, employee, tasks in
      employee.managedAdd(tasks[3], to: Self.tasks)
      let places = NSIndexSet(indexesIn: NSRange(1...2))
      employee.managedReplace(Self.tasks, at: places, with: [tasks[3], tasks[0]])
      #expect(titles(employee) == "da")
      employee.managedReplace(
        Self.tasks, at: NSIndexSet(indexesIn: NSRange(0...1)), with: [tasks[0], tasks[0]])
      #expect(titles(employee) == "a")
    }
  }

  @Test func generatedAccessorsInsertRemoveAndReplace() throws {
    try withTasks { context, employee, tasks in
      employee.managedInsert(tasks[3], into: Self.tasks, at: 0)
      #expect(titles(employee) == "dabc")
      employee.managedRemove(from: Self.tasks, at: NSIndexSet(indexesIn: NSRange(1...2)))
      #expect(titles(employee) == "dc")
      employee.managedInsert(
        [tasks[0], tasks[1]], into: Self.tasks, at: NSIndexSet(indexesIn: NSRange(0...1)))
      #expect(titles(employee) == "abdc")
      employee.managedRemove(tasks[1], from: Self.tasks)
      employee.managedReplace(Self.tasks, at: 0, with: tasks[1])
      #expect(titles(employee) == "bdc")
      employee.managedAdd(NSOrderedSet(array: [tasks[0]]), to: Self.tasks)
      #expect(titles(employee) == "bdca")
      #expect(tasks.allSatisfy { $0.value(forKey: "owner") as? Employee === employee })
    }
  }

  @Test func aMemberThatJoinsFromTheOtherSideComesLast() throws {
    try withTasks { context, employee, tasks in
      tasks[3].setValue(employee, forKey: "owner")
      #expect(titles(employee) == "abcd")
      context.delete(tasks[0])
      context.processPendingChanges()
      #expect(titles(employee) == "bcd")
    }
  }

  @Test func theOrderIsUndoneAndRedone() throws {
    try withTasks { context, employee, tasks in
      let manager = UndoManager()
      context.undoManager = manager
      employee.setValue(NSOrderedSet(array: [tasks[2], tasks[3], tasks[0]]), forKey: "tasks")
      context.undo()
      #expect(titles(employee) == "abc")
      context.redo()
      #expect(titles(employee) == "cda")
      context.undo()
      context.delete(tasks[1])
      context.undo()
      #expect(titles(employee) == "abc")
    }
  }

  @Test(arguments: StoreKind.all)
  func aManyToManyRelationshipHasAnOrderOnItsOrderedSide(_ kind: StoreKind) throws {
    try withTasks(kind) { context, employee, tasks in
      employee.setValue(NSOrderedSet(array: [tasks[3], tasks[1]]), forKey: "projects")
      try context.save()
      context.reset()
      let found = try context.employees()[0]
      #expect(titles(found, "projects") == "db")
    }
  }

  @Test(arguments: StoreKind.all)
  func anOrderMadeHereStaysOnTopOfAMerge(_ kind: StoreKind) throws {
    let stack = try TestStack.company(kind)
    try stack.withContext { context in
      let employee = try context.hire("Ann")
      let tasks = ["a", "b", "c"].map { context.insert("Task", ["title": $0]) }
      employee.setValue(NSOrderedSet(array: tasks), forKey: "tasks")
      try context.save()
      employee.setValue(NSOrderedSet(array: tasks.reversed()), forKey: "tasks")
      let note = try stack.withContext { writer in
        let same = try writer.employees()[0]
        writer.delete(try writer.existingObject(with: tasks[1].objectID))
        writer.insert("Task", ["title": "d"]).setValue(same, forKey: "owner")
        return try Notifications.ofSave(writer)
      }
      context.mergeChanges(fromContextDidSave: note)
      #expect(titles(employee) == "cad")
      try context.save()
      context.reset()
      #expect(titles(try context.employees()[0]) == "cad")
    }
  }

  @Test func aChildSavesTheOrder() throws {
    try withTasks { context, employee, tasks in
      let child = NSManagedObjectContext(.privateQueue)
      child.parent = context
      try child.performAndWait {
        let twin = try #require(child.object(with: employee.objectID) as? Employee)
        twin.mutableOrderedSetValue(forKey: "tasks").moveObjects(at: IndexSet(integer: 0), to: 2)
        try child.save()
      }
      #expect(titles(employee) == "bca")
    }
  }
}
