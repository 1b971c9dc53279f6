import Foundation

/// Criteria of a fetch: predicate, sort order, limit and offset.
///
/// Sendable: a value whose key paths lead to properties of models and capture no arguments.
///
/// Source: developer.apple.com/documentation/swiftdata/fetchdescriptor
public struct FetchDescriptor<T: PersistentModel>: @unchecked Sendable {
  /// The condition on the models; nil selects all models of the class.
  public var predicate: Predicate<T>?
  /// The sort order. Strings are sorted by the user's language unless the comparator is `.lexical`.
  public var sortBy: [SortDescriptor<T>]
  /// The maximum number of models; nil or 0 for no limit.
  public var fetchLimit: Int?
  /// The number of models to skip; nil for 0.
  public var fetchOffset: Int?
  /// Whether the results include unsaved changes of the context; true by default.
  public var includePendingChanges = true
  /// Properties to read at once; other properties are read when they are accessed.
  public var propertiesToFetch: [PartialKeyPath<T>] = []
  /// Relationships whose destinations are read together with the models.
  public var relationshipKeyPathsForPrefetching: [PartialKeyPath<T>] = []

  /// Creates a descriptor.
  public init(predicate: Predicate<T>? = nil, sortBy: [SortDescriptor<T>] = []) {
    self.predicate = predicate
    self.sortBy = sortBy
  }
}

extension FetchDescriptor: Equatable {
  /// Compares descriptors. Predicates are not comparable on this platform: two of them count as
  /// equal if their descriptions are.
  public static func == (left: FetchDescriptor<T>, right: FetchDescriptor<T>) -> Bool {
    left.predicate?.description == right.predicate?.description && left.sortBy == right.sortBy
      && left.fetchLimit == right.fetchLimit && left.fetchOffset == right.fetchOffset
      && left.includePendingChanges == right.includePendingChanges
      && left.propertiesToFetch == right.propertiesToFetch
      && left.relationshipKeyPathsForPrefetching == right.relationshipKeyPathsForPrefetching
  }
}

/// Lazy collection of models or identifiers, which are read from the store as they are accessed.
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
