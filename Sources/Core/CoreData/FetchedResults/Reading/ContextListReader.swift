import KeyValueCoding

/// Reads the entries of a list through its context: from registered objects as they are in memory,
/// otherwise from rows, without registering objects.
///
/// Entries read from rows are cached, because searches meet the same few objects repeatedly; a
/// change of an object removes its entry. Confined to the context's queue.
final class ContextListReader: ListReader {
  private static let mostKept = 65_536
  /// The greatest number of entries for which the cache is emptied to make room.
  private static let fewEntries = 256
  /// Larger sets of entries are not cached: they are of a level that each search meets once.
  private static let manyEntries = 4096

  private let context: NSManagedObjectContext
  private let layout: EntityLayout
  private let columns: [SortColumn]
  private let naming: SectionNaming?
  @exclusivity(unchecked)
  private var kept: [UInt64: ListEntry] = [:]
  /// The keys of all objects, once they have been read.
  @exclusivity(unchecked)
  private var numbers: NumberTable?
  private var filling: NumberTable.Filling?
  /// The objects that were forgotten since `filling` began, which may have read their previous
  /// keys.
  private var forgotten: [UInt64] = []
  private lazy var rowReader = context.rootCoordinator.map({ RowReader(source: $0) })
  /// The slots of the sort keys; nil unless all are stored in the objects' own rows.
  private let slots: [Int]?
  private let dates: [Bool]
  /// Whether the first key is compared directly.
  private let plainFirst: Bool
  private let ascending: Bool
  /// Whether a key or a section name belongs to a related object, whose unsaved changes rows do not
  /// have.
  private let readsRelatedObjects: Bool
  /// Reads keys while ``reading(_:)`` runs.
  private var slotReader: (any SlotReader)?
  private var hasReadAhead = false
  /// The store of `slotReader`, which must not be asked for keys of another store's objects.
  private var slotOrdinal = 0
  /// Whether a section name was read from an object in memory, which may be older than its row.
  private(set) var hasNamedObjects = false

  init(
    _ context: NSManagedObjectContext, layout: EntityLayout, columns: [SortColumn],
    naming: SectionNaming?
  ) {
    self.context = context
    self.layout = layout
    self.columns = columns
    self.naming = naming
    let slots = columns.compactMap(\.key.slot)
    self.slots = slots.count == columns.count ? slots : nil
    dates = slots.map(layout.isDate)
    plainFirst = columns.first?.isPlain == true
    ascending = columns.first?.ascending ?? true
    readsRelatedObjects = columns.contains { !$0.key.isStored } || naming?.isStored == false
  }

  /// The entry of a changed object, including its section name.
  func namedEntry(of subject: ListSubject) -> ListEntry {
    var entry = entry(of: subject)
    entry.sectionName = naming.map { sectionName(of: subject, $0) }
    return entry
  }

  /// The section name. If it is computed, a temporary object is made of a row.
  private func sectionName(of subject: ListSubject, _ naming: SectionNaming) -> String {
    guard naming.isComputed, case .row(let rowObject) = subject, let row = rowObject.row else {
      return naming.name(of: subject)
    }
    return naming.name(of: .object(context.object(for: row)))
  }

  /// The entries of objects of the list, including section names; without those whose row is gone.
  func namedEntries(of words: [UInt64]) -> [ListEntry] {
    guard naming == nil else { return subjects(words).map { namedEntry(of: $0) } }
    return reading { lookUp(words) }.compactMap(\.self)
  }

  private func entry(of subject: ListSubject) -> ListEntry {
    if plainFirst, columns.count == 1 {
      return ListEntry(word: subject.word, plain: columns[0].key.value(of: subject), keys: nil)
    }
    return entry(subject.word, keys: columns.map { $0.key.value(of: subject) })
  }

  private func entry(_ word: UInt64, keys: [TypedValue]) -> ListEntry {
    guard plainFirst, let first = keys.first else { return ListEntry(word: word, keys: keys) }
    return ListEntry(word: word, plain: first, keys: keys.count == 1 ? nil : keys)
  }

  /// The source of a row's keys and of its match with the predicate; nil without a coordinator.
  func subject(_ row: Row) -> ListSubject? {
    if let object = context.registeredObject(row.packed), object.current != nil {
      return .object(object)
    }
    if readsRelatedObjects, context.hasChanges { return .object(context.object(for: row)) }
    return rowReader.map { .row($0.object(row)) }
  }

  func forget(_ word: UInt64) {
    if !kept.isEmpty { kept[word] = nil }
    numbers?.forget(word)
    if filling != nil { forgotten.append(word) }
  }

