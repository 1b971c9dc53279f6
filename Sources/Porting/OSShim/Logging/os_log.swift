// Logging functions that predate Logger. Arguments are `Any?` instead of `CVarArg`, to which
// strings do not conform on this platform.

/// Writes a message from a format:
/// `os_log("%{public}@ has %d", log: log, type: .info, name, count)`.
///
/// Source: developer.apple.com/documentation/os/os_log(_:dso:log:type:_:)
public func os_log(
  _ message: StaticString, dso: UnsafeRawPointer? = nil, log: OSLog = .default,
  type: OSLogType = .default, _ arguments: Any?...
) {
  log.write(LogLevel(type)) { LogFormat(message).text(arguments) }
}

/// Writes a message from a format, with the type as the first argument.
public func os_log(
  _ type: OSLogType, dso: UnsafeRawPointer? = nil, log: OSLog = .default, _ message: StaticString,
  _ arguments: Any?...
) {
  log.write(LogLevel(type)) { LogFormat(message).text(arguments) }
}

/// Writes a message with interpolated values to the default log.
@_disfavoredOverload
public func os_log(_ message: OSLogMessage) {
  OSLog.default.write(.notice) { message.text }
}

/// Writes a message with interpolated values.
@_disfavoredOverload
public func os_log(_ type: OSLogType, log: OSLog = .default, _ message: OSLogMessage) {
  log.write(LogLevel(type)) { message.text }
}
