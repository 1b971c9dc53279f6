/// A colour by its meaning or its name. A renderer has a light and a dark variant of each.
///
/// Source: UIKit, `UIColor`. There are no colours by components: the style sheet of a page defines
/// all colours, so that text stays readable.
public final class UIColor: Hashable, Sendable {
  package let name: String
  init(_ name: String) { self.name = name }

  /// The colour of primary text.
  public static let label = UIColor("label")
  /// The colour of secondary text.
  public static let secondaryLabel = UIColor("secondary")
  /// The colour of tertiary and disabled text.
  public static let tertiaryLabel = UIColor("tertiary")
  /// The colour of placeholders; drawn as `secondaryLabel`.
  public static let placeholderText = UIColor("secondary")
  /// The accent colour of controls.
  public static let tintColor = UIColor("tint")
  /// The colour of links; drawn as `tintColor`.
  public static let link = UIColor("tint")
  /// No colour.
  public static let clear = UIColor("clear")
  /// The colour of the background.
  public static let systemBackground = UIColor("background")
  /// The colour of grouped content's background; drawn as `systemBackground`.
  public static let secondarySystemBackground = UIColor("background")
  /// The colour that fills controls and other shapes.
  public static let systemFill = UIColor("fill")
  /// Red.
  public static let systemRed = UIColor("red")
  /// Orange.
  public static let systemOrange = UIColor("orange")
  /// Yellow.
  public static let systemYellow = UIColor("yellow")
  /// Green.
  public static let systemGreen = UIColor("green")
  /// Blue.
  public static let systemBlue = UIColor("blue")
  /// Purple.
  public static let systemPurple = UIColor("purple")
  /// Grey.
  public static let systemGray = UIColor("gray")

  public static func == (left: UIColor, right: UIColor) -> Bool { left.name == right.name }
  public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}
