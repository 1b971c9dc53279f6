import Testing

/// A format that has no meaning, and the error that it has to be.
struct MalformedFormat: CustomTestStringConvertible, Sendable {
  let format: String
  /// The position, a space and the reason.
  let error: String

  var testDescription: String { format }

  /// Each format is followed by its error, indented.
  static let all: [MalformedFormat] = {
    let lines = table.split(separator: "\n")
    return stride(from: 0, to: lines.count, by: 2).map {
      MalformedFormat(format: String(lines[$0]), error: String(lines[$0 + 1].dropFirst(2)))
    }
  }()

  private static let table = #"""
    name = 'Pepe's'
      14 the string that begins here has no end
    ssid == 'JR's Pad'
      17 the string that begins here has no end
    xxx == 5475f323e4b09e6d7a7a151e
      7 a name cannot begin with a digit
    !($A.value == 1).value
      2 expected an expression, found a predicate
    a=1 OR b CONTAIN 'x'
      9 expected an operator, found "CONTAIN"
    étrange == 'x'
      0 "é" is no part of the language
    name = '!$&'()*+,;='
      17 ";" is no part of the language
    p == %@ and (not (%@))
      5 there is no argument 1: 0 were given
    (a='x'ANDb='y')
      6 expected ")" after what the parenthesis holds, found "ANDb"
    1
      0 expected a predicate, found an expression alone
    0 || 1
      0 expected a predicate, found an expression alone
    TRUE
      0 expected a predicate, found an expression alone
    FALSE
      0 expected a predicate, found an expression alone
    %k like %@
      0 expected a conversion like %@, %K, %d or %f
    SELF like[c] %@?%@
      15 "?" is no part of the language
    ? = 'ABC'
      0 "?" is no part of the language
    ~(1) == 0
      0 "~" is no part of the language
    'FUNCTION('a', 'uppercase')'
      11 expected an operator, found "a"
    FUNCTION('abc', func, a) == 1
      16 expected a selector in quotes as the second part of FUNCTION, found "func"
    foo == @%
      8 expected the name of a collection operator after @
    name ==
      7 expected an expression, found the end
    == 'x'
      0 expected an expression, found "=="
    name 'x'
      5 expected an operator, found a string
    name == 'x' AND
      15 expected an expression, found the end
    AND name == 'x'
      0 expected an expression, found the word AND of the language (a key of that name is written #AND)
    (name == 'x'
      12 expected ")" after what the parenthesis holds, found the end
    name == 'x')
      11 expected an operator, found ")"
    name === 'x'
      7 expected an expression, found "="
    name =! 'x'
      6 expected an expression, found "!"
    name LIKES 'x'
      5 expected an operator, found "LIKES"
    name BEGINS WITH 'x'
      5 expected an operator, found "BEGINS"
    name IS NULL
      5 expected an operator, found "IS"
    name NOT IN {1}
      5 there is no NOT IN: write NOT (a IN b)
    age BETWEEN 1 AND 5
      18 expected a predicate, found an expression alone
    name IN ('a', 'b')
      12 expected ")" after what the parenthesis holds, found ","
    name IN {'a', 'b'
      17 expected "}" or "," after an element, found the end
    name IN {'a' 'b'}
      13 expected "}" or "," after an element, found a string
    name == "abc
      8 the string that begins here has no end
    SUBQUERY(a, x, x == 1).@count > 0
      12 expected a variable like $x as the second part of SUBQUERY, found "x"
    SUBQUERY(a, $x).@count > 0
      14 expected "," between the parts of SUBQUERY, found ")"
    ANY (a == 1 AND b == 2)
      23 expected a comparison after ANY, found the end
    ANY a
      5 expected a comparison after ANY, found the end
    NOT
      3 expected an expression, found the end
    a == b == c
      7 expected an operator, found "=="
    a[
      2 expected an expression, found the end
    a[] == 1
      2 expected an expression, found "]"
    a..b == 1
      2 expected a key after the dot, found "."
    a. == 1
      3 expected a key after the dot, found "=="
    $ == 1
      1 expected the name of a variable after $
    name CONTAINS[c 'a'
      16 expected "]" after the options, found a string
    name ==[x] 'a'
      8 "x" is none of the options c, d, n and l
    name == %
      8 expected a conversion like %@, %K, %d or %f
    TERNARY(a, 1, 2) == 1
      8 expected a predicate, found an expression alone
    size == 3
      0 expected an expression, found the word size of the language (a key of that name is written #size)
    first == 1
      0 expected an expression, found the word first of the language (a key of that name is written #first)
    CAST(1) == 1
      6 expected "," between the parts of CAST, found ")"
    a == 0x
      5 expected digits of base 16, for 64 bits at most
    a == 1.2.3
      8 a number has one decimal point
    a == 1 && && b == 2
      10 expected an expression, found "&&"
    a == 1; b == 2
      6 ";" is no part of the language
    WHERE a = 1
      6 expected an operator, found "a"
    a = 1 ORDER BY b
      6 expected an operator, found "ORDER"
    a == :param
      5 expected an expression, found ":"
    count == %d
      9 there is no argument 1: 0 were given
    name == %@
      8 there is no argument 1: 0 were given
    nosuchfunction(a) == 1
      0 there is no function nosuchfunction
    a UTI-EQUALS 'public.text'
      2 UTI-EQUALS is not supported: there are no type identifiers here
    $x := 1
      3 assignment to a variable is not supported
    a == '\uD800'
      8 half of a surrogate pair is no character
    a == '\xZZ'
      8 expected 2 digits of base 16 in the escape
    a == 1 OR
      9 expected an expression, found the end
    ()
      1 expected an expression, found ")"
    {1, 2
      5 expected "}" or "," after an element, found the end
    a == {1, }
      9 expected an expression, found "}"
    NOT 1
      4 expected a predicate, found an expression alone
    a AND b
      0 expected a predicate, found an expression alone
    (a == 1) + 2 == 3
      1 expected an expression, found a predicate
    a == (b == c)
      6 expected an expression, found a predicate
    a == 1 b
      7 expected an operator, found "b"
    a == 1 NOT
      7 expected an operator, found "NOT"
    ANY
      3 expected an expression, found the end
    ALL == 1
      4 expected an expression, found "=="
    a.5 == 1
      2 expected a key after the dot, found a number
    a == 5x
      5 a name cannot begin with a digit
    a == 99999999999999999999e999
      5 the number is too large
    FETCH(a, b) == 1
      10 expected "," between the parts of FETCH, found ")"
    TERNARY(a == 1, 2) == 1
      17 expected "," between the parts of TERNARY, found ")"
    a ==[] 1
      5 expected options like [cd], found "]"
    #
      1 expected the name of a key after #
    @ == 1
      1 expected the name of a collection operator after @
    a == 'x' 'y'
      9 expected an operator, found a string
    max:( == 1
      6 expected an expression, found "=="
    a == `b`
      5 "`" is no part of the language
    [a] == 1
      0 expected an expression, found "["
    a == 1,
      6 expected an operator, found ","
    a == }
      5 expected an expression, found "}"
    a = = 1
      4 expected an expression, found "="
    a ! = 1
      2 expected an operator, found "!"
    a > > 1
      4 expected an expression, found ">"
    a =!= 1
      3 expected an expression, found "!="
    a ==! 1
      4 expected an expression, found "!"
    LIKE 'x'
      0 expected an expression, found the word LIKE of the language (a key of that name is written #LIKE)
    a MATCHES
      9 expected an expression, found the end
    IN {1}
      0 expected an expression, found the word IN of the language (a key of that name is written #IN)
    a IN {1,,2}
      8 expected an expression, found ","
    a IN [1, 2]
      6 expected options like [cd], found a number
    a IN {1, 2))
      10 expected "}" or "," after an element, found ")"
    a BETWEEN {1, 2
      15 expected "}" or "," after an element, found the end
    a BETWEEN (1, 2)
      12 expected ")" after what the parenthesis holds, found ","
    a CONTAINS[cd 'x'
      14 expected "]" after the options, found a string
    a CONTAINS[1] 'x'
      11 expected options like [cd], found a number
    a CONTAINS[c][d] 'x'
      13 expected an expression, found "["
    a NOT LIKE 'x'
      2 expected an operator, found "NOT"
    a IS 1
      2 expected an operator, found "IS"
    NOT NOT
      7 expected an expression, found the end
    !a
      1 expected a predicate, found an expression alone
    NOT (a)
      5 expected a predicate, found an expression alone
    a == 1 AND AND b == 2
      11 expected an expression, found the word AND of the language (a key of that name is written #AND)
    a == 1 AND OR b == 2
      11 expected an expression, found the word OR of the language (a key of that name is written #OR)
    || a == 1
      0 expected an expression, found "||"
    a == 1 &
      8 expected an expression, found the end
    a == 1 & & b
      9 expected an expression, found "&"
    a == 1 OR NOT )
      14 expected an expression, found ")"
    a == 1, b == 2
      6 expected an operator, found ","
    a == 1 AND b
      11 expected a predicate, found an expression alone
    a == 1 AND 'x'
      11 expected a predicate, found an expression alone
    (a == 1))
      8 expected an operator, found ")"
    )a == 1(
      0 expected an expression, found ")"
    (a == 1) b
      9 expected an operator, found "b"
    a == ()
      6 expected an expression, found ")"
    a == 1)
      6 expected an operator, found ")"
    a + == 1
      4 expected an expression, found "=="
    * a == 1
      0 expected an expression, found "*"
    a ** == 1
      5 expected an expression, found "=="
    a - == 1
      4 expected an expression, found "=="
    a == - -
      8 expected an expression, found the end
    a == +1
      5 expected an expression, found "+"
    a == 5%
      6 expected a conversion like %@, %K, %d or %f
    a ; b
      2 ";" is no part of the language
    a == "x
      5 the string that begins here has no end
    a == "it's
      5 the string that begins here has no end
    a == '\u12'
      8 expected 4 digits of base 16 in the escape
    a == '\8' 'x'
      10 expected an operator, found a string
    a == 0b2
      5 expected digits of base 2, for 64 bits at most
    a == 0xG
      5 expected digits of base 16, for 64 bits at most
    a == .5
      5 expected an expression, found "."
    a == 1abc
      5 a name cannot begin with a digit
    1a == 1
      0 a name cannot begin with a digit
    .a == 1
      0 expected an expression, found "."
    a.(b) == 1
      2 expected a key after the dot, found "("
    a.@ == 1
      3 expected the name of a collection operator after @
    @.a == 1
      1 expected the name of a collection operator after @
    #1 == 1
      1 expected the name of a key after #
    $1 == 1
      1 expected the name of a variable after $
    a[ == 1
      3 expected an expression, found "=="
    a[1)] == 1
      3 expected "]" after the index, found ")"
    a[FIRST == 1
      8 expected "]" after the index, found "=="
    a]0[ == 1
      0 expected a predicate, found an expression alone
    FIRST == 1
      0 expected an expression, found the word FIRST of the language (a key of that name is written #FIRST)
    like == 1
      0 expected an expression, found the word like of the language (a key of that name is written #like)
    a == like
      5 expected an expression, found the word like of the language (a key of that name is written #like)
    between == 1
      0 expected an expression, found the word between of the language (a key of that name is written #between)
    ANY == 1
      4 expected an expression, found "=="
    ANY NOT a == 1
      4 expected an expression, found the word NOT of the language (a key of that name is written #NOT)
    NONE a b
      7 expected a comparison after NONE, found "b"
    SUBQUERY == 1
      0 expected an expression, found the word SUBQUERY of the language (a key of that name is written #SUBQUERY)
    SUBQUERY(a) == 1
      10 expected "," between the parts of SUBQUERY, found ")"
    SUBQUERY(a, $x, ) == 1
      16 expected an expression, found ")"
    SUBQUERY(a, x, x == 1).@count == 1
      12 expected a variable like $x as the second part of SUBQUERY, found "x"
    SUBQUERY(a, $x, $x == 1, 2).@count == 1
      23 expected ")" after SUBQUERY, found ","
    SUBQUERY(a $x, $x == 1).@count == 1
      11 expected "," between the parts of SUBQUERY, found "$x"
    CAST() == 1
      5 expected an expression, found ")"
    CAST(a) == 1
      6 expected "," between the parts of CAST, found ")"
    CAST(a, NSDate) == 1
      8 expected a type in quotes as the second part of CAST, found "NSDate"
    CAST(a, 1) == 1
      8 expected a type in quotes as the second part of CAST, found a number
    CAST(a, 'NSDate', 1) == 1
      16 expected ")" after CAST, found ","
    CAST(a, 'NSDate' == 1
      8 expected an expression, found a predicate
    TERNARY(a == 1) == 1
      14 expected "," between the parts of TERNARY, found ")"
    TERNARY(a == 1, 2, 3, 4) == 1
      20 expected ")" after TERNARY, found ","
    FUNCTION() == 1
      9 expected an expression, found ")"
    FUNCTION(a) == 1
      10 expected "," between the parts of FUNCTION, found ")"
    FUNCTION(a, b) == 1
      12 expected a selector in quotes as the second part of FUNCTION, found "b"
    FUNCTION(a, 'b', ) == 1
      17 expected an expression, found ")"
    FUNCTION(a, 'b' == 1
      16 expected ")" or "," after a part of FUNCTION, found "=="
    FUNCTION(a 'b') == 1
      11 expected "," between the parts of FUNCTION, found a string
    FETCH() == 1
      6 expected an expression, found ")"
    FETCH(a, b, c, d) == 1
      13 expected ")" after FETCH, found ","
    sum( == 1
      5 expected an expression, found "=="
    sum(a,) == 1
      6 expected an expression, found ")"
    sum:a == 1
      6 expected "(" before the arguments of sum:a, found "=="
    sum::(a) == 1
      4 expected "(" before the arguments of sum:, found ":"
    nosuch(a) == 1
      0 there is no function nosuch
    add:two:(1, 2) == 3
      0 there is no function add:two:
    now(
      4 expected an expression, found the end
    {1, 2}
      0 expected a predicate, found an expression alone
    {} {}
      3 expected an operator, found "{"
    a UNION == b
      8 expected an expression, found "=="
    a == b UNION
      12 expected an expression, found the end
    a MINUS == 1
      8 expected an expression, found "=="
    TRUEPREDICATE TRUEPREDICATE
      14 expected an operator, found "TRUEPREDICATE"
    TRUEPREDICATE + 1 == 2
      0 expected an expression, found a predicate
    NOT TRUEPREDICATE == 1
      4 expected an expression, found a predicate
    YES
      0 expected a predicate, found an expression alone
    NULL
      0 expected a predicate, found an expression alone
    SELF SELF
      5 expected an operator, found "SELF"
    SELF. == 1
      6 expected a key after the dot, found "=="
    ANYKEY
      0 expected a predicate, found an expression alone
    $a := 1
      3 assignment to a variable is not supported
    a := 1
      2 expected an operator, found ":="
    % == 1
      0 expected a conversion like %@, %K, %d or %f
    %% == 1
      0 % is no operator: a remainder is written modulus:by:(a, b)
    a %% 2 == 1
      2 % is no operator: a remainder is written modulus:by:(a, b)
    a == %y
      5 expected a conversion like %@, %K, %d or %f
    a == %5
      5 expected a conversion like %@, %K, %d or %f
    %K == 1
      0 there is no argument 1: 0 were given
    a == %d AND b == %f
      5 there is no argument 1: 0 were given
    a == 1 LIMIT 5
      7 expected an operator, found "LIMIT"
    a == 1 /* c */
      8 expected an expression, found "*"
    a == {key: 1}
      11 expected "(" before the arguments of key:, found a number
    a == <1>
      5 expected an expression, found "<"
    a == @1
      6 expected the name of a collection operator after @
    a =~ 'x'
      3 "~" is no part of the language
    a ?? 1
      2 "?" is no part of the language
    a == “x”
      5 "“" is no part of the language
    a ≤ 1
      2 "≤" is no part of the language
    ä == 1
      0 "ä" is no part of the language
    日本 == 1
      0 "日" is no part of the language
    a == 😂
      5 "😂" is no part of the language
    a'b' == 1
      1 expected an operator, found a string
    a like 'x' escape '\'
      18 the string that begins here has no end
    a is null
      2 expected an operator, found "is"
    a.b() == 1
      3 expected an operator, found "("
    a == 1\n AND
      6 "\" is no part of the language
    name == 'x' AND age >
      21 expected an expression, found the end
    @count
      0 expected a predicate, found an expression alone
    $x.
      3 expected a key after the dot, found the end
    $x[
      3 expected an expression, found the end
    """#
}
