import CoreData
import Foundation

/// Runs libFuzzer over files of SQLite stores: each input is a file that is opened with its own model, with
/// the model that it was made by, read-only and for writing. Errors are right answers; a crash, a hang and
/// memory without bounds are findings.
///
///     StoreFuzzer CORPUS -max_total_time=120 …
///
/// An empty corpus is filled with small stores first.
@main
struct StoreFuzzer {
  static func main() {
    let arguments = CommandLine.arguments
    do { try SeedStores.fill(arguments.dropFirst().first { !$0.hasPrefix("-") }) } catch {
      fatalError("No stores to begin with: \(error)")
    }
    var count = CommandLine.argc
    var values = CommandLine.unsafeArgv
    exit(runDriver(&count, &values, useInput))
  }
}

/// What libFuzzer calls with each input, by this name.
@_cdecl("LLVMFuzzerTestOneInput")
public func useInput(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  FuzzedStore.shared.use(Data(bytes: bytes, count: count))
  return 0
}

/// libFuzzer's entrance for programs with a `main` of their own. Three addresses are passed to Swift's
/// functions as to those of C.
@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
  _ count: UnsafeMutablePointer<Int32>,
  _ values: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
  _ callback: @convention(c) (UnsafePointer<UInt8>, Int) -> CInt
) -> Int32
