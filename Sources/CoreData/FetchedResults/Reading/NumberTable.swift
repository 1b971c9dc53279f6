import Synchronization

/// The sort keys of a long list's objects, where each has one, which is a number or a date: 8 bytes an object, by its key.
/// Without it each change of the list reads keys of neighbours from the store, which takes as long as all the rest.
///
/// Another thread reads them, once the list has turned out to change; what has changed by the time when they are there
/// is left out. Belongs to the context's queue, but for ``Filling``.
struct NumberTable {
  /// The place of a store in words: tables of several stores could not be told apart by keys.
  private let ordinal: Int
  let isReal: Bool
  private var numbers: ContiguousArray<KeptNumber>

  /// The entry of an object of the list; nil where the number is not known.
  func entry(_ word: UInt64) -> ListEntry? {
    guard let index = index(word), numbers[index].isKnown else { return nil }
    return ListEntry(word: word, numbers[index], isReal: isReal)
  }

  /// Keeps the key of an entry; false where there is no place for it, or for what is no number, as NULL.
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
  /// Sendable: the result has its lock.
  final class Filling: Sendable {
    private let result = Mutex<NumberTable?>(nil)
    private let isOver = Atomic(false)

    /// One table after the other: the connections that read are for who waits for rows.
    static let queue = DispatchQueue(label: "NumberTable", qos: .utility)

    init(_ slot: Int, of layout: EntityLayout, in store: any SlotReading, most: Int) {
      Self.queue.async { [weak self] in
        // Its list may be gone by the time when its turn comes.
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

    /// To be asked for once it is done; nil where there is none to be had.
    func take() -> NumberTable? {
      result.withLock { result in
        defer { result = nil }
        return result
      }
    }
  }

  /// nil when keys are higher than `most`, which would leave most places empty, when the slot holds no numbers, or when
  /// the store cannot be read any more: then the list reads what it needs.
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
