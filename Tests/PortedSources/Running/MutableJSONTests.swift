import Foundation
import ObjectiveCSupport
import Testing

struct MutableJSONTests {
  @Test func containersAreMutableAtEveryDepth() throws {
    let data = Data(#"{"a": {"b": [{"c": 1}, 2], "d": "e", "f": {"g": 1}}, "h": null}"#.utf8)
    let object = try mutableJSONObject(with: data) as AnyObject
    #expect(object is NSMutableDictionary)
    keyed(object).setValue("i", forKeyPath: "a.d")
    keyed(object).setValue(nil, forKeyPath: "a.f.g")
    keyed(object).setValue(2, forKeyPath: "a.f.k")
    keyed(object).setValue(nil, forKeyPath: "h")
    keyed(object).setValue(nil, forKeyPath: "none.j")
    let text = try JSONSerialization.data(withJSONObject: object, options: .sortedKeys)
    #expect(
      String(decoding: text, as: UTF8.self)
        == #"{"a":{"b":[{"c":1},2],"d":"i","f":{"k":2}}}"#)
  }
}
