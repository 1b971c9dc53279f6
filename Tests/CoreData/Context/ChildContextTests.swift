import CoreData
import Testing

@Suite struct ChildContextTests {
  @Test(arguments: StoreKind.allCases)
  func aChildSavesIntoItsParentAndTheParentIntoTheStore(_ kind: StoreKind) throws {
    let stack = try TestStack(kind)
    let parent = stack.makeContext()
    let child = NSManagedObjectContext(.privateQueue)
    child.parent = parent
    try parent.performAndWait {
      parent.makeItem("list")
      try parent.save()
    }
    try child.performAndWait {
      let list = try #require(try child.items().first)
      list.title = "renamed"
      child.makeItem("new", in: list)
      #expect(try parent.performAndWait { try parent.titles() } == ["list"])
      try child.save()
      #expect(!child.hasChanges)
    }
    try parent.performAndWait {
      let titles = try parent.titles()
      #expect(titles == ["new", "renamed"])
      #expect(parent.hasChanges)
      #expect(try stack.withContext { try $0.titles() } == ["list"])
      try parent.save()
    }
    #expect(try stack.withContext { try $0.titles() } == ["new", "renamed"])
  }

  @Test func aChildThatIsThrownAwayLeavesNoTrace() throws {
    let stack = try TestStack(.inMemory)
    let parent = stack.makeContext()
    do {
      let child = NSManagedObjectContext(.privateQueue)
      child.parent = parent
      child.performAndWait { _ = child.makeItem("gone") }
    }
    try parent.performAndWait {
      #expect(!parent.hasChanges)
      let titles = try parent.titles()
      #expect(titles == [])
    }
  }

  @Test func aChildSeesWhatItsParentHasNotSaved() throws {
    let stack = try TestStack(.sqlite)
    let parent = stack.makeContext()
    let child = NSManagedObjectContext(.privateQueue)
    child.parent = parent
    try parent.performAndWait {
      parent.makeItem("inner", in: parent.makeItem("outer"))
      try child.performAndWait {
        let items = try child.items()
        #expect(items.map(\.title) == ["inner", "outer"])
        #expect(items.first?.parent?.title == "outer")
      }
    }
  }
}
