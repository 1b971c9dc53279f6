import Foundation

/// Names declared in Objective-C headers, each with its header. Swift sees them through a bridging
/// header on Apple's systems and not at all on Linux.
struct ForeignNames {
  private(set) var types: [String: String] = [:]
  /// Members that categories add, by each name that a member may have in Swift.
  private(set) var members: [String: String] = [:]

  init(headers: [URL] = []) {
    for header in Set(headers) {
      // An unreadable header declares nothing that Swift could use.
      guard let text = try? String(contentsOf: header, encoding: .utf8) else { continue }
      noteTypes(text, header: header.lastPathComponent)
      noteMembers(text, header: header.lastPathComponent)
    }
  }

  private mutating func noteTypes(_ text: String, header: String) {
    let pattern =
      /@(?:interface|protocol)\s+(\w+)\s*[^;\s(]|typedef\s+NS_(?:CLOSED_)?(?:ENUM|OPTIONS)\s*\(\s*\w+\s*,\s*(\w+)\s*\)/
    for match in text.matches(of: pattern) {
      if let name = match.1 ?? match.2 { types[String(name)] = header }
    }
  }

  private mutating func noteMembers(_ text: String, header: String) {
    for category in text.matches(of: /@interface\s+\w+\s*\([^)]*\)([\s\S]*?)@end/) {
      for match in category.1.matches(of: /^\s*[-+]\s*\([^)]*\)\s*(\w+)/.anchorsMatchLineEndings())
      {
        for name in Self.swiftNames(String(match.1)) { members[name] = header }
      }
      for match in category.1.matches(of: /@property[^;]*?(\w+)\s*;/) {
        members[String(match.1)] = header
      }
    }
  }

  /// The Swift names of a selector. Swift makes an argument label of a preposition and the words
  /// after it: `fillWithDictionary:` is `fill(with:)`.
  private static func swiftNames(_ selector: String) -> [String] {
    let prepositions = ["With", "For", "Using", "From", "To", "In", "By", "Of", "At", "On"]
    let cut = prepositions.compactMap { word -> String? in
      guard let place = selector.range(of: word), place.lowerBound > selector.startIndex,
        place.upperBound == selector.endIndex || selector[place.upperBound].isUppercase
      else { return nil }
      return String(selector[..<place.lowerBound])
    }
    return [selector] + cut.filter { $0.count > 3 }
  }
}