  /// Forgets the objects of all changes.
  func forget(_ changes: ContextChanges) {
    takeNumbers()
    if kept.isEmpty, numbers == nil, filling == nil { return }
    func forget(_ objects: [NSManagedObject]) {
      for object in objects { self.forget(object.packedIdentity.bits) }
    }
    forget(changes.updated)
    forget(changes.refreshed)
    forget(changes.deleted)
    forget(changes.invalidated)
    for row in changes.unregistered { self.forget(row.packed.bits) }
    for identity in changes.unregisteredDeletions { self.forget(identity.packed.bits) }
  }

  // MARK: - All keys

  /// Starts reading all keys in the background, for a list that has changed and will change again.
  /// Only a list that is sorted by one number or date, and holds most of its table, keeps the keys.
  func readAhead(count: Int) {
    guard numbers == nil, filling == nil, !hasReadAhead, plainFirst, columns.count == 1,
      let slots, let store = slotStore
    else { return }
    hasReadAhead = true
    // The store may be read before these are saved; until then they are read from memory.
    forgotten = context.unsavedWords
    filling = NumberTable.Filling(slots[0], of: layout, in: store, most: Self.mostKeys(count))
  }

  /// The greatest primary key of a table for a list of this length.
  private static func mostKeys(_ count: Int) -> Int { 2 * count + 1024 }

  private func takeNumbers() {
    guard let filling, filling.isDone else { return }
    self.filling = nil
    numbers = filling.take()
    for word in forgotten { numbers?.forget(word) }
    forgotten = []
    if numbers != nil { kept = [:] }
  }

  /// Caches the entry of a row that a change has delivered.
  func keep(_ entry: ListEntry) {
    if numbers?.keep(entry) == true { return }
    if kept.count < Self.mostKept { kept[entry.word] = entry }
  }

  func isOrdered(_ first: ListEntry, _ second: ListEntry) -> Bool {
    if let known = first.precedes(second, ascending: ascending) { return known }
    let (firstKeys, secondKeys) = (first.keys, second.keys)
    for index in 0..<min(columns.count, firstKeys.count, secondKeys.count) {
      switch columns[index].compare(firstKeys[index], secondKeys[index]) {
      case .orderedAscending: return true
      case .orderedDescending: return false
      case .orderedSame: continue
      }
    }
    return first.identity.tieOrder < second.identity.tieOrder
  }

  // MARK: - Entries of the list

  /// Runs a change of the list. Its reads from the store are of one moment, and cheaper.
  func reading<Result>(_ body: () -> Result) -> Result {
    guard slotReader == nil, numbers == nil, let slots, let store = slotStore else { return body() }
    return readingSlots(slots, store: store, body: body)
  }

  private func readingSlots<Result>(
    _ slots: [Int], store: any SlotReading, body: () -> Result
  ) -> Result {
    trappingReadErrors {
      try store.withSlotReader(slots, of: layout) { reader in
        slotReader = reader
        slotOrdinal = store.ordinal
        defer { slotReader = nil }
        return body()
      }
    }
  }

  private var slotStore: (any SlotReading)? {
    guard context.readsSharedRows, let stores = context.rootCoordinator?.persistentStores,
      stores.count == 1
    else { return nil }
    return stores[0] as? any SlotReading
  }

  func entries(of words: [UInt64]) -> [ListEntry] {
    // A row may be gone from the store: its sort keys are unknown until the deletion is merged.
    zip(words, lookUp(words)).map { $1 ?? ListEntry(word: $0, keys: []) }
  }

  private func lookUp(_ words: [UInt64]) -> [ListEntry?] {
    var entries: [ListEntry?] = []
    entries.reserveCapacity(words.count)
    var missing: [Int] = []
    for index in words.indices {
      let entry = known(words[index])
      if entry == nil { missing.append(index) }
      entries.append(entry)
    }
    guard !missing.isEmpty else { return entries }
    if slotReader == nil, numbers != nil, let slots, let store = slotStore {
      return readingSlots(slots, store: store) { lookUp(words) }
    }
    if missing.count <= Self.fewEntries, kept.count + missing.count > Self.mostKept { kept = [:] }
    if let slotReader {
      // In the order of the primary keys: neighbours share a page of the file.
      for index in missing.sorted(by: { words[$0] < words[$1] }) {
        entries[index] = read(words[index], reader: slotReader)
      }
    } else {
      let found = read(Set(missing.map { words[$0] }))
      for index in missing { entries[index] = found[words[index]] }
    }
    guard missing.count <= Self.manyEntries else { return entries }
    for case let entry? in missing.lazy.map({ entries[$0] }) { keep(entry) }
    return entries
  }

  private func read(_ word: UInt64, reader: any SlotReader) -> ListEntry? {
    let packed = PackedIdentity(bits: word)
    guard !packed.isTemporary, packed.storeOrdinal == slotOrdinal else { return nil }
    return trappingReadErrors {
      if plainFirst, dates.count == 1 {
        guard let value = try reader.value(key: packed.key) else { return nil }
        return ListEntry(word: word, plain: TypedValue(value, isDate: dates[0]), keys: nil)
      }
      guard let values = try reader.values(key: packed.key) else { return nil }
      return entry(word, keys: values.indices.map { TypedValue(values[$0], isDate: dates[$0]) })
    }
  }

