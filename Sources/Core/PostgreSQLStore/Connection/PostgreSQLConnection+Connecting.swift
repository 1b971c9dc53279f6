internal import CPostgreSQL
import CoreData

// Connecting, and detecting a server that is gone.
extension PostgreSQLConnection {
  /// Default connect timeout per host, seconds. A machine that is off does not answer at all, and
  /// the next host of the address must be tried.
  private static let patience = 10

  static func connect(
    _ address: ServerAddress, timeout: TimeInterval?
  ) throws -> OpaquePointer {
    var settings = [("fallback_application_name", "CoreData")]
    // Settings before the address: the address overrides them.
    if address.setting("connect_timeout") == nil {
      settings.append(("connect_timeout", "\(patience)"))
    }
    settings += [("dbname", address.connectionText), ("client_encoding", "UTF8")]
    if let timeout {
      // The hosts are tried one after the other, so each gets a share of the timeout.
      let share = timeout / Double((try? address.hosts.count) ?? 1)
      let most = max(2, Int(share.rounded(.up)))
      settings.append(("connect_timeout", String(min(most, address.connectTimeout ?? most))))
    }
    let handle = withCStrings(settings.map(\.0)) { keys in
      withCStrings(settings.map(\.1)) { PQconnectdbParams(keys, $0, 1) }
    }
    guard let handle else {
      throw PostgreSQLError(state: "", message: "No memory", isConnectionLost: true)
    }
    guard PQstatus(handle) == CONNECTION_OK else {
      defer { PQfinish(handle) }
      throw refusal(handle, address: address)
    }
    PQsetNoticeReceiver(handle, { _, _ in }, nil)
    // Sending never blocks; see `wait(while:)`.
    PQsetnonblocking(handle, 1)
    keepAlive(handle, timeout: timeout)
    return handle
  }

  static func withCStrings<Result>(
    _ texts: [String], body: (UnsafePointer<UnsafePointer<CChar>?>) -> Result
  ) -> Result {
    let copies = texts.map { strdup($0) }
    defer { copies.forEach { free($0) } }
    return (copies.map { UnsafePointer($0) } + [nil]).withUnsafeBufferPointer {
      body($0.baseAddress!)
    }
  }

  // MARK: - Refusals

  private static func refusal(
    _ handle: OpaquePointer, address: ServerAddress
  ) -> PostgreSQLError {
    let message = String(cString: PQerrorMessage(handle))
    let state = ownState(message) ?? serverState(handle, message: message) ?? ""
    let error = PostgreSQLError(
      state: state, message: address.withoutSecrets(message), isConnectionLost: false,
      isOfFormerPrimary: state == "25006")
    if error.isUntrusted || error.isOfAddress { return error }
    // A server that is starting up or shutting down will be available again, or another one will.
    return state.isEmpty || state.hasPrefix("57P") ? error.withLostConnection : error
  }

  /// The SQLSTATE for a message of libpq itself, which is in English whatever language the server
  /// uses.
  private static func ownState(_ message: String) -> String? {
    if message.contains("no password supplied") { return "28P01" }
    return message.contains("session is read-only") ? "25006" : nil
  }

  /// The SQLSTATE of an error during connecting. The server sends only a text in its own language
  /// unless the verbosity asks for the SQLSTATE, so this connects again.
  private static func serverState(_ handle: OpaquePointer, message: String) -> String? {
    // Such as “FATAL:  …” or “ВАЖНО:  …”.
    guard message.contains(":  ") else { return nil }
    PQsetErrorVerbosity(handle, PQERRORS_SQLSTATE)
    PQreset(handle)
    let detail = String(cString: PQerrorMessage(handle))
    return detail.matches(of: #/:  ([0-9A-Z]{5})\b/#).last.map { String($0.1) }
  }

  // MARK: - Vanished servers

  /// Sets TCP keepalive. Without it, a connection to a machine that was switched off looks alive
  /// for hours. A probe is sent after 30 seconds without data, and the connection fails after 60,
  /// unless the address, a service file or an environment variable sets other values.
  private static func keepAlive(_ handle: OpaquePointer, timeout: TimeInterval?) {
    var address = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let isInternet = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        getsockname(PQsocket(handle), $0, &length) == 0
          && [AF_INET, AF_INET6].contains(Int32($0.pointee.sa_family))
      }
    }
    guard isInternet else { return }
    let said = saidSettings(handle)
    if said["keepalives"] == "0" { return }
    for (name, option, value) in [
      ("keepalives_idle", TCP_KEEPIDLE, 30), ("keepalives_interval", TCP_KEEPINTVL, 10),
      ("keepalives_count", TCP_KEEPCNT, 3),
      ("tcp_user_timeout", TCP_USER_TIMEOUT, Int32(min(60, max(1, timeout ?? 60)) * 1000)),
    ] as [(String, Int32, Int32)] where said[name]?.isEmpty ?? true {
      var value = value
      // If the system does not support the option, detection takes longer.
      setsockopt(
        PQsocket(handle), Int32(IPPROTO_TCP), option, &value,
        socklen_t(MemoryLayout<Int32>.size))
    }
  }

  private static func saidSettings(_ handle: OpaquePointer) -> [String: String] {
    guard let list = PQconninfo(handle) else { return [:] }
    defer { PQconninfoFree(list) }
    var settings: [String: String] = [:]
    var option = list
    while let name = option.pointee.keyword {
      settings[String(cString: name)] = option.pointee.val.map { String(cString: $0) }
      option += 1
    }
    return settings
  }

  /// Returns whether the connection requires a primary, by its address, a service file or an
  /// environment variable.
  static func asksForPrimary(_ handle: OpaquePointer) -> Bool {
    ["read-write", "primary"].contains(saidSettings(handle)["target_session_attrs"])
  }
}
