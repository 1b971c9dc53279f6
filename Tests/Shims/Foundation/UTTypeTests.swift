import FoundationSupport
import Testing

/// The types of files: how they are found, what they say, how they relate.
@Suite struct UTTypeTests {
  @Test(arguments: [
    ("json", "application/json", UTType.json), ("csv", "text/csv", .commaSeparatedText),
    ("png", "image/png", .png), ("JPG", "image/jpeg", .jpeg), ("txt", "text/plain", .plainText),
    ("pdf", "application/pdf", .pdf), ("heic", "image/heic", .heic),
    ("zip", "application/zip", .zip),
    ("mov", "video/quicktime", .quickTimeMovie), ("mp3", "audio/mpeg", .mp3),
  ])
  func typesAreFoundByTheirTags(_ name: String, _ media: String, _ type: UTType) throws {
    let found = try #require(UTType(filenameExtension: name))
    #expect(found == type && found.preferredMIMEType == media && !found.isDynamic)
    #expect(UTType(mimeType: media) == type)
    #expect(UTType(type.identifier) == type)
    let coded = try JSONDecoder().decode([UTType].self, from: JSONEncoder().encode([type]))
    #expect(coded == [type] && coded.first?.preferredMIMEType == media)
  }

  @Test func whatNobodyDeclaresIsDynamic() throws {
    let type = try #require(UTType(filenameExtension: "shelf"))
    #expect(type.isDynamic && type.preferredFilenameExtension == "shelf")
    #expect(type.preferredMIMEType == nil && type.conforms(to: .data))
    #expect(UTType("com.example.shelf") == nil && UTType(filenameExtension: "") == nil)
    let own = UTType(exportedAs: "com.example.shelf", conformingTo: .json)
    #expect(own.conforms(to: .text) && own.identifier == "com.example.shelf")
  }

  @Test func typesConform() {
    #expect(UTType.png.conforms(to: .image) && UTType.png.conforms(to: .data))
    #expect(UTType.heic.isSubtype(of: .heif) && UTType.image.isSupertype(of: .heic))
    #expect(!UTType.image.isSubtype(of: .image) && UTType.image.conforms(to: .image))
    #expect(!UTType.json.conforms(to: .image))
    #expect(UTType.heic.supertypes == [.heif, .image, .data, .item, .content])
    #expect(URL(fileURLWithPath: "/a").appendingPathExtension(for: .json).path == "/a.json")
  }
}
