import FoundationSupport
import Testing

/// Images are the bytes of their files.
@Suite struct UIImageTests {
  private static let png = Data([0x89] + Array("PNG\r\n\u{1A}\n".utf8) + [1, 2])
  private static let jpeg = Data([0xFF, 0xD8, 0xFF, 0xE0, 1, 2])

  @Test(arguments: [
    (png, png, nil), (jpeg, nil, jpeg), (Data("GIF89a".utf8), nil, nil),
    (Data("II*\0".utf8), nil, nil), (Data("MM\0*".utf8), nil, nil), (Data("BM12".utf8), nil, nil),
    (Data("RIFF1234WEBP".utf8), nil, nil), (Data("1234ftypheic".utf8), nil, nil),
  ])
  func anImageGivesItsBytesBack(_ data: Data, _ png: Data?, _ jpeg: Data?) throws {
    let image = try #require(UIImage(data: data))
    #expect(image.pngData() == png && image.jpegData(compressionQuality: 0.8) == jpeg)
    let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try data.write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    #expect(try #require(UIImage(contentsOfFile: file.path)).pngData() == png)
  }

  @Test(arguments: ["", "text", "RIFF1234WAVE", "1234ftypqt  "])
  func whatIsNoImageMakesNone(_ text: String) {
    #expect(UIImage(data: Data(text.utf8)) == nil)
  }

  /// Catalogs are not here: who asks for one of their images gets one that nothing is known of.
  @Test func anImageOfACatalogHasNoBytes() throws {
    for image in [
      UIImage(named: "book"), UIImage(named: "book", in: .main), UIImage(systemName: "book"),
    ] {
      let found = try #require(image)
      #expect(found.pngData() == nil && found.withRenderingMode(.alwaysOriginal) === found)
    }
    #expect(UIImage(named: "") == nil)
  }

  @Test func anImageOfNothingHasNoBytes() {
    #expect(UIImage().pngData() == nil && UIImage().jpegData(compressionQuality: 1) == nil)
    #expect(UIImage(contentsOfFile: "/nowhere.png") == nil)
  }
}
