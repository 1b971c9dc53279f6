import CoreData
import Synchronization

/// Reserves keys in blocks, so that most saves need no request for them.
///
///     sequence Author_keys, INCREMENT BY 1000        1, 1001, 2001, …: the first keys of blocks
///
/// Blocks of several processes alternate. The rest of a block is lost when the process ends.
final class KeyBlocks: Sendable {
  static let length: Int64 = 1000

  /// The rest of the last block, by the number of the root entity.
  private let blocks = Mutex<[Int: Range<Int64>]>([:])
  /// Held while the server is asked for blocks.
  private let asking = TurnLock()

  /// Reserves `count` consecutive keys and returns the first.
  func reserve(
    _ count: Int64, root: Int, from pool: ConnectionPool,
    read: (_ blocks: Int) throws -> [Int64]
  ) throws -> Int64 {
    if let kept = kept(count, root: root) { return kept }
    return try asking.with(pool.limits, at: pool.address) {
      if let kept = kept(count, root: root) { return kept }
      // Removed, so that no other thread uses the rest, which the new blocks may continue.
      let rest = blocks.withLock { $0.removeValue(forKey: root) } ?? 0..<0
      // Exempt from the process-wide limit: the threads that wait for this lock may hold all
      // connections.
      let keys = try pool.beyondTheBudget { try Self.consecutive(count, after: rest, read: read) }
      blocks.withLock { $0[root] = (keys.lowerBound + count)..<keys.upperBound }
      return keys.lowerBound
    }
  }

  private func kept(_ count: Int64, root: Int) -> Int64? {
    blocks.withLock { blocks in
      guard let rest = blocks[root], rest.count >= count else { return nil }
      blocks[root] = (rest.lowerBound + count)..<rest.upperBound
      return rest.lowerBound
    }
  }

  /// Enough consecutive keys: from new blocks that are adjacent, possibly continuing the rest. If
  /// other processes have taken blocks in between, it requests more.
  private static func consecutive(
    _ count: Int64, after rest: Range<Int64>, read: (_ blocks: Int) throws -> [Int64]
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
