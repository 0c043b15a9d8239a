"""Static files under names that change with their content."""

from __future__ import annotations

from whitenoise.storage import CompressedManifestStaticFilesStorage

IMPORTS = (
    (
        r"""(?P<matched>import (?P<names>[^"';]+) from "(?P<url>\.[^"]+)";)""",
        'import %(names)s from "%(url)s";',
    ),
    (r"""(?P<matched>import "(?P<url>\.[^"]+)";)""", 'import "%(url)s";'),
)


class HashedStaticFilesStorage(CompressedManifestStaticFilesStorage):  # type: ignore[misc]
    """Compressed, cached for good; what our own modules import is renamed as well.

    Django can do that for every script, but those of packages hold imports that lead nowhere.
    """

    patterns = (*CompressedManifestStaticFilesStorage.patterns, ("games/*.js", IMPORTS))
