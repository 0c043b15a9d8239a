from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class AccountsConfig(AppConfig):
    name = "accounts"
    verbose_name = _("Players and conduct")

    def ready(self) -> None:
        from django.contrib.auth.signals import user_logged_in

        from .preferences import take_over

        user_logged_in.connect(take_over, dispatch_uid="accounts.preferences.take_over")
