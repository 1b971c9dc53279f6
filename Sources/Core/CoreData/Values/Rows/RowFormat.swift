/// The layout of an entity's rows: one word per number or reference, two per text or data.
///
///     word   0 … tagWords − 1    two bits per slot
///            tagWords …          the slots, in order
///
/// Made by the entity's layout and, like it, never freed: rows refer to it unretained.
struct RowFormat {
  enum Storage: UInt8 {
    case integer, real, text, data, identity, object

    var words: Int {
      switch self {
      case .text: (MemoryLayout<String>.size + 7) / 8
      case .data: (MemoryLayout<Data>.size + 7) / 8
      default: 1
      }
    }
  }

  struct Place {
    /// In words from the start of the tags.
    let offset: UInt16
    let storage: Storage
  }

  /// Unretained: layouts are never freed.
  let layout: Unmanaged<EntityLayout>
  let entityNumber: Int
  /// The root number of the entity's tree.
  let rootNumber: Int
  let count: Int
  let tagWords: Int
  let words: Int
  let places: UnsafePointer<Place>
  /// The slots of to-one relationships and of object ID attributes.
  let references: UnsafeBufferPointer<Int32>

  /// Makes a format that is never freed.
  static func make(_ layout: EntityLayout, kinds: [EntityLayout.Kind]) -> UnsafePointer<RowFormat> {
    let tagWords = (kinds.count + 31) / 32
    let places = UnsafeMutablePointer<Place>.allocate(capacity: kinds.count)
    var next = tagWords
    for (slot, kind) in kinds.enumerated() {
      let storage = Storage(kind)
      (places + slot).initialize(to: Place(offset: UInt16(next), storage: storage))
      next += storage.words
    }
    let format = UnsafeMutablePointer<RowFormat>.allocate(capacity: 1)
    format.initialize(
      to: RowFormat(
        layout: .passUnretained(layout), entityNumber: layout.number,
        rootNumber: layout.rootNumber, count: kinds.count, tagWords: tagWords, words: next,
        places: places, references: references(kinds)))
    return UnsafePointer(format)
  }

  private static func references(_ kinds: [EntityLayout.Kind]) -> UnsafeBufferPointer<Int32> {
    let slots = kinds.indices.filter { Storage(kinds[$0]) == .identity }
    let references = UnsafeMutableBufferPointer<Int32>.allocate(capacity: slots.count)
    _ = references.initialize(from: slots.map(Int32.init))
    return UnsafeBufferPointer(references)
  }
}

extension RowFormat.Storage {
  init(_ kind: EntityLayout.Kind) {
    guard case .attribute(let type) = kind else {
      self = .identity
      return
    }
    self =
      switch type {
      case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType,
        .booleanAttributeType:
        .integer
      case .doubleAttributeType, .floatAttributeType, .dateAttributeType: .real
      case .stringAttributeType: .text
      case .binaryDataAttributeType: .data
      case .objectIDAttributeType: .identity
      default: .object
      }
  }
}
