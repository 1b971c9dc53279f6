import ListKit

/// Draws controls with a value, and indicators of progress.
///
/// | view | element | value in an event |
/// |---|---|---|
/// | switch | a checkbox, with the role of a switch unless it is drawn as a box | `true`, `false` |
/// | stepper | two buttons around the number | `1`, `-1` |
/// | slider | a range | the number |
/// | segmented control | a group of radio buttons; a list of buttons if it is momentary, and of | |
/// | | links for segments with an address | the index |
/// | progress, activity | `<progress>`, with and without a value | |
/// | refresh control | a button | |
@MainActor
struct ControlHTML {
  let names: ElementNames

  /// The control's markup; `nil` for any other view.
  func markup(_ view: UIView) -> HTML? {
    switch view {
    case let view as UISwitch: toggle(view)
    case let view as UIStepper: stepper(view)
    case let view as UISlider: slider(view)
    case let view as UISegmentedControl: segments(view)
    case let view as UIProgressView: progress(view)
    case let view as UIActivityIndicatorView: activity(view)
    case let view as UIRefreshControl: refresh(view)
    default: nil
    }
  }

  private func toggle(_ view: UISwitch) -> HTML {
    let name = names.name(for: view)
    let isBox = view.style == .checkbox
    let box: HTML = """
      <input type="checkbox" class="\(isBox ? "box" : "switch") \(view.classNames)" \
      data-value="\(name)"\(" role=\"switch\"", if: !isBox)\(" checked", if: view.isOn)\
      \(label(view, fallback: view.title))\(disabled(view))>
      """
    guard let title = view.title else { return "<span data-view=\"\(name)\">\(box)</span>" }
    return "<label class=\"titled\" data-view=\"\(name)\">\(box)<span>\(title)</span></label>"
  }

  private func stepper(_ view: UIStepper) -> HTML {
    let name = names.name(for: view)
    let number = view.value.formatted()
    func button(_ step: String, _ sign: String, _ title: String, _ isEnabled: Bool) -> HTML {
      """
      <button type="button" data-step="\(step)" data-value="\(name)" \
      aria-label="\(title) \(view.accessibilityLabel ?? "")"\(" disabled", if: !isEnabled)>\
      \(sign)</button>
      """
    }
    return """
      <span class="stepper \(view.classNames)" role="group" data-view="\(name)"\(label(view, fallback: nil))>\
      \(button("-1", "−", "Decrease", view.canDecrement))\
      <output aria-live="off">\(number)</output>\
      \(button("1", "+", "Increase", view.canIncrement))</span>
      """
  }

  private func slider(_ view: UISlider) -> HTML {
    """
    <span data-view="\(names.name(for: view))"><input type="range" class="\(view.classNames)" \
    data-value="\(names.name(for: view))" min="\(String(view.minimumValue))" \
    max="\(String(view.maximumValue))" step="any" value="\(view.valueText)"\
    \(" data-continuous", if: view.isContinuous)\(label(view, fallback: nil))\(disabled(view))></span>
    """
  }

  private func segments(_ view: UISegmentedControl) -> HTML {
    let all = 0..<view.numberOfSegments
    if !view.isMomentary, !all.contains(where: { view.address(ofSegmentAt: $0) != nil }) {
      return """
        <span class="segments \(view.classNames)" role="radiogroup" \
        data-view="\(names.name(for: view))"\(label(view, fallback: nil))>\
        \(all.map { choice(view, at: $0) }.joined())</span>
        """
    }
    return """
      <ul class="segments \(view.classNames)" data-view="\(names.name(for: view))"\(label(view, fallback: nil))>\
      \((0..<view.numberOfSegments).map { segment(view, at: $0) }.joined())</ul>
      """
  }

  /// A radio button of a group, which the browser leads through by the arrow keys.
  private func choice(_ view: UISegmentedControl, at index: Int) -> HTML {
    let name = names.name(for: view)
    let isSelected = index == view.selectedSegmentIndex
    let isEnabled = view.isEnabled && view.isEnabledForSegment(at: index)
    return """
      <label class="\("selected", if: isSelected)"><input type="radio" name="\(name)" \
      data-value="\(name)" value="\(index)"\(" checked", if: isSelected)\
      \(" disabled", if: !isEnabled)><span>\(view.titleForSegment(at: index) ?? "")</span></label>
      """
  }

  private func segment(_ view: UISegmentedControl, at index: Int) -> HTML {
    let isSelected = index == view.selectedSegmentIndex
    let title = view.titleForSegment(at: index) ?? ""
    let isEnabled = view.isEnabled && view.isEnabledForSegment(at: index)
    if let address = view.address(ofSegmentAt: index), isEnabled {
      return """
        <li><a href="\(address)" class="\("selected", if: isSelected)"\
        \(" aria-current=\"true\"", if: isSelected)>\(title)</a></li>
        """
    }
    return """
      <li><button type="button" class="\("selected", if: isSelected)" \
      aria-pressed="\(isSelected ? "true" : "false")" data-step="\(index)" \
      data-value="\(names.name(for: view))"\(" disabled", if: !isEnabled)>\(title)</button></li>
      """
  }

  private func progress(_ view: UIProgressView) -> HTML {
    """
    <progress class="\(view.classNames)" data-view="\(names.name(for: view))" max="1" \
    value="\(String(view.progress))"\(label(view, fallback: "Progress"))></progress>
    """
  }

  private func activity(_ view: UIActivityIndicatorView) -> HTML {
    let isSeen = view.isAnimating || !view.hidesWhenStopped
    return """
      <span class="activity \("large ", if: view.style == .large)\
      \("moving ", if: view.isAnimating)\(view.classNames)" role="progressbar" \
      data-view="\(names.name(for: view))"\(label(view, fallback: "In progress"))\
      \(" hidden", if: !isSeen)></span>
      """
  }

  private func refresh(_ view: UIRefreshControl) -> HTML {
    let title = view.attributedTitle?.string ?? "Refresh"
    return """
      <button type="button" class="refresh \("busy ", if: view.isRefreshing)\(view.classNames)" \
      data-view="\(names.name(for: view))" data-press="\(names.name(for: view))" \
      aria-busy="\(view.isRefreshing ? "true" : "false")"\
      \(" disabled", if: view.isRefreshing || !view.isEnabled)>\
      <span class="activity \("moving", if: view.isRefreshing)" aria-hidden="true"></span>\
      \(title)</button>
      """
  }

  private func label(_ view: UIView, fallback: String?) -> HTML {
    (view.accessibilityLabel ?? fallback).map { " aria-label=\"\($0)\"" } ?? ""
  }

  private func disabled(_ control: UIControl) -> HTML {
    control.isEnabled ? "" : " disabled"
  }
}

extension UIView {
  /// The view's accessibility identifier, as names of classes.
  var classNames: String { accessibilityIdentifier ?? "" }

  /// Whether the view only groups its subviews. A hidden container is drawn too, so that the page
  /// keeps a table inside it.
  var isContainer: Bool { type(of: self) == UIView.self || self is UIStackView }

  /// The class for the layout of a container's subviews.
  var layoutClass: HTML {
    guard let stack = self as? UIStackView else { return "" }
    return stack.axis == .horizontal ? "stack horizontal " : "stack vertical "
  }

  /// Whether a table is in this view's tree. Such a view must not be redrawn: the table would lose
  /// its scroll position.
  var holdsTable: Bool { self is ListView || subviews.contains { $0.holdsTable } }
}
