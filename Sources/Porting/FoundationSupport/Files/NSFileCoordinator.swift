import Foundation

/// Lets the parts of a program use files in turn.
///
/// What is coordinated in one program runs one at a time; a thread that is at it may begin again.
/// Nobody asks other programs or presenters: nothing on this platform stands between programs and
/// files.
///
/// Source: developer.apple.com/documentation/foundation/nsfilecoordinator
open class NSFileCoordinator: NSObject {
  /// How a file is read.
  public struct ReadingOptions: OptionSet, Sendable {
    /// Apple's bits.
    public let rawValue: UInt

    /// Options of Apple's bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// Nobody is asked to save first.
    public static let withoutChanges = ReadingOptions(rawValue: 1)
    /// The place is that of the item that a symbolic link leads to.
    public static let resolvesSymbolicLink = ReadingOptions(rawValue: 2)
    /// Metadata alone is read.
    public static let immediatelyAvailableMetadataOnly = ReadingOptions(rawValue: 4)
    /// The item is read as one file.
    public static let forUploading = ReadingOptions(rawValue: 8)
  }

  /// What is done to a file.
  public struct WritingOptions: OptionSet, Sendable {
    /// Apple's bits.
    public let rawValue: UInt

    /// Options of Apple's bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// The item is deleted.
    public static let forDeleting = WritingOptions(rawValue: 1)
    /// The item is moved.
    public static let forMoving = WritingOptions(rawValue: 2)
    /// The item is changed and kept.
    public static let forMerging = WritingOptions(rawValue: 4)
    /// Another item takes its place.
    public static let forReplacing = WritingOptions(rawValue: 8)
    /// Metadata alone is written.
    public static let contentIndependentMetadataOnly = WritingOptions(rawValue: 16)
  }

  private static let turn = NSRecursiveLock()

  /// What the coordinator's work is for.
  open var purposeIdentifier = UUID().uuidString

  /// Creates a coordinator. The presenter is not told of the coordinator's work.
  public init(filePresenter: (any NSFilePresenter)? = nil) {}

  /// Runs `reader` with the place of the item. The error stays nil.
  open func coordinate(
    readingItemAt url: URL, options: ReadingOptions = [],
    error outError: UnsafeMutablePointer<NSError?>?, byAccessor reader: (URL) -> Void
  ) {
    Self.turn.withLock { reader(url) }
  }

  /// Runs `writer` with the place of the item. The error stays nil.
  open func coordinate(
    writingItemAt url: URL, options: WritingOptions = [],
    error outError: UnsafeMutablePointer<NSError?>?, byAccessor writer: (URL) -> Void
  ) {
    Self.turn.withLock { writer(url) }
  }

  /// Runs `readerWriter` with the places of both items. The error stays nil.
  open func coordinate(
    readingItemAt readingURL: URL, options readingOptions: ReadingOptions = [],
    writingItemAt writingURL: URL, options writingOptions: WritingOptions = [],
    error outError: UnsafeMutablePointer<NSError?>?, byAccessor readerWriter: (URL, URL) -> Void
  ) {
    Self.turn.withLock { readerWriter(readingURL, writingURL) }
  }

  /// Runs `writer` with the places of both items. The error stays nil.
  open func coordinate(
    writingItemAt url1: URL, options options1: WritingOptions = [],
    writingItemAt url2: URL, options options2: WritingOptions = [],
    error outError: UnsafeMutablePointer<NSError?>?, byAccessor writer: (URL, URL) -> Void
  ) {
    Self.turn.withLock { writer(url1, url2) }
  }

  /// Does nothing: nobody is told of moves.
  open func item(at oldURL: URL, willMoveTo newURL: URL) {}

  /// Does nothing: nobody is told of moves.
  open func item(at oldURL: URL, didMoveTo newURL: URL) {}

  /// Does nothing: what is coordinated has begun or waits for its turn.
  open func cancel() {}
}

/// What shows a file and would be told of its changes. Nobody tells it on this platform.
///
/// Source: developer.apple.com/documentation/foundation/nsfilepresenter
public protocol NSFilePresenter: NSObjectProtocol {
  /// The place of the file.
  var presentedItemURL: URL? { get }

  /// The queue on which the presenter would be told.
  var presentedItemOperationQueue: OperationQueue { get }
}
