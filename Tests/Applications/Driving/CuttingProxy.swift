import Foundation
import Synchronization

/// Stands between a browser and an application: it delivers, at once or late, cuts, falls silent or
/// refuses.
final class CuttingProxy: Sendable {
  private struct State {
    var answersToCut = 0
    var cut = 0
    var isRefusing = false
    /// Counts the times that the line has died: connections of before are dead for good.
    var age = 0
    var isSilent = false
    var delay = 0.0
    var open: Set<Int32> = []
  }

  private let state = Mutex(State())
  private let listener: Int32
  private let server: UInt16
  let port: UInt16

  init(to server: URL) throws {
    self.server = UInt16(server.port ?? 0)
    listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var yes: Int32 = 1
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
    var address = Self.address(port: 0)
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let descriptor = listener
    let isBound = withUnsafeMutablePointer(to: &address) {
      // The calls read and write no more than the given length, which is that of this structure.
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, length) == 0 && listen(descriptor, 256) == 0
          && getsockname(descriptor, $0, &length) == 0
      }
    }
    guard isBound else { throw ApplicationError("The proxy cannot listen: \(errno)") }
    port = address.sin_port.bigEndian
    Thread.detachNewThread { [self] in accept() }
  }

  /// Where a browser finds the application by way of the proxy.
  func address(of url: URL) -> URL {
    var parts = URLComponents(url: url, resolvingAgainstBaseURL: false)
    parts?.port = Int(port)
    return parts?.url ?? url
  }

  // MARK: What becomes of the line

  /// The answers to the next things that the user does are lost: each arrives and is carried out, and its
  /// connection is cut before the answer. What the page says by itself is answered.
  func cutAnswers(_ count: Int) { state.withLock { $0.answersToCut = count } }

  /// How many answers have been lost.
  var answersCut: Int { state.withLock(\.cut) }

  /// From now on a round trip takes so many seconds, half of it each way: of requests, of answers and
  /// of what the server sends by itself.
  func slowDown(toSeconds seconds: Double) { state.withLock { $0.delay = seconds / 2 } }

  /// From now on nothing comes through, in either direction, and nobody is told.
  func fallSilent() {
    state.withLock {
      $0.age += 1
      $0.isSilent = true
    }
  }

  /// New connections come through again; those of before stay dead.
  func wake() { state.withLock { $0.isSilent = false } }

  /// Cuts all connections, and takes no more.
  func refuse() {
    let open = state.withLock { state in
      state.isRefusing = true
      return state.open
    }
    for descriptor in open { shutdown(descriptor, Int32(SHUT_RDWR)) }
  }

  func deliver() { state.withLock { $0.isRefusing = false } }

  func end() {
    refuse()
    shutdown(listener, Int32(SHUT_RDWR))
    close(listener)
  }

  // MARK: Connections

  private static func address(port: UInt16) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    return address
  }

  private func accept() {
    while true {
      let browser = Glibc.accept(listener, nil, nil)
      // For want of a descriptor, or because a browser has gone again, others come.
      if browser < 0, [EINTR, ECONNABORTED, EMFILE, ENFILE].contains(errno) {
        Thread.sleep(forTimeInterval: 0.01)
        continue
      }
      guard browser >= 0 else { return }
      if state.withLock(\.isRefusing) {
        close(browser)
        continue
      }
      Thread.detachNewThread { [self] in carry(browser) }
    }
  }

  private func carry(_ browser: Int32) {
    let server = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = Self.address(port: self.server)
    let isConnected = withUnsafePointer(to: &address) {
      // As above.
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(server, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
    let age = state.withLock { state in
      state.open.formUnion([browser, server])
      return state.isSilent ? -1 : state.age
    }
    let line = Line(age: age)
    if isConnected {
      Thread.detachNewThread { [self] in
        pump(from: server, to: browser, line, isAnswer: true)
        line.hasAnswered.signal()
      }
      pump(from: browser, to: server, line, isAnswer: false)
    }
    shutdown(server, Int32(SHUT_RDWR))
    shutdown(browser, Int32(SHUT_RDWR))
    if isConnected { line.hasAnswered.wait() }
    state.withLock { $0.open.subtract([browser, server]) }
    close(server)
    close(browser)
  }

  /// One connection through the proxy.
  private final class Line: Sendable {
    let age: Int
    /// The last request was something that the user did.
    let isEvent = Mutex(false)
    /// The server's side has ended: nobody writes to the browser any more.
    let hasAnswered = DispatchSemaphore(value: 0)
    init(age: Int) { self.age = age }
  }

  private func pump(from source: Int32, to target: Int32, _ line: Line, isAnswer: Bool) {
    var chunk = [UInt8](repeating: 0, count: 65536)
    // Delivers in the order of arrival, each chunk so much later.
    let late = DispatchQueue(label: "CuttingProxy.late")
    while true {
      let count = recv(source, &chunk, chunk.count, 0)
      guard count > 0 else { break }
      // A line that has died swallows what comes.
      if state.withLock({ $0.age }) != line.age { continue }
      if isAnswer {
        if line.isEvent.withLock({ $0 }), takeCut() { break }
      } else if chunk.starts(with: Array("POST /w/".utf8)) {
        line.isEvent.withLock { $0 = true }
      } else if chunk.starts(with: Array("GET ".utf8)) {
        line.isEvent.withLock { $0 = false }
      }
      if !isAnswer, Self.isOfThePage(chunk.prefix(count)) { line.isEvent.withLock { $0 = false } }
      let delay = state.withLock(\.delay)
      if delay > 0 {
        let bytes = Array(chunk.prefix(count))
        late.asyncAfter(deadline: .now() + delay) { _ = Self.deliver(bytes[...], to: target) }
      } else if !late.sync(execute: { Self.deliver(chunk.prefix(count), to: target) }) {
        return
      }
    }
    // What is under way arrives before the end.
    let end = DispatchSemaphore(value: 0)
    late.asyncAfter(deadline: .now() + state.withLock(\.delay)) { end.signal() }
    end.wait()
    shutdown(target, Int32(SHUT_RDWR))
    shutdown(source, Int32(SHUT_RDWR))
  }

  /// False when nobody takes it any more.
  private static func deliver(_ bytes: ArraySlice<UInt8>, to target: Int32) -> Bool {
    var rest = bytes
    while !rest.isEmpty {
      let written = rest.withUnsafeBytes {
        send(target, $0.baseAddress, rest.count, Int32(MSG_NOSIGNAL))
      }
      guard written > 0 else { return false }
      rest = rest.dropFirst(written)
    }
    return true
  }

  /// Whether an event says what is typed or seen: such ones come at any time.
  private static func isOfThePage(_ request: ArraySlice<UInt8>) -> Bool {
    ["range", "shown", "type"].contains { request.contains(Array("\"type\":\"\($0)\"".utf8)) }
  }

  private func takeCut() -> Bool {
    state.withLock { state in
      guard state.answersToCut > 0 else { return false }
      state.answersToCut -= 1
      state.cut += 1
      return true
    }
  }
}
