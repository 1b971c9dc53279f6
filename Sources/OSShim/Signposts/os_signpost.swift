// The functions from before there was a signposter.

/// Marks an event, or where an interval begins or ends.
///
/// Source: developer.apple.com/documentation/os/os_signpost(_:dso:log:name:signpostid:)
public func os_signpost(
  _ type: OSSignpostType, dso: UnsafeRawPointer? = nil, log: OSLog, name: StaticString,
  signpostID: OSSignpostID = .exclusive
) {
  log.mark(type, name, signpostID) { "" }
}

/// The same with a message of a format.
public func os_signpost(
  _ type: OSSignpostType, dso: UnsafeRawPointer? = nil, log: OSLog, name: StaticString,
  signpostID: OSSignpostID = .exclusive, _ format: StaticString, _ arguments: Any?...
) {
  log.mark(type, name, signpostID) { LogFormat(format).text(arguments) }
}

extension OSLog {
  func mark(
    _ type: OSSignpostType, _ name: StaticString, _ id: OSSignpostID, elapsed: Duration? = nil,
    _ text: () -> String
  ) {
    guard id != .invalid, id != .null else { return }
    var details = ["signpost": "\(type)", "name": "\(name)"]
    if id != .exclusive { details["id"] = String(id.rawValue, radix: 16) }
    if let elapsed { details["elapsed"] = "\(elapsed)" }
    write(.trace, details, text)
  }
}
