import BrowserDriver
import CoreData
import Foundation
import ListApplication
import ListKit
import ListWeb
import Testing
import TestSupport

@testable import Employees

/// Random edits on the page, through its context and through others: the page follows all of them.
@MainActor
@Suite(.disabled(if: Browser.isLeftOut, "COREDATA_SKIP_BROWSER is set"), .serialized)
struct EmployeesSynchronizationTests {
  private static let edits = max(50, Sample.part(of: 200))

  @Test func afterTwoHundredRandomEditsThePageIsWhatAFreshFetchSays() async throws {
    let seed: UInt64 = 5_468_134_404_681_203_331
    print("Random edits with the seed \(seed)")
    let roster = try RosterOnPage(seed: seed)
    try await roster.withPage { page in
      for number in 0..<Self.edits {
        let what = try await number % 2 == 0 ? roster.editPage(page) : roster.editContext()
        try await expectFresh(page, roster, "edit \(number) of seed \(seed): \(what)")
      }
    }
  }

  private func expectFresh(
    _ page: SectionsPage, _ roster: RosterOnPage, _ what: String
  ) async throws {
    let expected = try roster.freshSections()
    do {
      try await page.waitForSections(expected)
    } catch {
      let shown = try await page.sections()
      Issue.record("\(what)\nshown: \(shown)\nfetched: \(expected)")
      throw error
    }
  }
}

/// A roster with a page on it, and the random edits that are made to it.
@MainActor
private final class RosterOnPage {
  private let folder: TemporaryFolder
  private let container: NSPersistentContainer
  private let context: NSManagedObjectContext
  private var random: SplitMix64
  private var lastName = 0

  /// So many that the page holds all of them.
  private static let counts = 10...36

  init(seed: UInt64) throws {
    folder = try TemporaryFolder()
    random = SplitMix64(seed: seed)
    container = NSPersistentContainer(name: "Employees")
    container.persistentStoreDescriptions = [
      NSPersistentStoreDescription(url: folder.file("Employees.sqlite"))
    ]
    var failure: (any Error)?
    container.loadPersistentStores { failure = $1 }
    if let failure { throw failure }
    context = container.viewContext
    context.automaticallyMergesChangesFromParent = true
    context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
    context.undoManager = UndoManager()
    try Roster.fill(context, 20)
  }

  func withPage(_ body: (SectionsPage) async throws -> Void) async throws {
    let server = ListWebServer(title: "Employees") { [context] scene in
      let window = UIWindow(windowScene: scene)
      window.rootViewController = UINavigationController(
        rootViewController: EmployeesViewController(context: context))
      return window
    }
    let (addresses, address) = AsyncStream.makeStream(of: URL.self)
    let running = Task { try await server.run { address.yield($0) } }
    var iterator = addresses.makeAsyncIterator()
    let url = try #require(await iterator.next())
    do {
      try await withSections(at: url, body)
    } catch {
      server.stop()
      try await running.value
      throw error
    }
    server.stop()
    try await running.value
  }

  // MARK: The truth

  /// What a new context finds in the store, as the page writes it.
  func freshSections() throws -> [String] {
    let employees = try all(in: container.newBackgroundContext())
    var sections: [(name: String, rows: [String])] = []
    for (section, row) in employees {
      if sections.last?.name != section { sections.append((section, [])) }
      sections[sections.count - 1].rows.append(row)
    }
    return sections.map { "\($0.name): \($0.rows.joined(separator: ", "))" }
  }

  private func all(in context: NSManagedObjectContext) throws -> [(String, String)] {
    try context.performAndWait {
      try sorted(context).map { employee in
        let birthday = employee.birthday.map {
          Day.words($0, in: Locale(identifier: "en_US"))
        }
        let texts = [
          employee.department?.name, "born \(birthday ?? "")", "\(employee.heightText) m",
        ]
        let detail = texts.compactMap { $0 }.joined(separator: " · ")
        return (employee.sectionName ?? "", "\(employee.name ?? "") \(detail)")
      }
    }
  }

  private nonisolated func sorted(_ context: NSManagedObjectContext) throws -> [Employee] {
    let request = Employee.fetchRequest()
    request.sortDescriptors = [
      NSSortDescriptor(key: "sectionName", ascending: true),
      NSSortDescriptor(key: "name", ascending: true),
    ]
    return try context.fetch(request)
  }

  // MARK: On the page

  func editPage(_ page: SectionsPage) async throws -> String {
    let employees = try sorted(context)
    if employees.count < Self.counts.lowerBound {
      try await page.press("Add more data")
      try await page.waitForTotal(employees.count + 20)
      return "add more data"
    }
    let employee = try #require(employees.randomElement(using: &random))
    let name = employee.name ?? ""
    if employees.count > Self.counts.upperBound || random.next() % 3 == 0 {
      // There may be another one of that name.
      let count = employees.count { $0.name == name }
      try await page.act("Delete", on: name)
      try await page.waitForRows(titled: name, count: count - 1)
      return "delete \(name)"
    }
    let change = randomChange()
    try await page.choose(name)
    try await page.answer([change], "Save")
    try await page.waitForNoAlert()
    return "edit \(name): \(change)"
  }

  private func randomChange() -> (label: String, text: String) {
    switch random.next() % 4 {
    case 0: ("Name", newName())
    case 1: ("Height in metres", "1.\(Int.random(in: 40...99, using: &random))")
    case 2: ("Department", ["Accounts", "Kitchen", "Archive"].randomElement(using: &random) ?? "")
    default: ("Birthday", "\(Int.random(in: 1940...2009, using: &random))-03-14")
    }
  }

  /// Names are never the same, so that their order is certain.
  private func newName() -> String {
    lastName += 1
    let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    return "\(letters.randomElement(using: &random) ?? "A")\(lastName)"
  }

  // MARK: Through a context

  /// One to four changes in one save: through the page's own context, or through another.
  func editContext() throws -> String {
    let isOwn = Bool.random(using: &random)
    let editing =
      isOwn ? context : NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
    if !isOwn { editing.persistentStoreCoordinator = container.persistentStoreCoordinator }
    var done: [String] = []
    for _ in 0..<Int.random(in: 1...4, using: &random) { done.append(try edit(in: editing)) }
    try editing.save()
    return "\(isOwn ? "own" : "another") context: \(done.joined(separator: ", "))"
  }

  private func edit(in context: NSManagedObjectContext) throws -> String {
    let employees = try sorted(context)
    let isFull = employees.count >= Self.counts.upperBound
    let employee = try #require(employees.randomElement(using: &random))
    let name = employee.name ?? ""
    switch random.next() % 6 {
    case 0...1 where !isFull:
      let new = Employee(context: context)
      try fill(new, context)
      return "insert \(new.name ?? "")"
    case 0...3 where employees.count > Self.counts.lowerBound / 2:
      context.delete(employee)
      return "delete \(name)"
    case 4:
      employee.height = Float(Int.random(in: 140...199, using: &random)) / 100
      return "height of \(name)"
    default:
      try fill(employee, context)
      return "all of \(name)"
    }
  }

  private func fill(_ employee: Employee, _ context: NSManagedObjectContext) throws {
    try employee.take(
      name: newName(), height: "1.\(Int.random(in: 40...99, using: &random))",
      birthday: "\(Int.random(in: 1940...2009, using: &random))-07-01", department: "Research")
  }
}
