import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Asks for a window with the key of an address, as the page of the address does.
enum Door {
  /// The token of a new window, and its page.
  static func enter(_ address: URL) async throws -> (token: String, page: String) {
    var request = URLRequest(url: try url("w", address))
    request.httpMethod = "POST"
    request.httpBody = Data(#"{"place":"","isLoaded":true}"#.utf8)
    request.setValue("application/json", forHTTPHeaderField: "Content-Type")
    request.setValue("http://127.0.0.1:\(address.port ?? 0)", forHTTPHeaderField: "Origin")
    if let key = address.fragment?.split(separator: "=").last {
      request.setValue("Key \(key)", forHTTPHeaderField: "Authorization")
    }
    let (data, _) = try await PatientSession.shared.data(for: request)
    let answer = String(decoding: data, as: UTF8.self)
    guard let match = answer.firstMatch(of: /"window":"([^"]+)"/) else {
      throw ApplicationError("There is no window: \(answer)")
    }
    let token = String(match.1)
    return (token, try await page(token, address))
  }

  /// The page of a window as it is now.
  static func page(_ token: String, _ address: URL) async throws -> String {
    let (data, _) = try await PatientSession.shared.data(from: try url("w/\(token)", address))
    return String(decoding: data, as: UTF8.self)
  }

  /// The address of a path of the application, without the key.
  static func url(_ path: String, _ address: URL) throws -> URL {
    guard let url = URL(string: "http://127.0.0.1:\(address.port ?? 0)/\(path)") else {
      throw ApplicationError("No address: \(path)")
    }
    return url
  }
}
