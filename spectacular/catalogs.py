"""The catalogs of translations: what is to be translated, kept beside how, and compiled.

What is to be translated is read from the code itself: Python by its syntax tree, templates as
Django compiles them, so that a text here is the very one that is looked up when a page is made.
Needs Babel, which only developers install; a running site needs the compiled catalogs alone.
"""

from __future__ import annotations

import ast
import io
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import NamedTuple

import django
from babel.messages.catalog import Catalog as BabelCatalog
from babel.messages.catalog import Message as BabelMessage
from babel.messages.mofile import write_mo
from babel.messages.pofile import PoFileParser, write_po
from django.conf import settings
from django.template import engines
from django.template.base import Lexer, Template, TokenType
from django.templatetags.i18n import BlockTranslateNode, TranslateNode

PACKAGES = ("accounts", "games", "ratings", "spectacular")
WIDTH = 100
HEADER = (
    "# {name}. `manage.py catalogs` keeps the texts; only the translations are written by hand."
)


class Message(NamedTuple):
    """A text to be translated; ``plural`` and ``context`` are empty where it has none."""

    text: str
    plural: str = ""
    context: str = ""

    @property
    def key(self) -> str | tuple[str, str]:
        return (self.text, self.plural) if self.plural else self.text


@dataclass
class Found:
    """The texts of the site, and the files each of them is in."""

    files: dict[Message, set[str]] = field(default_factory=dict)

    def add(self, message: Message, file: str) -> None:
        self.files.setdefault(message, set()).add(file)

    def in_order(self) -> list[tuple[Message, list[str]]]:
        """File by file, so that what belongs together is read together; within one by text."""
        listed = [(message, sorted(files)) for message, files in self.files.items()]
        return sorted(listed, key=lambda item: (item[1][0], *item[0]))


class NotATextError(ValueError):
    """Something is to be translated that cannot be read from the code; says what and where."""


# Where each argument of a function of django.utils.translation belongs.
_ARGUMENTS: dict[str, tuple[str, ...]] = {
    "gettext": ("text",),
    "gettext_noop": ("text",),
    "ngettext": ("text", "plural"),
    "pgettext": ("context", "text"),
    "npgettext": ("context", "text", "plural"),
}
_ARGUMENTS |= {f"{name}_lazy": arguments for name, arguments in _ARGUMENTS.items()}


def in_python(source: str, name: str) -> Iterator[Message]:
    """Every text a Python file hands to Django's functions, under whatever name it has them."""
    tree = ast.parse(source)
    known: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module == "django.utils.translation":
            known |= {alias.asname or alias.name: alias.name for alias in node.names}
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        called = node.func
        if isinstance(called, ast.Name):
            function = known.get(called.id, "")
        elif isinstance(called, ast.Attribute) and isinstance(called.value, ast.Name):
            function = called.attr if called.value.id == "translation" else ""
        else:
            continue
        if function in _ARGUMENTS:
            yield _message(function, node, name)


def _message(function: str, call: ast.Call, name: str) -> Message:
    parts = {}
    for part, value in zip(_ARGUMENTS[function], call.args, strict=False):
        if not isinstance(value, ast.Constant) or not isinstance(value.value, str):
            raise NotATextError(f"{name}:{call.lineno}: {function} takes texts as they stand here")
        parts[part] = value.value
    return Message(**parts)


_MARKED = re.compile(r"""\b_\((?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)')\)""")


def in_template(source: str, name: str) -> Iterator[Message]:
    """Every text a template translates: by a tag, or as ``_("…")`` in any other."""
    template: Template = engines["django"].from_string(source).template  # type: ignore[attr-defined]
    for node in template.nodelist.get_nodes_by_type(TranslateNode):
        assert isinstance(node, TranslateNode)
        literal = getattr(node.filter_expression.var, "literal", None)
        if not isinstance(literal, str):
            raise NotATextError(f"{name}: {{% {node.token} %}} takes a text as it stands here")
        yield Message(_doubled(literal), context=_context(node))
    for node in template.nodelist.get_nodes_by_type(BlockTranslateNode):
        assert isinstance(node, BlockTranslateNode)
        text, _names = node.render_token_list(node.singular)
        plural, _names = node.render_token_list(node.plural) if node.plural else ("", [])
        yield Message(text, plural, _context(node))
    for token in Lexer(source).tokenize():
        if token.token_type in (TokenType.VAR, TokenType.BLOCK):
            for double, single in _MARKED.findall(token.contents):
                yield Message(_doubled(re.sub(r"\\(.)", r"\1", double or single)))


def _doubled(text: str) -> str:
    """As Django looks it up: a template's percent signs are doubled."""
    return text.replace("%", "%%")


def _context(node: TranslateNode | BlockTranslateNode) -> str:
    context = node.message_context
    return str(context.resolve({})) if context else ""  # type: ignore[arg-type]


def python_files() -> list[Path]:
    """The site's own code, without migrations."""
    found = (path for package in PACKAGES for path in (settings.BASE_DIR / package).rglob("*.py"))
    return sorted(path for path in found if "migrations" not in path.parts)


