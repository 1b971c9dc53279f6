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

  /// The first of `count` consecutive keys.
  func reserve(
    _ count: Int64, root: Int, _ read: (_ blocks: Int) throws -> [Int64]
  ) throws -> Int64 {
    try blocks.withLock { blocks in
      let rest = blocks[root] ?? 0..<0
      if rest.count >= count {
        blocks[root] = (rest.lowerBound + count)..<rest.upperBound
        return rest.lowerBound
      }
      let keys = try Self.consecutive(count, after: rest, read)
      blocks[root] = (keys.lowerBound + count)..<keys.upperBound
      return keys.lowerBound
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
