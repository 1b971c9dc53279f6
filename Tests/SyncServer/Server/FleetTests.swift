import Foundation
import TestSupport
import Testing

/// Devices, servers and a database as processes that are killed, a bad proxy between them, and a
/// judge that shares no code with any of them: `Scripts/sync-fleet`.
///
/// `FLEET_SECONDS` is for how long, `FLEET_SEED` its seed.
@Suite(.serialized) struct FleetTests {
  enum State: String, CaseIterable {
    case postgreSQL, sqlite
  }

  @Test(arguments: State.allCases)
  func nothingAcknowledgedIsLostAndAllAreEqual(_ state: State) throws {
    let environment = ProcessInfo.processInfo.environment
    let folder = try TestFolder()
    let output = Pipe()
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    let programs = try BuiltProgram.url("SyncDevice").deletingLastPathComponent()
    process.arguments =
      [
        "python3", Self.script.path, programs.path, "--devices", "4",
        "--seconds", environment["FLEET_SECONDS"] ?? "8", "--seed",
        environment["FLEET_SEED"] ?? "1",
      ] + (state == .sqlite ? ["--store", folder.file("Sync.sqlite").path] : [])
    process.standardInput = FileHandle.nullDevice
    (process.standardOutput, process.standardError) = (output, output)
    try process.run()
    let text = String(
      decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    print(text)
    #expect(process.terminationStatus == 0, "\(text)")
    #expect(text.contains("nothing lost, all equal"))
  }

  private static let script = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("Scripts/sync-fleet")
}
