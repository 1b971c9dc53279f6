import Foundation

/// A picture by its symbol's name; a renderer shows what it has for it.
///
/// Source: UIKit, `UIImage`.
public final class UIImage: Hashable, Sendable {
  public let systemName: String
  public init?(systemName: String) { self.systemName = systemName }

  public static func == (left: UIImage, right: UIImage) -> Bool {
    left.systemName == right.systemName
  }
  public func hash(into hasher: inout Hasher) { hasher.combine(systemName) }
}

public typealias UIActionHandler = @MainActor (UIAction) -> Void

/// Something that can be done, with its title: what a bar button, a control or a key does.
///
/// Source: UIKit, `UIAction`.
@MainActor
public final class UIAction {
  public struct Attributes: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let disabled = Attributes(rawValue: 1)
    public static let destructive = Attributes(rawValue: 2)
    public static let hidden = Attributes(rawValue: 4)
  }

  /// What an action is called inside an application.
  public struct Identifier: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public init(_ rawValue: String) { self.rawValue = rawValue }
  }

  public let identifier: Identifier
  public var title: String
  public var image: UIImage?
  public var attributes: Attributes
  /// The object that the action was run for, while its handler runs.
  public private(set) var sender: Any?
  private let handler: UIActionHandler

  public init(
    title: String = "", image: UIImage? = nil, identifier: Identifier? = nil,
    attributes: Attributes = [], handler: @escaping UIActionHandler
  ) {
    self.identifier = identifier ?? Identifier("action.\(UUID())")
    self.title = title
    self.image = image
    self.attributes = attributes
    self.handler = handler
  }

  package func perform(sender: Any?) {
    self.sender = sender
    defer { self.sender = nil }
    if !attributes.contains(.disabled) { handler(self) }
  }
}
