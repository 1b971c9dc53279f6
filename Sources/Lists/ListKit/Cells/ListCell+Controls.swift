/// Switches, steppers, buttons and other controls in a row, which the user operates inside the row.
extension ListCell {
  /// Controls in `contentView` before its first text, drawn before the title.
  package var leadingControls: [UIView] {
    let views = contentView.subviews.prefix { !($0 is UITextField || $0 is UILabel) }
    return (leadingAccessories + Array(views)).filter(Self.isUsable)
  }

  /// Controls in `contentView` after its first text, and the accessory view.
  package var trailingControls: [UIView] {
    let rest = contentView.subviews.drop { !($0 is UITextField || $0 is UILabel) }
    return (Array(rest) + trailingAccessories).filter(Self.isUsable)
  }

  private static func isUsable(_ view: UIView) -> Bool {
    guard !view.isHidden else { return false }
    return view is any ValueControl || view is UIButton || view is UIProgressView
      || view is UIActivityIndicatorView
  }

  /// The displayed state of a control as text, compared to find out whether a row has changed.
  static func state(of view: UIView) -> String {
    let value: String
    switch view {
    case let control as any ValueControl: value = control.valueText
    case let button as UIButton: value = button.currentTitle ?? ""
    case let progress as UIProgressView: value = String(progress.progress)
    case let indicator as UIActivityIndicatorView: value = String(indicator.isAnimating)
    default: value = ""
    }
    let isEnabled = (view as? UIControl)?.isEnabled ?? true
    return "\(value) \(isEnabled) \(view.accessibilityLabel ?? "")"
  }
}
