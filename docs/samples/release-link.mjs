import { appendFile } from 'node:fs/promises'

import { LinkService } from '@link-service/client'

const { LINK_SERVICE_URL, LINK_SERVICE_TOKEN, TAG, RELEASE_URL, GITHUB_OUTPUT } = process.env
const client = new LinkService({ baseUrl: LINK_SERVICE_URL, token: LINK_SERVICE_TOKEN })

const link = await client.links.putByExternalId(`release-${TAG}`, {
  url: RELEASE_URL,
  title: `Release ${TAG}`,
  tags: ['release'],
})
await appendFile(GITHUB_OUTPUT, `short_url=${link.short_url}\n`)
