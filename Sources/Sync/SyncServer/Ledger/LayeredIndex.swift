import CoreDataSync

/// An index of records by key: what the store says, with what a transaction has changed laid
/// over it.
///
///     base       entries of loaded keys, as stored
///     overlay    entries of touched records, as they are now; what the base says of these is void
struct LayeredIndex<Key: Hashable, Entry: Hashable> {
  private var base: [Key: [RecordID: Set<Entry>]] = [:]
  private var overlay: [Key: [RecordID: Set<Entry>]] = [:]
  private var touched: [RecordID: [Key: Set<Entry>]] = [:]

  /// Of these keys, those that are not loaded.
  func missing(_ keys: some Sequence<Key>) -> Set<Key> { Set(keys.filter { base[$0] == nil }) }

  mutating func load(_ keys: some Sequence<Key>) { for key in keys { base[key] = [:] } }

  /// Notes what the store says, of a key that is loaded.
  mutating func note(_ key: Key, of record: RecordID, entry: Entry) {
    base[key]?[record, default: []].insert(entry)
  }

  /// What a record's entries are now.
  mutating func set(_ record: RecordID, to entries: [Key: Set<Entry>]) {
    for key in (touched[record] ?? [:]).keys { overlay[key]?[record] = nil }
    touched[record] = entries
    for (key, own) in entries { overlay[key, default: [:]][record] = own }
  }

  /// The entries of a loaded key, by record.
  func entries(_ key: Key) -> [RecordID: Set<Entry>] {
    let stored = (base[key] ?? [:]).filter { touched[$0.key] == nil }
    return stored.merging(overlay[key] ?? [:]) { $1 }
  }

  var touchedRecords: [RecordID: [Key: Set<Entry>]] { touched }
}
