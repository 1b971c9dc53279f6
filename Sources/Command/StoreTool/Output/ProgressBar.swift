import Foundation

/// A progress bar on the standard error stream, if that is a terminal; otherwise nothing. Not
/// thread-safe.
package final class ProgressBar {
  private let title: String
  private let total: Int
  private let terminal = Terminal.standardError
  private var done = 0
  private var shown = -1

  package init(_ title: String, total: Int) {
    self.title = title
    self.total = max(1, total)
  }

  package func advance(_ count: Int = 1) { show(done + count) }

  /// Sets the progress, for work that counts by itself.
  package func show(_ done: Int) {
    self.done = done
    let percent = min(100, done * 100 / total)
    guard percent != shown, terminal.width != nil else { return }
    shown = percent
    let filled = percent * 30 / 100
    let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: 30 - filled)
    write("\r\(title) \(bar) \(percent)% ")
  }

  /// Erases the bar.
  package func end() {
    if shown >= 0 { write("\r\u{1B}[2K") }
  }

  private func write(_ text: String) { FileHandle.standardError.write(Data(text.utf8)) }
}
