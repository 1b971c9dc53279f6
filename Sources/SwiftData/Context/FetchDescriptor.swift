import Foundation

/// What to fetch: which models, in which order, how many of them.
///
/// Source: developer.apple.com/documentation/swiftdata/fetchdescriptor
public struct FetchDescriptor<T: PersistentModel>: @unchecked Sendable {
  public var predicate: Predicate<T>?
  /// Strings are sorted as people sort them, unless the comparator says otherwise.
  public var sortBy: [SortDescriptor<T>]
  public var fetchLimit: Int?
  public var fetchOffset: Int?
  /// Whether changes that are not saved count; true by default.
  public var includePendingChanges = true
  /// Read at once; the others when they are asked for.
  public var propertiesToFetch: [PartialKeyPath<T>] = []
  /// Related models that are read in the same go.
  public var relationshipKeyPathsForPrefetching: [PartialKeyPath<T>] = []

  public init(predicate: Predicate<T>? = nil, sortBy: [SortDescriptor<T>] = []) {
    self.predicate = predicate
    self.sortBy = sortBy
  }
}

extension FetchDescriptor: Equatable {
  /// Predicates cannot be compared off Apple's systems: those of two descriptors are equal when they read the same.
  public static func == (left: FetchDescriptor<T>, right: FetchDescriptor<T>) -> Bool {
    left.predicate?.description == right.predicate?.description && left.sortBy == right.sortBy
      && left.fetchLimit == right.fetchLimit && left.fetchOffset == right.fetchOffset
      && left.includePendingChanges == right.includePendingChanges
      && left.propertiesToFetch == right.propertiesToFetch
      && left.relationshipKeyPathsForPrefetching == right.relationshipKeyPathsForPrefetching
  }
}

/// Models or identifiers that are read from the store as they are asked for.
///
/// Source: developer.apple.com/documentation/swiftdata/fetchresultscollection
public struct FetchResultsCollection<Element>: RandomAccessCollection {
  public typealias Index = Int
  public typealias SubSequence = Slice<FetchResultsCollection<Element>>
  public typealias Iterator = IndexingIterator<FetchResultsCollection<Element>>

  private let count_: Int
  private let element: (Int) -> Element

  init(count: Int, element: @escaping (Int) -> Element) {
    count_ = count
    self.element = element
  }

  public var startIndex: Int { 0 }
  public var endIndex: Int { count_ }
  public subscript(position: Int) -> Element {
    precondition(
      position >= 0 && position < count_, "Index \(position) is outside of 0..<\(count_)")
    return element(position)
  }
}
