import Foundation

/// Work whose memory is measured, in a process of its own: what an allocator keeps of earlier work would
/// hide what this one takes.
struct MemoryWork {
  let name: String
  /// Does the work on a store of so many rows, and calls the last closure as soon as it is set up: what
  /// the process has by then does not count.
  let run: (URL, Int, _ begin: () -> Void) throws -> Checksum

  static var all: [MemoryWork] {
    [
      .fetchOurs, .fetchRaw, .fetchGRDB, .fetchLimit, .importOurs, .importRaw, .performOurs,
      .performRaw,
      .importServer, .copyServer,
      .migrateRows, .migrateObjects, .migrateRaw,
    ]
  }
}

/// Measures work as the growth of the resident set: its peak (`VmHWM` of /proc/self/status) at the end,
/// less what was resident (`VmRSS`) when the work began. Code, libraries and the open store are in the
/// base; caches that the work fills are in the growth.
enum MemoryProbe {
  private struct Answer: Codable {
    let bytes: Int
    let checksum: Checksum
  }

  private static let workKey = "MEMORY_WORK"
  private static let storeKey = "MEMORY_STORE"
  private static let countKey = "MEMORY_COUNT"

  // MARK: - The process that asks

  static func measure(_ work: MemoryWork, on store: URL, count: Int) throws -> Outcome {
    let process = Process()
    let output = Pipe()
    process.executableURL = try executable()
    process.environment = ProcessInfo.processInfo.environment.merging([
      workKey: work.name, storeKey: store.absoluteString, countKey: "\(count)",
    ]) { $1 }
    process.standardOutput = output
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw BenchmarkError.childFailed(work.name) }
    let answer = try JSONDecoder().decode(Answer.self, from: data)
    return Outcome(bytes: answer.bytes, checksum: answer.checksum)
  }

  private static func executable() throws -> URL {
    URL(
      fileURLWithPath: try FileManager.default.destinationOfSymbolicLink(
        atPath: "/proc/self/exe"))
  }

  // MARK: - The process that works

  /// Does the work if this process was started for one; whether it was.
  static func answered(_ environment: [String: String]) throws -> Bool {
    guard let name = environment[workKey],
      let store = environment[storeKey].flatMap(URL.init(string:)),
      let count = environment[countKey].flatMap(Int.init),
      let work = MemoryWork.all.first(where: { $0.name == name })
    else { return false }
    var base = 0
    let checksum = try work.run(store, count) {
      forgetPeak()
      base = status("VmRSS")
    }
    let answer = Answer(bytes: status("VmHWM") - base, checksum: checksum)
    FileHandle.standardOutput.write(try JSONEncoder().encode(answer))
    return true
  }

  /// The peak counts from here. Where the system refuses, it counts from the start of the process: the
  /// figure is then too high, if anything.
  private static func forgetPeak() {
    try? Data("5".utf8).write(to: URL(fileURLWithPath: "/proc/self/clear_refs"))
  }

  /// A line of /proc/self/status, in bytes.
  private static func status(_ field: String) -> Int {
    guard let text = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8),
      let line = text.split(separator: "\n").first(where: { $0.hasPrefix(field + ":") }),
      let kilobytes = line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap({
        Int($0)
      })
    else { fatalError("/proc/self/status has no \(field)") }
    return kilobytes * 1024
  }
}