  private func read(_ words: Set<UInt64>) -> [UInt64: ListEntry] {
    var entries: [UInt64: ListEntry] = [:]
    for row in rows(Array(words)) {
      if let subject = subject(row) { entries[subject.word] = entry(of: subject) }
    }
    return entries
  }

  /// The section names of objects of the list, in order.
  func sectionNames(_ words: some Collection<UInt64>) -> [String] {
    guard let naming else { return words.map { _ in "" } }
    if naming.isComputed { return computedNames(Array(words), naming: naming) }
    if let slot = naming.slot, slotReader == nil, let store = slotStore {
      return storedNames(Array(words), slot: slot, naming: naming, store: store)
    }
    var names: [UInt64: String] = [:]
    for subject in subjects(Array(words)) {
      if case .object = subject { hasNamedObjects = true }
      names[subject.word] = sectionName(of: subject, naming)
    }
    return words.map { names[$0] ?? "" }
  }

  /// The section names, read one by one, without making rows of unregistered objects. The name of
  /// an object that is gone is empty.
  private func storedNames(
    _ words: [UInt64], slot: Int, naming: SectionNaming, store: any SlotReading
  ) -> [String] {
    let isDate = layout.isDate(slot)
    var names = [String](repeating: "", count: words.count)
    trappingReadErrors {
      try store.withSlotReader([slot], of: layout) { reader in
        // In the order of the primary keys: neighbours share a page of the file.
        for index in words.indices.sorted(by: { words[$0] < words[$1] }) {
          if let subject = registered(words[index]) {
            hasNamedObjects = true
            names[index] = naming.name(of: subject)
            continue
          }
          let packed = PackedIdentity(bits: words[index])
          guard !packed.isTemporary, packed.storeOrdinal == store.ordinal,
            let value = try reader.value(key: packed.key)
          else { continue }
          names[index] = naming.name(TypedValue(value, isDate: isDate))
        }
      }
    }
    return names
  }

  /// The section names that objects compute. One object is made for each row, read and released. A
  /// single object cannot serve all rows: its class may keep state of another row in its
  /// properties.
  private func computedNames(_ words: [UInt64], naming: SectionNaming) -> [String] {
    var names: [UInt64: String] = [:]
    names.reserveCapacity(words.count)
    var missing: [UInt64] = []
    for word in words {
      guard let subject = registered(word) else {
        missing.append(word)
        continue
      }
      hasNamedObjects = true
      names[word] = naming.name(of: subject)
    }
    for row in rows(missing) {
      names[row.packed.bits] = naming.name(of: .object(context.object(for: row)))
    }
    return words.map { names[$0] ?? "" }
  }

  /// Whether most entries are known without reading.
  var knowsMost: Bool { numbers != nil }

  /// The entry of an object of the list, if it is known without reading.
  func known(_ word: UInt64) -> ListEntry? {
    if let subject = registered(word) { return entry(of: subject) }
    return numbers?.entry(word) ?? (kept.isEmpty ? nil : kept[word])
  }

  private func registered(_ word: UInt64) -> ListSubject? {
    let object = context.registeredObject(PackedIdentity(bits: word))
    return object.flatMap { $0.current == nil ? nil : .object($0) }
  }

  /// The sources of these objects' values, in any order; without those whose row is gone.
  private func subjects(_ words: [UInt64]) -> [ListSubject] {
    let known = words.compactMap(registered)
    guard known.count < words.count else { return known }
    let found = Set(known.map(\.word))
    return known + rows(words.filter { !found.contains($0) }).compactMap(subject)
  }

  private func rows(_ words: [UInt64]) -> [Row] {
    // Objects of a removed store have no identity any more.
    let identities = words.compactMap { context.identity(of: .init(bits: $0)) }
    let cached = context.readsSharedRows ? identities.compactMap(\.cachedRow) : []
    guard cached.count < identities.count else { return cached }
    let found = Set(cached.map(\.packed))
    let missing = identities.filter { !found.contains($0.packed) }
    return cached + trappingReadErrors { try context.source?.rows(of: missing) ?? [] }
  }

  private func trappingReadErrors<Result>(_ read: () throws -> Result) -> Result {
    do { return try read() } catch {
      fatalError("CoreData could not read the sort keys of a list of fetched results: \(error)")
    }
  }
}

extension NSManagedObjectContext {
  /// The objects whose rows in the store differ from those after a save.
  fileprivate var unsavedWords: [UInt64] {
    [inserted, updated, deleted].flatMap { $0.objects.map(\.packedIdentity.bits) }
  }
}
