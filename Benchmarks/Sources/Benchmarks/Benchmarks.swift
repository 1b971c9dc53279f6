import Foundation

/// Measures this package beside its peers, in one process, and prints a line for each pair.
@main
struct Benchmarks {
  static func main() {
    do { try run() } catch {
      FileHandle.standardError.write(Data("benchmarks: \(error)\n".utf8))
      exit(1)
    }
  }

  private static func run() throws {
    if try MemoryProbe.answered(ProcessInfo.processInfo.environment) { return }
    let options = try Options(environment: ProcessInfo.processInfo.environment)
    ConnectionWatch.start()
    let workspace = try Workspace()
    defer { workspace.remove() }
    let report = Report(machine: Machine.current, options: options)
    report.printHeader()
    for plan in Plan.all where options.selects(plan) {
      try measure(plan, options: options, workspace: workspace, into: report)
    }
    try report.finish()
  }

  private static func measure(
    _ plan: Plan, options: Options, workspace: Workspace, into report: Report
  ) throws {
    let size = options.isSmoke ? plan.smokeSize : plan.size
    let scenario = try plan.make(size, workspace)
    let series = try Series(scenario, runs: options.runs, runsOfShort: options.runsOfShort)
    report.add(series, of: plan, size: size)
    workspace.clear()
  }
}
