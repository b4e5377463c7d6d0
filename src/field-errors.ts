/** Every code of a wrong field, and what it means. The `detail` of the error says what to write instead. */
export const fieldErrors = {
  // Any input
  required: 'The field is missing.',
  unknown_field: 'The call has no such field or parameter.',
  given_twice: 'Given more than once.',
  not_an_object: 'Not a JSON object.',
  not_both: 'Two fields were given that exclude each other.',
  one_of: 'Exactly one of several fields must be given.',
  not_the_same: 'Differs from the value in the URL.',
  invalid_text: 'Too short, too long, blank, or with control characters.',
  invalid_time: 'Not a valid date or time.',
  invalid_number: 'Not a whole number within the bounds.',
  invalid_flag: 'Not `true` or `false`.',
  invalid_duration: 'Not a duration such as `30d`, or not within the bounds.',
  invalid_timestamp: 'Not a valid RFC 3339 time.',
  in_the_future: 'The time is in the future.',
  not_after_since: 'Not later than `since`.',
  in_the_past: 'The time is in the past.',
  invalid_list: 'Not a list, or with too few or too many elements.',
  invalid_cursor: 'Not a cursor of this list with these parameters.',
  invalid_key: 'The idempotency key is empty, too long, or not of visible ASCII characters.',
  unknown_value: 'Not one of the allowed values.',
  unknown_timezone: 'Not a time zone of the IANA database.',
  before_start: 'Not later than `start`.',
  not_with_this: 'Cannot be combined with the other parameters.',
  too_many: 'Too many values.',
  too_many_points: 'The response would have too many points.',
  invalid_sort: 'The list cannot be sorted this way.',
  invalid_format: 'Not an available format.',
  invalid_status: 'Not a valid status.',
  invalid_url: 'Not a URL that can be used here.',
  too_long: 'The URL is too long.',
  https_required: 'The URL does not begin with `https://`.',
  taken: 'The value is in use, or was in use and is not available again.',

  // Tokens
  invalid_scopes: 'Not a list of known scopes.',

  // Audit log
  invalid_action: 'Not an action of the audit log.',

  // Links and files of links
  invalid_slug: 'The slug is too long or has characters that are not allowed.',
  reserved: 'The slug is a path of the service itself.',
  unchangeable: 'The slug of a link cannot be changed.',
  other_link: 'The slug and the external ID name different links.',
  not_found: 'The workspace has no such link.',
  invalid_tags: 'Not a list of tags, or with too many or too long tags.',
  too_many_tags: 'The link would have too many tags.',
  invalid_redirect_status: 'Not a status code of a redirect.',
  invalid_conflict_mode: 'Not a way to handle existing links.',
  invalid_level: 'Not an error correction level of QR codes.',
  too_small: 'The image would be too small to scan.',
  empty: 'The file is empty.',
  not_utf8: 'The file is not UTF-8.',
  line_ends: 'The lines end with a carriage return alone.',
  other_format: 'The body is not in the format that `format` names.',
  unknown_columns: 'The columns are not those of a known export.',
  other_columns: 'The columns are not those of the export that `format` names.',
  too_many_columns: 'The header row has too many columns.',
  column_twice: 'The header row has a column twice.',
  invalid_json: 'The line is not a JSON object, or has a key twice.',
  invalid_utf8: 'The line is not UTF-8.',
  nul_byte: 'The line has a NUL byte.',
  line_too_long: 'The line is too long.',
  too_many_cells: 'The line has more cells than the header row.',
  bad_quotes: 'Text follows a closing quote.',
  open_quote: 'A quote is not closed.',
  has_password: 'The link had a password and would be open to everybody here.',

  // Events
  invalid_events: 'Not a list of event types of the catalog.',
  unknown_event: 'Not an event type of the catalog.',

  // Webhooks
  blocked_port: 'Webhooks cannot use this port.',
  blocked_address: 'Webhooks cannot use this IP address.',
  invalid_secret: 'Blank or too long.',

  // Deliveries
  not_subscribed: 'The webhook is not subscribed to the event.',
  invalid_source: 'Not a source of a replay.',
}

export type FieldErrorCode = keyof typeof fieldErrors
