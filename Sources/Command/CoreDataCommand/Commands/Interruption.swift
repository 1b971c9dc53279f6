import Foundation
import ListKit

/// Makes SIGINT and SIGTERM end the command regularly.
final class Interruption {
  private let semaphore = DispatchSemaphore(value: 0)
  private let signals = SignalPipe([SIGINT, SIGTERM])
  private let source: any DispatchSourceRead

  init() {
    source = signals.source(on: .global()) { [semaphore] _ in semaphore.signal() }
  }

  deinit {
    source.cancel()
    signals.close()
  }

  func came(within seconds: Double) -> Bool {
    semaphore.wait(timeout: .now() + seconds) == .success
  }
}
