"""Days and times as the site writes them, where Django's own would be long or count to 12."""
