import CoreData
import SyncSupport
import TestSupport

@testable import CoreDataSync

/// A random history of several devices and a server over a bad network, with crashes, copies and
/// restored backups; then all is healed and must agree.
///
/// Sendable: it and its engines take turns.
final class History: @unchecked Sendable {
  struct Options {
    var steps = 220
    var devices = 3
    var clones = true
    var restores = true
    var serverRestores = true
    var purges = true
    var compactions = true
    var skew = true
    var crashes = true
    var models = true
    var rights = true
    var faults = true
    var editWins = false
  }

  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  let seed: UInt64
  let options: Options
  var random: SplitMix64
  /// The server's time, in milliseconds.
  var serverTime: Int64 = 1_000_000_000
  var server: ReferenceServer
  private(set) var devices: [SimulatedDevice] = []
  private(set) var counts: [String: Int] = [:]
  private(set) var trace: [String] = []
  var journal = Journal()
  private var names = 0
  private var network:
    [(message: Stop, device: SimulatedDevice, request: SimulatedDevice.Request)] =
      []
  private var hasFaults: Bool
  private var backups: [ObjectIdentifier: URL] = [:]
  private var serverBackup: ReferenceServer?
  private var mended: Set<RecordID> = []

  init(seed: UInt64, options: Options = Options()) {
    self.seed = seed
    self.options = options
    random = SplitMix64(seed: seed)
    hasFaults = options.faults
    var configuration = HistoriesModel.configuration
    if options.editWins { configuration.editWins = ["Note", "Folder", "Tag"] }
    let schema = SyncSchema(model: HistoriesModel.full, configuration: configuration)
    server = ReferenceServer(schema: schema, epoch: .random(using: &random), now: 1_000_000_000)
  }

  // MARK: - Chance

  func share() -> Double { Double(random.next() >> 11) / Double(1 << 53) }

  func number(below bound: Int) -> Int { Int(random.next() % UInt64(bound)) }

  func pick<Item>(_ items: [Item]) -> Item { items[number(below: items.count)] }

  func newName(_ kind: String) -> String {
    names += 1
    return "\(kind)\(names)"
  }

  func count(_ what: String) { counts[what, default: 0] += 1 }

  func log(_ line: @autoclosure () -> String) {
    if isTracing { trace.append("\(serverTime) \(line())") }
  }

  let isTracing = ProcessInfo.processInfo.environment["SYNC_TRACE"] != nil

  // MARK: - The run

  func run() async throws {
    do {
      try await start()
      for step in 0..<options.steps { try await takeStep(step) }
      try await settle()
      try await check("settled")
      if try await holdsAnything() {
        count("with something held back")
        try await repair()
        try await settle()
        try await check("repaired", isFinal: true)
      }
    } catch {
      for device in devices { try? await device.close() }
      throw error
    }
    for device in devices { try await device.close() }
  }

  private func start() async throws {
    let isOld = options.models && share() < 0.4
    let isReadOnly = options.rights && share() < 0.2
    for index in 0..<options.devices {
      let device = try SimulatedDevice(name: "D\(index)", history: self, isOld: isOld && index == 0)
      if isReadOnly, index == 1 { device.readOnly = ["Account", "Folder"] }
      if options.skew, share() < 0.5 { device.skew = pick(Self.skews) }
      devices.append(device)
      try await device.startEngine()
    }
    if isOld { count("with an old model") }
    if isReadOnly { count("with a device that may not write") }
  }

  private static let skews: [Int64] = [-5000, -30, 20, 400, 100_000]

  private func takeStep(_ index: Int) async throws {
    serverTime += pick([0, 0, 1000, 5000])
    let device = pick(devices)
    let share = share()
    if share < 0.22 {
      try edit(device)
    } else if share < 0.68 {
      for _ in 0..<pick([1, 1, 3, 12]) {
        try await step(device)
        if self.share() < 0.6 { deliver() }
      }
    } else if share < 0.86 {
      deliver()
    } else if share < 0.90 {
      device.isOffline.toggle()
    } else if share < 0.94 {
      if options.crashes { try await crash(device) }
    } else {
      try await takeRareStep(index, share, device)
    }
  }

