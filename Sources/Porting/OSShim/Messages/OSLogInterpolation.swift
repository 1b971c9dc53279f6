import Foundation

/// The parts of a message: text, and values with their format, alignment and privacy.
///
/// Source: developer.apple.com/documentation/os/osloginterpolation
public struct OSLogInterpolation: StringInterpolationProtocol {
  private var pieces: [() -> String] = []

  /// Creates an empty interpolation.
  public init(literalCapacity: Int, interpolationCount: Int) {
    pieces.reserveCapacity(2 * interpolationCount + 1)
  }

  init(literal: String) { pieces = [{ literal }] }

  var text: String { pieces.map { $0() }.joined() }

  /// Appends text.
  public mutating func appendLiteral(_ literal: String) { pieces.append { literal } }

  private mutating func append(
    _ privacy: OSLogPrivacy, isPrivateByType: Bool, _ align: OSLogStringAlignment = .none,
    _ text: @escaping () -> String
  ) {
    pieces.append { align.aligned(privacy.shown(text(), isPrivateByType: isPrivateByType)) }
  }

  // MARK: - Public by default

  /// Appends an integer.
  public mutating func appendInterpolation<Number: FixedWidthInteger>(
    _ number: @autoclosure @escaping () -> Number, format: OSLogIntegerFormatting = .decimal,
    align: OSLogStringAlignment = .none, privacy: OSLogPrivacy = .auto
  ) {
    append(privacy, isPrivateByType: false, align) { format.text(number()) }
  }

  /// Appends a 32-bit integer by its meaning.
  public mutating func appendInterpolation(
    _ number: @autoclosure @escaping () -> Int32, format: OSLogInt32ExtendedFormat,
    privacy: OSLogPrivacy = .auto
  ) {
    append(privacy, isPrivateByType: false) { format.text(number()) }
  }

  /// Appends an integer by its meaning.
  public mutating func appendInterpolation(
    _ number: @autoclosure @escaping () -> Int, format: OSLogIntExtendedFormat,
    privacy: OSLogPrivacy = .auto
  ) {
    append(privacy, isPrivateByType: false) { format.text(number()) }
  }

  /// Appends a floating-point number.
  public mutating func appendInterpolation<Number: BinaryFloatingPoint>(
    _ number: @autoclosure @escaping () -> Number, format: OSLogFloatFormatting = .fixed,
    align: OSLogStringAlignment = .none, privacy: OSLogPrivacy = .auto
  ) {
    append(privacy, isPrivateByType: false, align) { format.text(Double(number())) }
  }

  /// Appends a truth value.
  public mutating func appendInterpolation(
    _ value: @autoclosure @escaping () -> Bool, format: OSLogBoolFormat = .truth,
    privacy: OSLogPrivacy = .auto
  ) {
    append(privacy, isPrivateByType: false) { format.text(value()) }
  }

  /// Appends a pointer.
  public mutating func appendInterpolation(
    _ pointer: @autoclosure @escaping () -> UnsafeRawPointer, format: OSLogPointerFormat = .none,
    privacy: OSLogPrivacy = .auto
  ) {
    append(privacy, isPrivateByType: false) { format.text(pointer()) }
  }

  /// Appends the name of a type.
  public mutating func appendInterpolation(
    _ type: @autoclosure @escaping () -> Any.Type, align: OSLogStringAlignment = .none,
    privacy: OSLogPrivacy = .auto
  ) {
    append(privacy, isPrivateByType: false, align) { "\(type())" }
  }

  // MARK: - Private by default

  /// Appends a string.
  public mutating func appendInterpolation(
    _ text: @autoclosure @escaping () -> String, align: OSLogStringAlignment = .none,
    privacy: OSLogPrivacy = .auto
  ) {
    append(privacy, isPrivateByType: true, align, text)
  }

  /// Appends the description of a value.
  @_disfavoredOverload
  public mutating func appendInterpolation<Value: CustomStringConvertible>(
    _ value: @autoclosure @escaping () -> Value, align: OSLogStringAlignment = .none,
    privacy: OSLogPrivacy = .auto
  ) {
    append(privacy, isPrivateByType: true, align) { value().description }
  }

  /// Appends the description of an object, `(null)` for nil.
  public mutating func appendInterpolation(
    _ object: @autoclosure @escaping () -> NSObject?, privacy: OSLogPrivacy = .auto
  ) {
    append(privacy, isPrivateByType: true) { object()?.description ?? "(null)" }
  }

  /// Appends the description of an error, `(null)` for nil.
  @_disfavoredOverload
  public mutating func appendInterpolation(
    _ error: @autoclosure @escaping () -> (any Error)?, privacy: OSLogPrivacy = .auto
  ) {
    append(privacy, isPrivateByType: true) { error().map { "\($0)" } ?? "(null)" }
  }
}
