extension SectionTree {
  /// Changes a section's size. O(log n).
  package func resize(_ section: FetchedSection, by change: Int) {
    section.size += change
    precondition(section.size >= 0, "A section of negative size")
    var node: FetchedSection? = section
    while let current = node {
      current.objectsBelow += change
      node = current.parent
    }
  }

  /// Inserts a new section after another one; as the first if `previous` is nil. O(log n).
  package func insert(_ section: FetchedSection, after previous: FetchedSection?) {
    section.priority = nextPriority()
    hang(section, after: previous)
    recount(from: section.parent)
    while let parent = section.parent, parent.priority < section.priority {
      rotateUp(section)
    }
  }

  /// Removes an empty section. O(log n).
  package func remove(_ section: FetchedSection) {
    precondition(section.size == 0, "A section that has objects stays")
    while let child = preferredChild(of: section) { rotateUp(child) }
    let parent = section.parent
    replace(section, by: nil)
    section.parent = nil
    recount(from: parent)
  }

  private func hang(_ section: FetchedSection, after previous: FetchedSection?) {
    if let previous, previous.right == nil {
      link(right: section, of: previous)
    } else if let next = self.section(after: previous) {
      link(left: section, of: next)
    } else {
      setRoot(section)
    }
  }

  private func preferredChild(of section: FetchedSection) -> FetchedSection? {
    guard let left = section.left else { return section.right }
    guard let right = section.right else { return left }
    return left.priority > right.priority ? left : right
  }

  /// Rotates a node above its parent, which becomes its child; the order is kept.
  private func rotateUp(_ section: FetchedSection) {
    guard let parent = section.parent else { return }
    replace(parent, by: section)
    if parent.left === section {
      link(left: section.right, of: parent)
      link(right: parent, of: section)
    } else {
      link(right: section.left, of: parent)
      link(left: parent, of: section)
    }
    parent.recount()
    section.recount()
  }

  private func recount(from section: FetchedSection?) {
    var node = section
    while let current = node {
      current.recount()
      node = current.parent
    }
  }

  /// Traps if an invariant of the tree is violated. O(n); for tests.
  package func checkInvariants() {
    if let root {
      precondition(root.parent == nil, "The root has a parent")
      check(root)
    }
  }

  private func check(_ section: FetchedSection) {
    for child in [section.left, section.right].compactMap(\.self) {
      precondition(child.parent === section, "A child of another parent")
      precondition(child.priority <= section.priority, "The heap order is broken")
      check(child)
    }
    let counts = (section.sectionsBelow, section.objectsBelow)
    section.recount()
    precondition(
      counts == (section.sectionsBelow, section.objectsBelow), "A section is miscounted")
  }
}
