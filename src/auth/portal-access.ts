/** Limits a webhook portal session to one webhook. Routes without `@InPortal` reject portal sessions. */
import type { FastifyRequest } from 'fastify'

import { encodeId } from '../platform/database/ids.js'
import { Problem, notFound } from '../platform/http/problems/problem.js'
import { AddRouteConfig } from '../platform/http/route-config.js'
import type { Scope } from './scopes.js'
import { Token } from './token.entity.js'

/** What a portal can permit beyond reading the webhook and its deliveries. */
export const portalActions = ['test', 'replay', 'rotate'] as const
export type PortalAction = (typeof portalActions)[number]

export interface Portal {
  sessionId: string
  webhookId: string
  actions: readonly PortalAction[]
}

declare module 'fastify' {
  interface FastifyContextConfig {
    portal?: 'read' | PortalAction
  }
  interface FastifyRequest {
    /** Set if the request was authenticated by a portal session. */
    portal: Portal | null
  }
}

/** Opens a route to portal sessions: to all of them, or to those with this action. */
export function InPortal(use: 'read' | PortalAction): MethodDecorator {
  return AddRouteConfig({ portal: use })
}

/**
 * Returns a copy of the token with the scopes that the portal needs, and no others. The visitor does not have the IP
 * address of the caller who created the link, so only the restriction to tags remains.
 */
export function narrowToPortal(token: Token, { actions }: Portal): Token {
  const needed: readonly Scope[] =
    actions.length > 0 ? ['webhooks:read', 'webhooks:write'] : ['webhooks:read']
  const tags = token.restrictions?.tags
  return Object.assign(new Token(), token, {
    scopes: token.scopes.filter((scope) => needed.includes(scope)),
    restrictions: tags ? { allowed_ips: null, not_before: null, rate_limit: null, tags } : null,
  })
}

/** Throws if the request was authenticated by a portal session that does not permit the route. */
export function requirePortalAccess({ portal, routeOptions, params }: FastifyRequest): void {
  if (!portal) return
  const { portal: use } = routeOptions.config
  if (use === undefined || (use !== 'read' && !portal.actions.includes(use)))
    throw createPortalProblem(restrictionDetail(use))
  const { id } = params as { id?: string }
  if (id !== undefined && id !== encodeId('wh', portal.webhookId)) throw notFound('webhook')
}

export function createPortalProblem(detail: string): Problem {
  return new Problem('restricted', { detail, more: { restriction: 'portal' } })
}

function restrictionDetail(use: PortalAction | 'read' | undefined): string {
  return use === undefined
    ? 'This session is limited to one webhook.'
    : `This session may not ${use}. Ask for a portal link with "allow": ["${use}"].`
}
