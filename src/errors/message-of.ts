/** If a host name has several addresses, a refused connection is an AggregateError without a message. */
export function messageOf(error: unknown): string {
  const [first] = error instanceof AggregateError ? (error.errors as unknown[]) : [];
  if (first !== undefined) return messageOf(first);
  return error instanceof Error ? error.message : String(error);
}
