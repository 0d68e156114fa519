"""The one exception for what a user can repair."""


class FirstfaultError(Exception):
    """Say in one line what is wrong and what to do; shown as it is by the command line and the editor."""


class Cancelled(Exception):
    """The person who asked has cancelled."""
