import Foundation

/// An item of any side, with every value to be read.
protocol ItemReading {
  var title: String? { get }
  var order: Int64 { get }
  var date: Date? { get }
  var value: Double { get }
}

extension Item: ItemReading {}
extension RawItem: ItemReading {}
extension GRDBItem: ItemReading {}

extension Checksum {
  /// Reads every value of an item.
  @inline(__always)
  mutating func add(_ item: some ItemReading) {
    addRow()
    add(item.title)
    add(item.order)
    add(item.date?.timeIntervalSinceReferenceDate ?? 0)
    add(item.value)
  }
}
