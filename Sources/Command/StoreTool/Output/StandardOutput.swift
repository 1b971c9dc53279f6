/// Output of complete texts. Unlike Swift's `print` it reports failed writes.
package enum StandardOutput {
  /// Throws an error with the status 74 if the text cannot be written completely.
  package static func print(_ text: String, terminator: String = "\n") throws {
    let bytes = ByteWriter()
    bytes.write(text)
    bytes.write(terminator)
    try bytes.flush()
  }
}
