import CoreData
import CoreDataSync
import Foundation

/// How long a device takes, and what memory:
///
///     SyncDevice measure send  STORE SERVER KEY COUNT     makes `COUNT` notes, and sends them
///     SyncDevice measure get   STORE SERVER KEY           begins empty, and gets what there is
///     SyncDevice measure open  STORE SERVER KEY           syncs with a store that has it all
///     SyncDevice measure edits STORE SERVER KEY STORE     two stores stay connected, and 200 times
///                                                         one changes a text the other waits for
struct Measure {
  private let task: String
  private let store: URL
  private let server: URL
  private let key: String
  private let rest: String

  init?(_ arguments: [String]) {
    guard (4...5).contains(arguments.count), let server = URL(string: arguments[2]) else {
      return nil
    }
    task = arguments[0]
    store = URL(fileURLWithPath: arguments[1])
    (self.server, key) = (server, arguments[3])
    rest = arguments.count > 4 ? arguments[4] : ""
  }

  func run() async throws {
    let device = try Device(at: store, server: server, key: key)
    switch task {
    case "send": try await send(Int(rest) ?? 0, from: device)
    case "get", "open": try await get(device)
    case "edits":
      let other = try Device(at: URL(fileURLWithPath: rest), server: server, key: key)
      try await measureEdits(device, other)
      try await other.engine.close()
    default: fatalError("SyncDevice measure send|get|open|edits")
    }
    try await device.engine.close()
  }

  private struct Device {
    let container: NSPersistentContainer
    let engine: SyncEngine
    let file: String

    init(at url: URL, server: URL, key: String) throws {
      container = try NotesModel.container(at: url)
      engine = SyncEngine(
        container: container,
        configuration: SyncConfiguration(
          zone: "devices", application: "Measure", counters: ["Note": ["stars"]]),
        transport: URLSessionSyncTransport(server: server, key: key))
      file = url.path + "-sync"
    }
  }

  private func send(_ count: Int, from device: Device) async throws {
    let part = 10_000
    for first in stride(from: 0, to: count, by: part) {
      try await device.container.performBackgroundTask { context in
        let folder = NSEntityDescription.insertNewObject(forEntityName: "Folder", into: context)
        folder.setValue("home \(first)", forKey: "name")
        for number in first..<min(first + part, count) {
          let note = NSEntityDescription.insertNewObject(forEntityName: "Note", into: context)
          note.setValue("code-\(number)", forKey: "code")
          note.setValue("A text of some forty bytes, number \(number)", forKey: "text")
          note.setValue(folder, forKey: "folder")
        }
        try context.save()
      }
    }
    let before = try Self.memory("VmHWM")
    let sending = try await clock { try await device.engine.syncNow() }
    let most = try Self.memory("VmHWM")
    SyncDevice.tell(
      "\(count) notes sent: \(sending), at most \(most / 1024) MB, "
        + "\(before / 1024) to make them")
  }

  private func get(_ device: Device) async throws {
    let before = try Self.memory("VmRSS")
    let getting = try await clock { try await device.engine.syncNow() }
    let most = try Self.memory("VmHWM")
    let count = try await device.container.performBackgroundTask { context in
      try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Note"))
    }
    let bytes = try FileManager.default.attributesOfItem(atPath: device.file)[.size] as? Int ?? 0
    SyncDevice.tell(
      "\(count) notes \(task == "get" ? "got" : "here"): \(getting), at most \(most / 1024) MB, "
        + "\((most - before) / 1024) more than before; "
        + "sync's own store: \(bytes / max(1, count)) bytes a note")
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
