/// A section of a fetched results controller; a node of its ``SectionTree``.
package final class FetchedSection {
  package let name: String
  /// The number of objects. It is 0 once the section is gone, and while a batch of changes is
  /// applied that may yet fill the section again.
  package internal(set) var size: Int

  // Owned by the tree: links, heap order, and counts of the subtree that includes this node.
  var left: FetchedSection?
  var right: FetchedSection?
  // Unretained: the parent retains this child, and clears the link before it releases the child.
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
