import Foundation
import KeyValueCoding
import Testing

private struct Point { var x = 1; var inner: Inner? = nil }

private struct Inner { var name = "" }

/// Records what its computed properties are asked for, as a managed object's probe does.
private final class Node: KeyPathProbe {
  private var recorder: KeyRecorder?

  var title: String? { record("title") { nil } }

  var order: Int { record("order") { 0 } }

  var parent: Node? { record("parent") { recorder.map(Node.init) } }

  init(_ recorder: KeyRecorder?) { self.recorder = recorder }

  static func makeProbe(recorder: KeyRecorder) -> AnyObject? { Node(recorder) }

  private func record<Value>(_ key: String, _ value: () -> Value) -> Value {
    recorder?.record(key)
    return value()
  }
}

@Suite struct KeyPathNameTests {
  @Test func probesSayTheirKeys() {
    #expect(KeyPathName.name(of: \Node.title) == "title")
    #expect(KeyPathName.name(of: \Node.order) == "order")
    #expect(KeyPathName.name(of: \Node.parent?.parent?.title) == "parent.parent.title")
    #expect(KeyPathName.name(of: \Node.parent?.order) == "parent.order")
  }

  @Test func storedPropertiesOfStructuresAreKnownToSwift() {
    #expect(KeyPathName.name(of: \Point.x) == "x")
    #expect(KeyPathName.name(of: \Point.inner?.name) == "inner.name")
  }

  @Test func otherKeyPathsHaveNoName() {
    #expect(KeyPathName.name(of: \String.count) == nil)
    #expect(KeyPathName.name(of: \[Int].[0]) == nil)
  }
}
