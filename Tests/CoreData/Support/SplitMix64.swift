import TestSupport

typealias SplitMix64 = TestSupport.SplitMix64
