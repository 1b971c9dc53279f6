/// One section of a fetched results controller: a node of its ``SectionTree``.
package final class FetchedSection {
  package let name: String
  /// The number of objects. 0 while a batch of changes is under way and the section may yet be
  /// filled again, and once the section is gone.
  package internal(set) var size: Int

  // The tree's: links, the heap order, and what is in and below this node.
  var left: FetchedSection?
  var right: FetchedSection?
  // Not retained: a child is retained by its parent, which clears this link before it lets go.
  unowned(unsafe) var parent: FetchedSection?
  var priority: UInt64 = 0
  var sectionsBelow = 1
  var objectsBelow: Int

  package init(name: String, size: Int) {
    self.name = name
    self.size = size
    objectsBelow = size
  }

  func recount() {
    sectionsBelow = (left?.sectionsBelow ?? 0) + 1 + (right?.sectionsBelow ?? 0)
    objectsBelow = (left?.objectsBelow ?? 0) + size + (right?.objectsBelow ?? 0)
  }
}
