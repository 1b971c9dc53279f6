import CoreData
import Foundation
import ListKit
import Testing

@testable import Employees
@testable import ListApplication

/// Two windows that have changed one employee before either has heard of the other.
@MainActor struct EmployeeConflictTests {
  private let coordinator: NSPersistentStoreCoordinator
  private let mine: WindowContext
  private let policy = WindowMergePolicy()

  init() throws {
    coordinator = try #require(
      try makeMemoryContext(model: "Employees").persistentStoreCoordinator)
    mine = WindowContext(
      coordinator, lock: StoreLock(coordinator, name: "Employees", timeout: 5))
    mine.mergePolicy = policy
    let ann = Employee(context: mine)
    try ann.take(name: "Ann", height: "1.7", birthday: "1950-01-02", department: "First")
    for name in ["Second", "Third"] { Department(context: mine).name = name }
    try mine.save()
  }

  private func ann(_ context: NSManagedObjectContext) throws -> Employee {
    try #require(try context.fetch(Employee.fetchRequest()).first)
  }

  /// Edits by both, of which this window's is saved last; what it is asked then.
  private func meet(
    _ theirs: (Employee) throws -> Void, _ own: (Employee) throws -> Void
  ) throws -> [Overwriting] {
    // Read before the other saves, with its values.
    let employee = try ann(mine)
    _ = (employee.name, employee.department?.name)
    let other = NSManagedObjectContext(.mainQueue)
    other.persistentStoreCoordinator = coordinator
    try theirs(try ann(other))
    try other.save()
    try own(employee)
    var asked: [Overwriting] = []
    policy.tell = { _ in }
    policy.ask = { asked.append($0) }
    try mine.save()
    return asked
  }

  @Test(arguments: [true, false]) func bothHaveGivenADepartment(takesTheirs: Bool) throws {
    let asked = try meet {
      try $0.take(name: nil, height: nil, birthday: nil, department: "Second")
    } _: {
      try $0.take(name: nil, height: nil, birthday: nil, department: "Third")
    }
    #expect(asked.map(\.label) == ["Department"])
    #expect(asked.map(\.texts.theirs) == ["Second"] && asked.map(\.texts.mine) == ["Third"])
    if takesTheirs { asked.forEach { $0.takeTheirs() } }
    try mine.save()
    #expect(try ann(mine).department?.name == (takesTheirs ? "Second" : "Third"))
  }

  /// What “Keep Theirs” has done can be taken back, by name.
  @Test func theAnswerIsAStepOfUndoWithAName() throws {
    mine.undoManager = UndoManager()
    let (scene, root) = (UIWindowScene(), UIViewController())
    let window = UIWindow(windowScene: scene)
    window.rootViewController = root
    window.makeKeyAndVisible()
    let saving = SavingScene(scene, context: mine, rootViewController: root)
    let ask = policy.ask
    let asked = try meet {
      try $0.take(name: "Anna", height: nil, birthday: nil, department: nil)
    } _: {
      try $0.take(name: "Annie", height: nil, birthday: nil, department: nil)
    }
    mine.undoManager?.endEvent()
    asked.forEach { ask?($0) }
    let question = try #require(window.visibleAlert)
    question.choose(question.actions.first { $0.title == "Keep Theirs" })
    #expect(try ann(mine).name == "Anna" && !mine.hasChanges)
    #expect(mine.undoManager?.undoMenuItemTitle == "Undo Keep Their Name")
    mine.undo()
    try mine.save()
    #expect(try ann(mine).name == "Annie")
    withExtendedLifetime(saving) {}
  }

  /// The decade follows the birthday that stays, whichever it is.
  @Test(arguments: ["1986-03-04", "1955-05-06"], ["1972-07-08", "1950-09-10"])
  func bothHaveGivenABirthday(_ theirs: String, _ own: String) throws {
    for takesTheirs in [true, false] {
      let asked = try meet {
        try $0.take(name: nil, height: nil, birthday: theirs, department: nil)
      } _: {
        try $0.take(name: nil, height: nil, birthday: own, department: nil)
      }
      #expect(asked.map(\.label) == ["Birthday"])
      if takesTheirs { asked.forEach { $0.takeTheirs() } }
      try mine.save()
      let birthday = takesTheirs ? theirs : own
      #expect(try ann(mine).birthdayText == birthday)
      #expect(try ann(mine).sectionName == "\(birthday.prefix(3))0s")
      try ann(mine).take(name: nil, height: nil, birthday: "1950-01-02", department: nil)
      try mine.save()
    }
  }
}
