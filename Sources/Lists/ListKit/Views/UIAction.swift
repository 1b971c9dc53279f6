import Foundation

/// A picture by the name of its symbol. A renderer shows its own picture for it.
///
/// Source: UIKit, `UIImage`.
public final class UIImage: Hashable, Sendable {
  /// The symbol's name.
  public let systemName: String
  /// Makes a picture. Never `nil`: every name is accepted.
  public init?(systemName: String) { self.systemName = systemName }

  public static func == (left: UIImage, right: UIImage) -> Bool {
    left.systemName == right.systemName
  }
  public func hash(into hasher: inout Hasher) { hasher.combine(systemName) }
}

/// Runs an action.
public typealias UIActionHandler = @MainActor (UIAction) -> Void

/// An action with a title, for a bar button, a control, a menu or a key.
///
/// Source: UIKit, `UIAction`.
@MainActor
public final class UIAction: UIMenuElement {
  /// Attributes of an action.
  public struct Attributes: OptionSet, Sendable {
    /// The bits of the set.
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    /// The action cannot be run.
    public static let disabled = Attributes(rawValue: 1)
    /// The action destroys data: menus of items say so.
    public static let destructive = Attributes(rawValue: 2)
    /// The action is not shown in menus.
    public static let hidden = Attributes(rawValue: 4)
  }

  /// The name of an action inside an application.
  public struct Identifier: RawRepresentable, Hashable, Sendable {
    /// The name.
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    /// Makes an identifier of a name.
    public init(_ rawValue: String) { self.rawValue = rawValue }
  }

  /// The action's name. Unique if none was given.
  public let identifier: Identifier
  /// Whether the action is disabled, destructive or hidden.
  public var attributes: Attributes
  /// The object for which the handler is running; `nil` at other times.
  public private(set) var sender: Any?
  private let handler: UIActionHandler

  /// Makes an action. The handler runs on the main actor.
  public init(
    title: String = "", image: UIImage? = nil, identifier: Identifier? = nil,
    attributes: Attributes = [], handler: @escaping UIActionHandler
  ) {
    self.identifier = identifier ?? Identifier("action.\(UUID())")
    self.attributes = attributes
    self.handler = handler
    super.init(title: title, image: image)
  }

  package func perform(sender: Any?) {
    self.sender = sender
    defer { self.sender = nil }
    if !attributes.contains(.disabled) { handler(self) }
  }
}
