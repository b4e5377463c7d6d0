/** The links that clicks are of, as the events of clicks show them. */
import { LRUCache } from 'lru-cache'

import type { EventData } from '../../events/catalogue.js'
import type { ApiClient } from './api-client.js'

type ReceivedClick = EventData['click']['click']
type ClickedLink = EventData['click']['link']
/** Of a link that was deleted, the click itself is all there is. */
type ShownLink = ClickedLink | (Omit<ClickedLink, 'short_url'> & { short_url: null })

// Long enough that a busy link costs no request per click, short enough that a change shows while one looks for it.
const keptMs = 10_000

export class Links {
  private readonly known = new LRUCache<string, ShownLink>({ max: 1_000, ttl: keptMs })

  constructor(private readonly api: ApiClient) {}

  /** From an event of the link, so that it need not be asked for. */
  learn(link: ClickedLink): void {
    this.known.set(link.id, shown(link))
  }

  async of(click: ReceivedClick): Promise<ShownLink> {
    const known = this.known.get(click.link_id)
    if (known) return known
    const found = await this.api.find((client, options) => client.links.get(click.link_id, options))
    const link = found ? shown(found) : remainsOf(click)
    this.known.set(click.link_id, link)
    return link
  }
}

function shown({ id, slug, short_url, url, title, tags, external_id }: ClickedLink): ClickedLink {
  return { id, slug, short_url, url, title, tags, external_id }
}

function remainsOf({ link_id, slug, url }: ReceivedClick): ShownLink {
  return { id: link_id, slug, short_url: null, url, title: null, tags: [], external_id: null }
}
