/// A message with interpolated values, which are evaluated only if the message is written.
///
/// Source: developer.apple.com/documentation/os/oslogmessage
public struct OSLogMessage: ExpressibleByStringInterpolation, ExpressibleByStringLiteral {
  private let interpolation: OSLogInterpolation

  public init(stringLiteral value: String) {
    interpolation = OSLogInterpolation(literal: value)
  }

  /// Creates a message from its parts.
  public init(stringInterpolation: OSLogInterpolation) {
    interpolation = stringInterpolation
  }

  var text: String { interpolation.text }
}

/// The message of a signpost, beside its name.
public typealias SignpostMetadata = OSLogMessage
