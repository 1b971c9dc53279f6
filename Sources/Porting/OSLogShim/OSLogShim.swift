// `import OSLog` includes all of `os`, as on Apple's systems.
@_exported import OSShim
