import CoreData
import Testing

@testable import CoreDataSamples

@Suite struct ObjectSetTests {
  @Test func itHoldsWhatASetWouldHold() throws {
    let seed: UInt64 = 7_112_026
    print("Seed of the generated edits: \(seed)")
    var random = SplitMix64(seed: seed)
    let stack = try TestStack(.inMemory)
    stack.withContext { context in
      let objects = (0..<300).map { _ in context.insert("Tag") }
      var (ours, model) = (ObjectSet(), Set<NSManagedObject>())
      for _ in 0..<20_000 {
        let object = objects[Int.random(in: 0..<objects.count, using: &random)]
        if Bool.random(using: &random) {
          ours.insert(object)
          model.insert(object)
        } else {
          #expect(ours.remove(object) === model.remove(object))
        }
        #expect(ours.count == model.count && ours.contains(object) == model.contains(object))
      }
      #expect(Set(ours) == model && objects.filter(ours.contains).count == model.count)
      #expect(Set(ours.filter { $0.objectID.hash & 1 == 0 }).isSubset(of: model))
    }
  }

  @Test func aCopyKeepsWhatItHas() throws {
    let stack = try TestStack(.inMemory)
    stack.withContext { context in
      let (first, second) = (context.insert("Tag"), context.insert("Tag"))
      var set = ObjectSet([first])
      let copy = set
      set.insert(second)
      set.remove(first)
      #expect(Array(copy) == [first] && Array(set) == [second])
    }
  }
}
