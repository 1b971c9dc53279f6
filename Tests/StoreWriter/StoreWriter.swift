import Foundation

@testable import CoreData

/// A process that writes to a store, for tests that need more than one or that kill it.
///
///     StoreWriter saves STORE                       numbered saves until it is killed, see NumberedSaves
///     StoreWriter migrate STORE WAY                 opens it as the next version, see MigrationWay
///     StoreWriter fill STORE COUNT                  makes a store of so many items, see PolicyMemory
///     StoreWriter peak STORE LIMIT                  migrates it; what that took at its peak, in bytes
///     StoreWriter share STORE AUTHOR SECONDS SEED   works beside another one, see SharedWork
///     StoreWriter crowd STORE AUTHOR SECONDS CONTEXTS   works on a server's store, see CrowdWork
///     StoreWriter fleet STORE AUTHOR CONTEXTS TIMEOUT SEED   edits beside others, see FleetWork
///     StoreWriter heart STORE CALL KIND TIMEOUT TASKS   many tasks at once, see HeartWork
///     StoreWriter connect ADDRESS [TIMEOUT]         how long a silent server is waited for
@main
enum StoreWriter {
  static func main() throws {
    let arguments = CommandLine.arguments
    guard arguments.count > 2 else { fatalError("A command and a store are needed.") }
    let url = URL(fileURLWithPath: arguments[2])
    if arguments[1] == "migrate" {
      guard let way = arguments.dropFirst(3).first.flatMap(MigrationWay.init(rawValue:)) else {
        fatalError("A way to migrate is needed.")
      }
      tell("ready")
      _ = try way.migrate(url)
      return tell("done")
    }
    if arguments.count == 4, let number = Int(arguments[3]) {
      if arguments[1] == "fill" { return try PolicyMemory.make(url, count: number) }
      if arguments[1] == "peak" {
        return tell("\(try DraftSaves.$limit.withValue(number) { try PolicyMemory.migrate(url) })")
      }
    }
    if arguments[1] == "crowd", arguments.count == 6, let server = URL(string: arguments[2]),
      let seconds = Double(arguments[4]), let contexts = Int(arguments[5])
    {
      return try CrowdWork(server, author: arguments[3], contexts: contexts).run(seconds: seconds)
    }
    if arguments[1] == "fleet", arguments.count == 7, let server = URL(string: arguments[2]),
      let contexts = Int(arguments[4]), let timeout = Double(arguments[5]),
      let seed = UInt64(arguments[6])
    {
      return try FleetWork(server, author: arguments[3], timeout: timeout, seed: seed)
        .run(contexts: contexts)
    }
    if arguments[1] == "heart", arguments.count == 7,
      let call = HeartWork.Call(rawValue: arguments[3]),
      let kind = HeartWork.Kind(rawValue: arguments[4]), let timeout = Double(arguments[5]),
      let tasks = Int(arguments[6])
    {
      let place = URL(string: arguments[2]).flatMap { $0.scheme == nil ? nil : $0 } ?? url
      return try HeartWork(place, call, kind, timeout: timeout).run(tasks: tasks)
    }
    if arguments[1] == "connect", let server = URL(string: arguments[2]) {
      let timeout = arguments.dropFirst(3).first.flatMap(Double.init)
      return tell("\(try ConnectWork.seconds(server, timeout: timeout))")
    }
    let coordinator = try WriterModel.coordinator(url)
    switch (arguments[1], arguments.count) {
    case ("saves", 3): try NumberedSaves(coordinator).run()
    case ("share", 6):
      guard let seconds = Double(arguments[4]), let seed = UInt64(arguments[5]) else { fallthrough }
      try SharedWork(coordinator, author: arguments[3], seed: seed).run(seconds: seconds)
    default: fatalError("No such command: \(arguments.dropFirst().joined(separator: " "))")
    }
  }

  /// Tells the test a line, which is on its way when this returns.
  static func tell(json value: some Encodable) throws {
    tell(String(decoding: try JSONEncoder().encode(value), as: UTF8.self))
  }

  static func tell(_ line: String) { FileHandle.standardOutput.write(Data("\(line)\n".utf8)) }
}
