import Foundation

/// A row of segments of which one is chosen.
///
/// Source: UIKit, `UISegmentedControl`. A segment made from an action whose identifier begins with
/// `#` is also a place: a browser page draws it as a link to that part of its address, and opening
/// the address (by Back, a bookmark or a reload) chooses the segment.
open class UISegmentedControl: UIControl, ValueControl {
  /// What `selectedSegmentIndex` is while nothing is chosen.
  public static let noSegment = -1

  private struct Segment {
    var title: String?
    var action: UIAction?
    var isEnabled = true
  }

  private var segments: [Segment] = [] { didSet { setNeedsDisplay() } }
  /// Nothing stays chosen.
  open var isMomentary = false

  /// Setting it tells nobody.
  open var selectedSegmentIndex = UISegmentedControl.noSegment {
    didSet {
      precondition(
        selectedSegmentIndex == Self.noSegment || segments.indices.contains(selectedSegmentIndex),
        "There is no segment \(selectedSegmentIndex) among \(segments.count)")
      if selectedSegmentIndex != oldValue { setNeedsDisplay() }
    }
  }

  /// - Parameter items: titles; other objects have no picture here and are left out.
  public convenience init(items: [Any]?) {
    self.init(frame: .zero)
    segments = (items ?? []).compactMap { $0 as? String }.map { Segment(title: $0) }
  }

  public convenience init(frame: CGRect, actions: [UIAction]) {
    self.init(frame: frame)
    segments = actions.map { Segment(title: $0.title, action: $0) }
  }

  open var numberOfSegments: Int { segments.count }

  open func insertSegment(withTitle title: String?, at segment: Int, animated: Bool) {
    segments.insert(Segment(title: title), at: min(segment, segments.count))
  }

  open func insertSegment(action: UIAction, at segment: Int, animated: Bool) {
    segments.insert(Segment(title: action.title, action: action), at: min(segment, segments.count))
  }

  open func removeSegment(at segment: Int, animated: Bool) {
    if selectedSegmentIndex >= segments.count - 1 { selectedSegmentIndex = Self.noSegment }
    segments.remove(at: segment)
  }

  open func removeAllSegments() {
    selectedSegmentIndex = Self.noSegment
    segments = []
  }

  open func titleForSegment(at segment: Int) -> String? { segments[segment].title }
  open func setTitle(_ title: String?, forSegmentAt segment: Int) {
    segments[segment].title = title
  }
  open func actionForSegment(at segment: Int) -> UIAction? { segments[segment].action }
  open func setAction(_ action: UIAction, forSegmentAt segment: Int) {
    segments[segment] = Segment(title: action.title, action: action)
  }
  open func isEnabledForSegment(at segment: Int) -> Bool { segments[segment].isEnabled }
  open func setEnabled(_ enabled: Bool, forSegmentAt segment: Int) {
    segments[segment].isEnabled = enabled
  }

  // MARK: For renderers

  package var valueText: String { String(selectedSegmentIndex) }

  /// The address of a segment that is a place, such as `#/active`.
  package func address(ofSegmentAt segment: Int) -> String? {
    guard let name = segments[segment].action?.identifier.rawValue, name.hasPrefix("#") else {
      return nil
    }
    return name
  }

  /// Chooses the segment that an address names; false when there is none.
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
