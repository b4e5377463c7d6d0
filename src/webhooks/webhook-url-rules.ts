export interface UrlFault {
  code: string
  /** What to write instead. */
  detail: string
}

/** Which addresses may be sent to is known to whoever sends. */
export abstract class WebhookUrlRules {
  abstract faultOf(url: string): UrlFault | null
}
