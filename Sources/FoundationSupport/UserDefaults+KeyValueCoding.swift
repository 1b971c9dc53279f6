extension UserDefaults {
  /// Key-value coding's name of `object(forKey:)`.
  public func value(forKey key: String) -> Any? { object(forKey: key) }

  /// Key-value coding's name of `set(_:forKey:)`.
  public func setValue(_ value: Any?, forKey key: String) { set(value, forKey: key) }
}
