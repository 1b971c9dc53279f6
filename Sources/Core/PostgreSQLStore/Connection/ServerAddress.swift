internal import CPostgreSQL
import CoreData

/// The address of a store: a libpq connection URI,
/// `postgresql://user@host1,host2/database?sslmode=verify-full`.
///
/// libpq's other sources of settings work as well: service files, `.pgpass`, `PG…` environment
/// variables. Only libpq gets `connectionText`, which includes the password.
struct ServerAddress: Sendable {
  /// The URI for libpq, with the password.
  let connectionText: String
  /// The URI without the password.
  let url: URL
  private let secrets: [String]

  static let schemes: Set<String> = ["postgresql", "postgres"]

  init(_ url: URL) throws {
    guard let scheme = url.scheme?.lowercased(), Self.schemes.contains(scheme) else {
      throw CoreDataError.make(
        .persistentStoreOpen,
        reason: "A store of type PostgreSQL is at a URL such as "
          + "postgresql://user@host/database; the URL's scheme is “\(url.scheme ?? "")”.")
    }
    connectionText = url.absoluteString
    self.url = Self.withoutPassword(url)
    secrets = Self.secrets(of: url)
  }

  /// The parameters that may be shown: those that libpq knows and does not mark as secret. An
  /// unknown parameter may be a misspelled password.
  private static let shownParameters: Set<String> = {
    guard let list = PQconndefaults() else { return [] }
    defer { PQconninfoFree(list) }
    // libpq's alias of `sslmode`.
    var names: Set<String> = ["ssl"]
    var option = list
    while let name = option.pointee.keyword {
      if option.pointee.dispchar.pointee != UInt8(ascii: "*") {
        names.insert(String(cString: name))
      }
      option += 1
    }
    return names
  }()

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
    !shownParameters.contains(item.name)
  }

  private static func secrets(of url: URL) -> [String] {
    guard let components = URLComponents(url: url, resolvingAgainstBaseURL: false) else {
      return []
    }
    let items = (components.queryItems ?? []).filter(isSecret).compactMap(\.value)
    return ([components.password, components.percentEncodedPassword].compactMap { $0 } + items)
      .filter { !$0.isEmpty }
  }

  /// Seconds that a host is waited for, by the address, else by the service that it or `PGSERVICE`
  /// names, else by `PGCONNECT_TIMEOUT`; nil for ever, or if nothing says so.
  var connectTimeout: Int? {
    setting("connect_timeout").flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil }
  }

  /// The value of a parameter, as libpq finds it in the address, services and the environment.
  func setting(_ keyword: String) -> String? {
    // libpq looks parameters up before it checks them, and connects to nobody by a wrong one.
    let handle = PostgreSQLConnection.withCStrings(["dbname", "sslmode"]) { names in
      PostgreSQLConnection.withCStrings([connectionText, "no-such-mode"]) {
        PQconnectStartParams(names, $0, 1)
      }
    }
    guard let handle else { return nil }
    defer { PQfinish(handle) }
    guard let list = PQconninfo(handle) else { return nil }
    defer { PQconninfoFree(list) }
    var option = list
    while let name = option.pointee.keyword {
      if String(cString: name) == keyword {
        return option.pointee.val.map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
      }
      option += 1
    }
    return nil
  }

  /// An address for each host of this one, whether listed before the path or in the parameters
  /// `host` and `port`. Hosts that a service file or an environment variable lists stay together.
  var hosts: [ServerAddress] {
    get throws {
      guard let url = URL(string: connectionText),
        var components = URLComponents(url: url, resolvingAgainstBaseURL: false)
      else { return [self] }
      if let names = components.host?.split(separator: ","), names.count > 1 {
        return try names.map { name in
          components.host = String(name)
          return try components.url.map(ServerAddress.init) ?? self
        }
      }
      let items = components.queryItems ?? []
      func list(_ name: String) -> [String] {
        items.first { $0.name == name }?.value?.components(separatedBy: ",") ?? []
      }
      let (names, ports) = (list("host"), list("port"))
      guard names.count > 1 else { return [self] }
      return try names.enumerated().map { index, name in
        let port = ports.count == 1 ? ports[0] : ports.dropFirst(index).first ?? ""
        components.queryItems = items.compactMap { item in
          switch item.name {
          case "host": URLQueryItem(name: "host", value: name)
          case "port": port.isEmpty ? nil : URLQueryItem(name: "port", value: port)
          default: item
          }
        }
        return try components.url.map(ServerAddress.init) ?? self
      }
    }
  }

  /// Removes secrets from a message of libpq, which may repeat an address that it could not parse.
  func withoutSecrets(_ message: String) -> String {
    secrets.reduce(message) { $0.replacing($1, with: "…") }
  }
}
