@MainActor open class UIResponder: NSObject {
  nonisolated public override init() { super.init() }
  open var next: UIResponder? { stub() }
  open var undoManager: UndoManager? { stub() }
  open var canBecomeFirstResponder: Bool { stub() }
  open var canResignFirstResponder: Bool { stub() }
  open var isFirstResponder: Bool { stub() }
  @discardableResult open func becomeFirstResponder() -> Bool { stub() }
  @discardableResult open func resignFirstResponder() -> Bool { stub() }
  open var keyCommands: [UIKeyCommand]? { stub() }
}

@MainActor open class UIKeyCommand: UICommand {}
@MainActor open class UICommand: UIMenuElement {}
@MainActor open class UIMenuElement: NSObject {
  open var title: String { stub() }
  open var image: UIImage? { stub() }
  public struct State: RawRepresentable, Sendable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }
    public static let off = State(rawValue: 0)
    public static let on = State(rawValue: 1)
  }
  public struct Attributes: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let disabled = Attributes(rawValue: 1)
    public static let destructive = Attributes(rawValue: 2)
    public static let hidden = Attributes(rawValue: 4)
  }
}

public typealias UIActionHandler = @MainActor (_ action: UIAction) -> Void

@MainActor open class UIAction: UIMenuElement {
  public struct Identifier: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public init(_ rawValue: String) { self.rawValue = rawValue }
  }
  public convenience init(
    title: String = "", image: UIImage? = nil, identifier: UIAction.Identifier? = nil,
    discoverabilityTitle: String? = nil, attributes: UIMenuElement.Attributes = [],
    state: UIMenuElement.State = .off, handler: @escaping UIActionHandler
  ) { stub() }
  open var identifier: UIAction.Identifier { stub() }
  open var sender: Any? { stub() }
  open override var title: String {
    get { stub() }
    set { stub() }
  }
  open var attributes: UIMenuElement.Attributes = []
}

@MainActor open class UIMenu: UIMenuElement {
  public struct Options: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
  }
  public convenience init(
    title: String = "", image: UIImage? = nil, options: UIMenu.Options = [],
    children: [UIMenuElement] = []
  ) { stub() }
}

@MainActor open class UIContextMenuConfiguration: NSObject {
  public convenience init(
    identifier: (any NSCopying)?, previewProvider: (() -> UIViewController?)?,
    actionProvider: (([UIMenuElement]) -> UIMenu?)? = nil
  ) { stub() }
}

@MainActor open class UIScene: UIResponder {
  open var delegate: (any UISceneDelegate)?
  open var title: String! = nil
}
@MainActor open class UIWindowScene: UIScene {}

@MainActor open class UIApplication: UIResponder {
  open class var shared: UIApplication { stub() }
}

@MainActor public protocol UISceneDelegate: NSObjectProtocol {
  func sceneDidDisconnect(_ scene: UIScene)
  func sceneDidBecomeActive(_ scene: UIScene)
  func sceneWillResignActive(_ scene: UIScene)
  func sceneWillEnterForeground(_ scene: UIScene)
  func sceneDidEnterBackground(_ scene: UIScene)
}
extension UISceneDelegate {
  public func sceneDidDisconnect(_ scene: UIScene) {}
  public func sceneDidBecomeActive(_ scene: UIScene) {}
  public func sceneWillResignActive(_ scene: UIScene) {}
  public func sceneWillEnterForeground(_ scene: UIScene) {}
  public func sceneDidEnterBackground(_ scene: UIScene) {}
}
