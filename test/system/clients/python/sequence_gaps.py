"""Finds missing deliveries by their sequence numbers."""

from link_service import SequenceGaps

gaps = SequenceGaps()
assert [gaps.note(number) for number in (5, 8, 8, 5)] == [True, True, False, False]
assert gaps.missing == [(6, 7)], gaps.missing
assert [gaps.note({"Webhook-Sequence": "7"}), gaps.note(7)] == [True, False]
assert gaps.missing == [(6, 6)], gaps.missing

# Numbers before the first noted number are unknown, so they are never reported as repeated.
assert [gaps.note(3), gaps.note(3)] == [True, True]
assert gaps.missing == [(6, 6)], gaps.missing
assert [gaps.note({}), gaps.note({})] == [True, True]

resumed = SequenceGaps(after=5)
assert [resumed.note(4), resumed.note(7), resumed.note(7)] == [True, True, False]
assert resumed.missing == [(6, 6)], resumed.missing
