import Foundation
import TestSupport
import Testing

/// Short forms of `make measure-load` and `make attack`: what they find wrong fails, how fast it is
/// they only print.
@Suite(.serialized)
struct ManyPeopleTests {
  private func run(_ script: String, _ arguments: [String]) throws -> (status: Int32, text: String)
  {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments =
      ["python3", root.appendingPathComponent("Scripts/\(script)").path] + arguments
    let output = Pipe()
    process.standardOutput = output
    process.standardError = output
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: data, as: UTF8.self))
  }

  private var lists: URL {
    get throws { try BuiltProgram.url("nested-lists") }
  }

  @Test(arguments: Sample.of([[], ["--kill"], ["--one-list"], ["--one-list", "--edits", "30"]]))
  func whatManyPeopleDoReachesAllOfThemAndIsKept(_ kill: [String]) throws {
    let port = ["--port", "\(try LentPorts.lend())"]
    let arguments = ["--sessions", "24", "--together", "6", "--seconds", "6"] + port + kill
    let result = try run("measure-load", [try lists.path] + arguments)
    print(result.text)
    #expect(result.status == 0, "\(result.text)")
  }

  @Test(arguments: Sample.of(["nested-lists", "goods", "books", "heroes", "employees", "todomvc"]))
  func hostilePagesAndRequestsDoNoHarm(_ application: String) throws {
    let folder = try lists.deletingLastPathComponent().path
    let arguments = ["--seconds", "4", "--connections", "300", "--only", application]
    let result = try run("attack-server", [folder] + arguments)
    print(result.text)
    #expect(result.status == 0, "\(result.text)")
  }
}
