extension SortDescriptorFactory where Self: NSSortDescriptor {
  /// Makes a descriptor that sorts by a method of the values, such as `localizedStandardCompare:`;
  /// nil is `compare:`.
  public init(key: String?, ascending: Bool, selector: Selector?) {
    self.init(key: key, ascending: ascending, selectorName: selector?.description)
  }

  /// The comparison method; nil for a descriptor with a comparator.
  public var selector: Selector? { selectorName.map { Selector($0) } }
}
