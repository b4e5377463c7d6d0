import type { StoredLink } from '../../../src/links/redirect/compiled-link.js'

/** Returns a link as read from the database. */
export function storedLink(values: Partial<StoredLink> & { slug: string }): StoredLink {
  return {
    id: '01890a5d-ac96-774b-bcce-b302099a8057',
    workspace_id: '01890a5d-ac96-774b-bcce-b302099a8058',
    url: `https://example.com/${values.slug}`,
    redirect_status: 302,
    forward_query: false,
    enabled: true,
    expires_at: null,
    deleted_at: null,
    ...values,
  }
}
