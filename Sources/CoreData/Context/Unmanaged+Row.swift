/// What there is to know of a row without counting it.
extension Unmanaged<Row>? {
  @inline(__always)
  var packed: PackedIdentity {
    unsafelyUnwrapped._withUnsafeGuaranteedRef { $0.packed }
  }

  @inline(__always)
  var format: UnsafePointer<RowFormat> {
    unsafelyUnwrapped._withUnsafeGuaranteedRef { $0.format }
  }

  @inline(__always)
  var space: Unmanaged<IdentitySpace>? {
    unsafelyUnwrapped._withUnsafeGuaranteedRef { $0.spaceReference }
  }
}
