import TestSupport

typealias SplitMix64 = TestSupport.SplitMix64
/// Which of generated cases are tried.
typealias Sample = TestSupport.Sample
