import Foundation
import StoreTool
import Testing

/// What is typed for a store: a path, or an address.
struct StoreAddressTests {
  @Test(arguments: ["postgress:///shop", "postgre://host/shop", "mysql://host/shop", "file:///a"])
  func anAddressOfAnotherSchemeIsNoPath(_ text: String) {
    let error = #expect(throws: ToolError.self) { try URL(store: text) }
    let scheme = text.prefix { $0 != ":" }
    #expect(error.map { "\($0)".contains("\(scheme)://") } == true, "\(error as Any)")
  }

  @Test(arguments: ["a/b.sqlite", "a:b.sqlite", "/a:/b"]) func aPathIsAPath(_ text: String) throws {
    #expect(try URL(store: text).isFileURL)
  }
}
