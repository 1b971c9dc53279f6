/// One value of a streamed table, unboxed where that is faster. For tools that print tables.
package enum TableCell {
  case null
  case boolean(Bool)
  case integer(Int64)
  case real(Double)
  /// Of an attribute of the type Float. A column has the nearest double, with more digits.
  case single(Float)
  /// Seconds since 1 January 2001, 00:00 UTC.
  case date(Double)
  /// UTF-8; valid until the next row.
  case text(UnsafeBufferPointer<UInt8>)
  /// The name of an object's entity, and the object's primary key.
  case reference(String, Int64)
  /// Any other value, as key-value coding returns it.
  case object(Any)
}
