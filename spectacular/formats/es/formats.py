"""30 nov 2026, 14:05"""

DATE_FORMAT = "j b Y"
TIME_FORMAT = "H:i"
DATETIME_FORMAT = "j b Y, H:i"
