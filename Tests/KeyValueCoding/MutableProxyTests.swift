import Foundation
import KeyValueCoding
import Testing

private final class Owner: KeyValueCodable {
  var set = NSSet()
  var changes = 0

  func value(forKey key: String) -> Any? { set }

  func setValue(_ value: Any?, forKey key: String) {
    changes += 1
    set = value as? NSSet ?? NSSet()
  }
}

@Suite struct MutableProxyTests {
  @Test func aSetProxyWritesThroughItsOwner() {
    let owner = Owner()
    let proxy = owner.mutableSetValue(forKey: "set")
    proxy.add("a")
    proxy.addObjects(from: ["b", "c"])
    proxy.remove("a")
    #expect(owner.set as? Set<String> == ["b", "c"])
    #expect(proxy.count == 2 && proxy.contains("b") && !proxy.contains("a"))
    owner.set = NSSet(array: ["z"])
    #expect(proxy.allObjects as? [String] == ["z"])
    proxy.removeAllObjects()
    #expect(owner.set.count == 0)
  }

  @Test func aSetProxyKnowsUnionAndMinus() {
    let owner = Owner()
    let proxy = owner.mutableSetValue(forKey: "set")
    proxy.union(["a", "b", "c"])
    proxy.minus(["b"])
    #expect(owner.set as? Set<String> == ["a", "c"])
    #expect(owner.changes > 0)
  }
}

private final class Shelf: KeyValueCodable {
  var values: [String: Any] = ["array": NSArray(array: ["a"]), "ordered": NSOrderedSet(array: [1])]

  func value(forKey key: String) -> Any? { values[key] }

  func setValue(_ value: Any?, forKey key: String) { values[key] = value }

  func validateValue(_ value: inout Any?, forKey key: String) throws {
    if key == "name", let name = value as? String { value = name.uppercased() }
  }
}

@Suite struct OrderedProxyTests {
  @Test func anArrayProxyWritesThroughItsOwner() {
    let shelf = Shelf()
    let proxy = shelf.mutableArrayValue(forKey: "array")
    proxy.add("b")
    proxy.insert("z", at: 0)
    proxy.replaceObject(at: 1, with: "A")
    #expect(shelf.values["array"] as? [String] == ["z", "A", "b"])
    proxy.removeObject(at: 0)
    proxy.removeLastObject()
    #expect(shelf.values["array"] as? [String] == ["A"] && proxy.count == 1)
    proxy.removeAllObjects()
    #expect((proxy as? [String])?.isEmpty == true)
  }

  @Test func anOrderedSetProxyWritesThroughItsOwner() {
    let shelf = Shelf()
    let proxy = shelf.mutableOrderedSetValue(forKey: "ordered")
    proxy.add(2)
    proxy.add(1)
    proxy.insert(3, at: 0)
    #expect((shelf.values["ordered"] as? NSOrderedSet)?.array as? [Int] == [3, 1, 2])
    proxy.removeObject(at: 1)
    proxy.remove(2)
    #expect((shelf.values["ordered"] as? NSOrderedSet)?.array as? [Int] == [3])
    #expect(proxy.index(of: 3) == 0 && proxy.contains(3))
  }

  @Test func pathsLeadToProxiesAndToValidation() throws {
    let outer = Shelf()
    let inner = Shelf()
    outer.values["inner"] = inner
    outer.mutableArrayValue(forKeyPath: "inner.array").add("b")
    #expect(inner.values["array"] as? [String] == ["a", "b"])
    var name: Any? = "ada"
    try outer.validateValue(&name, forKeyPath: "inner.name")
    #expect(name as? String == "ADA")
    try outer.validateValue(&name, forKeyPath: "missing.name")
  }
}
