import ArgumentParser
import Foundation
import StoreTool

/// The command `coredata`: works on Core Data stores and models without a Mac.
@main
struct CoreDataCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "coredata",
    abstract: "Looks into Core Data stores and models, checks, changes and converts them.",
    discussion: """
      Commands that read never write: not a byte of the store, no file beside it, and a store that is in use is \
      fine. Commands that write say so, make a backup first, and save everything or nothing. A store is a file, or \
      the address of a PostgreSQL server: postgresql://user@host/database.

      Exit status: 0 done, 1 something was found (check, diff), 64 wrong usage, 65 wrong data, 66 no such file, \
      69 no server, 70 an error of this program, 73 cannot create, 74 cannot write, 75 the store is locked, 77 no permission.
      """,
    version: "0.1.0",
    subcommands: [
      InspectCommand.self, QueryCommand.self, BrowseCommand.self, CheckCommand.self,
      HistoryCommand.self, WatchCommand.self,
      GetCommand.self, SetCommand.self, InsertCommand.self, DeleteCommand.self, UndoCommand.self,
      ExportCommand.self, ImportCommand.self, DiffCommand.self, MergeCommand.self,
      ModelCommand.self, CodegenCommand.self, NewCommand.self, MigrateCommand.self,
      VacuumCommand.self, SyncServerCommand.self,
      AnonymizeCommand.self,
    ])

  static func main() async {
    do {
      var command = try parseAsRoot()
      if var command = command as? any AsyncParsableCommand {
        try await command.run()
      } else {
        try command.run()
      }
    } catch {
      end(error)
    }
  }

  /// Ends the process with an error. The argument parser's errors keep their texts and status.
  private static func end(_ error: any Error) -> Never {
    let name = String(reflecting: type(of: error))
    if error is ExitCode || error is ValidationError || name.hasPrefix("ArgumentParser.") {
      endAsParsed(error)
    }
    fail(ToolError(error))
  }

  /// Requested texts, such as help, go to the standard output, usage errors to the standard error.
  private static func endAsParsed(_ error: any Error) -> Never {
    let status = exitCode(for: error).rawValue
    let text = fullMessage(for: error)
    if text.isEmpty { Foundation.exit(status) }
    if status == 0 {
      do { try StandardOutput.print(text) } catch { fail(ToolError(error)) }
    } else {
      let head = "Error: "
      write(text.hasPrefix(head) ? String(text.dropFirst(head.count)) : text)
    }
    Foundation.exit(status)
  }

  private static func fail(_ error: ToolError) -> Never {
    write(CellText.visible(error.description, keepsLines: true))
    Foundation.exit(error.status.rawValue)
  }

  private static func write(_ text: String) {
    let head = Terminal.standardError.styled("error:", style: .red)
    FileHandle.standardError.write(Data("\(head) \(text)\n".utf8))
  }
}
