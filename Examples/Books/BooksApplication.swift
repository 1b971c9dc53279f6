import ArgumentParser
import ListApplication

/// A shelf of books: list, detail, edit, add.
@main
struct BooksApplication: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "books", abstract: "A shelf of books on a Core Data store.")

  @OptionGroup var options: ApplicationOptions

  @MainActor
  func run() async throws {
    // Books are saved at the end of editing, not after each change.
    let application = Application(
      name: "Books", bundle: .module, prebuiltStore: "Books.sqlite", savesEachEvent: false
    ) { context in
      // Undo is available only while a book is edited.
      context.undoManager = nil
      return ColumnsController(
        BookListViewController(context: context), style: .doubleColumn,
        nothing: NothingChosen("No book chosen", explanation: "Choose one to see it here."))
    }
    try await application.run(options, fill: Shelf.fill)
  }
}
