import FoundationSupport
import Testing

private protocol Listener: AnyObject { var name: String { get } }
private final class Ear: Listener {
  let name: String

  init(_ name: String) { self.name = name }
}

/// Collections that do not keep what is in them.
struct PointerCollectionTests {
  @Test func aHashTableForgetsWhatIsFreed() {
    let table = NSHashTable<any Listener>.weakObjects()
    let kept = Ear("kept")
    do {
      let freed = Ear("freed")
      table.add(freed)
      table.add(kept)
      table.add(kept)
      #expect(table.count == 2 && table.contains(freed))
    }
    #expect(table.allObjects.map(\.name) == ["kept"] && table.anyObject === kept)
    table.remove(kept)
    #expect(table.count == 0)
    for _ in 0..<100 { table.add(Ear("gone")) }
    #expect(table.allObjects.isEmpty)
  }

  @Test func aHashTableComparesObjects() {
    let one = NSHashTable<NSString>(options: [])
    one.add("a")
    one.add(NSString(string: "a"))
    one.add("b")
    let other = NSHashTable<NSString>()
    other.add("b")
    #expect(one.count == 2 && one.contains("a") && other.isSubset(of: one))
    #expect(one.intersects(other) && one.setRepresentation == ["a", "b"])
    one.minus(other)
    #expect(one.allObjects == ["a"])
    let pointers = NSHashTable<NSString>(options: .objectPointerPersonality)
    let (first, second) = (NSMutableString(string: "a"), NSMutableString(string: "a"))
    pointers.add(first)
    pointers.add(second)
    #expect(pointers.count == 2)
  }

  @Test(arguments: [false, true], [false, true])
  func aMapTableForgetsEntries(_ hasWeakKeys: Bool, _ hasWeakValues: Bool) {
    let table = NSMapTable<Ear, Ear>(
      keyOptions: hasWeakKeys ? .weakMemory : .strongMemory,
      valueOptions: hasWeakValues ? .weakMemory : .strongMemory)
    let (key, value) = (Ear("key"), Ear("value"))
    table.setObject(value, forKey: key)
    table.setObject(Ear("freed"), forKey: key)
    #expect((table.object(forKey: key) == nil) == hasWeakValues)
    table.setObject(value, forKey: Ear("freed"))
    #expect(table.count == (hasWeakKeys ? 0 : 1) + (hasWeakValues ? 0 : 1))
    table.setObject(nil, forKey: key)
    #expect(table.object(forKey: key) == nil)
  }

  @Test func aMapTableFindsEqualKeys() {
    let table = NSMapTable<NSString, NSNumber>.strongToStrongObjects()
    table.setObject(1, forKey: "a")
    table.setObject(2, forKey: NSString(string: "a"))
    #expect(table.object(forKey: "a") == 2 && table.count == 1)
    #expect(table.dictionaryRepresentation() == ["a": 2])
    #expect(table.keyEnumerator().allObjects as? [String] == ["a"])
    table.removeAllObjects()
    #expect(table.objectEnumerator()?.nextObject() == nil)
  }

  @Test func aPointerArrayHasEmptyPlaces() {
    let array = NSPointerArray.weakObjects()
    let kept = Ear("kept")
    do {
      let freed = Ear("freed")
      array.addPointer(Unmanaged.passUnretained(freed).toOpaque())
      array.addPointer(Unmanaged.passUnretained(kept).toOpaque())
      array.addPointer(nil)
      #expect(array.count == 3 && array.allObjects.count == 2)
    }
    #expect(array.pointer(at: 0) == nil && array.pointer(at: 1) != nil)
    array.compact()
    #expect(array.count == 1 && array.allObjects.first as? Ear === kept)
    array.removePointer(at: 0)
    #expect(array.count == 0)
  }
}
