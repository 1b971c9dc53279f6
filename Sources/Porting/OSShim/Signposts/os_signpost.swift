// Signpost functions that predate OSSignposter.

/// Marks an event, or the begin or the end of an interval.
///
/// Source: developer.apple.com/documentation/os/os_signpost(_:dso:log:name:signpostid:)
public func os_signpost(
  _ type: OSSignpostType, dso: UnsafeRawPointer? = nil, log: OSLog, name: StaticString,
  signpostID: OSSignpostID = .exclusive
) {
  log.mark(type, name, signpostID) { "" }
}

/// Marks an event, or the begin or the end of an interval, with a message from a format.
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
