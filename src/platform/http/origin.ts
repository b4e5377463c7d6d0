import { createParamDecorator } from '@nestjs/common'
import type { ExecutionContext } from '@nestjs/common'
import type { FastifyRequest } from 'fastify'

export interface RequestOrigin {
  address: string
  requestId: string
}

/** Where a request without a caller came from. */
export const Origin = createParamDecorator((_: unknown, context: ExecutionContext): RequestOrigin => {
  const { ip, id } = context.switchToHttp().getRequest<FastifyRequest>()
  return { address: ip, requestId: id }
})
