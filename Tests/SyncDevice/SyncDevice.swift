import CoreData
import CoreDataSync
import Foundation

/// A device of a fleet: a store with an engine that runs, and somebody who edits it.
///
///     SyncDevice STORE SERVER KEY NAME FIRST
///     SyncDevice edit STORE NAME FIRST                another process of it, without an engine
///     SyncDevice measure …                            see ``Measure``
///
/// `FIRST` is the number of its first edit: a device that was killed goes on with another one. It
/// prints `begin` with an edit before the save, and `done` with its number after that; see ``Edit``.
/// At the line `rest` on its input it stops editing. At each `sync` it syncs once and prints
/// `synced COUNT`, the number of changes that the server does not have, or `failed` and the reason.
/// At `lost` it prints how many losses it was told of. At `quit` it ends.
@main
struct SyncDevice {
  static func main() async throws {
    let arguments = CommandLine.arguments
    if arguments.dropFirst().first == "measure" {
      guard let measure = Measure(Array(arguments.dropFirst(2))) else {
        fatalError("SyncDevice measure TASK STORE SERVER KEY …")
      }
      return try await measure.run()
    }
    if arguments.dropFirst().first == "edit" {
      guard arguments.count == 5, let first = Int(arguments[4]) else {
        fatalError("SyncDevice edit STORE NAME FIRST")
      }
      let container = try NotesModel.container(at: URL(fileURLWithPath: arguments[2]))
      return try await edit(Editor(container, name: arguments[3], next: first))
    }
    guard arguments.count == 6, let server = URL(string: arguments[2]),
      let first = Int(arguments[5])
    else { fatalError("SyncDevice STORE SERVER KEY NAME FIRST") }
    let container = try NotesModel.container(at: URL(fileURLWithPath: arguments[1]))
    let engine = SyncEngine(
      container: container,
      configuration: SyncConfiguration(
        zone: "home", application: arguments[4], counters: ["Note": ["stars"]],
        identify: { $0.entity.name == "Folder" ? $0.value(forKey: "name") as? String : nil }),
      transport: URLSessionSyncTransport(server: server, key: arguments[3], timeout: 5))
    await engine.start()
    try await edit(Editor(container, name: arguments[4], next: first)) { line in
      switch line {
      case "sync":
        do {
          try await engine.syncNow()
          tell("synced \(engine.status.toSend)")
        } catch { tell("failed \(error)".replacing("\n", with: " ")) }
      case "lost": tell("lost \(engine.status.lossCount) held \(engine.status.held.count)")
      default: return false
      }
      return true
    }
  }

  /// Edits until the line `rest`, and answers other lines until one has no answer.
  private static func edit(
    _ editor: Editor, answering answer: @Sendable (String) async -> Bool = { _ in false }
  ) async throws {
    let lines = AsyncStream<String> { continuation in
      Thread.detachNewThread {
        while let line = readLine() { continuation.yield(line) }
        continuation.finish()
      }
    }
    let editing = Task.detached {
      var editor = editor
      while !Task.isCancelled {
        try editor.edit()
        try await Task.sleep(for: .milliseconds(Int.random(in: 10...60)))
      }
    }
    for await line in lines {
      if line == "rest" {
        editing.cancel()
        do { try await editing.value } catch is CancellationError {}
        tell("rests")
      } else if await !answer(line) {
        return
      }
    }
  }

  /// Tells a line, which is on its way when this returns.
  static func tell(_ line: String) { FileHandle.standardOutput.write(Data("\(line)\n".utf8)) }
}