  private func takeRareStep(_ index: Int, _ share: Double, _ device: SimulatedDevice) async throws {
    switch share {
    case ..<0.95 where options.purges:
      try device.coordinator.purgeHistory()
      count("history purged by others")
    case 0.95..<0.96 where options.restores:
      try await backUp(device)
    case 0.96..<0.965 where options.restores:
      guard let files = backups[ObjectIdentifier(device)] else { return }
      // What its engine still saves is of the line that is lost.
      try await device.endEngine()
      log("\(device.name) restored")
      journal.lostLines.insert(device.line)
      device.line = newName("T")
      try await device.restore(files)
      count("device restored")
    case 0.965..<0.97 where options.clones && devices.count < 5:
      try await clone(device, index)
    case 0.97..<0.975 where options.skew:
      device.skew = pick(Self.skews + [0])
    case 0.975..<0.977 where device.isOld:
      try await device.upgrade()
      count("model upgraded")
    case 0.977..<0.98 where options.compactions:
      server.compact()
      count("server compacted")
      log("compacted at \(server.head)")
    case 0.98..<0.985 where options.serverRestores:
      serverBackup = server
    case 0.985..<0.988:
      guard let backup = serverBackup else { return }
      server = backup
      server.epoch = .random(using: &random)
      serverBackup = nil
      count("server restored")
      log("server restored to \(server.head)")
    default: break
    }
  }

  private func edit(_ device: SimulatedDevice) throws {
    let edits = pick([1, 1, 1, 2, 3])
    try device.edit { edit in
      for _ in 0..<edits { try edit.makeRandomly() }
    }
  }

  private func crash(_ device: SimulatedDevice) async throws {
    count("crash")
    if case .step(.applied) = device.stop { count("crash between save and finish") }
    if case .step(.intended) = device.stop { count("crash before the save") }
    try await device.crash()
  }

  private func backUp(_ device: SimulatedDevice) async throws {
    let files = try TestFolder.make()
    try SimulatedDevice.copy(device.folder, to: files)
    backups[ObjectIdentifier(device)] = files
    try await journal.exempt(unscanned(device))
  }

  private func clone(_ device: SimulatedDevice, _ index: Int) async throws {
    let copy = try SimulatedDevice(
      name: "C\(index)", history: self, isOld: device.isOld, copying: device.folder)
    copy.skew = device.skew
    copy.readOnly = device.readOnly
    copy.times = device.times
    devices.append(copy)
    try await journal.exempt(unscanned(device))
    try await copy.startEngine()
    count("device cloned")
    log("\(copy.name) is a copy of \(device.name)")
  }

  /// Counters with increments that are saved and not scanned: a copy of the store counts them, too.
  private func unscanned(_ device: SimulatedDevice) async throws -> Set<Journal.Counter> {
    let state = try await device.state()
    return Set(
      journal.increments.keys.filter { $0.line == device.line }.compactMap { key in
        guard let id = state.record(ofObject: key.object) else { return nil }
        return Journal.Counter(record: id, property: key.property)
      })
  }

  // MARK: - The network

  private func step(_ device: SimulatedDevice) async throws {
    switch device.stop {
    case .push, .pull:
      guard let request = device.request else { return try await device.resume(.unanswered) }
      if let answer = request.answer {
        try await take(answer, device)
      } else if share() < 0.15 || device.isOffline {
        request.isOpen = false
        try await device.resume(.unanswered)
      }
    default: try await device.resume(.on)
    }
    if case .step(.finished) = device.stop { try await checkDerivation(device, "after a page") }
    send(from: device)
  }

  private func take(_ answer: Go, _ device: SimulatedDevice) async throws {
    if case .push(let message) = device.stop, case .pushed(let pushed) = answer {
      journal.note(pushed, to: message, of: device)
      switch pushed.outcome {
      case .fork: count("fork")
      case .reset: count("reset")
      case .otherEpoch: count("other epoch")
      case .accepted: count("accepted pushes")
      }
    }
    try await device.resume(answer)
  }

