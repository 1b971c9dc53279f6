import CoreData
import PostgreSQLServer
import TestSupport
import Testing

@testable import PostgreSQLStore

/// Two standbys in one address: one that is down, behind or back again costs nobody a wrong answer, and not each read
/// its patience.
@Suite(.enabled(if: PostgreSQLServer.isAvailable), .serialized) struct SeveralStandbysTests {
  private static let server = Result { try PostgreSQLServer.start() }

  private let stack: ServerStack
  private let standbys: [StandbyServer]

  init() throws {
    let stack = try ServerStack(settings: "-csynchronous_commit=on", server: Self.server.get())
    try stack.add("first")
    self.stack = stack
    standbys = try (0..<2).map { _ in try StandbyServer(of: stack.connection()) }
    for standby in standbys { _ = try standby.connection(stack.url) }
  }

  /// The store with both standbys, which are named in this order.
  private func open(_ folders: [String]) throws -> NSPersistentStoreCoordinator {
    var components = try #require(URLComponents(url: stack.url, resolvingAgainstBaseURL: false))
    components.queryItems = components.queryItems?.map { item in
      item.name == "host"
        ? URLQueryItem(name: "host", value: folders.joined(separator: ",")) : item
    }
    return try ServerStack.open(
      stack.url, [OpenCoreDataReplicaURLOption: try #require(components.url)])
  }

  private func titles(_ coordinator: NSPersistentStoreCoordinator) throws -> [String] {
    let context = stack.context(coordinator)
    return try context.performAndWait {
      let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
      request.sortDescriptors = [NSSortDescriptor(key: "pages", ascending: true)]
      return try context.fetch(request).compactMap { $0.value(forKey: "title") as? String }
    }
  }

  private func reads(_ standby: StandbyServer) throws -> (count: Int64, last: Int64) {
    try standby.reads(standby.connection(stack.url))
  }

  /// Has the primary write its log out, which the tests' server does when something is committed.
  private func flush() throws {
    try stack.connection().execute("UPDATE \(TransactionMark.table) SET time = now()")
  }

  /// Reads until a standby has done so, too.
  private func wait(
    for standby: StandbyServer, _ coordinator: NSPersistentStoreCoordinator, _ wanted: Set<String>
  ) throws {
    try Patience.wait(for: "the standby to read; of each: \(standbys.map(story(of:)))") {
      if try reads(standby).count > 0 { return true }
      try flush()
      #expect(try Set(titles(coordinator)) == wanted)
      return false
    }
  }

  /// What became of a standby, which may let nobody look any more.
  private func story(of standby: StandbyServer) -> String {
    (try? standby.story(standby.connectionAtOnce(stack.url))) ?? standby.log
  }

  /// The standby that reads for a store, once one does: the first rows are read by a cursor, and a standby may have to
  /// catch up. On a busy machine the other one may have read before.
  private func current(_ coordinator: NSPersistentStoreCoordinator) throws -> Int {
    try Patience.find("the standby that reads") {
      try flush()
      let before = try standbys.map { try reads($0).last }
      #expect(try titles(coordinator) == ["first"])
      let reading = try standbys.indices.filter { try reads(standbys[$0]).last > before[$0] }
      return reading.count == 1 ? reading[0] : nil
    }
  }

  private func pause(_ standby: StandbyServer, _ isPaused: Bool) throws {
    try standby.pause(isPaused, standby.connection(stack.url))
  }

  @Test func oneThatIsDownIsPassedByAndTakesOverWhenItIsBack() throws {
    let coordinator = try open(standbys.map(\.folder))
    let one = try current(coordinator)
    let other = 1 - one
    standbys[one].stop()
    var wanted: Set = ["first"]
    for number in 0..<20 {
      try stack.add("book \(number)", in: stack.context(coordinator))
      wanted.insert("book \(number)")
      #expect(try Set(titles(coordinator)) == wanted)
    }
    try wait(for: standbys[other], coordinator, wanted)
    // Back again, it reads when the other one ends.
    try standbys[one].start()
    _ = try standbys[one].connection(stack.url)
    standbys[other].stop()
    try wait(for: standbys[one], coordinator, wanted)
    // Without both the primary reads.
    standbys[one].stop()
    #expect(try Set(titles(coordinator)) == wanted)
  }

  @Test func oneThatIsBehindGivesWayToTheOther() throws {
    // Whoever asks a standby is seen on the way.
    let proxies = try standbys.map { try CuttingProxy.before($0.url(of: stack.url)).0 }
    defer { for proxy in proxies { proxy.close() } }
    let coordinator = try open(proxies.map(\.folder))
    let one = try current(coordinator)
    try pause(standbys[one], true)
    try stack.add("second", in: stack.context(coordinator))
    #expect(try Set(titles(coordinator)) == ["first", "second"])
    try wait(for: standbys[1 - one], coordinator, ["first", "second"])
    // It stays with the one that has come further: not every read waits for the other.
    let asked = try (0..<20).map { number in
      try stack.add("book \(number)", in: stack.context(coordinator))
      var count = 0
      let trips = try proxies[one].roundTrips { count = try titles(coordinator).count }
      #expect(count == number + 3)
      return trips
    }
    #expect(asked.contains(0), "\(asked)")
    // Both behind: the primary reads.
    try pause(standbys[1 - one], true)
    try stack.add("last", in: stack.context(coordinator))
    #expect(try titles(coordinator).count == 23)
    for standby in standbys { try pause(standby, false) }
  }

  /// What was read from one standby is never missing from the next.
  @Test func whatIsReadNeverGoesBack() throws {
    let coordinator = try open(standbys.map(\.folder))
    let one = try current(coordinator)
    try pause(standbys[1 - one], true)
    // By another coordinator: this one is told of nothing.
    try stack.add("second")
    try Patience.wait(for: "the second book") { try titles(coordinator).count == 2 }
    standbys[one].stop()
    #expect(try titles(coordinator).count == 2)
    try pause(standbys[1 - one], false)
  }

  @Test func hostsAreReadFromEveryFormOfAddress() throws {
    func hosts(_ text: String) throws -> [String] {
      try ServerAddress(#require(URL(string: text))).hosts.map(\.connectionText)
    }
    #expect(
      try hosts("postgresql://u:p@a,b/db?sslmode=require") == [
        "postgresql://u:p@a/db?sslmode=require", "postgresql://u:p@b/db?sslmode=require",
      ])
    #expect(
      try hosts("postgresql:///db?host=a,b&port=1,2") == [
        "postgresql:///db?host=a&port=1", "postgresql:///db?host=b&port=2",
      ])
    #expect(
      try hosts("postgresql:///db?host=a,b&port=5&options=-csearch_path%3Dx") == [
        "postgresql:///db?host=a&port=5&options=-csearch_path%3Dx",
        "postgresql:///db?host=b&port=5&options=-csearch_path%3Dx",
      ])
    for one in [
      "postgresql://a/db", "postgresql:///db?service=books", "postgresql:///db?host=/tmp",
    ] {
      #expect(try hosts(one) == [one])
    }
  }

  /// A host that never was there is no obstacle, wherever it stands.
  @Test(arguments: [true, false]) func aHostThatIsNotThereIsPassedBy(first: Bool) throws {
    let nobodys = try TestFolder(isShort: true)
    let nobody = nobodys.url.path
    let coordinator = try open(
      first ? [nobody, standbys[0].folder] : [standbys[0].folder, nobody])
    try wait(for: standbys[0], coordinator, ["first"])
  }
}
