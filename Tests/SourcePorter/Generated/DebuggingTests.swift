#if PortedSources && !THREAD_SANITIZER && !ADDRESS_SANITIZER
  import Foundation
  import SourcePorter
  import TestSupport
  import Testing

  /// A debugger knows the lines of the originals.
  @Suite struct DebuggingTests {
    private static let original = """
      import UIKit

      class Counter: NSObject {
        @objc dynamic var count = 0 {
          didSet {
            print("counted", count)
          }
        }
        @objc func step(_ sender: Any?) {
          let next = count + 1
          count = next
        }
      }
      """

    @Test(.enabled("a debugger, lldb or gdb, that runs here") { Debugger.found != nil })
    func breakpointsStopInOriginals() throws {
      let debugger = try #require(Debugger.found)
      let ported = SourcePorter.port([("/Xcode/App/Counter.swift", Self.original)])[0]
      let program = try CompiledProgram(
        files: [
          "Counter+Ported.swift": ported.text,
          "main.swift":
            "import ObjectiveCSupport\nCounter().perform(Selector(\"step:\"), with: nil)\n",
        ], arguments: ["-g"])
      defer { program.remove() }
      // A line before what the rewriter has put into the file, in it, and behind it.
      for line in [6, 10, 11] {
        let output = try debugger.stop(at: "Counter.swift:\(line)", in: program.program)
        #expect(
          output.contains("Counter.swift:\(line)"), "\(debugger.name), line \(line):\n\(output)")
      }
    }
  }

  /// A debugger that is there and runs.
  struct Debugger: Sendable {
    let name: String

    static let found = ["lldb", "gdb"].map(Debugger.init).first(where: \.runs)

    /// The threads of a pool block all signals, and what they start inherits that: a debugger would never hear that
    /// its program has stopped. One that hangs all the same is ended.
    private static let launcher = [
      "timeout", "--kill-after=5", "\(Patience.seconds)", "python3", "-c",
      "import os, signal, sys; signal.pthread_sigmask(signal.SIG_SETMASK, []); "
        + "os.execvp(sys.argv[1], sys.argv[1:])",
    ]

    private var runs: Bool {
      // One that is there may lack a library of its own: it ends with an error then.
      (try? CompiledProgram.run("/usr/bin/env", [name, "--version"]).0) == 0
    }

    /// What the debugger says where the program stops.
    func stop(at place: String, in program: URL) throws -> String {
      let parts = place.split(separator: ":")
      let arguments =
        name == "lldb"
        ? [
          "--batch", "-o", "breakpoint set --file \(parts[0]) --line \(parts[1])", "-o", "run",
          "-o", "bt", "-o", "kill", program.path,
        ]
        : [
          "-nx", "--batch", "-ex", "set breakpoint pending on", "-ex", "break \(place)", "-ex",
          "run", "-ex", "bt 3", "-ex", "kill", program.path,
        ]
      let output = try CompiledProgram.run("/usr/bin/env", Self.launcher + [name] + arguments).1
      // What is said before the program runs names the place, too.
      let mark = name == "lldb" ? "stop reason = breakpoint" : "Breakpoint 1, "
      return output.range(of: mark).map { String(output[$0.upperBound...]) }
        ?? output.replacingOccurrences(of: place, with: "(asked)")
    }
  }
#endif
