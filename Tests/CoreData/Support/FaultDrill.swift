import Foundation
import Testing

@testable import CoreData

/// One play of a test in which one operation on the files of a folder fails: the first in the first play, the second
/// in the second, until a play has no operation of that number.
final class FaultDrill {
  let folder: URL
  let options: [AnyHashable: Any]
  let comment: Comment
  private let injector: FaultyFileSystem.Injector
  private let fault: FaultyFileSystem.Fault
  private let number: Int
  private var hasFailed = false

  private init(_ number: Int, _ fault: FaultyFileSystem.Fault, _ journal: String) throws {
    (self.number, self.fault) = (number, fault)
    folder = try StoreFixture.makeFolder()
    injector = FaultyFileSystem.inject(into: folder)
    comment = "\(journal), \(fault) at \(number)"
    options = [
      NSSQLitePragmasOption: ["journal_mode": journal], NSPersistentHistoryTrackingKey: true,
    ]
  }

  /// `play` opens a store in the drill's folder, with its options, and calls ``whileFailing(_:)`` once; it returns
  /// the store's file, which is checked now and then.
  static func run(
    _ fault: FaultyFileSystem.Fault, _ journal: String, _ play: (FaultDrill) throws -> URL
  ) throws {
    var number = 0
    var drill: FaultDrill
    repeat {
      number += 1
      drill = try FaultDrill(number, fault, journal)
      let url = try play(drill)
      guard number % 8 == 1 else { continue }
      let result = try StoreChecker.checkRows(url)
      #expect(result.status == 0, "\(drill.comment): \(result.text)")
    } while drill.hasFailed
    #expect(number > 4, "\(number) operations")
  }

  /// What `body` throws when its operation fails.
  func whileFailing(_ body: () throws -> Void) -> NSError? {
    injector.arm(fault, at: number)
    defer { hasFailed = injector.disarm() }
    do { try body() } catch { return error as NSError }
    return nil
  }
}

extension FaultyFileSystem.Injector {
  /// The calls for files that are not SQLite's, which count and fail like its own.
  func calls() -> FileCalls {
    let failing: @Sendable () -> Bool = {
      guard self.failure() != nil else { return false }
      errno = ENOSPC
      return true
    }
    let plain = FileCalls()
    var calls = plain
    calls.create = { failing() ? -1 : plain.create($0) }
    calls.write = { failing() ? -1 : plain.write($0, $1) }
    calls.synchronise = { failing() ? -1 : plain.synchronise($0) }
    calls.rename = { failing() ? -1 : plain.rename($0, $1) }
    calls.link = { failing() ? -1 : plain.link($0, $1) }
    calls.copy = {
      if failing() { throw CocoaError(.fileWriteOutOfSpace) } else { try plain.copy($0, $1) }
    }
    return calls
  }
}
