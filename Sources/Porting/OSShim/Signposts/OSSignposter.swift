/// Marks events and intervals. They are written as messages of the level `trace` whose metadata has
/// the name, the identifier and, at an interval's end, its length.
///
/// Source: developer.apple.com/documentation/os/ossignposter
public struct OSSignposter: Sendable {
  let log: OSLog

  /// Creates a signposter for the default log.
  public init() { log = .default }

  /// Creates a signposter for a subsystem and category.
  public init(subsystem: String, category: String) {
    log = OSLog(subsystem: subsystem, category: category)
  }

  /// Creates a signposter for a subsystem and one of Apple's categories.
  public init(subsystem: String, category: OSLog.Category) {
    log = OSLog(subsystem: subsystem, category: category)
  }

  /// Creates a signposter that writes where a logger writes.
  public init(logger: Logger) { log = logger.log }

  /// Creates a signposter for a log.
  public init(logHandle: OSLog) { log = logHandle }

  /// A signposter that discards its signposts.
  public static let disabled = OSSignposter(logHandle: .disabled)

  /// Whether signposts are written.
  public var isEnabled: Bool { log.signpostsEnabled }

  /// Creates an identifier that is unique within the process.
  public func makeSignpostID() -> OSSignpostID { OSSignpostID(log: log) }

  /// Creates the identifier of an object.
  public func makeSignpostID(from object: AnyObject) -> OSSignpostID {
    OSSignpostID(log: log, object: object)
  }

  // MARK: - Events

  /// Marks an event.
  public func emitEvent(_ name: StaticString, id: OSSignpostID = .exclusive) {
    log.mark(.event, name, id) { "" }
  }

  /// Marks an event, with a message.
  public func emitEvent(
    _ name: StaticString, id: OSSignpostID = .exclusive, _ message: SignpostMetadata
  ) {
    log.mark(.event, name, id) { message.text }
  }

  // MARK: - Intervals

  /// Begins an interval.
  public func beginInterval(
    _ name: StaticString, id: OSSignpostID = .exclusive
  ) -> OSSignpostIntervalState {
    begin(name, id) { "" }
  }

  /// Begins an interval, with a message.
  public func beginInterval(
    _ name: StaticString, id: OSSignpostID = .exclusive, _ message: SignpostMetadata
  ) -> OSSignpostIntervalState {
    begin(name, id) { message.text }
  }

  /// Begins an interval, like `beginInterval(_:id:)`: animations are not measured on this platform.
  public func beginAnimationInterval(
    _ name: StaticString, id: OSSignpostID = .exclusive
  ) -> OSSignpostIntervalState {
    begin(name, id) { "" }
  }

  /// Begins an interval, with a message: animations are not measured on this platform.
  public func beginAnimationInterval(
    _ name: StaticString, id: OSSignpostID = .exclusive, _ message: SignpostMetadata
  ) -> OSSignpostIntervalState {
    begin(name, id) { message.text }
  }

  private func begin(
    _ name: StaticString, _ id: OSSignpostID, _ text: () -> String
  ) -> OSSignpostIntervalState {
    log.mark(.begin, name, id, text)
    return OSSignpostIntervalState(id: id, isOpen: true)
  }

  /// Ends an interval. If it has already ended, an error is logged instead.
  public func endInterval(_ name: StaticString, _ state: OSSignpostIntervalState) {
    end(name, state) { "" }
  }

  /// Ends an interval, with a message. If it has already ended, an error is logged instead.
  public func endInterval(
    _ name: StaticString, _ state: OSSignpostIntervalState, _ message: SignpostMetadata
  ) {
    end(name, state) { message.text }
  }

  private func end(_ name: StaticString, _ state: OSSignpostIntervalState, _ text: () -> String) {
    guard let elapsed = state.end() else {
      return log.write(.error) { "The interval \(name) ends twice, or never began" }
    }
    log.mark(.end, name, state.signpostID, elapsed: elapsed, text)
  }

  /// Marks the run of a closure as an interval.
  public func withIntervalSignpost<Result>(
    _ name: StaticString, id: OSSignpostID = .exclusive, around task: () throws -> Result
  ) rethrows -> Result {
    let state = beginInterval(name, id: id)
    defer { endInterval(name, state) }
    return try task()
  }

  /// Marks the run of a closure as an interval, with a message.
  public func withIntervalSignpost<Result>(
    _ name: StaticString, id: OSSignpostID = .exclusive, _ message: SignpostMetadata,
    around task: () throws -> Result
  ) rethrows -> Result {
    let state = beginInterval(name, id: id, message)
    defer { endInterval(name, state) }
    return try task()
  }
}
