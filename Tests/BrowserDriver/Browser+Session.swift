import Foundation

// The browser's own buttons, and what it makes of the page for others.
extension Browser {
  public func goBack() async throws { try await command("POST", "/back", [:]) }
  public func goForward() async throws { try await command("POST", "/forward", [:]) }

  /// The address of the page, without its host.
  public func path() async throws -> String {
    try await script("return location.pathname").string ?? ""
  }

  public func windows() async throws -> [String] {
    try await command("GET", "/window/handles").strings
  }

  /// What a screen reader calls an element, and what it takes it for.
  public func accessible(_ selector: Selector) async throws -> (name: String, role: String) {
    try await on(selector) { element in
      let name = try await command("GET", "/element/\(element.id)/computedlabel").string
      let role = try await command("GET", "/element/\(element.id)/computedrole").string
      return (name ?? "", role ?? "")
    }
  }

  /// From now on each answer takes so much longer.
  public func delayAnswers(milliseconds: Int) async throws {
    try await developerCommand("Network.enable")
    try await developerCommand(
      "Network.emulateNetworkConditions",
      [
        "offline": false, "latency": .number(Double(milliseconds)), "downloadThroughput": -1,
        "uploadThroughput": -1,
      ])
  }
}
