import CoreData
import Foundation
import Testing

@testable import Books

/// What the application asks of Core Data, without its pages.
@MainActor
struct BooksModelTests {
  private func makeChild(_ parent: NSManagedObjectContext) -> NSManagedObjectContext {
    let child = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
    child.parent = parent
    return child
  }

  private func fill(_ book: Book) {
    book.title = "The Quiet Harbour"
    book.author = "Agnes Thornbury"
    book.copyright = Date(timeIntervalSince1970: 0)
  }

  @Test func aNewBookWithNothingBreaksThreeRulesAtOnce() throws {
    let child = makeChild(try makeMemoryContext(model: "Books"))
    let book = Book(context: child)
    let error = #expect(throws: NSError.self) { try child.save() }
    #expect(error?.domain == NSCocoaErrorDomain)
    #expect(error?.code == NSValidationMultipleErrorsError)
    let details = error?.userInfo[NSDetailedErrorsKey] as? [NSError] ?? []
    #expect(details.map(\.code) == Array(repeating: 1570, count: 3))
    let keys = details.compactMap { $0.userInfo[NSValidationKeyErrorKey] as? String }
    #expect(Set(keys) == Set(BookField.allCases.map(\.key)))
    #expect(details.allSatisfy { $0.userInfo[NSValidationObjectErrorKey] as AnyObject === book })
  }

  @Test(arguments: BookField.allCases)
  func oneMissingPropertyIsNamed(field: BookField) throws {
    let context = try makeMemoryContext(model: "Books")
    let book = Book(context: context)
    fill(book)
    book.setValue(nil, forKey: field.key)
    let error = #expect(throws: NSError.self) { try context.save() }
    #expect(error?.code == NSValidationMissingMandatoryPropertyError)
    #expect(error?.userInfo[NSValidationKeyErrorKey] as? String == field.key)
    #expect(error?.localizedDescription == "\(field.key) is a required value.")
    // Nothing is lost: mended, it is saved.
    fill(book)
    try context.save()
    #expect(try context.count(for: Book.fetchRequest()) == 1)
  }

  @Test func aChildsBookIsTheParentsWithTheSaveAndGoneWithoutIt() throws {
    let parent = try makeMemoryContext(model: "Books")
    var child: NSManagedObjectContext? = makeChild(parent)
    if let child { fill(Book(context: child)) }
    child = nil
    #expect(!parent.hasChanges)
    let saving = makeChild(parent)
    fill(Book(context: saving))
    try saving.save()
    #expect(parent.insertedObjects.count == 1)
    try parent.save()
    #expect(try parent.count(for: Book.fetchRequest()) == 1)
  }

  @Test func threeLevelsOfUndoKeepTheLastThreeOfFiveChanges() throws {
    let context = try makeMemoryContext(model: "Books")
    let book = Book(context: context)
    fill(book)
    try context.save()
    let manager = UndoManager()
    manager.levelsOfUndo = 3
    context.undoManager = manager
    for number in 1...5 {
      book.title = "Title \(number)"
      manager.endEvent()
    }
    var titles: [String?] = []
    while manager.canUndo, titles.count < 9 {
      manager.undo()
      titles.append(book.title)
    }
    #expect(titles == ["Title 4", "Title 3", "Title 2"])
    manager.undo()
    #expect(book.title == "Title 2")
    // A save leaves the steps that there are; without its manager a context undoes nothing.
    try context.save()
    manager.redo()
    #expect(book.title == "Title 3")
    context.undoManager = nil
    context.undo()
    #expect(book.title == "Title 3")
  }

  @Test(arguments: [("", nil), (" \n", nil), (" a b ", "a b"), (nil, nil)] as [(String?, String?)])
  func onlyBlanksAreNothing(typed: String?, value: String?) {
    #expect(Book.value(of: typed) == value)
  }
}
