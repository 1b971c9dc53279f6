import Foundation
import TerminalDriver
import Testing

/// Goods on two devices: what both have counted adds up, and goods of one name are one.
@Suite(.serialized)
struct SyncedGoodsTests {
  private static let query = "SELECT ZNAME, ZNUMBER FROM ZGOODS ORDER BY ZNAME"

  @Test func whatTwoDevicesCountOfflineAddsUp() async throws {
    let server = try SyncServerOfLists()
    let places = try (0..<2).map { _ in try TemporaryFolder() }
    let stores = places.map { $0.file("Goods.sqlite") }
    let devices = try stores.map { store in
      try TerminalApplication("goods", store: store, arguments: server.arguments).process
    }
    let (one, other) = (devices[0], devices[1])
    try add("Milk", "3", on: one)
    try other.wait(for: "Milk")
    for device in devices {
      device.type("f")
      try device.wait(for: "Offline since")
    }
    // A press counts.
    for (device, presses) in [(one, 2), (other, 4)] {
      for _ in 0..<presses { device.type("\r") }
      try device.wait("the number") { Self.number(of: "Milk", on: $0) == 3 + presses }
    }
    try add("Tea", "5", on: one)
    try add("Tea", "7", on: other)
    try add("Jam", "1", on: other)
    for device in devices {
      try device.wait(for: "to send")
      device.type("b")
    }
    for (device, store) in zip(devices, stores) {
      try device.wait("the sums") { screen in
        [("Milk", 9), ("Tea", 12), ("Jam", 1)].allSatisfy {
          Self.number(of: $0.0, on: screen) == $0.1
        }
      }
      try await SQLiteShell.wait(for: ["Jam|1", "Milk|9", "Tea|12"], Self.query, store)
    }
  }

  private func add(_ name: String, _ number: String, on device: TerminalProcess) throws {
    device.type("a")
    try device.wait(for: "Add goods")
    device.type("\(name)\r\(number)\rFood\u{13}")
    try device.wait("no sheet, and the row") {
      !$0.text.contains("Add goods") && Self.number(of: name, on: $0) == Int(number)
    }
  }

  /// The number at the end of a row.
  private static func number(of name: String, on screen: TerminalScreen) -> Int? {
    screen.text.split(separator: "\n").first { $0.contains("⊕ \(name) ") }
      .flatMap { $0.split(separator: " ").last }.flatMap { Int($0) }
  }
}
