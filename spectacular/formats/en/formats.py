"""Nov. 30, 2026, 14:05"""

DATE_FORMAT = "N j, Y"
TIME_FORMAT = "H:i"
DATETIME_FORMAT = "N j, Y, H:i"
