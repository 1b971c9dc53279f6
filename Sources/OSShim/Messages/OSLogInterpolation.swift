import Foundation

/// The pieces of a message: text, and values with what the message says of them.
///
/// Source: developer.apple.com/documentation/os/osloginterpolation
public struct OSLogInterpolation: StringInterpolationProtocol {
  private var pieces: [() -> String] = []

  public init(literalCapacity: Int, interpolationCount: Int) {
    pieces.reserveCapacity(2 * interpolationCount + 1)
  }

  init(literal: String) { pieces = [{ literal }] }

  var text: String { pieces.map { $0() }.joined() }

  public mutating func appendLiteral(_ literal: String) { pieces.append { literal } }

  private mutating func append(
    _ privacy: OSLogPrivacy, isPrivateByType: Bool, _ align: OSLogStringAlignment = .none,
    _ text: @escaping () -> String
  ) {
    pieces.append { align.aligned(privacy.shown(text(), isPrivateByType: isPrivateByType)) }
  }

  // MARK: - What is shown by its type

  public mutating func appendInterpolation<Number: FixedWidthInteger>(
    _ number: @autoclosure @escaping () -> Number, format: OSLogIntegerFormatting = .decimal,
    align: OSLogStringAlignment = .none, privacy: OSLogPrivacy = .auto
  ) {
    append(privacy, isPrivateByType: false, align) { format.text(number()) }
  }

  public mutating func appendInterpolation(
    _ number: @autoclosure @escaping () -> Int32, format: OSLogInt32ExtendedFormat,
    privacy: OSLogPrivacy = .auto
  ) {
    append(privacy, isPrivateByType: false) { format.text(number()) }
  }

  public mutating func appendInterpolation(
    _ number: @autoclosure @escaping () -> Int, format: OSLogIntExtendedFormat,
    privacy: OSLogPrivacy = .auto
  ) {
    append(privacy, isPrivateByType: false) { format.text(number()) }
  }

  public mutating func appendInterpolation<Number: BinaryFloatingPoint>(
    _ number: @autoclosure @escaping () -> Number, format: OSLogFloatFormatting = .fixed,
    align: OSLogStringAlignment = .none, privacy: OSLogPrivacy = .auto
  ) {
    append(privacy, isPrivateByType: false, align) { format.text(Double(number())) }
  }

  public mutating func appendInterpolation(
    _ value: @autoclosure @escaping () -> Bool, format: OSLogBoolFormat = .truth,
    privacy: OSLogPrivacy = .auto
  ) {
    append(privacy, isPrivateByType: false) { format.text(value()) }
  }

  public mutating func appendInterpolation(
    _ pointer: @autoclosure @escaping () -> UnsafeRawPointer, format: OSLogPointerFormat = .none,
    privacy: OSLogPrivacy = .auto
  ) {
    append(privacy, isPrivateByType: false) { format.text(pointer()) }
  }

  public mutating func appendInterpolation(
    _ type: @autoclosure @escaping () -> Any.Type, align: OSLogStringAlignment = .none,
    privacy: OSLogPrivacy = .auto
  ) {
    append(privacy, isPrivateByType: false, align) { "\(type())" }
  }

  // MARK: - What is private by its type

  public mutating func appendInterpolation(
    _ text: @autoclosure @escaping () -> String, align: OSLogStringAlignment = .none,
    privacy: OSLogPrivacy = .auto
  ) {
    append(privacy, isPrivateByType: true, align, text)
  }

  @_disfavoredOverload
  public mutating func appendInterpolation<Value: CustomStringConvertible>(
    _ value: @autoclosure @escaping () -> Value, align: OSLogStringAlignment = .none,
    privacy: OSLogPrivacy = .auto
  ) {
    append(privacy, isPrivateByType: true, align) { value().description }
  }

  public mutating func appendInterpolation(
    _ object: @autoclosure @escaping () -> NSObject?, privacy: OSLogPrivacy = .auto
  ) {
    append(privacy, isPrivateByType: true) { object()?.description ?? "(null)" }
  }

  @_disfavoredOverload
  public mutating func appendInterpolation(
    _ error: @autoclosure @escaping () -> (any Error)?, privacy: OSLogPrivacy = .auto
  ) {
    append(privacy, isPrivateByType: true) { error().map { "\($0)" } ?? "(null)" }
  }
}
