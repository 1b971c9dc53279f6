import KeyValueCoding

/// Reads the entries of a list through its context: from registered objects as they are in memory,
/// from rows for the others, which stay unregistered.
///
/// Keeps the entries that it read from rows, because searches meet the same few objects again and
/// again; an entry is forgotten when its object changes. Belongs to the context's queue.
final class ContextListReader: ListReader {
  private static let mostKept = 16_384

  private let context: NSManagedObjectContext
  private let columns: [SortColumn]
  private let naming: SectionNaming?
  private var kept: [UInt64: ListEntry] = [:]
  private lazy var rowReader = context.rootCoordinator.map(RowReader.init)
  /// Whether a row was read since ``startOfBatch()``: it may be newer than the list is.
  private(set) var hasReadRows = false

  init(
    _ context: NSManagedObjectContext, columns: [SortColumn], naming: SectionNaming?
  ) {
    self.context = context
    self.columns = columns
    self.naming = naming
  }

  /// The entry of a changed object, its section name included.
  func namedEntry(of subject: ListSubject) -> ListEntry {
    var entry = entry(of: subject)
    entry.sectionName = naming?.name(of: subject)
    return entry
  }

  /// The entry of an object of the list, its section name included; nil when its row is gone.
  func namedEntry(of word: UInt64) -> ListEntry? {
    subjects([word]).first.map { namedEntry(of: $0) }
  }

  private func entry(of subject: ListSubject) -> ListEntry {
    ListEntry(word: subject.word, keys: columns.map { $0.key.value(of: subject) })
  }

  /// What predicates and keys of a row are read from; nil without a coordinator.
  func subject(_ row: Row) -> ListSubject? {
    if let object = context.registeredObject(row.identity.packed), object.current != nil {
      return .object(object)
    }
    return rowReader.map { .row($0.object(row)) }
  }

  func forget(_ word: UInt64) { kept[word] = nil }

  func startOfBatch() { hasReadRows = false }

  func isOrdered(_ first: ListEntry, _ second: ListEntry) -> Bool {
    for (column, keys) in zip(columns, zip(first.keys, second.keys)) {
      switch column.compare(keys.0, keys.1) {
      case .orderedAscending: return true
      case .orderedDescending: return false
      case .orderedSame: continue
      }
    }
    return first.identity.tieOrder < second.identity.tieOrder
  }

  func entry(of word: UInt64) -> ListEntry {
    if let known = known(word) { return known }
    prefetch([word])
    // The row may be gone from the store: nothing is known to order the object by then, until the
    // deletion is merged.
    return kept[word] ?? ListEntry(word: word, keys: [])
  }

  func prefetch(_ words: [UInt64]) {
    let missing = Set(words.filter { kept[$0] == nil && registered($0) == nil })
    guard !missing.isEmpty else { return }
    hasReadRows = true
    if kept.count + missing.count > Self.mostKept { kept = [:] }
    for row in rows(Array(missing)) {
      if let subject = subject(row) { kept[subject.word] = entry(of: subject) }
    }
  }

  /// The section names of objects of the list, in order.
  func sectionNames(_ words: some Collection<UInt64>) -> [String] {
    guard let naming else { return words.map { _ in "" } }
    var names: [UInt64: String] = [:]
    for subject in subjects(Array(words)) { names[subject.word] = naming.name(of: subject) }
    return words.map { names[$0] ?? "" }
  }

  private func known(_ word: UInt64) -> ListEntry? {
    registered(word).map { entry(of: $0) } ?? kept[word]
  }

  private func registered(_ word: UInt64) -> ListSubject? {
    let object = context.registeredObject(PackedIdentity(bits: word))
    return object.flatMap { $0.current == nil ? nil : .object($0) }
  }

  /// What these objects are read from, in any order, without those whose row is gone.
  private func subjects(_ words: [UInt64]) -> [ListSubject] {
    let known = words.compactMap(registered)
    guard known.count < words.count else { return known }
    let found = Set(known.map(\.word))
    return known + rows(words.filter { !found.contains($0) }).compactMap(subject)
  }

  private func rows(_ words: [UInt64]) -> [Row] {
    let identities = words.compactMap { context.identity(of: .init(bits: $0)) }
    let cached = context.parent == nil ? identities.compactMap(\.cachedRow) : []
    guard cached.count < identities.count else { return cached }
    let found = Set(cached.map { ObjectIdentifier($0.identity) })
    let missing = identities.filter { !found.contains(ObjectIdentifier($0)) }
    do { return cached + (try context.source?.rows(of: missing) ?? []) } catch {
      fatalError("CoreData could not read the sort keys of a list of fetched results: \(error)")
    }
  }
}
