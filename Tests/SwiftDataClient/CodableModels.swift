import Foundation
import SwiftData

/// Models that are Codable themselves, whose conformance is the main actor's by default, and what leads to them.
@Model final class CodableNote {
  var text: String
  var shelf: CodableShelf?

  init(text: String) { self.text = text }
}

extension CodableNote: Codable {
  private enum CodingKeys: String, CodingKey { case text }

  convenience init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self.init(text: try values.decode(String.self, forKey: .text))
  }

  func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(text, forKey: .text)
  }
}

@Model final class CodableShelf {
  var first: CodableNote?
  var last: CodableNote
  @Relationship(inverse: \CodableNote.shelf) var notes: [CodableNote] = []

  init(last: CodableNote) { self.last = last }
}
