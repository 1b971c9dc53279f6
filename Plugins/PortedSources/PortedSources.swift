import Foundation
import PackagePlugin

/// Compiles sources made for Xcode without changes to them.
///
/// A target names the sources in `ported.json`, beside its own source file. Copies that need no
/// Objective-C are compiled with the target. Their models and managed object classes are processed
/// as `ManagedObjects` does.
@main
struct PortedSources: BuildToolPlugin {
  func createBuildCommands(
    context: PluginContext, target: any Target
  ) throws -> [Command] {
    guard let target = target as? SwiftSourceModuleTarget else {
      Diagnostics.error("PortedSources works on Swift targets; \(target.name) is none")
      return []
    }
    do {
      let configuration = try PortedConfiguration(folder: target.directoryURL)
      return try Build(
        context: context, target: target, configuration: configuration,
        files: configuration.files()
      ).commands()
    } catch let error as ConfigurationError {
      Diagnostics.error(error.description)
      return []
    }
  }
}

/// The commands for one target: for its sources, and for their models and classes.
private struct Build {
  let context: PluginContext
  let target: SwiftSourceModuleTarget
  let configuration: PortedConfiguration
  let files: PortedFiles

  private var own: [URL] { target.sourceFiles.map(\.url) }
  private var ownSources: [URL] { own.filter { $0.pathExtension == "swift" } }
  private var folder: URL { context.pluginWorkDirectoryURL }
  private var copies: [URL] {
    // The names differ from the originals': the compiler warns if `#sourceLocation` names another
    // file of the same name.
    files.sources.map { source in
      folder.appending(
        path: "Sources/\(source.deletingPathExtension().lastPathComponent)+Ported.swift")
    }
  }

  func commands() throws -> [Command] { [try port(), try compileModels()] }

  private func port() throws -> Command {
    var arguments = [
      "--output", folder.appending(path: "Sources").path,
      "--notes", folder.appending(path: "Notes.json").path,
      "--configuration", configuration.file.path,
    ]
    for condition in configuration.conditions { arguments += ["--define", condition] }
    for source in ownSources { arguments += ["--companion", source.path] }
    return .buildCommand(
      displayName: "Porting sources of \(target.name)",
      executable: try context.tool(named: "SourcePorterTool").url,
      arguments: arguments + files.sources.map(\.path),
      // The folders are inputs: changes in them do not make SwiftPM plan again, so the tool checks.
      inputFiles: files.sources + ownSources + [configuration.file] + files.folders,
      outputFiles: copies)
  }

  private func compileModels() throws -> Command {
    let output = folder.appending(path: "\(target.moduleName)ManagedObjects.swift")
    let modelFolder = folder.appending(path: "Models")
    let models = files.models + own.filter { PortedFiles.isModel($0) }
    let mappings = files.mappingModels + own.filter { $0.pathExtension == "xcmappingmodel" }
    let options = (own + files.options).filter { $0.lastPathComponent == "ManagedObjects.json" }
    var arguments = [
      "--module", target.moduleName, "--output", output.path, "--models", modelFolder.path,
      "--work", folder.appending(path: "Work").path,
      "--compiler", try context.tool(named: "swiftc").url.path,
    ]
    for condition in target.compilationConditions { arguments += ["--define", condition] }
    for file in options { arguments += ["--options", file.path] }
    for model in models { arguments += ["--model", model.path] }
    for model in mappings { arguments += ["--mapping-model", model.path] }
    let sources = ownSources + copies
    let results =
      models.map {
        modelFolder.appending(path: $0.deletingPathExtension().lastPathComponent + ".momd")
      }
      + mappings.map {
        modelFolder.appending(path: $0.deletingPathExtension().lastPathComponent + ".cdm")
      }
    return .buildCommand(
      displayName: "Managed objects of \(target.name)",
      executable: try context.tool(named: "ModelCompilerTool").url,
      arguments: arguments + sources.map(\.path),
      inputFiles: sources + options + models + mappings
        + (models + mappings).flatMap(PortedFiles.contents),
      outputFiles: [output] + results)
  }
}
