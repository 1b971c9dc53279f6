import Foundation
import Logging
import Testing
import os

struct LogLevelTests {
  private typealias Level = Logging.Logger.Level

  private let methods: [(Level, (os.Logger, OSLogMessage) -> Void)] = [
    (.trace, { $0.trace($1) }), (.debug, { $0.debug($1) }), (.info, { $0.info($1) }),
    (.notice, { $0.notice($1) }), (.notice, { $0.log($1) }), (.warning, { $0.warning($1) }),
    (.error, { $0.error($1) }), (.critical, { $0.critical($1) }), (.critical, { $0.fault($1) }),
  ]

  private let types: [(OSLogType, Level)] = [
    (.debug, .debug), (.info, .info), (.default, .notice), (.error, .error), (.fault, .critical),
  ]

  /// Every way to write a message of a type.
  private let forms: [(OSLog, OSLogType) -> Void] = [
    { os.Logger($0).log(level: $1, "\(7) of \("me", privacy: .public)") },
    { os_log($1, log: $0, "\(7) of \("me", privacy: .public)") },
    { os_log("%d of %{public}@", log: $0, type: $1, 7, "me") },
    { os_log($1, log: $0, "%d of %{public}@", 7, "me") },
    { os_log("%d of %{public}s", log: $0, type: $1, 7 as NSNumber, "me" as NSString) },
  ]

  @Test func eachMethodHasItsLevel() {
    for (level, write) in methods {
      let label = LogRecorder.label()
      write(os.Logger(subsystem: label, category: "orders"), "text")
      #expect(
        LogRecorder.messages(label)
          == [.init(level: level, text: "text", metadata: ["category": "orders"])])
    }
  }

  @Test func eachFormWritesEachType() {
    for (form, write) in forms.enumerated() {
      for (type, level) in types {
        let label = LogRecorder.label()
        write(OSLog(subsystem: label, category: "c"), type)
        #expect(
          LogRecorder.messages(label)
            == [.init(level: level, text: "7 of me", metadata: ["category": "c"])],
          "form \(form)")
      }
    }
  }

  @Test func whatNobodySeesIsNotAskedFor() {
    for write in [Self.ask, { OSLogAsking.format($0, $1, $2) }] {
      for (type, level) in types {
        let label = LogRecorder.label(quiet: true)
        let log = OSLog(subsystem: label, category: "c")
        let asked = Asked()
        write(log, type, asked)
        #expect(asked.count == (level >= .error ? 1 : 0))
        #expect(log.isEnabled(type: type) == (level >= .error))
        #expect(LogRecorder.messages(label).count == asked.count)
      }
    }
  }

  private static func ask(_ log: OSLog, _ type: OSLogType, _ asked: Asked) {
    os.Logger(log).log(level: type, "\(asked.description)")
  }

  @Test func aDisabledLogIsSilent() {
    let asked = Asked()
    for (type, _) in types {
      os.Logger(OSLog.disabled).log(level: type, "\(asked.description)")
      #expect(!OSLog.disabled.isEnabled(type: type))
    }
    #expect(asked.count == 0)
    #expect(!OSSignposter.disabled.isEnabled)
  }
}

/// Counts how often it is described.
final class Asked: CustomStringConvertible {
  private(set) var count = 0
  var description: String {
    count += 1
    return "asked"
  }
}

private enum OSLogAsking {
  static func format(_ log: OSLog, _ type: OSLogType, _ asked: Asked) {
    os_log("%@", log: log, type: type, asked)
  }
}
