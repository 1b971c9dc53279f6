/// The history's columns for the objects of one entity. Immutable; made once per entity and store.
///
/// The bits of `ZCOLUMNS` number the stored properties, including inherited ones and relationships,
/// in code-point order of their names: a property has another bit for a subentity. Bit 0 is the
/// highest of the first byte; trailing zero bytes are left out. That transient properties are not
/// numbered is an assumption.
///
/// Sendable: nothing changes after `init`, nor do the descriptions of a frozen model.
package final class HistoryLayout: @unchecked Sendable {
  /// A preserved attribute and the column for its value after its object's deletion.
  struct Tombstone {
    /// The attribute's name; for an element of a composite attribute, the names that lead to it.
    let path: [String]
    let attribute: NSAttributeDescription
    let column: ColumnMapping
    let codec: SlotCodec
  }

  private let properties: [NSPropertyDescription]
  private let bits: [String: Int]
  let tombstones: [Tombstone]
  private let layout: EntityLayout

  init(_ entity: EntityMapping, codec: (EntityLayout.Slot) -> SlotCodec) {
    layout = entity.layout
    properties = Self.properties(of: entity.layout.entity)
    bits = Dictionary(
      zip(properties.map(\.name), 0...).map { ($0, $1) }, uniquingKeysWith: { first, _ in first })
    tombstones = Self.preserved(entity.layout).compactMap { index in
      let slot = entity.layout.slots[index]
      guard let column = entity.columns[index],
        let attribute = slot.property as? NSAttributeDescription
      else { return nil }
      return Tombstone(
        path: slot.name.split(separator: ".").map(String.init), attribute: attribute,
        column: column, codec: codec(slot))
    }
  }

  private static func properties(of entity: NSEntityDescription) -> [NSPropertyDescription] {
    entity.propertiesByName.values.filter {
      !$0.isTransient && !($0 is NSFetchedPropertyDescription)
    }.sorted { $0.name.unicodeScalars.lexicographicallyPrecedes($1.name.unicodeScalars) }
  }

  /// The names of the properties in the order of their bits.
  var names: [String] { properties.map(\.name) }

  /// The slots whose values are kept after a deletion, ordered by name. Values that may be in
  /// external files are not kept.
  package static func preserved(_ layout: EntityLayout) -> [Int] {
    layout.slots.indices.filter { index in
      let slot = layout.slots[index]
      guard let attribute = slot.property as? NSAttributeDescription else { return false }
      let whole = slot.composite.map { layout.composites[$0].attribute }
      let isPreserved =
        attribute.preservesValueInHistoryOnDeletion
        || whole?.preservesValueInHistoryOnDeletion ?? false
      return isPreserved && slot.isStored && !attribute.allowsExternalBinaryDataStorage
    }.sorted { layout.slots[$0].name < layout.slots[$1].name }
  }

  /// The number of columns for values of deleted objects that these entities need.
  static func tombstoneCount(_ layouts: [EntityLayout]) -> Int {
    layouts.map { preserved($0).count }.max() ?? 0
  }

  // MARK: - Masks

  /// The mask of `ZCOLUMNS`.
  ///
  /// - Parameters:
  ///   - slots: attributes and to-one relationships by slot.
  ///   - relationships: to-many relationships by their index in ``EntityLayout/toMany``.
  func mask(slots: [Int], relationships: [Int] = []) -> Data {
    // An element of a composite attribute counts as the whole attribute.
    let attributes = slots.map { String(layout.slots[$0].name.prefix { $0 != "." }) }
    return mask(attributes + relationships.map { layout.toMany[$0].name })
  }

  /// The mask of properties by their names.
  func mask(_ names: [String]) -> Data {
    let numbers = names.compactMap { bits[$0] }
    var bytes = [UInt8](repeating: 0, count: (numbers.max() ?? -1) / 8 + 1)
    if numbers.isEmpty { return Data() }
    for number in numbers { bytes[number / 8] |= 0x80 >> UInt8(number % 8) }
    return Data(bytes)
  }

  func properties(in mask: Data) -> Set<NSPropertyDescription> {
    let bytes = [UInt8](mask)
    return Set(
      properties.indices.filter { number in
        number / 8 < bytes.count && bytes[number / 8] & (0x80 >> UInt8(number % 8)) != 0
      }.map { properties[$0] })
  }
}
