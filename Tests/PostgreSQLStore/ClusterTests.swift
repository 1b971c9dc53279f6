import CoreData
import Synchronization
import TestSupport
import Testing

@testable import PostgreSQLStore

/// A cluster of three servers whose primary is killed again and again in the midst of saves: what was acknowledged is
/// there, once, and contexts go on by themselves. CLUSTER_KILLS says how often; without it there is no cluster.
@Suite(.enabled(if: Cluster.kills > 0, "CLUSTER_KILLS is not set"))
struct ClusterTests {
  private static let savers = 8

  @Test func whatWasAcknowledgedIsThereOnceAfterEveryKill() throws {
    let cluster = try Cluster()
    defer { cluster.stop() }
    let url = try #require(URL(string: cluster.address + "&options=-csearch_path%3Dbooks"))
    let coordinator = try ServerStack.open(url)
    let saved = Mutex([Int](repeating: 0, count: Self.savers))
    let errors = Mutex<[String]>([])
    let isOver = Atomic(false)
    let group = DispatchGroup()
    for number in 0..<Self.savers {
      group.enter()
      let thread = Thread {
        let context = NSManagedObjectContext(.privateQueue)
        context.persistentStoreCoordinator = coordinator
        let saver = Saver(number: number, context: context)
        while !isOver.load(ordering: .relaxed) {
          do {
            try saver.save()
            saved.withLock { $0[number] += 1 }
          } catch {
            errors.withLock { $0.append("\(error)") }
            break
          }
        }
        group.leave()
      }
      thread.start()
    }
    func count() -> Int { saved.withLock { $0.reduce(0, +) } }
    var outages: [Duration] = []
    for _ in 0..<Cluster.kills {
      try cluster.waitUntilWhole()
      // At any moment of the saves.
      let moment = count() + .random(in: 0..<5 * Self.savers)
      try Patience.wait(for: "the moment of the kill") {
        count() >= moment || !errors.withLock { $0.isEmpty }
      }
      try cluster.killPrimary()
      let (start, before) = (ContinuousClock.now, count())
      // Saves that were under way may still be acknowledged; what counts is that they go on.
      try Patience.wait(for: "saves after a kill") {
        count() >= before + 2 * Self.savers || !errors.withLock { $0.isEmpty }
      }
      outages.append(ContinuousClock.now - start)
      #expect(errors.withLock { $0 } == [])
    }
    isOver.store(true, ordering: .relaxed)
    group.wait()
    try cluster.waitUntilWhole()
    let numbers = saved.withLock { $0 }
    try check(coordinator, numbers)
    let sorted = outages.sorted()
    print(
      "Cluster: \(outages.count) kills, \(numbers.reduce(0, +)) saves; outages of "
        + "\(sorted[sorted.count / 2]) in the middle, \(sorted[sorted.count * 95 / 100]) (95%), "
        + "\(sorted.last ?? .zero) at most")
  }

  /// Each saver has its books, and one that counts its saves.
  private func check(_ coordinator: NSPersistentStoreCoordinator, _ saved: [Int]) throws {
    let context = NSManagedObjectContext(.privateQueue)
    context.persistentStoreCoordinator = coordinator
    try context.performAndWait {
      let books = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Book"))
      let titles = books.map { $0.value(forKey: "title") as? String ?? "" }
      let wanted = saved.enumerated().flatMap { number, count in
        ["counter \(number)"] + (0..<count).map { "\(number) \($0 + 1)" }
      }
      #expect(titles.sorted() == wanted.sorted())
      let counters = Dictionary(
        uniqueKeysWithValues: books.map {
          ($0.value(forKey: "title") as? String ?? "", $0.value(forKey: "pages") as? Int ?? 0)
        })
      #expect(saved.indices.map { counters["counter \($0)"] ?? 0 } == saved)
    }
  }
}

/// Saves one new book at a time, and counts it in another one. Used by one thread.
private final class Saver {
  private let number: Int
  private let context: NSManagedObjectContext
  private var count = 0
  private var counter: NSManagedObject?

  init(number: Int, context: NSManagedObjectContext) {
    self.number = number
    self.context = context
  }

  func save() throws {
    try context.performAndWait {
      let counter =
        counter ?? NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
      self.counter = counter
      count += 1
      counter.setValue("counter \(number)", forKey: "title")
      counter.setValue(count, forKey: "pages")
      let book = NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
      book.setValue("\(number) \(count)", forKey: "title")
      try context.save()
    }
  }
}

/// What `Scripts/start-cluster` has started.
private final class Cluster {
  static let kills = Int(ProcessInfo.processInfo.environment["CLUSTER_KILLS"] ?? "") ?? 0

  private let process = Process()
  let address: String

  init() throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    process.executableURL = root.appendingPathComponent("Scripts/start-cluster")
    // Its servers, what they tell of themselves, and etcd: see the script's head.
    let port = try LentPorts.lend(with: [1, 2, 3000, 3001, 3002, -3000, -2999])
    process.arguments = [
      "--port", "\(port)", "--parent", "\(ProcessInfo.processInfo.processIdentifier)",
    ]
    let output = Pipe()
    process.standardOutput = output
    process.standardInput = FileHandle.nullDevice
    // The tests' own is waited for until nobody holds it any more.
    process.standardError = FileHandle.nullDevice
    try process.run()
    var text = ""
    while !text.hasSuffix("\n") {
      let data = output.fileHandleForReading.availableData
      guard !data.isEmpty else { break }
      text += String(decoding: data, as: UTF8.self)
    }
    guard text.hasSuffix("\n") else {
      throw CoreDataError.make(
        .persistentStoreOpen, reason: "Scripts/start-cluster could not start; run it to see why.")
    }
    address = String(text.dropLast())
  }

  /// Servers hold what tells that the script has ended: that is not waited for.
  func stop() { process.terminate() }

  private func primary() throws -> PostgreSQLConnection {
    guard let url = URL(string: address) else { throw CocoaError(.fileReadUnknown) }
    return try PostgreSQLConnection(ServerAddress(url), timeout: 3)
  }

  /// Until the primary has two that follow it, one of them in step. Otherwise another kill could take what was
  /// acknowledged, and nobody promised it would not.
  func waitUntilWhole() throws {
    try Patience.wait(for: "the cluster to be whole again") {
      // There may be no primary yet.
      guard let connection = try? primary(),
        let result = try? connection.query(
          "SELECT count(*) FILTER (WHERE sync_state = 'sync'), count(*) FROM pg_stat_replication "
            + "WHERE state = 'streaming' AND current_setting('synchronous_standby_names') <> ''")
      else { return false }
      return result.integer(0, 0) == 1 && result.integer(0, 1) == 2
    }
  }

  func killPrimary() throws {
    let data = try primary().query("SELECT current_setting('data_directory')").text(0, 0)
    let file = try String(contentsOfFile: "\(data)/postmaster.pid", encoding: .utf8)
    guard let pid = file.split(separator: "\n").first.flatMap({ Int32($0) }) else {
      throw CocoaError(.fileReadCorruptFile)
    }
    kill(pid, SIGKILL)
  }
}
