import TestSupport

extension Browser {
  /// Runs a script in the page: the body of a function, which returns its answer.
  @discardableResult
  public func script(_ body: String, _ arguments: [JSONValue] = []) async throws -> JSONValue {
    try await command(
      "POST", "/execute/sync", ["script": .string(body), "args": .array(arguments)])
  }

  /// Waits until a JavaScript expression is true.
  public func wait(until expression: String) async throws {
    try await wait(for: "return (\(expression))", [], saying: expression)
  }

  /// Waits until the function with this body returns something true, and answers with that.
  ///
  /// The page itself looks again and again; when it is replaced meanwhile, the next page is asked.
  @discardableResult
  func wait(
    for body: String, _ arguments: [JSONValue], saying condition: String
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
    var answer = JSONValue.null
    let waiting = JSONValue.object(["script": .string(script), "args": .array(arguments)])
    do {
      try await retrying(condition) {
        answer = try await command("POST", "/execute/async", waiting)
        return answer != .null
      }
    } catch is WaitedInVain {
      let page = try await self.script("return document.body.innerText").string ?? ""
      throw BrowserError.timedOut(condition: condition, page: page)
    }
    return answer
  }

  /// Does something again and again until it answers that it has succeeded. What the browser refuses is tried anew; the
  /// last refusal is the error when the time is over.
  func retrying(
    _ what: String, unless isFinal: (BrowserError) -> Bool = { _ in false },
    _ body: () async throws -> Bool
  ) async throws {
    var refusal: BrowserError?
    do {
      try await Patience.waiting(for: what) {
        do {
          let isDone = try await body()
          refusal = nil
          return isDone
        } catch let error as BrowserError where !isFinal(error) {
          refusal = error
          return false
        }
      }
    } catch is WaitedInVain where refusal != nil {
      throw refusal ?? .timedOut(condition: what, page: "")
    }
  }
}
