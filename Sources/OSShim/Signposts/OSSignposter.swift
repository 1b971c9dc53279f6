/// Marks events and intervals, as messages of the level `trace`: their metadata has the name, the identifier and, at an
/// interval's end, how long it took.
///
/// Source: developer.apple.com/documentation/os/ossignposter
public struct OSSignposter: Sendable {
  let log: OSLog

  public init() { log = .default }

  public init(subsystem: String, category: String) {
    log = OSLog(subsystem: subsystem, category: category)
  }

  public init(subsystem: String, category: OSLog.Category) {
    log = OSLog(subsystem: subsystem, category: category)
  }

  public init(logger: Logger) { log = logger.log }

  public init(logHandle: OSLog) { log = logHandle }

  public static let disabled = OSSignposter(logHandle: .disabled)

  public var isEnabled: Bool { log.signpostsEnabled }

  public func makeSignpostID() -> OSSignpostID { OSSignpostID(log: log) }

  public func makeSignpostID(from object: AnyObject) -> OSSignpostID {
    OSSignpostID(log: log, object: object)
  }

  // MARK: - Events

  public func emitEvent(_ name: StaticString, id: OSSignpostID = .exclusive) {
    log.mark(.event, name, id) { "" }
  }

  public func emitEvent(
    _ name: StaticString, id: OSSignpostID = .exclusive, _ message: SignpostMetadata
  ) {
    log.mark(.event, name, id) { message.text }
  }

  // MARK: - Intervals

  public func beginInterval(
    _ name: StaticString, id: OSSignpostID = .exclusive
  ) -> OSSignpostIntervalState {
    begin(name, id) { "" }
  }

  public func beginInterval(
    _ name: StaticString, id: OSSignpostID = .exclusive, _ message: SignpostMetadata
  ) -> OSSignpostIntervalState {
    begin(name, id) { message.text }
  }

  /// The same: there is no drawing here whose animation could be measured.
  public func beginAnimationInterval(
    _ name: StaticString, id: OSSignpostID = .exclusive
  ) -> OSSignpostIntervalState {
    begin(name, id) { "" }
  }

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

  public func endInterval(_ name: StaticString, _ state: OSSignpostIntervalState) {
    end(name, state) { "" }
  }

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

  public func withIntervalSignpost<Result>(
    _ name: StaticString, id: OSSignpostID = .exclusive, around task: () throws -> Result
  ) rethrows -> Result {
    let state = beginInterval(name, id: id)
    defer { endInterval(name, state) }
    return try task()
  }

  public func withIntervalSignpost<Result>(
    _ name: StaticString, id: OSSignpostID = .exclusive, _ message: SignpostMetadata,
    around task: () throws -> Result
  ) rethrows -> Result {
    let state = beginInterval(name, id: id, message)
    defer { endInterval(name, state) }
    return try task()
  }
}
