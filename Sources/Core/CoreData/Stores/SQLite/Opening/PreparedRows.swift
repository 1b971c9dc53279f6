import Synchronization

/// The selections, encoders and codecs of a store's entities, made when first needed and kept.
/// Stores of one schema share them, unless a value may be in an external file of its store or goes
/// through a transformer, since another transformer may be registered before the next store opens.
///
/// Sendable: `content` has its lock.
final class PreparedRows: Sendable {
  private struct SelectionKey: Hashable {
    let entity: Int
    let includesSubentities: Bool
    let slots: [Int]?
  }

  private struct Content {
    /// The selections of all slots, subentities included, by ``EntityLayout/number``.
    var wholeObjects: [RowSelection?] = []
    var selections: [SelectionKey: RowSelection] = [:]
    var encoders: [Int: RowEncoder] = [:]
    var codecs: [ObjectIdentifier: SlotCodec] = [:]
  }

  private let content = Mutex(Content())

  func selection(
    of entity: EntityMapping, includesSubentities: Bool, slots: [Int]?, _ mapping: SQLMapping,
    files: ExternalFiles?
  ) -> RowSelection {
    let number = entity.layout.number
    let isWhole = includesSubentities && slots == nil
    return content.withLock { content in
      // Needed for each fault, so looked up without hashing.
      if isWhole, number < content.wholeObjects.count, let found = content.wholeObjects[number] {
        return found
      }
      let key = SelectionKey(
        entity: number, includesSubentities: includesSubentities, slots: slots)
      if let found = content.selections[key] { return found }
      let made = RowSelection(
        entity, includesSubentities: includesSubentities, slots: slots, mapping: mapping,
        codec: { Self.codec($0, content: &content, files: files) })
      content.selections[key] = made
      if isWhole {
        let missing = number + 1 - content.wholeObjects.count
        if missing > 0 { content.wholeObjects += Array(repeating: nil, count: missing) }
        content.wholeObjects[number] = made
      }
      return made
    }
  }

  func encoder(
    of entity: EntityMapping, _ mapping: SQLMapping, files: ExternalFiles?
  ) -> RowEncoder {
    content.withLock { content in
      if let found = content.encoders[entity.layout.number] { return found }
      let made = RowEncoder(
        entity, mapping: mapping, codec: { Self.codec($0, content: &content, files: files) })
      content.encoders[entity.layout.number] = made
      return made
    }
  }

  func codec(of slot: EntityLayout.Slot, _ files: ExternalFiles?) -> SlotCodec {
    content.withLock { Self.codec(slot, content: &$0, files: files) }
  }

  private static func codec(
    _ slot: EntityLayout.Slot, content: inout Content, files: ExternalFiles?
  ) -> SlotCodec {
    let key = ObjectIdentifier(slot.property)
    if let found = content.codecs[key] { return found }
    let made = SlotCodec(slot, files: files)
    content.codecs[key] = made
    return made
  }
}

extension SQLMapping {
  var hasTransformers: Bool {
    allEntities.contains { $0.columns.contains { $0?.kind == .transformable } }
  }
}