def template_files() -> list[Path]:
    """The site's own templates."""
    found = (settings.BASE_DIR / "templates").rglob("*")
    return sorted(path for path in found if path.suffix in (".html", ".txt"))


def extracted() -> Found:
    """Every text of the site that is to be translated.

    Raises :class:`NotATextError` where one cannot be read from the code.
    """
    found = Found()
    for path in python_files():
        name = _name(path)
        for message in in_python(path.read_text(encoding="utf-8"), name):
            found.add(message, name)
    for path in template_files():
        name = _name(path)
        for message in in_template(path.read_text(encoding="utf-8"), name):
            found.add(message, name)
    return found


def _name(path: Path) -> str:
    return path.relative_to(settings.BASE_DIR).as_posix()


class Catalog(BabelCatalog):
    """A catalog that counts as Django does and says nothing of when or by whom it was written."""

    def __init__(self, language: str) -> None:
        super().__init__(locale=language, fuzzy=False)
        self.language = language
        self.header_comment = HEADER.format(name=dict(settings.LANGUAGES)[language])

    @property
    def mime_headers(self) -> list[tuple[str, str]]:
        return [
            ("MIME-Version", "1.0"),
            ("Content-Type", "text/plain; charset=utf-8"),
            ("Content-Transfer-Encoding", "8bit"),
            ("Language", self.language),
            ("Plural-Forms", plural_forms(self.language)),
        ]

    @mime_headers.setter
    def mime_headers(self, headers: Iterable[tuple[str, str]]) -> None:
        """What a file says of itself is not taken over."""

    @property
    def num_plurals(self) -> int:
        return number_of_forms(self.language)


@cache
def plural_forms(language: str) -> str:
    """How Django itself counts in a language: catalogs that count otherwise do not merge well."""
    path = Path(django.__file__).parent / "conf/locale" / language / "LC_MESSAGES/django.po"
    header = path.read_text(encoding="utf-8").split("\n\n", 1)[0].replace('"\n"', "")
    found = re.search(r"Plural-Forms: (nplurals=[^\\]+)", header)
    assert found
    return found[1]


def number_of_forms(language: str) -> int:
    """How many plural forms a text has in a language."""
    return int(plural_forms(language).split(";")[0].removeprefix("nplurals="))


def languages() -> list[str]:
    """The languages there are catalogs of: all but the one that the code is written in."""
    return [code for code, _ in settings.LANGUAGES if code != settings.LANGUAGE_CODE]


def path_of(language: str) -> Path:
    """Where the catalog of a language is, as it is written by hand."""
    folder: Path = settings.LOCALE_PATHS[0]
    return folder / language / "LC_MESSAGES" / "django.po"


def stored(language: str) -> Catalog:
    """The catalog of a language as it is kept; an empty one where there is none yet."""
    catalog, path = Catalog(language), path_of(language)
    if path.exists():
        PoFileParser(catalog, abort_invalid=True).parse(path.read_text("utf-8").splitlines())
    return catalog


def merged(language: str, found: Found) -> Catalog:
    """All texts of the site with the translations that are kept.

    A text that has changed is a new one, and without a translation; one that is gone is left out.
    """
    known, catalog = stored(language), Catalog(language)
    for message, files in found.in_order():
        kept = known.get(message.text, message.context or None)
        same = kept is not None and kept.id == message.key and not kept.fuzzy
        empty = ("",) * catalog.num_plurals if message.plural else ""
        catalog.add(
            message.key,
            kept.string if kept is not None and same else empty,
            locations=[(file, 0) for file in files],
            context=message.context or None,
            user_comments=kept.user_comments if kept is not None else (),
        )
    return catalog


def as_po(catalog: Catalog) -> bytes:
    """A catalog as it is written by hand; no line numbers, no dates."""
    file = io.BytesIO()
    write_po(file, catalog, width=WIDTH, include_lineno=False, ignore_obsolete=True)
    return file.getvalue()


def as_mo(catalog: Catalog) -> bytes:
    """A catalog as Django reads it; a text without all its forms is left out."""
    file, whole = io.BytesIO(), Catalog(catalog.language)
    for message in catalog:
        if message.id and all(forms_of(message)):
            whole.add(message.id, message.string, context=message.context)
    write_mo(file, whole)
    return file.getvalue()


def forms_of(message: BabelMessage) -> tuple[str, ...]:
    """The translation of a text, in each of its plural forms where it has them."""
    forms = message.string
    if isinstance(forms, (tuple, list)):
        return tuple(form or "" for form in forms)
    return (forms or "",)


def untranslated(catalog: Catalog) -> list[str]:
    """The texts of a catalog that have no translation, or not in each of their plural forms."""
    return [text_of(message) for message in catalog if message.id and not all(forms_of(message))]


def text_of(message: BabelMessage) -> str:
    """The English text of an entry, in the singular."""
    return str(message.id[0] if message.pluralizable else message.id)
