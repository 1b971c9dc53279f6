import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A window of an application without a browser: it sends the events that a page would send.
struct WindowClient: Sendable {
  private let address: URL
  private let token: String
  private let field: String
  let table: String
  /// The names of the first rows.
  let rows: [String]
  /// How many rows the whole list has.
  let count: Int

  /// - Parameter isShown: says that somebody looks at it.
  init(_ address: URL, isShown: Bool = true) async throws {
    let (token, page) = try await Door.enter(address)
    func value(_ name: String) throws -> String {
      guard let match = page.firstMatch(of: try Regex("data-\(name)=\"([^\"]+)\"")) else {
        throw ApplicationError("The page has no data-\(name).")
      }
      return String(match.output[1].substring ?? "")
    }
    self.address = address
    self.token = token
    field = try value("field")
    table = try value("table")
    rows = page.matches(of: /data-row="([^"]+)"/).map { String($0.1) }
    // Each section has a title or none, and a count: "sections":[[null,12]].
    count = page.matches(of: /\[(?:null|&quot;[^&]*&quot;),(\d+)\]/)
      .compactMap { Int($0.1) }.reduce(0, +)
    if isShown { try await send(["type": "shown"]) }
  }

  struct Answer: Sendable {
    let status: Int
    let text: String
  }

  @discardableResult
  func send(_ event: [String: String]) async throws -> Answer {
    var request = URLRequest(url: try Door.url("w/\(token)/events", address))
    request.httpMethod = "POST"
    request.httpBody = try JSONEncoder().encode(event)
    request.setValue("application/json", forHTTPHeaderField: "Content-Type")
    request.setValue(
      "http://127.0.0.1:\(address.port ?? 0)", forHTTPHeaderField: "Origin")
    let (data, response) = try await PatientSession.shared.data(for: request)
    return Answer(
      status: (response as? HTTPURLResponse)?.statusCode ?? 0,
      text: String(decoding: data, as: UTF8.self))
  }

  func add(_ title: String) async throws -> Answer {
    try await send(["type": "return", "id": field, "text": title])
  }

  /// The page goes to the background, which saves: with the answer all is in the store.
  func hide() async throws { try await send(["type": "hidden"]) }
}
