/**
 * The baseline: bare Fastify and `pg` with one prepared statement per call, on copies of the tables in the same
 * database. It does not authenticate, validate or record events.
 */
import { randomBytes } from 'node:crypto'

import fastify from 'fastify'
import pg from 'pg'
import { v7 } from 'uuid'

const { url, workspaceId, record } = JSON.parse(process.argv[2])
const pool = new pg.Pool({ connectionString: url, max: 10, options: '-c search_path=baseline' })
const server = fastify()

async function rows(name, text, values) {
  return (await pool.query({ name, text, values })).rows
}
const one = async (...query) => (await rows(...query))[0]
const page = async (...query) => ({ data: await rows(...query), has_more: true, next_cursor: null })

const links = 'links LEFT JOIN link_counters ON link_id = links.id'
const ofWorkspace = 'workspace_id = $1 ORDER BY id DESC LIMIT 21'

server.post('/api/v1/links', (request, reply) => {
  reply.code(201)
  return one(
    'create link',
    `INSERT INTO links (id, workspace_id, slug, url, tags, redirect_status, forward_query, enabled, created_at, updated_at)
     VALUES ($1, $2, $3, $4, '{}', 302, false, true, now(), now()) RETURNING *`,
    [v7(), workspaceId, randomBytes(6).toString('base64url'), request.body.url],
  )
})
server.get('/api/v1/links/:id', (request) =>
  one(
    'link',
    `SELECT links.*, total, human, last_clicked_at FROM ${links} WHERE links.id = $2 AND links.workspace_id = $1 AND deleted_at IS NULL`,
    [workspaceId, request.params.id],
  ),
)
server.get('/api/v1/links', () =>
  page(
    'links',
    `SELECT links.*, total, human, last_clicked_at FROM ${links} WHERE deleted_at IS NULL AND links.workspace_id = $1
     ORDER BY links.id DESC LIMIT 21`,
    [workspaceId],
  ),
)
server.patch('/api/v1/links/:id', (request) =>
  one(
    'change link',
    'UPDATE links SET title = $3, updated_at = now() WHERE id = $2 AND workspace_id = $1 AND deleted_at IS NULL RETURNING *',
    [workspaceId, request.params.id, request.body.title],
  ),
)
server.get('/api/v1/links/:id/clicks', (request) =>
  page('clicks of link', 'SELECT * FROM clicks WHERE link_id = $1 ORDER BY id DESC LIMIT 21', [
    request.params.id,
  ]),
)
server.get('/api/v1/clicks', () =>
  page('clicks', 'SELECT * FROM clicks WHERE workspace_id = $1 ORDER BY tx, id LIMIT 21', [workspaceId]),
)
server.get('/api/v1/events', () => page('events', `SELECT * FROM events WHERE ${ofWorkspace}`, [workspaceId]))
server.get('/api/v1/webhooks', () =>
  page(
    'webhooks',
    `SELECT * FROM webhooks JOIN lanes ON webhook_id = id WHERE deleted_at IS NULL AND ${ofWorkspace}`,
    [workspaceId],
  ),
)
server.get('/api/v1/webhooks/:id/deliveries', (request) =>
  page(
    'deliveries',
    `SELECT deliveries.*, to_json(attempt) AS last_attempt FROM deliveries LEFT JOIN LATERAL (
       SELECT * FROM attempts WHERE delivery_id = deliveries.id ORDER BY number DESC LIMIT 1) AS attempt ON true
     WHERE webhook_id = $1 ORDER BY deliveries.id DESC LIMIT 21`,
    [request.params.id],
  ),
)
server.post('/api/v1/auth/token', (request, reply) => {
  reply.code(201)
  return one(
    'create token',
    `INSERT INTO tokens (id, workspace_id, name, scopes, hash, prefix, last4, created_at)
     VALUES ($1, $2, $3, $4, $5, 'lsk_live_', 'abcd', now()) RETURNING *`,
    [v7(), workspaceId, request.body.name, record.scopes, randomBytes(32)],
  )
})
server.get('/api/v1/auth/tokens', () =>
  page(
    'tokens',
    `SELECT * FROM tokens WHERE revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now()) AND ${ofWorkspace}`,
    [workspaceId],
  ),
)
server.get('/api/v1/auth/token/self', () => record)
server.get('/api/v1/audit-log', () =>
  page('audit log', `SELECT * FROM audit_log WHERE ${ofWorkspace}`, [workspaceId]),
)

await server.listen({ port: 0, host: '127.0.0.1' })
process.on('disconnect', () => process.exit(0))
process.send({ port: server.server.address().port })
