internal import CPostgreSQL
import CoreData

/// An error of the server or of libpq.
struct PostgreSQLError: Error {
  /// The SQLSTATE; empty for errors of libpq itself, most often a lost connection.
  let state: String
  /// The message without its detail, which may contain stored values.
  let message: String
  let isConnectionLost: Bool
  /// Whether a read-only server refused a connection that requires the primary.
  let isOfFormerPrimary: Bool
  /// Whether a time limit has been exceeded.
  private(set) var isLate = false

  init(
    state: String, message: String, isConnectionLost: Bool, isOfFormerPrimary: Bool = false
  ) {
    self.state = state
    self.message = message.trimmingCharacters(in: .whitespacesAndNewlines)
    self.isConnectionLost = isConnectionLost
    self.isOfFormerPrimary = isOfFormerPrimary
  }

  var withLostConnection: PostgreSQLError {
    PostgreSQLError(
      state: state, message: message, isConnectionLost: true, isOfFormerPrimary: isOfFormerPrimary)
  }

  init(_ result: OpaquePointer?, connection: OpaquePointer, address: ServerAddress) {
    // PG_DIAG_SQLSTATE and PG_DIAG_MESSAGE_PRIMARY, which are character macros in C.
    let state = result.flatMap { PQresultErrorField($0, 67) }.map { String(cString: $0) }
    let primary = result.flatMap { PQresultErrorField($0, 77) }.map { String(cString: $0) }
    self.init(
      state: state ?? "",
      message: address.withoutSecrets(primary ?? String(cString: PQerrorMessage(connection))),
      // An error of libpq itself means that the connection is lost, even if its status is still
      // good: a write has failed and nothing has been read since.
      isConnectionLost: state == nil || PQstatus(connection) == CONNECTION_BAD
        || state?.hasPrefix("08") == true || state?.hasPrefix("57P") == true,
      isOfFormerPrimary: state == "25006" && PostgreSQLConnection.asksForPrimary(connection))
  }

  /// The server was silent for this many seconds. It may have executed the request.
  static func silent(for time: TimeInterval) -> PostgreSQLError {
    var error = PostgreSQLError(
      state: "", message: "The server has said nothing for \(Int(time.rounded())) seconds",
      isConnectionLost: true)
    error.isLate = true
    return error
  }

  /// A time limit was exceeded before a request was sent.
  static func late(_ message: String) -> PostgreSQLError {
    var error = PostgreSQLError(state: "", message: message, isConnectionLost: false)
    error.isLate = true
    return error
  }

  /// libpq rejects the server's certificate, or the server requires one from the client.
  var isUntrusted: Bool {
    state.isEmpty && ["SSL", "certificate"].contains(where: message.contains)
  }

  /// libpq rejects the address before it connects.
  var isOfAddress: Bool { state.isEmpty && message.hasPrefix("invalid ") }

  /// A uniqueness constraint is violated.
  var isUniquenessViolation: Bool { state == "23505" }

  /// The server rolled the transaction back because of others (serialization failure or deadlock).
  /// It can be retried.
  var isTransient: Bool { state == "40001" || state == "40P01" }

  /// A computed number is too large for its type.
  var isOutOfRange: Bool { state == "22003" }

  /// The error by which ``ChangeWriter/Step/failing`` fails.
  var isDivisionByZero: Bool { state == "22012" }

  /// The user lacks a privilege.
  var isForbidden: Bool { state == "42501" }

  /// The request itself is at fault, whatever state the server is in: its syntax, names, values, or
  /// what the server does not support.
  var isOfRequest: Bool { ["0A", "22", "42"].contains(where: state.hasPrefix) }

  /// The server is read-only: a standby, or configured so.
  var isReadOnly: Bool { state == "25006" }
}

extension PostgreSQLError {
  enum Action {
    case open, read, save
  }

  /// The error for callers, with Apple's code for the failed action.
  func cocoaError(_ address: ServerAddress, doing action: Action) -> NSError {
    let what =
      state.isEmpty ? message : "\(message) (SQLSTATE \(state))"
    let underlying = NSError(
      domain: "PostgreSQL", code: 0,
      userInfo: [NSLocalizedDescriptionKey: message, "SQLSTATE": state])
    let reason =
      isLate
      ? "\(message) (\(address.url.absoluteString)).\(latenessAdvice)"
      : "The server at \(address.url.absoluteString) said: \(what)\(what.hasSuffix("?") ? "" : ".")\(advice(action))"
    return CoreDataError.make(
      code(action), reason: reason, underlying: underlying,
      userInfo: [NSURLErrorKey: address.url])
  }

  private var latenessAdvice: String {
    isConnectionLost
      ? " It was given up: look whether it, or what lies before it, hangs; or allow more time by "
        + "NSPersistentStoreTimeoutOption." : ""
  }

  private func code(_ action: Action) -> CocoaError.Code {
    switch action {
    case _ where isLate: .persistentStoreTimeout
    case .open: .persistentStoreOpen
    case .read: isOfRequest ? .coreData : .persistentStoreOperation
    case .save: .persistentStoreSave
    }
  }

  private func advice(_ action: Action) -> String {
    switch state {
    case "28P01", "28000":
      " Check the user's name and password: .pgpass, PGPASSWORD or the URL; and pg_hba.conf on the "
        + "server."
    case _ where isUntrusted:
      " Check sslmode, sslrootcert and the host's name in the URL, and the server's certificate."
    case _ where isOfAddress:
      " Correct the address: postgresql://user@host/database?parameter=value, with libpq's parameters."
    case "3D000": " Make the database first: createdb."
    case "25006":
      " It is a standby or was told to be read-only; add target_session_attrs=read-write to the URL."
    case "42P07" where action == .open, "42703" where action == .open,
      "42P01" where action == .open:
      " The schema has tables of somebody else's: give the store one of its own by "
        + "?options=-csearch_path%3DNAME."
    case "42501" where action == .open:
      " Grant the user CREATE on the schema, or on the database where there is none yet; for a store "
        + "that is there SELECT on its tables."
    case "42501":
      " Grant the user SELECT, INSERT, UPDATE and DELETE on the store's tables and USAGE on its "
        + "sequences."
    case "53100": " Make room on the server's disk; nothing was written."
    case "53300": " Allow more connections, or put a pool before the server."
    case "54000" where message.contains("index"):
      " An indexed text is longer than PostgreSQL's indexes take."
    case "54000", "54011":
      " A table of PostgreSQL has 1,600 columns at most, and a row without its long texts and data "
        + "8 KB: move some attributes to an entity of their own."
    case "55P03": " Others hold the rows for longer than lock_timeout allows; try again."
    case "57014": " Ask for less, or allow more time by statement_timeout."
    case "26000", "42P05":
      " A pool that gives each transaction another connection does not suit: let it pool sessions."
    case "08P01" where message.contains("options"):
      " A pool before the server takes no options: set the user's search path instead, by ALTER ROLE … "
        + "SET search_path."
    case "" where message.contains("could not translate host name"):
      " Correct the host in the address, or have the system know its name."
    // libpq's own message already asks this.
    case "" where message.contains("Is the server running"): ""
    case "" where isConnectionLost: " Is the server running, and does it listen there?"
    default: ""
    }
  }
}
