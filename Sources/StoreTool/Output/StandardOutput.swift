/// What commands print at once. Swift's `print` does not say when nothing could be written.
package enum StandardOutput {
  /// Throws an error of the status 74 when the text does not get there whole.
  package static func print(_ text: String, terminator: String = "\n") throws {
    let bytes = ByteWriter()
    bytes.write(text)
    bytes.write(terminator)
    try bytes.flush()
  }
}
