import Foundation
import TestSupport
import Testing

/// The manual pages, which a script makes of what the command says of itself.
struct ManPageTests {
  private static let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Scripts/make-man")

  private struct Help: Decodable {
    struct Command: Decodable {
      let commandName: String
      let subcommands: [Command]?
      let arguments: [Argument]?
    }

    struct Argument: Decodable {
      struct Name: Decodable { let name: String }
      let names: [Name]?
    }

    let command: Command
  }

  @Test func everyCommandHasAPageWithEveryOption() throws {
    let folder = try TestFolder.make()
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [
      "python3", Self.script.path, try BuiltProgram.url("coredata").path, folder.path,
    ]
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    let help = try JSONDecoder().decode(
      Help.self, from: Data(ToolRun("--experimental-dump-help").output.utf8))
    var pages = try Set(FileManager.default.contentsOfDirectory(atPath: folder.path))
    try check(help.command, "coredata", folder, &pages)
    #expect(pages.isEmpty)
  }

  private func check(
    _ command: Help.Command, _ name: String, _ folder: URL, _ pages: inout Set<String>
  ) throws {
    #expect(pages.remove(name + ".1") != nil, "\(name) has no page")
    let page = try String(contentsOf: folder.appendingPathComponent(name + ".1"), encoding: .utf8)
    for option in (command.arguments ?? []).flatMap({ $0.names ?? [] }) where option.name.count > 1
    {
      let text = "\\-\\-" + option.name.replacing("-", with: "\\-")
      #expect(page.contains(text), "\(name) does not explain --\(option.name)")
    }
    for child in command.subcommands ?? [] where child.commandName != "help" {
      try check(child, "\(name)-\(child.commandName)", folder, &pages)
    }
  }
}
