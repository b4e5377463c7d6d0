import { createParamDecorator } from '@nestjs/common'
import type { ExecutionContext } from '@nestjs/common'
import { ApiHeader } from '@nestjs/swagger'
import type { FastifyRequest } from 'fastify'

export const IfMatch = createParamDecorator(
  (_: unknown, context: ExecutionContext) =>
    context.switchToHttp().getRequest<FastifyRequest>().headers['if-match'],
  [
    (target, key) => {
      const method = key && Object.getOwnPropertyDescriptor(target, key)
      if (method)
        ApiHeader({
          name: 'If-Match',
          required: false,
          description:
            'The ETag of the version that was read; the call is refused (412) when there is a newer one.',
          example: '"Wk2c0x1V9kJ3p7Qm8sT4yZ5uB6n"',
        })(target, key, method)
    },
  ],
)
