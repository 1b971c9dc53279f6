import ArgumentParser
import Foundation
import ListApplication
import StoreBrowser
import StoreTool

struct BrowseCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "browse",
    abstract: "Shows a store as an application, in a browser or in this terminal.",
    discussion: """
      coredata browse Books.sqlite
      coredata browse Books.sqlite --terminal
      coredata browse Books.sqlite --edit

      Entities lead to their objects, objects through their relationships to others. The search takes a predicate, such \
      as title CONTAINS[cd] "sea". Nothing can be changed without --edit; with it the store is copied to STORE.backups \
      before the first change, and “coredata undo” takes all changes back.
      """)

  @OptionGroup var store: StoreArguments

  @Flag(help: "Let values be changed and objects be deleted.")
  var edit = false

  @Flag(
    inversion: .prefixedNo,
    help: "With --edit: copy the store to STORE.backups before the first change.")
  var backup = true

  @OptionGroup var windows: WindowOptions

  @MainActor
  func run() async throws {
    let opened = try store.open(
      isWriting: edit, mainQueueTimeout: StoreBrowser.mainQueueTimeout)
    let browser = StoreBrowser(opened, isEditing: edit, makesBackup: backup)
    Warnings.print(opened.warnings + browser.warnings)
    do { try await browser.run(windows) } catch let error as POSIXError {
      throw ToolError(
        .inputOutput,
        description:
          "The output cannot be written: \(String(cString: strerror(error.code.rawValue))).")
    }
  }
}
