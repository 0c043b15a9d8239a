"""The game of Spectacular Bid: pure values and functions, standard library only.

Nothing here reads a clock, draws a random number, touches a database or says a
sentence. Times are whole milliseconds and are passed in; a refusal is an
:class:`~games.rules.errors.Illegal` with a code and parameters.
"""
