import Testing

extension ExitTest.Result {
  /// What the process wrote to its standard error.
  var complaint: String { String(decoding: standardErrorContent, as: UTF8.self) }
}

/// Expects that a process that was to stop has said why.
func expectComplaint(
  _ text: String, of result: ExitTest.Result?,
  sourceLocation: SourceLocation = #_sourceLocation
) {
  #expect(result?.complaint.contains(text) == true, sourceLocation: sourceLocation)
}
