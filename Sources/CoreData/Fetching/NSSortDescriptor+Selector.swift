extension SortDescriptorFactory where Self: NSSortDescriptor {
  /// Sorts by a method of the values, such as `localizedStandardCompare:`; nil is `compare:`.
  public init(key: String?, ascending: Bool, selector: Selector?) {
    self.init(key: key, ascending: ascending, selectorName: selector?.description)
  }

  /// The method that compares; nil when a comparator does.
  public var selector: Selector? { selectorName.map { Selector($0) } }
}
