"""The types of the objects of the API."""

from ._generated.types import *  # noqa: F403
from ._generated.types import __all__ as __all__
