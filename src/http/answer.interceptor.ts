/** The headers that follow from an answer's body: ETag, Location, and the link to the next page. */
import { Inject, Injectable } from '@nestjs/common'
import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common'
import { Reflector } from '@nestjs/core'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { map } from 'rxjs'
import type { Observable } from 'rxjs'

import { SETTINGS } from '../config/settings.js'
import type { RunningSettings } from '../config/settings.js'
import { creates } from './creates.js'
import { entityTag } from './entity-tag.js'
import { Page } from './page.js'

@Injectable()
export class AnswerInterceptor implements NestInterceptor {
  constructor(
    @Inject(SETTINGS) private readonly settings: RunningSettings,
    private readonly reflector: Reflector,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const http = context.switchToHttp()
    const location = this.reflector.get<string | undefined>(creates, context.getHandler())
    return next.handle().pipe(
      map((body: unknown) => {
        const reply = http.getResponse<FastifyReply>()
        if (body instanceof Page) this.linkNext(body, http.getRequest<FastifyRequest>(), reply)
        else if (isResource(body)) {
          if (!reply.hasHeader('etag')) void reply.header('etag', entityTag(body))
          if (location) void reply.header('location', this.settings.basePath + location.replace(':id', body.id))
        }
        return body
      }),
    )
  }

  private linkNext(page: Page<unknown>, request: FastifyRequest, reply: FastifyReply): void {
    if (page.next_cursor === null || !page.has_more) return
    const url = new URL(request.url, this.settings.publicUrl)
    url.searchParams.set('cursor', page.next_cursor)
    void reply.header('link', `<${url.href}>; rel="next"`)
  }
}

function isResource(body: unknown): body is { id: string } {
  return typeof body === 'object' && body !== null && 'id' in body && typeof body.id === 'string'
}
