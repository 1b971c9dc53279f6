@MainActor open class UIView: UIResponder {
  public init(frame: CGRect) { super.init() }
  public required init?(coder: NSCoder) { stub() }
  public override convenience init() { stub() }
  open var frame: CGRect = .zero
  open var tag = 0
  open var restorationIdentifier: String?
  open var isHidden = false
  open var isUserInteractionEnabled = true
  open var superview: UIView? { stub() }
  open var subviews: [UIView] { stub() }
  open var window: UIWindow? { stub() }
  open func addSubview(_ view: UIView) { stub() }
  open func removeFromSuperview() { stub() }
  open func isDescendant(of view: UIView) -> Bool { stub() }
  open func setNeedsDisplay() { stub() }
}

// In UIKit these are additions to NSObject.
extension UIView {
  public var accessibilityLabel: String? {
    get { stub() }
    set { stub() }
  }
  public var accessibilityHint: String? {
    get { stub() }
    set { stub() }
  }
  public var accessibilityIdentifier: String? {
    get { stub() }
    set { stub() }
  }
}

@MainActor open class UIWindow: UIView {
  open weak var windowScene: UIWindowScene?
}

@MainActor open class UILabel: UIView {
  open var text: String?
  open var attributedText: NSAttributedString?
  open var textColor: UIColor! = nil
  open var numberOfLines = 1
  open var isEnabled = true
}

public enum NSLayoutConstraint {
  public enum Axis: Int, Sendable { case horizontal, vertical }
}

@MainActor open class UIStackView: UIView {
  public convenience init(arrangedSubviews views: [UIView]) { stub() }
  open var arrangedSubviews: [UIView] { stub() }
  open func addArrangedSubview(_ view: UIView) { stub() }
  open var axis: NSLayoutConstraint.Axis = .horizontal
  open var spacing: CGFloat = 0
}

@MainActor open class UIControl: UIView {
  public struct Event: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let touchUpInside = Event(rawValue: 1 << 6)
    public static let valueChanged = Event(rawValue: 1 << 12)
    public static let primaryActionTriggered = Event(rawValue: 1 << 13)
    public static let editingDidBegin = Event(rawValue: 1 << 16)
    public static let editingChanged = Event(rawValue: 1 << 17)
    public static let editingDidEnd = Event(rawValue: 1 << 18)
    public static let editingDidEndOnExit = Event(rawValue: 1 << 19)
  }
  public struct State: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let normal: State = []
    public static let disabled = State(rawValue: 2)
  }
  public convenience init(frame: CGRect, primaryAction: UIAction?) { stub() }
  open var isEnabled = true
  open var isSelected = false
  open func addAction(_ action: UIAction, for controlEvents: UIControl.Event) { stub() }
  open func removeAction(_ action: UIAction, for controlEvents: UIControl.Event) { stub() }
  open func sendActions(for controlEvents: UIControl.Event) { stub() }
}

@MainActor open class UIButton: UIControl {
  public enum ButtonType: Int, Sendable { case custom, system }
  public convenience init(type: ButtonType = .system, primaryAction: UIAction?) { stub() }
  open func setTitle(_ title: String?, for state: UIControl.State) { stub() }
  open var currentTitle: String? { stub() }
}

@MainActor open class UISwitch: UIControl {
  public enum Style: Int, Sendable { case automatic, checkbox, sliding }
  open var isOn = false
  open var title: String?
  open var preferredStyle: UISwitch.Style = .automatic
  open func setOn(_ on: Bool, animated: Bool) { stub() }
}

@MainActor open class UISegmentedControl: UIControl {
  public init(items: [Any]?) { stub() }
  public required init?(coder: NSCoder) { stub() }
  public override init(frame: CGRect) { stub() }
  public convenience init(frame: CGRect, actions: [UIAction]) { stub() }
  open var numberOfSegments: Int { stub() }
  open var selectedSegmentIndex = 0
  open func insertSegment(withTitle title: String?, at segment: Int, animated: Bool) { stub() }
}

@MainActor open class UIDatePicker: UIControl {
  public enum Mode: Int, Sendable { case time, date, dateAndTime, countDownTimer }
  open var datePickerMode: Mode = .dateAndTime
  open var date = Date()
  open var minimumDate: Date?
  open var maximumDate: Date?
  open var calendar: Calendar! = nil
  open var timeZone: TimeZone?
  open var countDownDuration: TimeInterval = 0
  open func setDate(_ date: Date, animated: Bool) { stub() }
}

@MainActor public enum UIKeyboardType: Int, Sendable {
  case `default` = 0
  case numberPad = 4
  case emailAddress = 7
  case decimalPad = 8
}
@MainActor public enum UIReturnKeyType: Int, Sendable {
  case `default` = 0
  case go = 1
  case search = 6
  case send = 7
  case done = 9
}

@MainActor open class UITextField: UIControl {
  open var text: String?
  open var textColor: UIColor?
  open var placeholder: String?
  open var keyboardType: UIKeyboardType = .default
  open var returnKeyType: UIReturnKeyType = .default
  open var isSecureTextEntry = false
  public enum ViewMode: Int, Sendable { case never, whileEditing, unlessEditing, always }
  open var rightView: UIView?
  open var rightViewMode: ViewMode = .never
  open var isEditing: Bool { stub() }
  open weak var delegate: (any UITextFieldDelegate)?
}

@MainActor public protocol UITextFieldDelegate: NSObjectProtocol {
  func textFieldShouldBeginEditing(_ textField: UITextField) -> Bool
  func textFieldDidBeginEditing(_ textField: UITextField)
  func textFieldShouldEndEditing(_ textField: UITextField) -> Bool
  func textFieldDidEndEditing(_ textField: UITextField)
  func textFieldShouldReturn(_ textField: UITextField) -> Bool
}
extension UITextFieldDelegate {
  public func textFieldShouldBeginEditing(_ textField: UITextField) -> Bool { true }
  public func textFieldDidBeginEditing(_ textField: UITextField) {}
  public func textFieldShouldEndEditing(_ textField: UITextField) -> Bool { true }
  public func textFieldDidEndEditing(_ textField: UITextField) {}
  public func textFieldShouldReturn(_ textField: UITextField) -> Bool { true }
}
