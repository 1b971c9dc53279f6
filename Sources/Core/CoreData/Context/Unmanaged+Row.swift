/// Access to a row without retaining it. Sound while an array or an object owns the row; must not
/// be nil.
extension Unmanaged<Row>? {
  @inline(__always)
  var packed: PackedIdentity {
    unsafelyUnwrapped._withUnsafeGuaranteedRef { $0.packed }
  }

  @inline(__always)
  var format: UnsafePointer<RowFormat> {
    unsafelyUnwrapped._withUnsafeGuaranteedRef { $0.format }
  }

  // Unretained, sound: an identity space outlives its rows.
  @inline(__always)
  var space: Unmanaged<IdentitySpace>? {
    unsafelyUnwrapped._withUnsafeGuaranteedRef { $0.spaceReference }
  }
}
