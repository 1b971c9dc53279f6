import Synchronization

/// An open store: its connections, where everything is, and what has been prepared for reading and writing
/// it.
///
/// Sendable: `prepared` has its lock, the rest is constant or guards itself.
final class StoreContents: @unchecked Sendable {
  private struct SelectionKey: Hashable {
    let entity: Int
    let includesSubentities: Bool
  }

  private struct Prepared {
    var selections: [SelectionKey: RowSelection] = [:]
    var encoders: [Int: RowEncoder] = [:]
    var codecs: [ObjectIdentifier: SlotCodec] = [:]
  }

  let url: URL?
  let database: SQLiteDatabase
  let mapping: SQLMapping
  let settings: ConnectionSettings
  private let externalFolder: URL?
  private let prepared = Mutex(Prepared())

  init(
    url: URL?, location: StoreLocation, database: SQLiteDatabase, mapping: SQLMapping,
    settings: ConnectionSettings
  ) {
    self.url = url
    self.database = database
    self.mapping = mapping
    self.settings = settings
    externalFolder = location.externalFolder
  }

  /// Throws for an entity that is not in the store's configuration.
  func entity(_ layout: EntityLayout) throws -> EntityMapping {
    if let entity = mapping[layout] { return entity }
    throw CoreDataError.make(
      .coreData,
      reason: "The store at \(url?.path ?? "?") does not have the entity "
        + "“\(layout.entity.name ?? "")” of this model.")
  }

  func selection(of entity: EntityMapping, includesSubentities: Bool) -> RowSelection {
    let key = SelectionKey(
      entity: entity.layout.number, includesSubentities: includesSubentities)
    return prepared.withLock { prepared in
      if let found = prepared.selections[key] { return found }
      let made = RowSelection(
        entity, includesSubentities: includesSubentities, mapping: mapping,
        codec: { Self.codec($0, &prepared, externalFolder) })
      prepared.selections[key] = made
      return made
    }
  }

  func encoder(of entity: EntityMapping) -> RowEncoder {
    prepared.withLock { prepared in
      if let found = prepared.encoders[entity.layout.number] { return found }
      let made = RowEncoder(
        entity, mapping: mapping, codec: { Self.codec($0, &prepared, externalFolder) })
      prepared.encoders[entity.layout.number] = made
      return made
    }
  }

  func codec(of slot: EntityLayout.Slot) -> SlotCodec {
    prepared.withLock { Self.codec(slot, &$0, externalFolder) }
  }

  private static func codec(
    _ slot: EntityLayout.Slot, _ prepared: inout Prepared, _ externalFolder: URL?
  ) -> SlotCodec {
    let key = ObjectIdentifier(slot.property)
    if let found = prepared.codecs[key] { return found }
    let made = SlotCodec(slot, externalFolder: externalFolder)
    prepared.codecs[key] = made
    return made
  }

  /// Runs `body` and turns what SQLite or a damaged file threw into a Cocoa error.
  @inline(__always)
  func reporting<Result>(
    _ action: StoreAction, _ body: () throws -> Result
  ) throws -> Result {
    do { return try body() } catch let error as SQLiteError {
      throw error.cocoaError(url: url, doing: action, timeout: settings.timeout)
    } catch let error as StoreDamage {
      throw error.cocoaError(url: url)
    }
  }
}
