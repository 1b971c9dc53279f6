/// A message with values in it, which are asked for when somebody sees the message.
///
/// Source: developer.apple.com/documentation/os/oslogmessage
public struct OSLogMessage: ExpressibleByStringInterpolation, ExpressibleByStringLiteral {
  private let interpolation: OSLogInterpolation

  public init(stringLiteral value: String) {
    interpolation = OSLogInterpolation(literal: value)
  }

  public init(stringInterpolation: OSLogInterpolation) {
    interpolation = stringInterpolation
  }

  var text: String { interpolation.text }
}

/// What a signpost says beside its name.
public typealias SignpostMetadata = OSLogMessage
