import CoreData
import Testing

/// A managed object class as Xcode has it.
@Suite struct PortedManagedObjectTests {
  private let container: NSPersistentContainer
  private var context: NSManagedObjectContext { container.viewContext }

  init() {
    container = NSPersistentContainer(name: "ReadingRoom")
    let description = NSPersistentStoreDescription(url: URL(fileURLWithPath: "/dev/null"))
    container.persistentStoreDescriptions = [description]
    container.loadPersistentStores { _, error in precondition(error == nil, "\(error!)") }
  }

  @Test @MainActor func aClassIsFoundByItsNameInObjectiveC() throws {
    let object = NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
    let book = try #require(object as? Book)
    #expect(book.entity.managedObjectClassName == "LibraryBook")
    #expect(Book.entity().name == "Book")
    #expect(book.pages == 1, "overridden in an extension")
    #expect(book.kind == .novel)
  }

  @Test @MainActor func notificationsReachPrivateMethods() throws {
    let book = Book(context: context)
    book.title = "Emma"
    book.follow(context)
    try context.save()
    #expect(book.notes == ["inserted 1"])
    NotificationCenter.default.removeObserver(book)
    book.title = "Persuasion"
    try context.save()
    #expect(book.notes == ["inserted 1"])
  }

  @Test @MainActor func validationIsFoundByItsName() throws {
    let book = Book(context: context)
    book.title = "  Emma "
    try context.save()
    #expect(book.title == "Emma")
    book.title = ""
    #expect { try context.save() } throws: {
      ($0 as? BookError) == .untitled || "\($0)".contains("untitled") || ($0 as NSError).code == 7
    }
    var value: Any? = " x "
    try book.validateValue(&value, forKey: "title")
    #expect(value as? String == "x")
  }

  @Test @MainActor func settersAreFoundByTheirNames() {
    let book = Book(context: context)
    book.setValue("EMMA", forKey: "shownTitle")
    #expect(book.title == "emma")
    #expect(book.value(forKey: "shownTitle") as? String == "EMMA")
    #expect((book.value(forKey: "pages") as? NSNumber)?.intValue == 1)
  }

  @Test @MainActor func anObserverIsOneWithoutSayingSo() {
    let (book, watcher) = (Book(context: context), Watcher())
    watcher.watch(book)
    book.title = "Emma"
    watcher.stop(book)
    book.title = "Persuasion"
    #expect(watcher.seen == ["Emma"])
  }

  @Test @MainActor func requestsAreCastAsObjectiveCDoes() throws {
    for title in ["b", "a"] { Book(context: context).title = title }
    try context.save()
    #expect(try context.fetch(Book.sorted()).map(\.title) == ["a", "b"])
    try Book.deleteAll(in: context)
    #expect(try context.count(for: Book.sorted()) == 0)
  }
}
