/** The source cannot be read. Pages imported before stay. */
export class SourceError extends Error {
  /** @param isRefusal whether the source rejected the request */
  constructor(
    message: string,
    readonly isRefusal = false,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'SourceError';
  }
}
