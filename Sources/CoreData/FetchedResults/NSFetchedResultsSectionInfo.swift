/// A section of a fetched results controller.
///
/// Source: developer.apple.com/documentation/coredata/nsfetchedresultssectioninfo
public protocol NSFetchedResultsSectionInfo: AnyObject {
  /// The value of the section key path, as text.
  var name: String { get }
  /// What stands for the section in an index beside the list.
  var indexTitle: String? { get }
  /// 0 once the section is gone. O(1).
  var numberOfObjects: Int { get }
  /// The objects, in order: all of them are made at once, as many as the section has.
  var objects: [Any]? { get }
}
