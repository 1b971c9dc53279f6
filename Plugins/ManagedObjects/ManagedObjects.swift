import Foundation
import PackagePlugin

/// Generates managed object classes and resources from a target's models.
///
/// For each target: the classes that its models request, the accessors of `@NSManaged` properties,
/// the models as resources (`X.momd`) and embedded, and the mapping models as resources (`X.cdm`).
/// Classes and models are registered before `main`. A file `ManagedObjects.json` in the target sets
/// the style of the classes.
@main
struct ManagedObjects: BuildToolPlugin {
  func createBuildCommands(
    context: PluginContext, target: any Target
  ) throws -> [Command] {
    guard let target = target as? SwiftSourceModuleTarget else {
      Diagnostics.error("ManagedObjects works on Swift targets; \(target.name) is none")
      return []
    }
    return [try Build(context: context, target: target).command()]
  }
}

/// The command for one target.
private struct Build {
  let context: PluginContext
  let target: SwiftSourceModuleTarget

  private var models: [URL] {
    target.sourceFiles.map(\.url).filter {
      ["xcdatamodeld", "xcdatamodel"].contains($0.pathExtension)
    }
  }

  /// The file with the style of the classes, if the target has one.
  private var options: [URL] {
    target.sourceFiles.map(\.url).filter { $0.lastPathComponent == "ManagedObjects.json" }
  }

  private var mappingModels: [URL] {
    target.sourceFiles.map(\.url).filter { $0.pathExtension == "xcmappingmodel" }
  }

  private var sources: [URL] {
    target.sourceFiles.map(\.url).filter { $0.pathExtension == "swift" }
  }

  /// The modules that the target may import in addition to the system's.
  private var dependencies: [String] {
    let targets = target.recursiveTargetDependencies.compactMap { $0 as? any SourceModuleTarget }
    return Set(targets.map(\.moduleName) + ["CoreData"]).sorted()
  }

  func command() throws -> Command {
    let output = context.pluginWorkDirectoryURL.appending(
      path: "\(target.moduleName)ManagedObjects.swift")
    let modelFolder = context.pluginWorkDirectoryURL.appending(path: "Models")
    let modelOutputs = models.map { url in
      modelFolder.appending(path: url.deletingPathExtension().lastPathComponent + ".momd")
    }
    let mappingOutputs = mappingModels.map { url in
      modelFolder.appending(path: url.deletingPathExtension().lastPathComponent + ".cdm")
    }
    let packages = models + mappingModels
    return .buildCommand(
      displayName: "Managed objects of \(target.name)",
      executable: try context.tool(named: "ModelCompilerTool").url,
      arguments: try arguments(output: output, modelFolder: modelFolder),
      // The models themselves are inputs too; otherwise SwiftPM reports unhandled files.
      inputFiles: sources + options + packages + packages.flatMap(files),
      outputFiles: [output] + modelOutputs + mappingOutputs)
  }

  private func arguments(output: URL, modelFolder: URL) throws -> [String] {
    let work = context.pluginWorkDirectoryURL.appending(path: "Work")
    var arguments = [
      "--module", target.moduleName, "--output", output.path, "--models", modelFolder.path,
      "--work",
      work.path, "--compiler", try context.tool(named: "swiftc").url.path,
    ]
    for condition in target.compilationConditions { arguments += ["--define", condition] }
    for module in dependencies { arguments += ["--dependency", module] }
    for file in options { arguments += ["--options", file.path] }
    for model in models { arguments += ["--model", model.path] }
    for model in mappingModels { arguments += ["--mapping-model", model.path] }
    return arguments + sources.map(\.path)
  }

  /// The files inside a model; a change of one is a change of the model.
  private func files(in model: URL) -> [URL] {
    let names = FileManager.default.subpaths(atPath: model.path) ?? []
    return names.sorted().map { model.appending(path: $0) }.filter { url in
      ["contents", "elements", ".xccurrentversion", "xcmapping.xml"].contains(url.lastPathComponent)
    }
  }
}
