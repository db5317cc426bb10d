"""The tiny game of `records.fake_game` as an image, which other processes can import too."""

from __future__ import annotations

from dataclasses import dataclass

from conche.api import Image
from records.fake_game import FakeEngine


@dataclass(frozen=True, slots=True)
class FakeImage(Image):
    def engine(self) -> FakeEngine:
        return FakeEngine(broken_at=int(self.text) if self.text else None)


def fake_image(ruleset: str = "stones") -> FakeImage:
    """`stones` is the tiny game; `stones:broken=9` fails where the heap is 9."""
    return FakeImage(ruleset, "stones", ruleset.partition("=")[2], None)
