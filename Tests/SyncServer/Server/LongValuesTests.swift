import CoreData
import CoreDataSupport
import CoreDataSync
import Foundation
import Synchronization
import SyncServer
import Testing
import TestSupport

/// Values of many bytes, such as photos, through a real server.
@Suite struct LongValuesTests {
  private static func bytes(_ count: Int, _ first: UInt8 = 1) -> Data {
    var data = Data(count: count)
    for place in stride(from: 0, to: count, by: 4096) { data[place] = UInt8(place / 4096 & 255) }
    data[0] = first
    return data
  }

  @Test(arguments: [1 << 20, 5 << 20, 50 << 20])
  func aLongValueArrivesAsItIs(_ size: Int) async throws {
    let server = try await RunningServer()
    let (one, other) = (try Album(server.transport()), try Album(server.transport()))
    let photo = Self.bytes(size)
    try one.write { context in
      for title in ["a", "b", "c"] {
        context.insert("Photo", ["title": title]).setValue(
          title == "b" ? photo : nil, forKey: "data")
      }
    }
    for album in [one, other] { try await album.engine.syncNow() }
    #expect(try other.titles() == ["a", "b", "c"])
    #expect(try other.data("b") == photo)
    #expect(one.engine.status.toSend == 0 && other.engine.status.held.isEmpty)
    for album in [one, other] { try await album.engine.close() }
  }

  enum Interruption: String, CaseIterable {
    /// The connection ends while the value is on its way.
    case push, pull
    /// The server has it, and its answer is lost.
    case pushed, pulled
  }

  @Test(arguments: Interruption.allCases)
  func aTransferThatIsInterruptedBeginsAnew(_ interruption: Interruption) async throws {
    let server = try await RunningServer()
    let isPush = interruption == .push || interruption == .pushed
    let line = BrokenLine(server.transport(), interruption)
    let one = try Album(isPush ? line : server.transport())
    let other = try Album(isPush ? server.transport() : line)
    let photo = Self.bytes(3 << 20)
    try one.write { $0.insert("Photo", ["title": "a"]).setValue(photo, forKey: "data") }
    if isPush {
      await #expect(throws: SyncTransportError.self) { try await one.engine.syncNow() }
      #expect(one.engine.status.toSend > 0)
    }
    try await one.engine.syncNow()
    if !isPush {
      await #expect(throws: SyncTransportError.self) { try await other.engine.syncNow() }
      #expect(try other.titles() == [])
    }
    try await other.engine.syncNow()
    for album in [one, other] {
      #expect(try album.titles() == ["a"])
      #expect(try album.data("a") == photo)
      #expect(album.engine.status.toSend == 0)
      try await album.engine.close()
    }
  }

  /// One value keeps nothing else from being sent, nor what others do from coming.
  @Test func aValueThatIsTooLongStaysHereAndIsTold() async throws {
    var limits = SyncServer.Limits()
    limits.messages.bytesPerPush = 100_000
    let server = try await RunningServer(limits: limits)
    let (one, other) = (try Album(server.transport()), try Album(server.transport()))
    try one.write { context in
      context.insert("Photo", ["title": "long"]).setValue(Self.bytes(200_000), forKey: "data")
      // Together they are too long for one message.
      let two = context.insert("Photo", ["title": "two"])
      two.setValue(Self.bytes(60_000), forKey: "data")
      two.setValue(Self.bytes(70_000), forKey: "preview")
    }
    try other.write { $0.insert("Photo", ["title": "of the other"]) }
    for album in [one, other, one, other] { try await album.engine.syncNow() }
    for album in [one, other] {
      #expect(try album.titles() == ["long", "of the other", "two"])
      #expect(try album.data("two") == Self.bytes(60_000))
      #expect(try album.data("two", "preview") == Self.bytes(70_000))
    }
    #expect(try one.data("long") == Self.bytes(200_000))
    #expect(try other.data("long") == nil)
    let held = try #require(one.engine.status.held.first)
    #expect(one.engine.status.held.count == 1 && one.engine.status.toSend == 1)
    #expect(held.entity == "Photo" && held.property == "data" && held.object != nil)
    #expect("\(held.reason)".contains("200000 bytes") && other.engine.status.held.isEmpty)
    #expect(one.engine.status.activity == .idle)
    // A shorter one is sent.
    try one.write { try $0.photo("long").setValue(Self.bytes(50_000), forKey: "data") }
    for album in [one, other] { try await album.engine.syncNow() }
    #expect(try other.data("long") == Self.bytes(50_000))
    #expect(one.engine.status.held.isEmpty && one.engine.status.toSend == 0)
    for album in [one, other] { try await album.engine.close() }
  }

