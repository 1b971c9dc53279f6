import CoreData

/// Where a store is: a libpq address, `postgresql://user@host1,host2/database?sslmode=verify-full`.
///
/// What libpq takes from elsewhere (service files, `.pgpass`, `PG…` variables) works. The password stays in
/// `connectionText`, which nothing but libpq is given.
struct ServerAddress: Sendable {
  /// As libpq reads it.
  let connectionText: String
  /// The same without a password.
  let url: URL
  private let secrets: [String]

  init(_ url: URL) throws {
    guard let scheme = url.scheme?.lowercased(), ["postgresql", "postgres"].contains(scheme) else {
      throw CoreDataError.make(
        .persistentStoreOpen,
        reason: "A store of type PostgreSQL is at a URL such as "
          + "postgresql://user@host/database; the URL's scheme is “\(url.scheme ?? "")”.")
    }
    connectionText = url.absoluteString
    self.url = Self.withoutPassword(url)
    secrets = Self.secrets(of: url)
  }

  /// Parameters of an address that are nobody else's business.
  private static let secretParameters: Set<String> = ["password", "sslpassword"]

  static func withoutPassword(_ url: URL) -> URL {
    guard var components = URLComponents(url: url, resolvingAgainstBaseURL: false) else {
      return url
    }
    if components.password != nil { components.password = nil }
    if let items = components.queryItems, items.contains(where: isSecret) {
      let others = items.filter { !isSecret($0) }
      components.queryItems = others.isEmpty ? nil : others
    }
    return components.url ?? url
  }

  private static func isSecret(_ item: URLQueryItem) -> Bool {
    secretParameters.contains(item.name.lowercased())
  }

  private static func secrets(of url: URL) -> [String] {
    guard let components = URLComponents(url: url, resolvingAgainstBaseURL: false) else {
      return []
    }
    let items = (components.queryItems ?? []).filter(isSecret).compactMap(\.value)
    return ([components.password, components.percentEncodedPassword].compactMap { $0 } + items)
      .filter { !$0.isEmpty }
  }

  /// Whether one connection may be to another server than the next.
  var namesSeveralHosts: Bool {
    let components = URLComponents(url: url, resolvingAgainstBaseURL: false)
    let hosts = components?.queryItems?.first { $0.name == "host" }?.value
    return (components?.host ?? "").contains(",") || hosts?.contains(",") == true
  }

  /// Whether a server that takes no changes is the wrong one.
  var asksForPrimary: Bool {
    connectionText.contains("target_session_attrs=read-write")
      || connectionText.contains("target_session_attrs=primary")
  }

  /// A message of libpq, which may repeat an address that it could not read.
  func withoutSecrets(_ message: String) -> String {
    secrets.reduce(message) { $0.replacing($1, with: "…") }
  }
}
