/** Codes of a wrong place in the input, and what each means; `detail` says what to write instead. */
export const fieldErrors = {
  required: 'It is missing and must be there.',
  unknown_field: 'The call has no such field or parameter.',
  given_twice: 'It came more than once.',
  not_an_object: 'It is not a JSON object.',
  not_both: 'Two were given that exclude each other.',
  one_of: 'Not exactly one of several was given.',
  not_the_same: 'It differs from what the address says.',
  invalid_text: 'It is too short or too long, blank, or has control characters.',
  invalid_time: 'It is neither a date nor a time that exists.',
  invalid_number: 'It is not a whole number within the bounds.',
  invalid_flag: 'It is not true or false.',
  invalid_duration: 'It is not a duration like `30d`, or not within the bounds.',
  invalid_timestamp: 'It is not a time that exists, as RFC 3339 writes it.',
  in_the_future: 'The time is still to come.',
  not_after_since: 'It is not later than `since`.',
  in_the_past: 'The time has passed.',
  invalid_list: 'It is not a list, or has too few or too many elements.',
  invalid_cursor: 'It is not a cursor of this list with these parameters.',
  invalid_key: 'The idempotency key is empty, too long, or not of visible ASCII characters.',
  unknown_value: 'It is none of the values that the field may have.',
  unknown_timezone: 'It is no time zone of the IANA database.',
  before_start: 'It is not later than `start`.',
  not_with_this: 'It cannot be used together with the other parameters.',
  too_many: 'There are too many values.',
  too_many_points: 'The answer would have too many points.',
  invalid_sort: 'The list has no such order.',
  invalid_format: 'There is no such format here.',
  invalid_status: 'There is no such status here.',
  invalid_url: 'It is not an address that can be used here.',
  too_long: 'The address is too long.',
  https_required: 'The address does not begin with https://.',
  taken: 'Something else has the value already, or had it once.',
}

/** The text of every code. Features add theirs by `declare module`, and in app/docs/all-problems.ts. */
export interface FieldErrorTexts extends Record<keyof typeof fieldErrors, string> {}

export type FieldErrorCode = keyof FieldErrorTexts
