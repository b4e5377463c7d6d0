/** Declares `link-service mcp`. */
import type { Command } from '@commander-js/extra-typings'

import { StartupError } from '../../platform/config/startup-error.js'
import { withConnection } from '../remote/connection.js'

export function addMcpCommand(program: Command): void {
  withConnection(
    program
      .command('mcp')
      .description('Offer the API to an AI agent, as an MCP server on standard input and output')
      .option('--write', 'also offer tools that change data'),
    'mcp --profile agent',
  ).action(async (options) => {
    const { serveMcp } = await import('./mcp-server.js').catch(explainMissingPackage)
    await serveMcp(options)
  })
}

function explainMissingPackage(error: NodeJS.ErrnoException): never {
  if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error
  throw new StartupError(
    'This installation lacks an optional package. Run: npm install --no-save @modelcontextprotocol/server',
  )
}
