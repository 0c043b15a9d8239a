import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


def tell_their_kind(apps, schema_editor):
    matches = apps.get_model("games", "Match").objects
    matches.filter(shared_device=True).update(kind="shared")


def tell_the_device(apps, schema_editor):
    matches = apps.get_model("games", "Match").objects
    matches.filter(kind="shared").update(shared_device=True)


class Migration(migrations.Migration):

    dependencies = [
        ("games", "0004_lobby_and_ladder"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name="match",
            name="kind",
            field=models.CharField(choices=[("duel", "two players"), ("shared", "one device for two")], default="duel", max_length=8, verbose_name="kind"),
        ),
        migrations.RunPython(tell_their_kind, tell_the_device),
        migrations.RemoveField(
            model_name="match",
            name="shared_device",
        ),
        migrations.AddField(
            model_name="match",
            name="owner",
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name="owned_matches", to=settings.AUTH_USER_MODEL, verbose_name="owner"),
        ),
        migrations.AddField(
            model_name="match",
            name="browser",
            field=models.CharField(blank=True, default="", max_length=64, verbose_name="browser"),
            preserve_default=False,
        ),
        migrations.AddIndex(
            model_name="match",
            index=models.Index(condition=models.Q(("ended_at", None), models.Q(("browser", ""), _negated=True)), fields=["browser"], name="by_browser"),
        ),
    ]
