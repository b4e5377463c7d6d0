/** Serves the operations of the API as MCP tools, and the guides as MCP resources. */
import { once } from 'node:events'

import { LinkServiceError } from '@link-service/client'
import type { LinkService } from '@link-service/client'
import { fromJsonSchema, McpServer } from '@modelcontextprotocol/server'
import type { CallToolResult, JsonSchemaValidator, jsonSchemaValidator } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import type { OpenAPIObject } from '@nestjs/swagger'

import { StartupError } from '../../platform/config/startup-error.js'
import { version } from '../../platform/util/program.js'
import type { ApiAccess } from '../remote/api-access.js'
import { connect, explain } from '../remote/connection.js'
import { createTools } from './api-tools.js'
import type { ApiTool, ToolArguments } from './api-tools.js'

const instructions =
  'Link Service is a link shortener: links, clicks, analytics, and signed webhooks. Each tool calls one operation of its API. Fields that are null are omitted from results. To find out why a webhook did not receive an event, list its deliveries or call explainEvent, explainLink or explainClick.'

/** The API checks the arguments: its messages say how to fix them, and name all errors at once. */
const uncheckedInput: jsonSchemaValidator = {
  getValidator<T>(): JsonSchemaValidator<T> {
    return (input) => ({ valid: true, data: input as T, errorMessage: undefined })
  },
}

interface McpOptions extends ApiAccess {
  write?: true | undefined
}

export async function serveMcp(options: McpOptions): Promise<void> {
  const client = connect(options)
  const origin = new URL(client.baseUrl).origin
  const scopes = await readScopes(client)
  const document = JSON.parse(await readText(`${origin}/openapi.json`)) as OpenAPIObject
  const guides = findGuides(await readText(`${origin}/llms.txt`), origin)
  const tools = createTools(document, scopes, { canWrite: options.write === true })
  serveStdio(() => createServer(client, tools, guides))
  // The agent ends the session by closing the streams.
  await Promise.race([once(process.stdin, 'end'), once(process.stdout, 'error')])
}

async function readScopes(client: LinkService): Promise<string[]> {
  try {
    return (await client.tokens.self()).scopes
  } catch (error) {
    throw error instanceof LinkServiceError ? explain(error, client.baseUrl) : error
  }
}

function createServer(
  client: LinkService,
  tools: readonly ApiTool[],
  guides: readonly GuideEntry[],
): McpServer {
  const server = new McpServer({ name: 'link-service', version }, { instructions })
  for (const tool of tools) {
    const { name, title, description, inputSchema, isReadOnly } = tool
    server.registerTool(
      name,
      {
        title,
        description,
        inputSchema: fromJsonSchema<ToolArguments>(inputSchema, uncheckedInput),
        annotations: { readOnlyHint: isReadOnly },
      },
      (args) => callTool(client, tool, args),
    )
  }
  for (const { title, description, url } of guides)
    server.registerResource(
      title,
      url,
      { title, description, mimeType: 'text/markdown' },
      async ({ href }) => ({
        contents: [{ uri: href, mimeType: 'text/markdown', text: await readText(href) }],
      }),
    )
  return server
}

async function callTool(client: LinkService, tool: ApiTool, args: ToolArguments): Promise<CallToolResult> {
  try {
    const result: unknown = await client.call(tool.operationId, tool.toInput(args))
    return { content: [{ type: 'text', text: result === undefined ? 'Done.' : shortJson(result) }] }
  } catch (error) {
    if (!(error instanceof LinkServiceError)) throw error
    return { isError: true, content: [{ type: 'text', text: `${error.code}: ${error.message}` }] }
  }
}

async function readText(url: string): Promise<string> {
  const response = await fetch(url, { signal: AbortSignal.timeout(30_000) })
  if (!response.ok) throw new StartupError(`${url} responded with ${response.status}.`)
  return response.text()
}

/** The guides that the service lists in llms.txt. */
export interface GuideEntry {
  title: string
  description: string
  url: string
}

/** Parses llms.txt. An agent reads guides by URL, so guides at other origins are omitted. */
export function findGuides(list: string, origin: string): GuideEntry[] {
  return [...list.matchAll(/^- \[([^\]]+)\]\(([^)]+)\)(?:: (.+))?$/gm)]
    .map(([, title = '', path = '', description = title]) => ({
      title,
      description,
      url: new URL(path, origin).href,
    }))
    .filter(({ url }) => new URL(url).origin === origin)
}

/** Writes results briefly, because everything that an agent reads fills its context. */
const maxLength = 20_000

/** Returns JSON without null fields, cut off after 20,000 characters. */
export function shortJson(value: unknown): string {
  const text = JSON.stringify(value, (_name, each: unknown) => (each === null ? undefined : each))
  if (text.length <= maxLength) return text
  return `${text.slice(0, maxLength)}\n… ${text.length - maxLength} more characters. Request fewer items, or filter them.`
}
