// What `import OSLog` brings, as on Apple's systems: all of `os`.
@_exported import OSShim
