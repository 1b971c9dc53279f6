/// Why a browser did not do what it was asked.
public enum BrowserError: Error, CustomStringConvertible {
  case notInstalled
  case didNotStart(String)
  case refused(command: String, answer: String)
  case timedOut(condition: String, page: String)

  /// Whether the same may succeed a moment later: an element was being replaced, or covered by what is about to go.
  var isOfTheMoment: Bool {
    guard case .refused(_, let answer) = self else { return false }
    return isInterception || isOfReplacement || answer.contains("element not interactable")
  }

  /// Whether the element had been replaced by then.
  var isOfReplacement: Bool {
    guard case .refused(_, let answer) = self else { return false }
    return answer.contains("stale element reference")
  }

  var isInterception: Bool {
    guard case .refused(_, let answer) = self else { return false }
    return answer.contains("element click intercepted")
  }

  public var description: String {
    switch self {
    case .notInstalled:
      "These tests need Chromium and its driver: apt-get install -y chromium-headless-shell chromium-driver. "
        + "Set COREDATA_SKIP_BROWSER=1 to leave them out."
    case .didNotStart(let output): "chromedriver did not start: \(output)"
    case .refused(let command, let answer): "The browser refused \(command): \(answer)"
    case .timedOut(let condition, let page):
      "Waited in vain for \(condition). The page says:\n\(page)"
    }
  }
}
