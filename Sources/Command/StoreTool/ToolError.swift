import CoreData
import ModelDocuments

/// The command's exit status. The numbers from 64 on are those of BSD's sysexits.
package enum ExitStatus: Int32, Sendable {
  case ok = 0
  /// Findings or differences, of commands such as `check` and `diff`.
  case findings = 1
  case usage = 64
  /// A file or its content is invalid.
  case badData = 65
  case noInput = 66
  /// The server cannot be reached.
  case unavailable = 69
  case internalError = 70
  case cannotCreate = 73
  case inputOutput = 74
  /// Another process has locked the store; a later attempt may succeed.
  case busy = 75
  case noPermission = 77
}

/// The error with which a command ends: what was expected, what was found, and what to do.
package struct ToolError: LocalizedError, CustomStringConvertible {
  package let status: ExitStatus
  package let description: String
  /// Whether another process has changed an object between reading and saving.
  package private(set) var isMergeConflict = false
  package var errorDescription: String? { description }

  package init(_ status: ExitStatus, description: String) {
    self.status = status
    self.description = description
  }

  /// Converts any error, with the status for its code.
  package init(_ error: any Error) {
    switch error {
    case let error as ToolError: self = error
    case let error as ModelFileError:
      let isMissing = !FileManager.default.fileExists(atPath: error.file)
      self.init(isMissing ? .noInput : .badData, description: error.plain)
    case let error as PredicateFormatError: self.init(.usage, description: error.description)
    default: self.init(cocoa: error as NSError)
    }
  }

  private init(cocoa error: NSError) {
    guard error.domain == NSCocoaErrorDomain else {
      self.init(.internalError, description: Self.text(of: error))
      return
    }
    self.init(
      Self.status(ofServersAnswer: error) ?? Self.status(ofCode: error.code),
      description: Self.text(of: error))
    isMergeConflict = error.code == NSManagedObjectMergeError
  }

  /// The status for a PostgreSQL server's SQLSTATE; nil for codes without a status of their own.
  private static func status(ofServersAnswer error: NSError) -> ExitStatus? {
    guard let answer = error.userInfo[NSUnderlyingErrorKey] as? NSError,
      let state = answer.userInfo["SQLSTATE"] as? String
    else { return nil }
    switch state.prefix(2) {
    case "", "08", "53", "57": return .unavailable
    case "28": return .noPermission
    case "3D", "3F": return .noInput
    default: return ["42501", "25006"].contains(state) ? .noPermission : nil
    }
  }

  private static func status(ofCode code: Int) -> ExitStatus {
    switch code {
    case 4, 260: .noInput
    case 257, 513, 642: .noPermission
    case 512: .cannotCreate
    case 640: .inputOutput
    case 134090: .busy
    case 256, 259, 263, 264: .badData
    case 1550...1690, 133000...133999, 134000...134099, 134100...134199: .badData
    default: .internalError
    }
  }

  private static func text(of error: NSError) -> String {
    if let details = error.userInfo[NSDetailedErrorsKey] as? [NSError], !details.isEmpty {
      return details.map(text).joined(separator: "\n")
    }
    if let conflicts = error.userInfo[NSPersistentStoreSaveConflictsErrorKey]
      as? [NSConstraintConflict], !conflicts.isEmpty
    {
      let keys = Set(conflicts.map { $0.constraint.joined(separator: " and ") }).sorted()
      return
        "Nothing was saved: another object has the same value of \(keys.joined(separator: ", ")), which must be "
        + "unique."
    }
    let reason = error.userInfo[CoreDataError.reasonKey] as? String
    guard let reason else { return error.localizedDescription }
    guard let underlying = (error.userInfo[NSUnderlyingErrorKey] as? NSError).map(text),
      !reason.contains(underlying)
    else { return reason }
    return "\(reason) \(underlying)"
  }
}
