import Foundation

/// What headers of Objective-C declare, with the header of each: Swift sees it through a bridging header, and nobody does
/// on Linux.
struct ForeignNames {
  private(set) var types: [String: String] = [:]
  /// What categories add to classes, by the names that it may have in Swift.
  private(set) var members: [String: String] = [:]

  init(headers: [URL] = []) {
    for header in Set(headers) {
      // A header that cannot be read declares nothing that Swift could use.
      guard let text = try? String(contentsOf: header, encoding: .utf8) else { continue }
      noteTypes(text, header.lastPathComponent)
      noteMembers(text, header.lastPathComponent)
    }
  }

  private mutating func noteTypes(_ text: String, _ header: String) {
    let pattern =
      /@(?:interface|protocol)\s+(\w+)\s*[^;\s(]|typedef\s+NS_(?:CLOSED_)?(?:ENUM|OPTIONS)\s*\(\s*\w+\s*,\s*(\w+)\s*\)/
    for match in text.matches(of: pattern) {
      if let name = match.1 ?? match.2 { types[String(name)] = header }
    }
  }

  private mutating func noteMembers(_ text: String, _ header: String) {
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

  /// Swift takes what follows a preposition for the name of the argument: `fillWithDictionary:` is `fill(with:)`.
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
