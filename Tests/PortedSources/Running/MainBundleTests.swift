import Foundation
import ObjectiveCSupport
import Testing

/// The bundle in which ported sources look for their application's resources.
struct MainBundleTests {
  @Test func eachTargetHasItsOwn() throws {
    let folder = Bundle.main.bundleURL
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter {
      $0.hasSuffix(".resources") && !$0.hasSuffix("Tests.resources")
    }
    for name in names {
      let module = String(name.dropLast(10).drop { $0 != "_" }.dropFirst())
      for source in ["\(module)/A.swift", "\(module)Tests/A.swift"] {
        #expect(mainBundle(for: source).bundleURL.lastPathComponent == name, "\(source)")
      }
    }
    if names.count > 1 { #expect(mainBundle(for: "0/A.swift") == .main) }
  }
}
