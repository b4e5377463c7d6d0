/** Types of operations, derived from the generated OpenAPI types. */
import type { operations } from './generated/openapi.js'
import type { routes } from './generated/routes.js'
import type { CallOptions, CreateOptions, UpdateOptions } from './options.js'

export type OperationId = keyof typeof routes & keyof operations

type Success<Responses> = Responses[keyof Responses & (200 | 201 | 202)]

/** The result of a call. Undefined for 204. */
export type ResultOf<Id extends OperationId> =
  // In a tuple, because a conditional type of `never` is `never`.
  [Success<operations[Id]['responses']>] extends [never]
    ? undefined
    : Success<operations[Id]['responses']> extends infer Response
      ? Response extends { content: { 'application/json': infer Result } }
        ? Result
        : undefined
      : never

/** The JSON body of a call. */
export type BodyOf<Id extends OperationId> =
  NonNullable<operations[Id] extends { requestBody?: infer Body } ? Body : never> extends {
    content: { 'application/json': infer Json }
  }
    ? Json
    : never

/** A query is sent as text, so a string may also be given as a number or date, and `'true'` as a boolean. */
type Loose<Value> = Value | (string extends Value ? number | Date : 'true' extends Value ? boolean : never)

type Query<Id extends OperationId> = NonNullable<operations[Id]['parameters']['query']>

export type QueryOf<Id extends OperationId> = { [Name in keyof Query<Id>]: Loose<Query<Id>[Name]> }

/** The values of an open enum that this version of the client knows, for a complete map or `switch`. */
export type KnownValue<Value extends string> = Value extends string
  ? string extends Value
    ? never
    : Value
  : never

/** An item of the list that an operation returns. */
export type ItemOf<Id extends OperationId> =
  ResultOf<Id> extends infer Result ? (Result extends { data: (infer Item)[] } ? Item : never) : never

type Inputs<Id extends OperationId> = (typeof routes)[Id]['takes'][number]

/** The options of an operation. */
export type OptionsOf<Id extends OperationId> =
  'key' extends Inputs<Id> ? CreateOptions : 'version' extends Inputs<Id> ? UpdateOptions : CallOptions

type Ids<Path extends string> = Path extends `${string}{${string}}${infer Rest}`
  ? [id: string, ...Ids<Rest>]
  : []
type Body<Id extends OperationId> =
  'body' extends Inputs<Id>
    ? undefined extends operations[Id]['requestBody']
      ? [body?: BodyOf<Id>]
      : [body: BodyOf<Id>]
    : []

/** The arguments of a call: path IDs, body, query without `Omitted`, and options. */
export type ArgumentsOf<Id extends OperationId, Omitted extends string = never> = [
  ...Ids<(typeof routes)[Id]['path']>,
  ...Body<Id>,
  ...('query' extends Inputs<Id> ? [query?: Omit<QueryOf<Id>, Omitted>] : []),
  options?: OptionsOf<Id>,
]

export type Link = ResultOf<'getLink'>
export type UpdateLink = BodyOf<'updateLink'>
export type BulkReport = ResultOf<'createLinks'>
export type Tag = ItemOf<'listTags'>
export type Import = ResultOf<'getImport'>
export type Click = ItemOf<'listClicks'>
export type Token = ResultOf<'getToken'>
export type Webhook = ResultOf<'getWebhook'>
export type Delivery = ItemOf<'listDeliveries'>
export type RecordedEvent = ItemOf<'listEvents'>
/** The explanation for one webhook. With `webhook_id`, the response is one explanation, otherwise a page. */
export type Explanation = Exclude<ResultOf<'explainEvent'>, { data: unknown }>
/** What to do about an explained delivery. Switch over `action`, and pass the IDs to the method of that name. */
export type NextStep = Explanation['next_step']
export type AuditEntry = ItemOf<'listAuditEntries'>
