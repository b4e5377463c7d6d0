/** Every error code of an invalid field, with its meaning. The `detail` of an error says how to fix the value. */
export const fieldErrors = {
  // Any input
  required: 'The field is missing.',
  unknown_field: 'The field or parameter is not supported by the operation.',
  duplicate: 'The value is repeated.',
  not_an_object: 'Not a JSON object.',
  mutually_exclusive: 'Two mutually exclusive fields are set.',
  one_of: 'Exactly one of several fields is required.',
  mismatch: 'Differs from the value in the URL.',
  invalid_text: 'Too short, too long, blank, or contains control characters.',
  invalid_time: 'Not a valid date or time.',
  invalid_number: 'Not a whole number in the allowed range.',
  invalid_flag: 'Not `true` or `false`.',
  invalid_duration: 'Not a duration such as `30d`, or not in the allowed range.',
  invalid_timestamp: 'Not a valid RFC 3339 time.',
  in_the_future: 'The time is in the future.',
  not_after_since: 'Not later than `since`.',
  in_the_past: 'The time is in the past.',
  invalid_list: 'Not a list, or has too few or too many elements.',
  invalid_cursor: 'The cursor is malformed, or belongs to another list or other parameters.',
  invalid_key: 'The idempotency key is empty, too long, or contains characters other than visible ASCII.',
  unknown_value: 'Not one of the allowed values.',
  unknown_timezone: 'Not an IANA time zone.',
  before_start: 'Not later than `start`.',
  incompatible: 'Cannot be combined with the other parameters.',
  too_many: 'Too many values.',
  too_many_points: 'The response would have too many points.',
  invalid_sort: 'The list cannot be sorted this way.',
  invalid_format: 'Not an available format.',
  invalid_status: 'Not a valid status.',
  invalid_url: 'Not a URL that can be used for this field.',
  too_long: 'The URL is too long.',
  https_required: 'The URL does not start with `https://`.',
  taken: 'The value is in use, or was in use before and cannot be reused.',

  // Tokens
  invalid_scopes: 'Not a list of known scopes.',

  // Audit log
  invalid_action: 'Not an audit log action.',

  // Links and import files
  invalid_slug: 'The slug is too long or contains characters that are not allowed.',
  reserved: 'The slug is a path of the service itself.',
  unchangeable: 'The slug of a link cannot be changed.',
  other_link: 'The slug and the external ID belong to different links.',
  not_found: 'The link was not found in the workspace.',
  invalid_tags: 'Not a list of tags, or has too many tags or tags that are too long.',
  too_many_tags: 'The link would have too many tags.',
  invalid_redirect_status: 'Not a supported redirect status.',
  invalid_conflict_mode: 'Not a valid conflict mode.',
  invalid_level: 'Not a valid error correction level.',
  too_small: 'The image would be too small to scan.',
  empty: 'The file is empty.',
  not_utf8: 'The file is not UTF-8.',
  unsupported_line_endings: 'The lines end with a carriage return (CR) only.',
  format_mismatch: 'The file is not in the format that `format` names.',
  unknown_columns: 'The columns do not match a supported export.',
  other_columns: 'The columns do not match `format`.',
  too_many_columns: 'The header row has too many columns.',
  duplicate_column: 'The header row has a duplicate column.',
  invalid_json: 'The line is not a JSON object, or has a duplicate key.',
  invalid_utf8: 'The line is not UTF-8.',
  nul_byte: 'The line contains a NUL byte.',
  line_too_long: 'The line is too long.',
  too_many_cells: 'The line has more cells than the header row.',
  bad_quotes: 'Text follows a closing quote.',
  open_quote: 'A quote is not closed.',
  has_password: 'The link is password-protected, which this service does not support.',

  // Events
  invalid_events: 'Not a list of event types.',
  unknown_event: 'Not an event type.',

  // Webhooks
  blocked_port: 'Webhooks cannot use this port.',
  blocked_address: 'Webhooks cannot use this IP address.',
  invalid_secret: 'Blank or too long, or not base64 after `whsec_`.',
  invalid_headers: 'Not an object of header names and values.',
  invalid_header: 'Not a header name or value that a request can have, or too long.',
  reserved_header: 'Only the service itself sets this header.',
  masked_value: 'The mask of a stored value, not a value.',
  unreadable_value: 'The stored value cannot be decrypted.',
  other_origin: 'The stored values were set for another host.',

  // Deliveries
  not_subscribed: 'The webhook is not subscribed to the event.',
  invalid_source: 'Not a valid replay source.',
  invalid_error_class: 'Not a known error class.',
}

export type FieldErrorCode = keyof typeof fieldErrors
