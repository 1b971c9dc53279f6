import Synchronization

/// The sort keys of a long list's objects, if there is one sort key and it is a number or a date: 8
/// bytes per object, indexed by primary key. Without the table, each change of the list reads
/// neighbours' keys from the store, which doubles its time.
///
/// Another thread reads the keys after the list's first change; objects that have changed since
/// then are left out. Confined to the context's queue, except ``Filling``.
struct NumberTable {
  /// The store's ordinal in words: primary keys alone do not identify objects of several stores.
  private let ordinal: Int
  let isReal: Bool
  private var numbers: ContiguousArray<KeptNumber>

  /// The entry of an object of the list; nil if its number is unknown.
  func entry(_ word: UInt64) -> ListEntry? {
    guard let index = index(word), numbers[index].isKnown else { return nil }
    return ListEntry(word: word, numbers[index], isReal: isReal)
  }

  /// Stores the key of an entry. Returns false if the table has no slot for it, or if the key is
  /// not a number, such as NULL.
  mutating func keep(_ entry: ListEntry) -> Bool {
    guard let index = index(entry.word) else { return false }
    numbers[index] = entry.number(isReal: isReal) ?? .unknown
    return numbers[index].isKnown
  }

  mutating func forget(_ word: UInt64) {
    if let index = index(word) { numbers[index] = .unknown }
  }

  private func index(_ word: UInt64) -> Int? {
    let identity = PackedIdentity(bits: word)
    guard !identity.isTemporary, identity.storeOrdinal == ordinal,
      identity.key < Int64(numbers.count)
    else { return nil }
    return Int(identity.key)
  }

  /// A table that another thread fills.
  ///
  /// Sendable: `result` is guarded by its lock, `isOver` is atomic.
  final class Filling: Sendable {
    private let result = Mutex<NumberTable?>(nil)
    private let isOver = Atomic(false)

    /// Serial: the reading connections are needed by threads that wait for rows.
    static let queue = DispatchQueue(label: "NumberTable", qos: .utility)

    init(_ slot: Int, of layout: EntityLayout, in store: any SlotReading, most: Int) {
      Self.queue.async { [weak self] in
        // The list may be gone before its turn comes.
        guard self != nil else { return }
        let table = NumberTable(slot, of: layout, in: store, most: most)
        self?.end(table)
      }
    }

    private func end(_ table: NumberTable?) {
      result.withLock { $0 = table }
      isOver.store(true, ordering: .releasing)
    }

    var isDone: Bool { isOver.load(ordering: .acquiring) }

    /// The table, removed from the filling; nil if none could be made. Call it once `isDone` is
    /// true.
    func take() -> NumberTable? {
      result.withLock { result in
        defer { result = nil }
        return result
      }
    }
  }

  /// Fails if a primary key is above `most`, which would leave most elements unused, if the slot
  /// holds no numbers, or if the store cannot be read. The list then reads keys as it needs them.
  private init?(_ slot: Int, of layout: EntityLayout, in store: any SlotReading, most: Int) {
    ordinal = store.ordinal
    var numbers: ContiguousArray<KeptNumber> = []
    var (isReal, isDense) = (false, true)
    do {
      try store.eachNumber(inSlot: slot, of: layout) { key, number in
        isDense = key >= 0 && key <= most
        guard isDense else { return false }
        if case .real = number { isReal = true }
        let index = Int(key)
        if index >= numbers.count {
          let count = max(index + 1, min(most + 1, 2 * numbers.count))
          numbers.append(contentsOf: repeatElement(.unknown, count: count - numbers.count))
        }
        numbers[index] = KeptNumber(number)
        return true
      }
    } catch { return nil }
    guard isDense, !numbers.isEmpty else { return nil }
    self.isReal = isReal
    self.numbers = numbers
  }
}
