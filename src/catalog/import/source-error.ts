/** The source cannot be read; what was read before stays. */
export class SourceError extends Error {
  /** @param isRefusal whether the source answered, and said no */
  constructor(
    message: string,
    readonly isRefusal = false,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'SourceError';
  }
}
