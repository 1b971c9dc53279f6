/// A node's number in its pool.
typealias Node = UInt32

/// The memory of a tree's nodes: numbered blocks of `capacity` words, and a head for each node.
/// Blocks lie in chunks that never move, so that growing copies nothing.
final class NodePool {
  struct Head {
    /// The number of entries in use.
    var count: Int32 = 0
    var height: Int32 = 0
    /// `NodePool.none` for the root.
    var parent: Node = NodePool.none
  }

  static let none = Node.max
  private static let chunkShift = 7
  private static let chunkMask = (1 << chunkShift) - 1

  let capacity: Int
  // `@exclusivity(unchecked)` here and in the tree: no two accesses overlap, since each is within
  // one call on one queue; the checks would cost a tenth of a search.
  @exclusivity(unchecked)
  var heads: ContiguousArray<Head> = []
  // Owned: freed by `deinit`. A pointer into a chunk is valid as long as the pool.
  @exclusivity(unchecked)
  private var chunks: ContiguousArray<UnsafeMutablePointer<UInt64>> = []
  private var free: ContiguousArray<Node> = []

  init(capacity: Int) { self.capacity = capacity }

  deinit {
    for chunk in chunks { chunk.deallocate() }
  }

  func make(height: Int32) -> Node {
    if let node = free.popLast() {
      heads[Int(node)] = Head(height: height)
      return node
    }
    let node = Node(heads.count)
    if heads.count >> Self.chunkShift == chunks.count { addChunk() }
    heads.append(Head(height: height))
    return node
  }

  func release(_ node: Node) { free.append(node) }

  /// The number of nodes in use.
  var liveCount: Int { heads.count - free.count }

  func words(_ node: Node) -> UnsafeMutablePointer<UInt64> {
    chunks[Int(node) >> Self.chunkShift] + (Int(node) & Self.chunkMask) * capacity
  }

  func count(_ node: Node) -> Int { Int(heads[Int(node)].count) }
  func setCount(_ node: Node, count: Int) { heads[Int(node)].count = Int32(count) }
  func height(_ node: Node) -> Int32 { heads[Int(node)].height }
  func parent(_ node: Node) -> Node { heads[Int(node)].parent }
  func setParent(_ node: Node, parent: Node) { heads[Int(node)].parent = parent }

  func entries(_ node: Node) -> UnsafeBufferPointer<UInt64> {
    UnsafeBufferPointer(start: words(node), count: count(node))
  }

  /// Inserts an entry; the node must have room.
  func insert(_ word: UInt64, node: Node, at offset: Int) {
    let words = words(node)
    let count = count(node)
    (words + offset + 1).update(from: words + offset, count: count - offset)
    words[offset] = word
    setCount(node, count: count + 1)
  }

  func remove(_ node: Node, at offset: Int) {
    let words = words(node)
    let count = count(node)
    (words + offset).update(from: words + offset + 1, count: count - offset - 1)
    setCount(node, count: count - 1)
  }

  private func addChunk() {
    let chunk = UnsafeMutablePointer<UInt64>.allocate(capacity: capacity << Self.chunkShift)
    chunk.initialize(repeating: 0, count: capacity << Self.chunkShift)
    chunks.append(chunk)
  }
}

/// An entry of an inner node: the number of words below, and the child.
enum InnerEntry {
  static func make(count: Int, child: Node) -> UInt64 { UInt64(count) << 32 | UInt64(child) }
  static func count(_ entry: UInt64) -> Int { Int(entry >> 32) }
  static func child(_ entry: UInt64) -> Node { Node(truncatingIfNeeded: entry) }
  static let one: UInt64 = 1 << 32
}
