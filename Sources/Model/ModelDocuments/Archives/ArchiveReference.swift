/// A reference to an object in the table of a keyed archive (`CF$UID`).
package struct ArchiveReference: Hashable {
  package let identifier: Int
  package static let null = ArchiveReference(identifier: 0)

  package init(identifier: Int) {
    self.identifier = identifier
  }
}
