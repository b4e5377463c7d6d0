/**
 * What all code about links shares: how long fields may be, how the OpenAPI document describes them, and the modes for
 * conflicts. This file imports nothing, because commands use it too.
 */
export const longest = { title: 300, externalId: 255, tag: 50 } as const

export const statuses = [301, 302, 307, 308] as const

/** The orders of a list of links. */
export const linkSorts = ['created_at', '-created_at', '-clicks'] as const

export const describes = {
  url: {
    description:
      'Where the link leads: http or https, at most 8,192 characters as it is sent, percent-encoded.',
    example: 'https://example.com/spring?utm_source=mail',
  },
  title: {
    type: String,
    nullable: true,
    description: 'A label for people.',
    example: 'Spring sale',
  },
  tags: {
    type: String,
    isArray: true,
    description: 'Words to find it by, at most 20. Repetitions fold.',
    example: ['sale', 'mail'] as string[],
  },
  externalId: {
    type: String,
    nullable: true,
    description: 'Your own id for it, unique in the workspace.',
    example: 'campaign-17',
  },
  status: {
    type: 'integer',
    enum: statuses,
    description: 'The HTTP status of the redirect; 302 unless you say otherwise.',
    example: 302,
  },
  forward: {
    description: "Whether the visitor's query is added to the target's; false unless you say otherwise.",
    example: false,
  },
  enabled: {
    description: 'A disabled link answers 410; a link is enabled unless you say otherwise.',
    example: true,
  },
  expiresAt: {
    type: String,
    nullable: true,
    format: 'date-time',
    description: 'From then on it answers 410.',
    example: '2026-12-31T23:00:00.000Z',
  },
  expiresIn: {
    type: String,
    nullable: true,
    description: 'The same as a time from now, such as 30d; not together with `expires_at`.',
    example: '30d',
  },
} as const

/**
 * What happens when a link of the workspace already has the slug or the external id. `fail` reports a fault, `skip`
 * leaves the link as it is, and `update` changes it by the fields that came.
 */
export const conflictModes = ['fail', 'skip', 'update'] as const
export type ConflictMode = (typeof conflictModes)[number]
