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
