extension UserDefaults {
  /// Returns the value of a key; equal to `object(forKey:)`.
  public func value(forKey key: String) -> Any? { object(forKey: key) }

  /// Sets the value of a key; equal to `set(_:forKey:)`.
  public func setValue(_ value: Any?, forKey key: String) { set(value, forKey: key) }
}
