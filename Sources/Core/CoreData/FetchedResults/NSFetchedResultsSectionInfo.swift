/// A section of a fetched results controller.
///
/// Source: developer.apple.com/documentation/coredata/nsfetchedresultssectioninfo
public protocol NSFetchedResultsSectionInfo: AnyObject {
  /// The value of the section key path, as text.
  var name: String { get }
  /// The title of the section in an index beside the list.
  var indexTitle: String? { get }
  /// The number of objects; 0 once the section is gone. O(1).
  var numberOfObjects: Int { get }
  /// The objects, in order. All of them are made at once.
  var objects: [Any]? { get }
}
