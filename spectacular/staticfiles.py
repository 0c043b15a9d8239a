"""Static files under names that change with their content."""

from __future__ import annotations

from django.contrib.staticfiles.storage import HashedFilesMixin
from whitenoise.storage import CompressedManifestStaticFilesStorage

_EVERY_SCRIPT, _IMPORTS = HashedFilesMixin._js_module_import_aggregation_patterns


class HashedStaticFilesStorage(CompressedManifestStaticFilesStorage):
    """Compressed, cached for good; what our own modules import is renamed as well.

    Django can do that for every script, but those of packages hold imports that lead nowhere.
    """

    patterns = (*CompressedManifestStaticFilesStorage.patterns, ("games/*.js", _IMPORTS))
