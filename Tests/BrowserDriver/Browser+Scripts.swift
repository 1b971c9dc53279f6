extension Browser {
  /// Runs a script in the page: the body of a function, which returns its answer.
  @discardableResult
  public func script(_ body: String, _ arguments: [JSONValue] = []) async throws -> JSONValue {
    try await command(
      "POST", "/execute/sync", ["script": .string(body), "args": .array(arguments)])
  }

  /// Waits until a JavaScript expression is true.
  public func wait(until expression: String, within limit: Duration = .seconds(10)) async throws {
    try await wait(for: "return (\(expression))", [], saying: expression, within: limit)
  }

  /// Waits until the function with this body returns something true, and answers with that.
  ///
  /// The page itself looks again and again; when it is replaced meanwhile, the next page is asked.
  @discardableResult
  func wait(
    for body: String, _ arguments: [JSONValue], saying condition: String,
    within limit: Duration = .seconds(10)
  ) async throws -> JSONValue {
    let script = """
      const done = arguments[arguments.length - 1];
      const values = [...arguments].slice(0, -1);
      const test = function () { \(body) };
      const until = Date.now() + 2000;
      (function look() {
        let answer = null;
        try { answer = test.apply(null, values); } catch (error) {}
        if (answer || Date.now() > until) done(answer || null); else setTimeout(look, 10);
      })();
      """
    let deadline = ContinuousClock.now + limit
    var lastError: (any Error)?
    while ContinuousClock.now < deadline {
      do {
        let answer = try await command(
          "POST", "/execute/async", ["script": .string(script), "args": .array(arguments)])
        if answer != .null { return answer }
      } catch {
        lastError = error
      }
    }
    if let lastError { throw lastError }
    let page = try await self.script("return document.body.innerText").string ?? ""
    throw BrowserError.timedOut(condition: condition, page: page)
  }
}
