import Foundation
import ListKit
import TestSupport

@testable import ListWeb

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A server on a free port with windows on one list of titles, for the time of a test.
@MainActor
func withServer(
  _ model: Titles, windows: Int = 64, maximumBody: Int = 1 << 20, port: Int = 0,
  key: AccessKey? = nil, requestTimeout: Duration = .seconds(20), connections: Int? = nil,
  _ body: (RunningServer) async throws -> Void
) async throws {
  let limits = WindowRegistry.Limits(windows: windows)
  let server = ListWebServer(
    title: "Test", limits: limits, maximumBody: maximumBody, port: port, key: key,
    requestTimeout: requestTimeout, connections: connections
  ) { scene in
    let window = UIWindow(windowScene: scene)
    scene.delegate = SceneLog(model)
    window.rootViewController = UINavigationController(rootViewController: ListController(model))
    return window
  }
  let (addresses, address) = AsyncStream.makeStream(of: URL.self)
  let running = Task { try await server.run { address.yield($0) } }
  var iterator = addresses.makeAsyncIterator()
  guard let url = await iterator.next() else { return }
  do {
    try await body(RunningServer(url: url))
  } catch {
    server.stop()
    try await running.value
    throw error
  }
  server.stop()
  try await running.value
}

/// It waits for an answer as long as tests wait for anything.
private let patientSession: URLSession = {
  let configuration = URLSessionConfiguration.default
  configuration.timeoutIntervalForRequest = 10 * Patience.seconds
  return URLSession(configuration: configuration)
}()

struct RunningServer: Sendable {
  let url: URL

  var origin: String { "http://127.0.0.1:\(url.port ?? 0)" }

  struct Answer: Sendable {
    let status: Int
    let text: String
    let headers: [String: String]
  }

  func get(_ path: String, _ headers: [String: String] = [:]) async throws -> Answer {
    try await send("GET", path, headers, nil)
  }

  /// Sends an event as a page of this server would.
  func post(
    _ path: String, _ body: String, _ headers: [String: String]? = nil
  ) async throws -> Answer {
    try await send("POST", path, headers ?? ["Origin": origin], Data(body.utf8))
  }

  /// The token of a new window.
  func openWindow() async throws -> String {
    let page = try await get("/").text
    return String(page.firstMatch(of: /data-window="([0-9a-f]+)"/)?.1 ?? "")
  }

  private func send(
    _ method: String, _ path: String, _ headers: [String: String], _ body: Data?
  ) async throws -> Answer {
    var request = URLRequest(url: URL(string: path, relativeTo: url) ?? url.appending(path: path))
    request.httpMethod = method
    request.httpBody = body
    for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
    let (data, response) = try await patientSession.data(for: request)
    let http = response as? HTTPURLResponse
    var fields: [String: String] = [:]
    for (name, value) in http?.allHeaderFields ?? [:] {
      fields["\(name)".lowercased()] = "\(value)"
    }
    return Answer(
      status: http?.statusCode ?? 0, text: String(decoding: data, as: UTF8.self), headers: fields)
  }
}
