import Foundation

// On Apple's systems this is UIKit's. Models keep images as bytes, and services hand them on.

/// An image as the bytes of its file. Nothing is decoded, drawn or scaled here: what needs that is
/// not declared.
///
/// Source: developer.apple.com/documentation/uikit/uiimage
public final class UIImage: NSObject, Sendable {
  private let bytes: Data?

  /// An image of nothing.
  public override init() { bytes = nil }

  /// The image of a file's contents; nil if they begin as no known format does.
  public init?(data: Data) {
    guard Format(data) != nil else { return nil }
    bytes = data
  }

  /// The image of a file; nil if it cannot be read or begins as no known format does.
  public convenience init?(contentsOfFile path: String) {
    guard let data = FileManager.default.contents(atPath: path) else { return nil }
    self.init(data: data)
  }

  /// The image that a catalog has under a name. Catalogs are not here: it has no bytes.
  public init?(named name: String) {
    guard !name.isEmpty else { return nil }
    bytes = nil
  }

  /// The image that a catalog has under a name, as above.
  public convenience init?(named name: String, in bundle: Bundle?) { self.init(named: name) }

  /// A symbol of the system's. It has no bytes here.
  public convenience init?(systemName name: String) { self.init(named: name) }

  /// How an image is drawn.
  public enum RenderingMode: Int, Sendable {
    /// As the place asks for.
    case automatic
    /// In its own colours.
    case alwaysOriginal
    /// In the colour of the place.
    case alwaysTemplate
  }

  /// The image itself: nothing is drawn here.
  public func withRenderingMode(_ renderingMode: RenderingMode) -> UIImage { self }

  /// The bytes of an image that was made of a PNG file; nil for any other image, as on Apple's
  /// systems for one that cannot be converted.
  public func pngData() -> Data? { data(as: .png) }

  /// The bytes of an image that was made of a JPEG file, of whatever quality they are; nil for any
  /// other image, as on Apple's systems for one that cannot be converted.
  public func jpegData(compressionQuality: CGFloat) -> Data? { data(as: .jpeg) }

  private func data(as format: Format) -> Data? {
    bytes.flatMap { Format($0) == format ? $0 : nil }
  }

  /// A format of image files.
  private enum Format {
    case png, jpeg, other

    init?(_ data: Data) {
      let beginning = [UInt8](data.prefix(12))
      func begins(_ bytes: [UInt8]) -> Bool { beginning.starts(with: bytes) }
      func has(_ text: String, at offset: Int) -> Bool {
        beginning.dropFirst(offset).starts(with: text.utf8)
      }
      if begins([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
        self = .png
      } else if begins([0xFF, 0xD8, 0xFF]) {
        self = .jpeg
      } else if has("GIF8", at: 0) || has("II*\0", at: 0) || has("MM\0*", at: 0)
        || has("BM", at: 0) || has("RIFF", at: 0) && has("WEBP", at: 8)
        || ["heic", "heix", "mif1", "avif"].contains(where: { has("ftyp\($0)", at: 4) })
      {
        self = .other
      } else {
        return nil
      }
    }
  }
}
