/// Copies objects of any class from a keyed archive into an archive that is being built.
///
/// The work is bounded by the size of the archive: each object is copied once.
package final class ArchiveCopy {
  private let archive: KeyedArchive
  private let builder: ArchiveBuilder
  private var copies: [Int: ArchiveReference] = [:]

  package init(of archive: KeyedArchive, in builder: ArchiveBuilder) {
    self.archive = archive
    self.builder = builder
  }

  /// Copies the archive's root and all that it refers to.
  package func root() throws -> ArchiveReference { try copy(archive.root, depth: 0) }

  private func copy(_ identifier: Int, depth: Int) throws -> ArchiveReference {
    if let known = copies[identifier] { return known }
    guard depth < KeyedArchive.deepest else {
      throw archive.error("its objects are nested more than \(KeyedArchive.deepest) deep")
    }
    guard let object = try archive.object(at: identifier) else { return .null }
    guard let fields = object as? [String: Any], fields["$class"] != nil else {
      let copy = (object as? String).map { builder.string($0) } ?? builder.plain(object)
      copies[identifier] = copy
      return copy
    }
    let room = builder.reserve()
    copies[identifier] = room
    let names = try archive.record(at: identifier)?.classNames ?? []
    let copied = try fields.filter { $0.key != "$class" }.sorted { $0.key < $1.key }.map {
      ($0.key, try value($0.value, depth: depth + 1))
    }
    builder.fill(room, class: names, fields: Dictionary(copied) { first, _ in first })
    return room
  }

  private func value(_ value: Any, depth: Int) throws -> Any {
    if let identifier = KeyedArchive.identifier(value) { return try copy(identifier, depth: depth) }
    guard let list = value as? [Any] else { return value }
    return try list.map { try self.value($0, depth: depth + 1) }
  }
}
