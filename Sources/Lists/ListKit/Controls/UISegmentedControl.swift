import Foundation

/// A row of segments of which one is selected.
///
/// Source: UIKit, `UISegmentedControl`. A segment whose action's identifier begins with `#` also
/// has an address: a page draws it as a link to that fragment, and opening the address (by Back, a
/// bookmark or a reload) selects the segment.
open class UISegmentedControl: UIControl, ValueControl {
  /// The value of `selectedSegmentIndex` when no segment is selected: -1.
  public static let noSegment = -1

  private struct Segment {
    var title: String?
    var action: UIAction?
    var isEnabled = true
  }

  private var segments: [Segment] = [] { didSet { setNeedsDisplay() } }
  /// Whether a segment is deselected again right after the user has selected it.
  open var isMomentary = false

  /// The index of the selected segment. Setting it sends no actions; it traps for an index without
  /// a segment.
  open var selectedSegmentIndex = UISegmentedControl.noSegment {
    didSet {
      precondition(
        selectedSegmentIndex == Self.noSegment || segments.indices.contains(selectedSegmentIndex),
        "There is no segment \(selectedSegmentIndex) among \(segments.count)")
      if selectedSegmentIndex != oldValue { setNeedsDisplay() }
    }
  }

  /// Makes a control.
  ///
  /// - Parameter items: titles. Other objects, such as pictures, are ignored.
  public convenience init(items: [Any]?) {
    self.init(frame: .zero)
    segments = (items ?? []).compactMap { $0 as? String }.map { Segment(title: $0) }
  }

  /// Makes a control with a segment for each action.
  public convenience init(frame: CGRect, actions: [UIAction]) {
    self.init(frame: frame)
    segments = actions.map { Segment(title: $0.title, action: $0) }
  }

  /// The number of segments.
  open var numberOfSegments: Int { segments.count }

  /// Inserts a segment with a title; at the end for an index beyond it.
  open func insertSegment(withTitle title: String?, at segment: Int, animated: Bool) {
    segments.insert(Segment(title: title), at: min(segment, segments.count))
  }

  /// Inserts a segment with an action; at the end for an index beyond it.
  open func insertSegment(action: UIAction, at segment: Int, animated: Bool) {
    segments.insert(Segment(title: action.title, action: action), at: min(segment, segments.count))
  }

  /// Removes a segment. Clears the selection if the last segment is selected.
  open func removeSegment(at segment: Int, animated: Bool) {
    let selected = selectedSegmentIndex
    if selected >= segment {
      selectedSegmentIndex = selected == segment ? Self.noSegment : selected - 1
    }
    segments.remove(at: segment)
  }

  /// Removes all segments and clears the selection.
  open func removeAllSegments() {
    selectedSegmentIndex = Self.noSegment
    segments = []
  }

  /// The title of a segment.
  open func titleForSegment(at segment: Int) -> String? { segments[segment].title }
  /// Sets the title of a segment.
  open func setTitle(_ title: String?, forSegmentAt segment: Int) {
    segments[segment].title = title
  }
  /// The action of a segment; `nil` for one made from a title.
  open func actionForSegment(at segment: Int) -> UIAction? { segments[segment].action }
  /// Replaces a segment by one with this action.
  open func setAction(_ action: UIAction, forSegmentAt segment: Int) {
    segments[segment] = Segment(title: action.title, action: action)
  }
  /// Whether the user can select a segment.
  open func isEnabledForSegment(at segment: Int) -> Bool { segments[segment].isEnabled }
  /// Makes a segment selectable or not.
  open func setEnabled(_ enabled: Bool, forSegmentAt segment: Int) {
    segments[segment].isEnabled = enabled
  }

  // MARK: For renderers

  package var valueText: String { String(selectedSegmentIndex) }

  /// The address of a segment that has one, such as `#/active`.
  package func address(ofSegmentAt segment: Int) -> String? {
    guard let name = segments[segment].action?.identifier.rawValue, name.hasPrefix("#") else {
      return nil
    }
    return name
  }

  /// Selects the segment of an address for the user; false when there is none.
  package func open(address: String) -> Bool {
    guard let segment = segments.indices.first(where: { self.address(ofSegmentAt: $0) == address })
    else { return false }
    return receive(value: String(segment))
  }

  @discardableResult
  package func receive(value: String) -> Bool {
    guard let index = Int(value), segments.indices.contains(index) else { return false }
    guard isEnabled, segments[index].isEnabled, index != selectedSegmentIndex else { return true }
    selectedSegmentIndex = index
    segments[index].action?.perform(sender: self)
    sendValue()
    if isMomentary { selectedSegmentIndex = Self.noSegment }
    return true
  }
}
