/** The subset of JSON Schema that the tests read. */
export interface Schema {
  $ref?: string
  type?: string | string[]
  enum?: unknown[]
  'x-extensible-enum'?: string[]
  const?: unknown
  format?: string
  pattern?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  items?: Schema
  minItems?: number
  maxItems?: number
  properties?: Record<string, Schema>
  required?: string[]
  allOf?: Schema[]
  anyOf?: Schema[]
  oneOf?: Schema[]
}

export interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  required?: boolean
  schema: Schema
}

export interface Operation {
  /** Display name, such as `GET /v1/links/{id}`. */
  name: string
  method: string
  path: string
  pointer: string[]
  operationId: string
  parameters: Parameter[]
  requestBody?: { required?: boolean; content: Record<string, { schema: Schema }> }
  responses: Record<string, unknown>
  security?: unknown[]
  'x-required-scope'?: string | null
}

export const operations: Operation[]
export function findDocumentedOperation(method: string, path: string): Operation | undefined
export function differences(
  method: string,
  path: string,
  actual: { status: number; headers: Headers; text: string; body: unknown },
): string[]
export function findSchemaErrors(pointer: string[], value: unknown, what: string): string[]
export function resolved<T extends object>(node: T): T
