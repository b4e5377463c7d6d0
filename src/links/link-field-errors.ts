/** What can be wrong with the fields of links and of files with links, by code. */
export const linkFieldErrors = {
  invalid_slug: 'It has other characters than a slug may have, or too many.',
  reserved: 'The slug is an address of the service itself.',
  unchangeable: 'The slug of a link stays as it is.',
  other_link: 'The slug and the external id name different links.',
  not_found: 'The workspace has no such link.',
  invalid_tags: 'It is not a list of tags, or has too many or too long ones.',
  too_many_tags: 'The link would have too many tags.',
  invalid_redirect_status: 'It is not a status of a redirect.',
  invalid_conflict_mode: 'It does not say what to do with links that are there.',
  invalid_level: 'QR codes have no such level.',
  too_small: 'The picture would be too small to be read.',
  empty: 'The file has nothing in it.',
  not_utf8: 'The file is not UTF-8.',
  line_ends: 'The lines end with a carriage return alone.',
  other_format: 'The body is written in another format than `format` says.',
  unknown_columns: 'The columns are of no known export.',
  other_columns: 'The columns are not those of the export that `format` names.',
  too_many_columns: 'The header has too many columns.',
  column_twice: 'A column stands twice in the header.',
  invalid_json: 'The line is not a JSON object, or has a key twice.',
  invalid_utf8: 'The line is not UTF-8.',
  nul_byte: 'The line has a NUL byte.',
  line_too_long: 'The line is too long.',
  too_many_cells: 'The line has more cells than the header.',
  bad_quotes: 'Text follows a closing quote.',
  open_quote: 'A quote is not closed.',
  has_password: 'The link had a password, without which everybody could open it here.',
}

declare module '../platform/http/input/field-errors.js' {
  interface FieldErrorTexts extends Record<keyof typeof linkFieldErrors, string> {}
}