  private func send(from device: SimulatedDevice) {
    guard device.request == nil else { return }
    switch device.stop {
    case .push, .pull: break
    default: return
    }
    let request = SimulatedDevice.Request()
    device.request = request
    guard !device.isOffline, !(hasFaults && share() < 0.08) else { return }
    network.append((device.stop, device, request))
    if hasFaults, share() < 0.06 { network.append((device.stop, device, request)) }
  }

  private func deliver() {
    guard !network.isEmpty else { return }
    let (message, device, request) = network.remove(
      at: hasFaults ? number(below: network.count) : 0)
    server.now = UInt64(serverTime)
    let answer: Go
    switch message {
    case .push(let message) where hasFaults && message.count > 1 && share() < 0.03:
      log("\(device.name) pushes too much: \(message)")
      count("too large")
      answer = .tooLarge
    case .push(let message):
      let pushed = server.push(message, readOnly: device.readOnly)
      log("\(device.name) pushes \(message) → \(pushed)")
      answer = .pushed(pushed)
    case .pull(let request):
      let pulled = server.pull(request)
      log("\(device.name) pulls \(request) → \(pulled)")
      answer = .pulled(pulled)
    default: return
    }
    if hasFaults, share() < 0.08 { return }  // the answer is lost
    if request.isOpen, request.answer == nil { request.answer = answer }
  }

  // MARK: - Healing

  func settle() async throws {
    for device in devices where device.isOld {
      try await device.upgrade()
      count("model upgraded")
    }
    hasFaults = false
    network = network.filter { _ in share() < 0.5 }
    for device in devices { device.isOffline = false }
    var calm = 0
    var last: [String] = []
    for _ in 0..<400 {
      serverTime += 1000
      for device in devices { try await settle(device) }
      let now = try await signature()
      calm = now == last ? calm + 1 : 0
      last = now
      if calm >= 2 {
        hasFaults = options.faults
        return
      }
    }
    throw Failure(description: "does not come to rest")
  }

  private func settle(_ device: SimulatedDevice) async throws {
    for _ in 0..<60 {
      try await step(device)
      while !network.isEmpty { deliver() }
      if case .step(.idle) = device.stop { return }
    }
  }

  private func signature() async throws -> [String] {
    var lines = ["\(server.head)"]
    for device in devices {
      let standing = try await device.state().standing
      let token = standing.token.map { Data($0).base64EncodedString() } ?? ""
      lines.append(
        "\(token) \(standing.cursor) \(standing.wanted.count) \(standing.message != nil)")
    }
    return lines
  }

  private func holdsAnything() async throws -> Bool {
    for device in devices where try await !device.state().standing.held.isEmpty { return true }
    return false
  }

  /// An application mends what validation has held back, on the first device that has the object.
  private func repair() async throws {
    for device in devices {
      let state = try await device.state()
      for (id, hold) in state.standing.held.sorted(by: { $0.key < $1.key }) {
        guard case .validation = hold, let uri = state[id]?.object, mended.insert(id).inserted
        else {
          continue
        }
        let low = -1 - number(below: 9)
        let high = 20 + number(below: 9)
        try device.edit { edit in
          guard let note = try edit.objects("Note").first(where: { $0.uri == uri }) else { return }
          edit.set(note, "lo", low)
          edit.set(note, "hi", high)
        }
      }
    }
  }

  // MARK: - The journal

  func noteSave(of device: SimulatedDevice, old: ReplicaState, new: ReplicaState) {
    journal.noteSave(of: device, old: old, new: new)
    guard isTracing else { return }
    for (id, record) in new.records.edits {
      log("\(device.name) saves \(id) \(record.map { "\($0)" } ?? "nothing")")
    }
  }

  func noteWrite(_ value: String, of property: String, _ object: String, _ device: SimulatedDevice)
  {
    let key = Journal.Write(line: device.line, object: object, property: property)
    journal.writes[key] = value
    count("writes")
  }

  func noteIncrement(of property: String, _ object: String, _ device: SimulatedDevice) {
    let key = Journal.Write(line: device.line, object: object, property: property)
    journal.increments[key, default: 0] += 1
  }
}
