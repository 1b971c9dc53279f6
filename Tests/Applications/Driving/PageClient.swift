import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A window of any application without a browser: it reads the page that a browser would get, and
/// sends the events that it would send. With an event's answer, all that it did is done.
struct PageClient: Sendable {
  private let address: URL
  private let token: String

  init(_ address: URL) async throws {
    self.address = address
    token = try await Door.enter(address).token
  }

  /// The page as it is now.
  private func page() async throws -> String { try await Door.page(token, address) }

  private func send(_ event: [String: String]) async throws {
    var request = URLRequest(url: try Door.url("w/\(token)/events", address))
    request.httpMethod = "POST"
    request.httpBody = try JSONEncoder().encode(event)
    request.setValue("application/json", forHTTPHeaderField: "Content-Type")
    request.setValue("http://127.0.0.1:\(address.port ?? 0)", forHTTPHeaderField: "Origin")
    let (data, response) = try await PatientSession.shared.data(for: request)
    guard (response as? HTTPURLResponse)?.statusCode == 204 else {
      throw ApplicationError("Refused: \(String(decoding: data, as: UTF8.self))")
    }
  }

  // MARK: What a user does

  /// Presses a button of the bar.
  func press(_ title: String) async throws {
    try await send(["type": "press", "id": try name(try await button(title), title)])
  }

  /// Whether the bar has a button.
  func has(_ title: String) async throws -> Bool { try await button(title) != nil }

  private func button(_ title: String) async throws -> Regex<AnyRegexOutput>.Match? {
    try await page().firstMatch(of: try Regex("data-press=\"(e\\d+)\"[^>]*>\(title)</button>"))
  }

  func choose(_ title: String) async throws { try await act("select", on: title) }
  func delete(_ title: String) async throws { try await act("action", on: title) }

  func back() async throws { try await send(["type": "back"]) }

  /// What stands in the only field of the page from now on.
  func fill(_ text: String) async throws {
    let found = try await page().firstMatch(of: try Regex("data-field=\"(e\\d+)\""))
    try await send(["type": "text", "id": try name(found, "field"), "text": text])
  }

  /// Types a text into the only field, and Return.
  func add(_ text: String) async throws {
    let found = try await page().firstMatch(of: try Regex("data-field=\"(e\\d+)\""))
    try await send(["type": "return", "id": try name(found, "field"), "text": text])
  }

  func rename(_ title: String, to text: String) async throws {
    try await act("edit", on: title, ["text": text])
  }

  /// Drags a row above another one.
  func move(_ title: String, before other: String) async throws {
    try await act("move", on: title, ["target": try Self.row(other, try await page())])
  }

  private func act(
    _ type: String, on title: String, _ more: [String: String] = [:]
  ) async throws {
    let page = try await page()
    let table = page.firstMatch(of: try Regex("data-table=\"(e\\d+)\""))
    let event = [
      "type": type, "id": try name(table, "table"), "row": try Self.row(title, page),
    ]
    try await send(event.merging(more) { one, _ in one })
  }

  private static func row(_ title: String, _ page: String) throws -> String {
    guard let row = rows(page).first(where: { $0.title == title }) else {
      throw ApplicationError("The page has no row “\(title)”.")
    }
    return row.name
  }

  private func name(_ match: Regex<AnyRegexOutput>.Match?, _ what: String) throws -> String {
    guard let name = match?.output[1].substring else {
      throw ApplicationError("The page has no “\(what)”.")
    }
    return String(name)
  }

  // MARK: What a user sees

  /// The titles of the rows that the page holds.
  func titles() async throws -> [String] { Self.rows(try await page()).map(\.title) }

  /// How many rows the list has in all its sections.
  func count() async throws -> Int {
    let page = try await page()
    let sections = page.firstMatch(of: /&quot;sections&quot;:\[(\[.*?\])\]/)?.1 ?? ""
    return sections.matches(of: /,(\d+)\]/).compactMap { Int($0.1) }.reduce(0, +)
  }

  private static func rows(_ page: String) -> [(name: String, title: String)] {
    page.matches(of: /data-row="([^"]+)".*?<div class="title"[^>]*>(.*?)<\/div>/).map {
      (String($0.1), String($0.2))
    }
  }
}
