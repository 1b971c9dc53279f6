import CoreData
import Testing

@testable import CoreDataSamples

/// A mutable set that is cast to `Set` is empty without a word on this platform: that nobody looked into it is told, once for
/// each property.
@Suite struct UnaskedSetTests {
  @Test func aSetThatNobodyLooksIntoIsTold() async throws {
    let result = await #expect(
      processExitsWith: .success, observing: [\.standardErrorContent]
    ) {
      let stack = try TestStack(.inMemory)
      stack.withContext { context in
        let owner = context.makeItem("owner")
        context.makeItem("member", in: owner)
        for _ in 0..<3 {
          let members = owner.mutableSetValue(forKey: "children") as? Set<Item>
          precondition(members?.isEmpty == true, "casts work by now: the warning can go")
        }
        precondition(owner.mutableSetValue(forKey: "tags").count == 0)
        precondition(owner.mutableSetValue(forKey: "children").allObjects.count == 1)
      }
    }
    let text = try #require(result).complaint
    let lines = text.split(separator: "\n").filter { $0.contains("mutableSetValue") }
    #expect(lines.count == 1 && lines.first?.contains("\"children\") of Item") == true, "\(text)")
  }
}
