"""The texts of the site and their translations: nothing missing, nothing left over, nothing bent.

`uv run manage.py catalogs` mends what the first of these tests find.
"""

from __future__ import annotations

import ast
import re
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from html.parser import HTMLParser
from pathlib import Path

import allauth
import django
import pytest
from babel.messages.catalog import Message as Entry
from django.apps import apps
from django.conf import settings
from django.core.management import CommandError, call_command
from django.template.base import Lexer, TokenType
from django.utils import translation
from django.utils.functional import Promise
from django.utils.translation import trans_real

import spectacular
from spectacular import catalogs

LANGUAGES = catalogs.languages()
each_language = pytest.mark.parametrize("language", LANGUAGES)


def entries(language: str) -> list[Entry]:
    return [entry for entry in catalogs.stored(language) if entry.id]


def translated(language: str) -> list[Entry]:
    return [entry for entry in entries(language) if any(catalogs.forms_of(entry))]


def english(entry: Entry) -> tuple[str, ...]:
    """The text of an entry; where it is counted, singular and plural."""
    return (entry.id,) if isinstance(entry.id, str) else tuple(entry.id)


# The catalogs


def test_the_languages_are_named_in_their_own_words() -> None:
    assert dict(settings.LANGUAGES) == {
        "en": "English",
        "id": "Bahasa Indonesia",
        "it": "Italiano",
        "es": "Español",
    }


@each_language
def test_a_catalog_holds_the_texts_of_the_site_and_no_others(language: str) -> None:
    wanted = {(m.key, m.context or None) for m in catalogs.extracted().files}
    kept = {(entry.id, entry.context) for entry in entries(language)}
    assert sorted(map(str, wanted - kept)) == []
    assert sorted(map(str, kept - wanted)) == []


@each_language
def test_a_catalog_is_written_as_the_command_writes_it(language: str) -> None:
    catalog = catalogs.merged(language, catalogs.extracted())
    assert catalogs.path_of(language).read_bytes() == catalogs.as_po(catalog)


@each_language
def test_what_is_compiled_is_what_is_written(language: str) -> None:
    compiled = catalogs.path_of(language).with_suffix(".mo").read_bytes()
    assert compiled == catalogs.as_mo(catalogs.stored(language))


@each_language
def test_every_text_is_translated(language: str) -> None:
    assert catalogs.untranslated(catalogs.stored(language)) == []


@each_language
def test_no_translation_is_a_guess_or_half_of_one(language: str) -> None:
    assert [catalogs.text_of(entry) for entry in entries(language) if entry.fuzzy] == []
    half = [e for e in translated(language) if not all(catalogs.forms_of(e))]
    assert [catalogs.text_of(entry) for entry in half] == []


@each_language
def test_counted_texts_have_every_form_of_the_language(language: str) -> None:
    wanted = {"id": 1, "it": 2, "es": 3}[language]
    counted = [entry for entry in entries(language) if entry.pluralizable]
    assert counted
    assert {len(catalogs.forms_of(entry)) for entry in counted} == {wanted}


@each_language
def test_the_site_counts_as_django_does(language: str) -> None:
    """Else its own texts and Django's end up in two catalogs that are searched in turn."""
    with translation.override(language):
        plurals = trans_real.catalog()._catalog._plurals  # type: ignore[attr-defined]
    own = catalogs.plural_forms(language)
    assert f"nplurals={catalogs.number_of_forms(language)}" in own
    assert {plural(n) for plural in plurals[:1] for n in (0, 1, 2, 5, 1_000_000)} == set(
        range(catalogs.number_of_forms(language))
    )


_NAMED = re.compile(r"%\(\w+\)[a-z]")
_BRACED = re.compile(r"\{\w*\}")
_TAG = re.compile(r"<[^<>]+>")
_STRAY = re.compile(r"%(?!%|\()")


def skeleton(text: str) -> tuple[object, ...]:
    """What of a text a translation must keep."""
    return (
        frozenset(_NAMED.findall(text)),
        frozenset(_BRACED.findall(text)),
        frozenset(Counter(_TAG.findall(text)).items()),
        len(_STRAY.findall(text.replace("%%", ""))),
        (text[:1].isspace(), text[-1:].isspace()),
        text.rstrip()[-1:] if text.rstrip()[-1:] in ".:…?!" else "",
    )


