import TestSupport

/// A folder for one test, removed with it.
typealias TemporaryFolder = TestFolder
