import CoreData
import Synchronization

/// Sets keys aside: in blocks, so that most saves ask the server for none.
///
///     sequence Author_keys, INCREMENT BY 1000        1, 1001, 2001, … : the first keys of blocks
///
/// Blocks of several processes alternate. What is left of a block when a process ends stays unused.
final class KeyBlocks: Sendable {
  static let length: Int64 = 1000

  /// By the number of the root.
  private let blocks = Mutex<[Int: Range<Int64>]>([:])
  /// Held while the server is asked.
  private let asking = TurnLock()

  /// The first of `count` consecutive keys.
  func reserve(
    _ count: Int64, root: Int, from pool: ConnectionPool,
    _ read: (_ blocks: Int) throws -> [Int64]
  ) throws -> Int64 {
    if let kept = kept(count, root) { return kept }
    return try asking.with(pool.limits, at: pool.address) {
      if let kept = kept(count, root) { return kept }
      // Nobody else may take of what is left, to which the new ones may be added.
      let rest = blocks.withLock { $0.removeValue(forKey: root) } ?? 0..<0
      // Those who wait for this lock may have all connections of the process.
      let keys = try pool.beyondTheBudget { try Self.consecutive(count, after: rest, read) }
      blocks.withLock { $0[root] = (keys.lowerBound + count)..<keys.upperBound }
      return keys.lowerBound
    }
  }

  private func kept(_ count: Int64, _ root: Int) -> Int64? {
    blocks.withLock { blocks in
      guard let rest = blocks[root], rest.count >= count else { return nil }
      blocks[root] = (rest.lowerBound + count)..<rest.upperBound
      return rest.lowerBound
    }
  }

  /// Blocks that follow each other, or what is left of the last and those that follow it. Others may take blocks
  /// in between: then they are asked for anew.
  private static func consecutive(
    _ count: Int64, after rest: Range<Int64>, _ read: (_ blocks: Int) throws -> [Int64]
  ) throws -> Range<Int64> {
    var run = rest
    while run.count < count {
      let missing = Int((count - Int64(run.count) + length - 1) / length)
      for start in try read(missing) {
        run =
          !run.isEmpty && start == run.upperBound
          ? run.lowerBound..<start + length : start..<start + length
        if run.count >= count { break }
      }
    }
    return run
  }
}
