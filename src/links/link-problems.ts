/** What can be wrong with a link. */
import { declareProblems } from '../platform/http/problems/problems.js'

export const linkProblems = declareProblems({
  conflict: {
    status: 409,
    title: 'That is taken',
    cause:
      'Something else has the value already that must be unique, or had it once and it is not given out again.',
    remedy: 'Choose another value for the field named in `field`.',
    members: { field: 'slug' },
  },
  gone: {
    status: 410,
    title: 'This link is no more',
    cause: 'The short link was deleted or disabled, or has expired.',
    remedy: 'Ask whoever gave you the link for a new one.',
  },
})

/** What a conflict carries beside the standard members, for the document. */
export const conflictMembers = {
  field: { type: 'string', description: 'The field whose value is taken.', example: 'slug' },
}
