import CoreData
import CoreDataSync
import Foundation

/// How long a device takes:
///
///     SyncDevice measure STORE SERVER KEY COUNT
///
/// One device makes `COUNT` notes in a save and sends them, another one begins empty and gets them.
/// Then both stay connected, and 200 times one changes a text that the other one waits for.
struct Measure {
  private let store: URL
  private let server: URL
  private let key: String
  private let count: Int

  init?(_ arguments: [String]) {
    guard arguments.count == 4, let server = URL(string: arguments[1]),
      let count = Int(arguments[3]), count > 0
    else { return nil }
    store = URL(fileURLWithPath: arguments[0])
    (self.server, key, self.count) = (server, arguments[2], count)
  }

  private struct Device {
    let container: NSPersistentContainer
    let engine: SyncEngine
    let files: [URL]
  }

  private func device(_ name: String) throws -> Device {
    let url = store.deletingPathExtension().appendingPathExtension("\(name).sqlite")
    let container = try NotesModel.container(at: url)
    let engine = SyncEngine(
      container: container,
      configuration: SyncConfiguration(
        zone: "devices", application: "Measure", counters: ["Note": ["stars"]]),
      transport: URLSessionSyncTransport(server: server, key: key))
    return Device(
      container: container, engine: engine,
      files: [URL(fileURLWithPath: url.path + "-sync")])
  }

  func run() async throws {
    let one = try device("one")
    try await one.container.performBackgroundTask { context in
      let folder = NSEntityDescription.insertNewObject(forEntityName: "Folder", into: context)
      folder.setValue("home", forKey: "name")
      for number in 0..<count {
        let note = NSEntityDescription.insertNewObject(forEntityName: "Note", into: context)
        note.setValue("code-\(number)", forKey: "code")
        note.setValue("A text of some forty bytes, number \(number)", forKey: "text")
        note.setValue(folder, forKey: "folder")
      }
      try context.save()
    }
    let sending = try await clock { try await one.engine.syncNow() }
    SyncDevice.tell("\(count) notes sent: \(sending)")
    let other = try device("other")
    let before = try Self.memory("VmRSS")
    let getting = try await clock { try await other.engine.syncNow() }
    let growth = (try Self.memory("VmHWM") - before) / 1024
    SyncDevice.tell("\(count) notes got: \(getting), at most \(growth) MB more")
    let bytes = try other.files.filter { FileManager.default.fileExists(atPath: $0.path) }.map {
      try FileManager.default.attributesOfItem(atPath: $0.path)[.size] as? Int ?? 0
    }
    SyncDevice.tell("sync's own store: \(bytes.reduce(0, +) / count) bytes a note")
    try await measureEdits(one, other)
    try await one.engine.close()
    try await other.engine.close()
  }

  private func measureEdits(_ one: Device, _ other: Device) async throws {
    await one.engine.start()
    await other.engine.start()
    try await one.engine.syncNow()
    try await other.engine.syncNow()
    let (news, continuation) = AsyncStream.makeStream(of: Void.self)
    let observer = NotificationCenter.default.addObserver(
      forName: .NSManagedObjectContextDidSave, object: nil, queue: nil
    ) { _ in continuation.yield() }
    defer { NotificationCenter.default.removeObserver(observer) }
    var times: [Duration] = []
    var arrivals = news.makeAsyncIterator()
    for number in 0..<200 {
      let text = "edit \(number)"
      let begin = ContinuousClock.now
      try await one.container.performBackgroundTask { context in
        try Self.note(number, in: context)?.setValue(text, forKey: "text")
        try context.save()
      }
      while try await other.container.performBackgroundTask({ context in
        try Self.note(number, in: context)?.value(forKey: "text") as? String != text
      }) { _ = await arrivals.next() }
      times.append(.now - begin)
    }
    times.sort()
    SyncDevice.tell(
      "from a save to the other device: median \(times[100]), 95 % \(times[190]), slowest \(times[199])"
    )
  }

  private static func note(_ number: Int, in context: NSManagedObjectContext) throws
    -> NSManagedObject?
  {
    let request = NSFetchRequest<NSManagedObject>(entityName: "Note")
    request.predicate = NSPredicate(format: "code == %@", "code-\(number)")
    request.fetchLimit = 1
    return try context.fetch(request).first
  }

  /// How long something takes, in words.
  private func clock(_ body: () async throws -> Void) async throws -> String {
    let (begin, processor) = (ContinuousClock.now, Self.processorTime())
    try await body()
    let words = String(format: "%.1f s of processor time", Self.processorTime() - processor)
    return "\(ContinuousClock.now - begin), \(words)"
  }

  /// Seconds of all threads.
  private static func processorTime() -> Double {
    Double(Foundation.clock()) / Double(CLOCKS_PER_SEC)
  }

  /// A line of the kernel's on this process, in KB.
  private static func memory(_ name: String) throws -> Int {
    let text = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    let line = text.split(separator: "\n").first { $0.hasPrefix(name) }
    return line?.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }.first ?? 0
  }
}
