/// Which record an object shows, in two layers as ``Layered``.
struct ObjectIndex {
  private final class Base {
    let records: RecordNumbers
    private var numbers = ObjectNumbers()

    init(_ records: RecordNumbers) { self.records = records }

    subscript(key: ObjectKey) -> RecordID? {
      get { numbers[key].map(records.id) }
      set { numbers[key] = newValue.map(records.add) }
    }
  }

  private let base: Base
  private var edits: [ObjectKey: RecordID?] = [:]

  init(_ numbers: RecordNumbers) { base = Base(numbers) }

  subscript(key: ObjectKey) -> RecordID? {
    get {
      if let edit = edits[key] { return edit }
      return base[key]
    }
    set { edits.updateValue(newValue, forKey: key) }
  }

  /// Makes the edits part of what all copies share.
  mutating func fold() {
    for (key, record) in edits { base[key] = record }
    edits = [:]
  }
}
