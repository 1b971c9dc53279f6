/// A colour by its meaning or its name; a renderer has one for light and one for dark.
///
/// Source: UIKit, `UIColor`. Colours by components are not there: a page's style sheet has the
/// colours, so that they are always readable.
public final class UIColor: Hashable, Sendable {
  package let name: String
  init(_ name: String) { self.name = name }

  public static let label = UIColor("label")
  public static let secondaryLabel = UIColor("secondary")
  public static let tertiaryLabel = UIColor("tertiary")
  public static let placeholderText = UIColor("secondary")
  public static let tintColor = UIColor("tint")
  public static let link = UIColor("tint")
  public static let clear = UIColor("clear")
  public static let systemBackground = UIColor("background")
  public static let secondarySystemBackground = UIColor("background")
  public static let systemFill = UIColor("fill")
  public static let systemRed = UIColor("red")
  public static let systemOrange = UIColor("orange")
  public static let systemYellow = UIColor("yellow")
  public static let systemGreen = UIColor("green")
  public static let systemBlue = UIColor("blue")
  public static let systemPurple = UIColor("purple")
  public static let systemGray = UIColor("gray")

  public static func == (left: UIColor, right: UIColor) -> Bool { left.name == right.name }
  public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}
