export { LinkService } from './client.js'
export {
  ConflictError,
  ConnectionError,
  ForbiddenError,
  LinkServiceError,
  NotFoundError,
  PreconditionFailedError,
  RateLimitedError,
  ServerError,
  TimeoutError,
  UnauthorizedError,
  ValidationError,
} from './errors.js'
export type { InputError } from './errors.js'
export { etagOf } from './etag.js'
export type { FollowedRow, FollowOptions } from './follow.js'
export type { components, operations } from './generated/openapi.js'
export { scopeDescriptions } from './generated/scopes.js'
export type { ImportFile, ImportFileOptions } from './imports.js'
export type { LiveOptions } from './live.js'
export type { CallOptions, ClientOptions, CreateOptions, Retry, UpdateOptions } from './options.js'
export type { List, Page } from './pages.js'
export type { CallInput } from './request.js'
export type {
  AuditEntry,
  BodyOf,
  BulkReport,
  Click,
  Delivery,
  Explanation,
  Import,
  ItemOf,
  KnownValue,
  Link,
  NextStep,
  UpdateLink,
  OperationId,
  QueryOf,
  RecordedEvent,
  ResultOf,
  Tag,
  Token,
  Webhook,
} from './types.js'
export type { Change } from './update.js'
export type { EventBatch, KnownWebhookEvent, UnknownWebhookEvent, WebhookEvent } from './webhook/event.js'
export type { AnyHeaders } from './webhook/headers.js'
export { SequenceGaps } from './webhook/sequence-gaps.js'
export { verifyWebhook, verifyWebhookBatch, WebhookVerificationError } from './webhook/verify.js'
export type { SignedRequest, VerificationCode, VerifyOptions } from './webhook/verify.js'