@each_language
def test_translations_keep_placeholders_tags_and_ends(language: str) -> None:
    bent = [
        (form, english(entry))
        for entry in translated(language)
        for form in catalogs.forms_of(entry)
        if skeleton(form) not in {skeleton(text) for text in english(entry)}
    ]
    assert bent == []


@pytest.mark.parametrize(
    "bent",
    [
        "%(nome)s tiene <b>dos</b> fichas.",
        "%(name)s tiene dos fichas.",
        "%(name)s tiene <b>dos</b> fichas",
        "%(name)s tiene <b>dos</b> fichas, el 50 %.",
        "{name} tiene <b>dos</b> fichas.",
        " %(name)s tiene <b>dos</b> fichas.",
    ],
)
def test_a_bent_translation_is_noticed(bent: str) -> None:
    assert skeleton(bent) != skeleton("%(name)s has <b>two</b> tiles.")


@pytest.mark.parametrize(
    ("language", "told"),
    [
        ("en", {1: "1 tile", 2: "2 tiles"}),
        ("id", {1: "1 ubin", 2: "2 ubin"}),
        ("it", {0: "0 tessere", 1: "1 tessera", 1_000_000: "1000000 tessere"}),
        ("es", {0: "0 fichas", 1: "1 ficha", 7: "7 fichas", 1_000_000: "1000000 de fichas"}),
    ],
)
def test_what_is_counted_reads_as_people_say_it(language: str, told: dict[int, str]) -> None:
    with translation.override(language):
        for n, words in told.items():
            assert translation.ngettext("%(n)s tile", "%(n)s tiles", n) % {"n": n} == words


# The command


