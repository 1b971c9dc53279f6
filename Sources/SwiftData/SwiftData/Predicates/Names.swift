import CoreData

// Disambiguates from Foundation's classes of the same names.
typealias NSExpression = CoreData.NSExpression
typealias NSPredicate = CoreData.NSPredicate
typealias NSComparisonPredicate = CoreData.NSComparisonPredicate
typealias NSCompoundPredicate = CoreData.NSCompoundPredicate
