/// A number for each record, in the order in which they become known: columns and sets say a record
/// in four bytes.
///
/// It grows only. Used by one session on one thread at a time.
final class RecordNumbers {
  private var ids: [RecordID] = []
  /// A hash table: one more than a number, 0 where there is none. Half of it, at least, is empty.
  private var places: [UInt32] = Array(repeating: 0, count: 16)

  var count: Int { ids.count }

  func id(_ number: UInt32) -> RecordID { ids[Int(number)] }

  /// The number of a record; nil of one that has none.
  func number(_ id: RecordID) -> UInt32? {
    let place = places[place(of: id)]
    return place == 0 ? nil : place - 1
  }

  /// The number of a record, a new one if it has none.
  func add(_ id: RecordID) -> UInt32 {
    let place = place(of: id)
    if places[place] > 0 { return places[place] - 1 }
    // A record has 100 bytes on the disk: memory ends long before the numbers do.
    let number = UInt32(ids.count)
    ids.append(id)
    places[place] = number + 1
    if ids.count * 2 > places.count { grow() }
    return number
  }

  /// Where a record is in the table, or would be.
  private func place(of id: RecordID) -> Int {
    let mask = places.count - 1
    // Seeded anew in each process: nobody can choose names that meet.
    var place = id.hashValue & mask
    while places[place] > 0, ids[Int(places[place]) - 1] != id { place = (place + 1) & mask }
    return place
  }

  private func grow() {
    places = Array(repeating: 0, count: places.count * 2)
    for (number, id) in ids.enumerated() { places[place(of: id)] = UInt32(number) + 1 }
  }
}
