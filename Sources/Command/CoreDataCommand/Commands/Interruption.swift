import Foundation
import ListKit

/// Makes SIGINT and SIGTERM end the command regularly.
final class Interruption {
  private let semaphore = DispatchSemaphore(value: 0)
  /// They stay caught to the end of the process: another one, as `timeout` sends it to a process
  /// and to its group, would end by a signal what is about to end regularly.
  private static let signals = SignalPipe([SIGINT, SIGTERM])
  private let source: any DispatchSourceRead

  init() {
    source = Self.signals.source(on: .global()) { [semaphore] _ in semaphore.signal() }
  }

  deinit { source.cancel() }

  func came(within seconds: Double) -> Bool {
    semaphore.wait(timeout: .now() + seconds) == .success
  }
}
