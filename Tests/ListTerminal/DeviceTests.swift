import Foundation
import ListKit
import TerminalDriver
import TestSupport
import Testing

@testable import ListTerminal

/// The whole way through a pseudo-terminal.
@MainActor
@Suite(.serialized)
struct DeviceTests {
  @Test func theTerminalIsTakenAndGivenBack() async throws {
    let pseudo = try PseudoTerminal(columns: 50, rows: 12)
    #expect(pseudo.isCooked)
    let controller = SectionsController(["Bread"])
    let terminal = ListTerminal(
      input: pseudo.slave, output: pseudo.slave,
      environment: ["TERM": "xterm-256color", "LANG": "C.UTF-8"]
    ) { scene in
      let window = UIWindow(windowScene: scene)
      window.rootViewController = UINavigationController(rootViewController: controller)
      return window
    }
    let running = Task { try await terminal.run() }
    var screen = TerminalScreen(columns: 50, rows: 12)
    func read(_ what: String, until holds: () -> Bool) async throws {
      try await Patience.waiting(for: what) {
        if let bytes = pseudo.read(milliseconds: 0) { screen.write(bytes) }
        // A frame that is under way is no screen.
        return !screen.modes.contains("?2026") && holds()
      }
    }
    try await read("the rows") { screen.text.contains("Bread") }
    #expect(!pseudo.isCooked)
    #expect(screen.modes.isSuperset(of: ["?1049", "?2004", "?1006"]))
    pseudo.write(Array("\u{1B}[?2026;2$y\u{1B}]11;rgb:ff/ff/ff\u{7}nMilk\r".utf8))
    try await read("another row") {
      screen.text.contains("Milk") && controller.sections[0].rows == ["Bread", "Milk"]
    }
    pseudo.resize(columns: 30, rows: 8)
    screen.resize(columns: 30, rows: 8)
    raise(SIGWINCH)
    try await read("the field on the smaller screen") {
      screen.text.contains("Milk") && screen.isCursorShown
    }
    // By itself, what else begins a sequence is the key Escape.
    pseudo.write([0x1B])
    try await read("the field to be left") { !screen.isCursorShown }
    pseudo.write(Array("q".utf8))
    try await running.value
    while let bytes = pseudo.read(milliseconds: 20), !bytes.isEmpty { screen.write(bytes) }
    #expect(pseudo.isCooked)
    #expect(screen.modes.subtracting(["?25", "?7"]).isEmpty && screen.isCursorShown)
    #expect(screen.unknown.isEmpty)
  }
}
