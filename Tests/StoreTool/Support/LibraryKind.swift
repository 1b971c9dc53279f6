import CoreData
import Foundation
import PostgreSQLServer
import StoreTool
import Testing

/// The forms of stores that the command knows.
enum LibraryKind: String, CaseIterable, CustomTestStringConvertible {
  case sqlite = "SQLite"
  case xml = "XML"
  case binary = "Binary"
  case server = "PostgreSQL"

  /// Without a server where none can be started, which is said once.
  static let all = allCases.filter { $0 != .server || PostgreSQLServer.isAvailable }

  var testDescription: String { rawValue }

  /// Whether SQL can be asked of it, its history read and its changes followed.
  var isDatabase: Bool { self == .sqlite || self == .server }

  func library() throws -> Library { try Library(type: rawValue) }

  /// Where a store of this form may be made.
  func place(in folder: URL) throws -> String {
    let file = folder.appendingPathComponent("Other.\(rawValue.lowercased())")
    return self == .server
      ? try PostgreSQLServer.url(insteadOf: file).absoluteString : file.path
  }
}

extension Library {
  /// As the command takes it.
  var address: String { url.isFileURL ? url.path : url.absoluteString }

  /// What a form needs to be read with that keeps no model of itself.
  var modelArguments: [String] {
    let format = try? StoreFormat(at: url)
    return format == .xml || format == .binary ? ["--model", modelURL.path] : []
  }

  /// Runs the command; what it notes for “undo” of a server is in this library's folder.
  func run(_ arguments: [String]) throws -> ToolRun {
    try ToolRun(arguments, environment: ["XDG_STATE_HOME": folder.path])
  }

  /// What the command finds of an entity, in an order that does not depend on keys.
  func titles() throws -> [String] {
    let run = try run(
      ["query", address, "Book", "--sort", "title", "--format", "ndjson", "--columns"]
        + ["title,pages,price,published,isRead,code,author.name,tags.@count as tags"]
        + modelArguments)
    #expect(run.status == 0, "\(run.errors)")
    return run.output.split(whereSeparator: \.isNewline).map(String.init)
  }
}