def test_the_command_keeps_what_is_translated(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    kept = {name: catalogs.path_of("it").with_suffix(name).read_bytes() for name in (".po", ".mo")}
    monkeypatch.setattr(settings, "LOCALE_PATHS", [tmp_path])
    path = catalogs.path_of("it")
    path.parent.mkdir(parents=True)
    path.write_bytes(kept[".po"])
    call_command("catalogs", "it")
    assert {name: path.with_suffix(name).read_bytes() for name in kept} == kept
    assert re.fullmatch(r"it: \d+ texts, \d+ of them not translated\n", capsys.readouterr().out)
    assert not catalogs.path_of("es").exists()


def test_the_command_knows_its_languages() -> None:
    with pytest.raises(CommandError, match="there is no language en, tlh: there are id, it, es"):
        call_command("catalogs", "it", "tlh", "en")


def test_without_babel_the_command_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(spectacular, "catalogs")
    monkeypatch.delitem(sys.modules, "spectacular.catalogs")
    monkeypatch.setitem(sys.modules, "babel.messages.catalog", None)
    with pytest.raises(CommandError, match=r"babel\S* is missing: .*uv sync"):
        call_command("catalogs")


# What is read from the code


def test_texts_are_read_from_python_under_any_name() -> None:
    source = """
from django.utils import translation
from django.utils.functional import Promise
from django.utils.translation import trans_real
from django.utils.translation import gettext as _, ngettext, pgettext_lazy as p
a = _("One " "text"), ngettext("a", "b", 3), p("where", "What"), translation.gettext("x")
other.gettext("not this"), round("nor this")
"""
    found = set(catalogs.in_python(source, "a.py"))
    assert found == {
        catalogs.Message("One text"),
        catalogs.Message("a", "b"),
        catalogs.Message("What", context="where"),
        catalogs.Message("x"),
    }


def test_a_text_that_is_made_while_running_is_refused() -> None:
    source = 'from django.utils.translation import gettext as _\n_("a" if b else "c")'
    with pytest.raises(catalogs.NotATextError, match=r"a\.py:2"):
        list(catalogs.in_python(source, "a.py"))


def test_texts_are_read_from_templates_as_they_are_looked_up() -> None:
    source = """{% load i18n %}{% translate "100 %" %}{% translate 'Won' context "a match" as won %}
{% if a %}{% blocktranslate count n=a trimmed %}
  {{ n }} tile
{% plural %}
  {{ n }} tiles
{% endblocktranslate %}{% endif %}{% include "x.html" with title=_("A \\"title\\"") %}
{% comment %}{% translate "Gone" %}{% endcomment %}"""
    assert set(catalogs.in_template(source, "a.html")) == {
        catalogs.Message("100 %%"),
        catalogs.Message("Won", context="a match"),
        catalogs.Message("%(n)s tile", "%(n)s tiles"),
        catalogs.Message('A "title"'),
    }


def test_a_changed_text_stands_empty_and_a_translated_one_stays() -> None:
    kept = next(e for e in translated("it") if isinstance(e.id, str) and not e.context)
    found = catalogs.Found()
    found.add(catalogs.Message(catalogs.text_of(kept)), "a.py")
    found.add(catalogs.Message(catalogs.text_of(kept) + " Or not."), "a.py")
    catalog = catalogs.merged("it", found)
    assert [catalogs.forms_of(e) for e in catalog if e.id] == [(kept.string,), ("",)]
    assert catalogs.untranslated(catalog) == [catalogs.text_of(kept) + " Or not."]


# What comes from elsewhere


ELSEWHERE = (
    (allauth, "account/*.py"),
    (allauth, "account/internal/**/*.py"),
    (allauth, "core/**/*.py"),
    (allauth, "templates/account/**/*.*"),
    (allauth, "templates/allauth/**/*.*"),
    (django, "forms/*.py"),
    (django, "contrib/auth/*.py"),
    (django, "contrib/admin/**/*.py"),
    (django, "contrib/admin/templates/**/*.html"),
    (django, "db/models/**/*.py"),
    (django, "utils/timesince.py"),
    (django, "utils/dates.py"),
)


def borrowed() -> Iterator[catalogs.Message]:
    """The texts of the packages whose pages, forms and mails this site shows."""
    for package, pattern in ELSEWHERE:
        root = Path(str(package.__file__)).parent
        for path in sorted(root.glob(pattern)):
            read = catalogs.in_python if path.suffix == ".py" else catalogs.in_template
            with suppress(catalogs.NotATextError):  # a text that is made there is made of others
                yield from read(path.read_text(encoding="utf-8"), path.name)


@each_language
def test_what_is_borrowed_is_translated_there_or_here(language: str) -> None:
    """What is missing belongs into spectacular/borrowed_words.py."""
    known = trans_real.translation(language)._catalog  # type: ignore[attr-defined]
    ours = {(entry.context, catalogs.text_of(entry)) for entry in entries(language)}
    missing = set()
    for message in borrowed():
        key = f"{message.context}\x04{message.text}" if message.context else message.text
        if message.text and not known.get(key) and not known.get((key, 0)):
            missing.add((message.context or None, message.text))
    assert missing - ours == set()


# What is not marked

#: Texts of templates that are the same in every language.
SAME_EVERYWHERE = {"Spectacular Bid", "UTC", "ROWS"}
SPOKEN = {"alt", "title", "placeholder", "aria-label", "aria-description", "aria-roledescription"}
SILENT = {"script", "style", "kbd"}  # what a key is called stands on the key


class Texts(HTMLParser):
    """What a page would say without any template tag."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self.inside: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.inside = [tag] if tag in SILENT else []
        self.found += [value for name, value in attrs if name in SPOKEN and value]

    def handle_endtag(self, tag: str) -> None:
        self.inside = []

    def handle_data(self, data: str) -> None:
        if not self.inside:
            self.found.append(data)


def untagged(source: str) -> str:
    """A template without its tags, and without what they translate."""
    kept, hidden = [], ""
    for token in Lexer(source).tokenize():
        word, about = [*token.contents.split()[:2], "", ""][:2]
        silent = word in ("blocktranslate", "comment") or (word, about) == ("block", "body_class")
        if token.token_type == TokenType.BLOCK and silent:
            hidden = f"end{word}"
        elif token.token_type == TokenType.BLOCK and word == hidden:
            hidden = ""
        elif token.token_type == TokenType.TEXT and not hidden:
            kept.append(token.contents)
        else:
            kept.append(" ")
    return "".join(kept)


def plain_texts(source: str) -> Iterator[str]:
    """The texts of a template that nothing translates."""
    parser = Texts()
    parser.feed(untagged(source))
    parser.close()
    for text in parser.found:
        bare = " ".join(text.split())
        if re.search(r"[^\W\d_]", bare) and bare.strip(" –·:,.()") not in SAME_EVERYWHERE:
            yield bare


@pytest.mark.parametrize(
    "path", catalogs.template_files(), ids=lambda p: str(p.relative_to(settings.BASE_DIR))
)
def test_templates_say_nothing_that_is_not_translated(path: Path) -> None:
    assert list(plain_texts(path.read_text(encoding="utf-8"))) == []


def test_a_text_that_is_not_translated_is_noticed() -> None:
    source = """{% load i18n %}<p class="x">{% translate "This" %} That</p>
<img alt="Those" src="{{ a }}">{% blocktranslate %}These {{ b }}{% endblocktranslate %}"""
    assert list(plain_texts(source)) == ["That", "Those"]


def too_early(source: str) -> Iterator[int]:
    """Lines where a text is translated while the site starts, once for all languages."""
    tree = ast.parse(source)
    names = {
        alias.asname or alias.name: alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module == "django.utils.translation"
        for alias in node.names
    }

    def look(node: ast.AST, *, starting: bool) -> Iterator[int]:
        """``starting``: whether this runs while the site starts."""
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            called = names.get(node.func.id, "")
            if starting and called in ("gettext", "ngettext", "pgettext", "npgettext"):
                yield node.lineno
        if starting and isinstance(node, ast.BinOp | ast.Attribute | ast.FormattedValue):
            used = node.left if isinstance(node, ast.BinOp) else node.value
            maker = used.func if isinstance(used, ast.Call) else None
            if isinstance(maker, ast.Name) and names.get(maker.id, "").endswith("_lazy"):
                yield node.lineno
        later = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
        for name, value in ast.iter_fields(node):
            for child in value if isinstance(value, list) else [value]:
                if isinstance(child, ast.AST):
                    yield from look(child, starting=starting and not (later and name == "body"))

    yield from look(tree, starting=True)


@pytest.mark.parametrize(
    "path", catalogs.python_files(), ids=lambda p: str(p.relative_to(settings.BASE_DIR))
)
def test_nothing_is_translated_before_anybody_asks(path: Path) -> None:
    assert list(too_early(path.read_text(encoding="utf-8"))) == []


def test_what_is_translated_too_early_is_noticed() -> None:
    source = """
from django.utils.translation import gettext as _, gettext_lazy as later
A = _("a")
B = later("%s b") % 1
C = later("{} c").format(1)
D = later("d")
def e(f=_("f")):
    return _("e")
"""
    assert list(too_early(source)) == [3, 4, 5, 7]


def words_of_models() -> Iterator[tuple[str, object]]:
    """What the admin and forms say of the site's own models, each with where it is from."""
    for label in ("accounts", "games", "ratings"):
        config = apps.get_app_config(label)
        yield label, config.verbose_name
        for model in config.get_models():
            meta = model._meta
            yield f"{label}.{model.__name__}", meta.verbose_name
            yield f"{label}.{model.__name__} in plural", meta.verbose_name_plural
            yield from ((f"{label}: {code}", told) for code, told in meta.permissions)
            for field in meta.fields:
                where = f"{label}.{model.__name__}.{field.name}"
                if field.name != "id":
                    yield where, field.verbose_name
                yield from ((where, told) for _, told in field.choices or ())
                yield from ((where, told) for told in [field.help_text] if told)


def test_what_models_say_waits_for_the_reader_s_language() -> None:
    told = list(words_of_models())
    assert len(told) > 100
    assert [(where, words) for where, words in told if not isinstance(words, Promise)] == []
