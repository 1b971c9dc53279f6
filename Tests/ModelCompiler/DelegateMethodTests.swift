import Foundation
import Testing

@testable import ModelCompiler

/// Methods of list delegates that Objective-C would find, and Swift does not call.
@Suite struct DelegateMethodTests {
  private func lines(_ sources: String...) -> [Int] {
    DelegateMethods.uncalled(
      in: sources.enumerated().map { number, source in
        DeclarationReader.file(
          named: "\(number).swift", path: "/\(number).swift", Data(source.utf8))
      }
    ).map(\.place.line)
  }

  private static let method =
    "func controllerDidChangeContent(_ c: NSFetchedResultsController<NSFetchRequestResult>) {}"

  @Test func aMethodOfASubclassIsNotCalled() {
    let base = "class Base: NSObject, NSFetchedResultsControllerDelegate { var n = 0 }"
    #expect(lines(base, "class List: Base {\n\(Self.method)\n}") == [2])
    #expect(lines(base, "class List: Base {}", "extension List {\n\n\(Self.method)\n}") == [3])
    #expect(lines(base, "class Middle: Base {}\nclass List: Middle {\n\(Self.method)\n}") == [3])
    #expect(
      lines(
        "class Base<T>: NSObject {}\nextension Base: NSFetchedResultsControllerDelegate {}",
        "final class List: App.Base<Item>, Sendable {\n\(Self.method)\n}") == [2])
    let changes =
      "func controller(_ c: NSFetchedResultsController<NSFetchRequestResult>, didChange s: Any) {}"
    #expect(lines(base, "class List: Base {\n\(Self.method)\n\(changes)\n}") == [2, 3])
  }

  @Test func aProtocolMayConformForAClass() {
    #expect(
      lines(
        "protocol Showing: NSFetchedResultsControllerDelegate {}\nclass Base: NSObject, Showing {}",
        "class List: Base {\n\(Self.method)\n}") == [2])
  }

  @Test func methodsThatAreCalledAreNotNamed() {
    let delegate = "NSFetchedResultsControllerDelegate"
    #expect(lines("class List: NSObject, \(delegate) { \(Self.method) }") == [])
    #expect(
      lines("class List: NSObject { \(Self.method) }\nextension List: \(delegate) {}") == [])
    #expect(
      lines(
        "class Base: NSObject, \(delegate) { \(Self.method) }",
        "class List: Base { override \(Self.method) }") == [])
    #expect(lines("class List: Unknown { \(Self.method) }") == [])
    #expect(lines("class Other: NSObject { func controller(_ a: Int) {} }") == [])
  }
}
