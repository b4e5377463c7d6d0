import type { NestFastifyApplication } from '@nestjs/platform-fastify'

export function sharedService(): Promise<{ app: NestFastifyApplication; databaseUrl: string }>
