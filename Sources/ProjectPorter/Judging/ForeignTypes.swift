import Foundation

/// The types that headers of Objective-C declare, with the header of each: Swift sees them through a bridging header,
/// and nobody does on Linux.
enum ForeignTypes {
  static func all(in headers: [URL]) -> [String: String] {
    let pattern =
      /@(?:interface|protocol)\s+(\w+)\s*[^;\s(]|typedef\s+NS_(?:CLOSED_)?(?:ENUM|OPTIONS)\s*\(\s*\w+\s*,\s*(\w+)\s*\)/
    var types: [String: String] = [:]
    for header in Set(headers) {
      // A header that cannot be read declares nothing that Swift could use.
      guard let text = try? String(contentsOf: header, encoding: .utf8) else { continue }
      for match in text.matches(of: pattern) {
        if let name = match.1 ?? match.2 { types[String(name)] = header.lastPathComponent }
      }
    }
    return types
  }
}
