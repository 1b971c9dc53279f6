import CoreDataSync
import Foundation
import SyncServer
import TestSupport
import Testing

/// Whatever a client sends is answered with a reason, and the server goes on.
@Suite struct HostileClientTests {
  @Test func bodiesThatAreNoMessagesAreRefused() async throws {
    let server = try await RunningServer()
    for path in ["hello", "push", "pull"] {
      for body in [Data(), Data([0x9F]), Data(repeating: 0xFF, count: 1000), Data("{}".utf8)] {
        let (status, text) = try await server.send(path, body)
        #expect(status == 400)
        #expect(text.hasPrefix("Byte "), "\(text)")
      }
      let (status, text) = try await server.send(path, Data([0x85, 7, 0x80, 0x80, 0, 0xA0]))
      #expect(status == 426)
      #expect(text.contains("1 is the lowest"))
    }
    #expect(try await server.send("alive", nil, key: nil).0 == 204)
  }

  @Test func keysAreAskedFor() async throws {
    let server = try await RunningServer()
    for key in [nil, "", "x", "anna-anna-anna-ann", "anna anna-anna-anna-anna"] {
      for path in ["hello", "push", "pull"] {
        let (status, _) = try await server.send(path, Data([1]), key: key)
        #expect(status == 401)
      }
      #expect(try await server.send("changed", nil, key: key).0 == 401)
    }
    #expect(try await server.send("changed", nil).0 == 400)
  }

  @Test func largeBodiesAreRefused() async throws {
    var limits = SyncServer.Limits()
    limits.messages.bytesPerPush = 10_000
    limits.messages.changesPerPush = 20
    let server = try await RunningServer(limits: limits)
    #expect(try await server.send("push", Data(count: 10_001)).0 == 413)
    var writer = SyncWriter(seed: 1)
    _ = try await server.transport().greet(writer.greeting())
    let (status, text) = try await server.send("push", writer.insertions(21).encodedMessage())
    #expect(status == 413)
    #expect(text.contains("at most 20 changes"))
    // A megabyte of zeros in a thousand bytes.
    let bomb = try Self.deflatedZeros(1 << 20)
    #expect(bomb.count < 2000)
    let headers = ["Content-Encoding": "deflate"]
    #expect(try await server.send("push", bomb, headers: headers).0 == 413)
    #expect(try await server.send("push", Data([1, 2, 3]), headers: headers).0 == 400)
    #expect(try await server.send("push", bomb, headers: ["Content-Encoding": "br"]).0 == 415)
  }

  /// By a program that shares no code.
  private static func deflatedZeros(_ count: Int) throws -> Data {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [
      "python3", "-c",
      """
      import zlib, sys
      c = zlib.compressobj(9, zlib.DEFLATED, -15)
      sys.stdout.buffer.write(c.compress(bytes(\(count))) + c.flush())
      """,
    ]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    return output.fileHandleForReading.readDataToEndOfFile()
  }

  @Test func aBodyWithoutAnEndIsGivenUp() async throws {
    var limits = SyncServer.Limits()
    limits.requestTimeout = .seconds(1)
    let server = try await RunningServer(limits: limits)
    let port = try #require(server.url.port)
    let answer = try RawClient.send(
      "POST /sync/v1/push HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer anna-anna-anna-anna\r\n"
        + "Content-Length: 1000\r\n\r\nab", port: port)
    #expect(answer.hasPrefix("HTTP/1.1 408"), "\(answer)")
  }

  @Test func zonesAndNumbersThatAreNotThereAreRefused() async throws {
    let server = try await RunningServer()
    let transport = server.transport()
    var writer = SyncWriter(zone: "nowhere", seed: 2)
    let message = writer.insertions()
    let push = await #expect(throws: SyncTransportError.self) { try await transport.push(message) }
    #expect(push?.reason == .forbidden)
    let pull = await #expect(throws: SyncTransportError.self) {
      try await transport.pull(writer.pull())
    }
    #expect(pull?.reason == .forbidden)
    #expect(try await server.send("pull", writer.pull(-1).encodedMessage()).0 == 400)
    for zone in ["", String(repeating: "z", count: 129), "a\nb"] {
      var other = SyncWriter(zone: zone, seed: 3)
      #expect(try await server.send("hello", other.greeting().encodedMessage()).0 == 400)
    }
  }

  /// Clocks of 2100 are set back to what is allowed, in their order.
  @Test func clocksOfAnotherCenturyAreSetBack() async throws {
    let server = try await RunningServer()
    var writer = SyncWriter(seed: 4)
    let transport = server.transport()
    _ = try await transport.greet(writer.greeting())
    writer.time = 4_102_444_800_000
    let message = writer.insertions(3)
    let answer = try #require(try await transport.push(message).acceptance)
    #expect(answer.clamped.count == 3)
    let limit = (SyncLedger.systemTime() + 301_000) << 16
    #expect(answer.clamped.values.allSatisfy { $0.ticks < limit })
    let order = answer.clamped.sorted { $0.key < $1.key }.map(\.value)
    #expect(order == order.sorted())
  }

  /// Records of others are edited by clock like one's own, and cannot become another entity's.
  @Test func recordsKeepTheirEntity() async throws {
    let server = try await RunningServer()
    var writer = SyncWriter(seed: 5)
    let transport = server.transport()
    _ = try await transport.greet(writer.greeting())
    let own = writer.insertions()
    _ = try await transport.push(own)
    var other = SyncWriter(seed: 6)
    var theft = other.insertions()
    theft.records = [
      RecordChange(
        id: own.records[0].id, entity: "Note", life: Life(isDead: true, clock: other.clock()))
    ]
    let answer = try #require(try await transport.push(theft).acceptance)
    #expect(answer.denied.values.first == "The record is a Account, not a Note.")
    #expect(answer.truth.first?.life?.isDead == false)
  }
}

/// A client of bytes.
enum RawClient {
  /// Sends a text and reads until the server closes the connection.
  static func send(_ text: String, port: Int) throws -> String {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    let isConnected = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
    guard isConnected else { throw CocoaError(.fileReadUnknown) }
    _ = text.withCString { Glibc.send(descriptor, $0, strlen($0), Int32(MSG_NOSIGNAL)) }
    var answer: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while case let count = read(descriptor, &buffer, buffer.count), count > 0 {
      answer += buffer[..<count]
    }
    return String(decoding: answer, as: UTF8.self)
  }
}
