/** Where the ingester says what an operator should know. In the service the thread that serves writes it down. */
export interface IngestLog {
  info: (message: string) => void
  warn: (message: string) => void
}