  /// A new device gets many long values in pages that it can hold.
  @Test func pagesOfLongValuesAreShort() async throws {
    let server = try await RunningServer()
    let one = try Album(server.transport())
    let line = BrokenLine(server.transport(), nil)
    let other = try Album(line)
    try one.write { context in
      for number in 0..<12 {
        context.insert("Photo", ["title": "\(number)"])
          .setValue(Self.bytes(1_500_000, UInt8(number)), forKey: "data")
      }
    }
    for album in [one, other] { try await album.engine.syncNow() }
    let titles = (0..<12).map(String.init)
    #expect(try other.titles() == titles.sorted())
    for title in titles {
      #expect(try other.data(title) == Self.bytes(1_500_000, UInt8(title)!))
    }
    #expect(line.pages.allSatisfy { $0 <= 4 << 20 }, "\(line.pages)")
    #expect(line.pages.count >= 6, "\(line.pages)")
    for album in [one, other] { try await album.engine.close() }
  }
}

/// A connection that breaks once.
private final class BrokenLine: SyncTransport {
  private typealias Interruption = LongValuesTests.Interruption
  private let base: URLSessionSyncTransport
  private let interruption: Mutex<LongValuesTests.Interruption?>
  private let sizes = Mutex<[Int]>([])

  init(_ base: URLSessionSyncTransport, _ interruption: LongValuesTests.Interruption?) {
    self.base = base
    self.interruption = Mutex(interruption)
  }

  /// The bytes of the pages that came.
  var pages: [Int] { sizes.withLock { $0 } }

  private func pass<Answer: Sendable>(
    _ during: LongValuesTests.Interruption, _ after: LongValuesTests.Interruption,
    _ call: @escaping @Sendable () async throws -> Answer
  ) async throws -> Answer {
    let now = interruption.withLock { interruption in
      guard interruption == during || interruption == after else {
        return LongValuesTests.Interruption?.none
      }
      defer { interruption = nil }
      return interruption
    }
    guard let now else { return try await call() }
    let task = Task { try await call() }
    if now == during { task.cancel() } else { _ = try await task.value }
    _ = try? await task.value
    throw SyncTransportError(.unreachable, message: "The line is broken.")
  }

  func greet(_ greeting: SyncGreeting) async throws -> SyncWelcome {
    try await base.greet(greeting)
  }

  func push(_ message: PushMessage) async throws -> Pushed {
    try await pass(.push, .pushed) { [base] in try await base.push(message) }
  }

  func pull(_ request: PullRequest) async throws -> Pulled {
    let answer = try await pass(.pull, .pulled) { [base] in try await base.pull(request) }
    sizes.withLock { $0.append(answer.encodedMessage().count) }
    return answer
  }

  func changes(in zones: [String]) -> AsyncThrowingStream<SyncWakeUp, any Error> {
    base.changes(in: zones)
  }
}

/// A device with photos.
private final class Album: Sendable {
  private let folder: TestFolder
  private let container: NSPersistentContainer
  let engine: SyncEngine

  init(_ transport: any SyncTransport) throws {
    folder = try TestFolder()
    container = try .open("Photos", Self.model(), at: folder.file("Photos.sqlite"))
    engine = SyncEngine(
      container: container, configuration: SyncConfiguration(zone: "home"), transport: transport)
  }

  @discardableResult
  func write<Result>(_ body: (NSManagedObjectContext) throws -> Result) throws -> Result {
    try container.write(body)
  }

  func titles() throws -> [String] {
    try write { context in
      try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Photo"))
        .compactMap { $0.value(forKey: "title") as? String }.sorted()
    }
  }

  func data(_ title: String, _ attribute: String = "data") throws -> Data? {
    try write { try $0.photo(title).value(forKey: attribute) as? Data }
  }

  private static func model() -> NSManagedObjectModel {
    // As an application has its photos: in files beside the store.
    let data = ModelPart.attribute("data", .binaryDataAttributeType) {
      $0.allowsExternalBinaryDataStorage = true
    }
    let preview = ModelPart.attribute("preview", .binaryDataAttributeType)
    return ModelPart.model([
      ModelPart.entity("Photo", [ModelPart.attribute("title"), data, preview])
    ])
  }
}

extension NSManagedObjectContext {
  fileprivate func photo(_ title: String) throws -> NSManagedObject {
    let request = NSFetchRequest<NSManagedObject>(entityName: "Photo")
    request.predicate = NSPredicate(format: "title == %@", title)
    return try #require(fetch(request).first)
  }
}
