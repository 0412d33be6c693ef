/**
 * The body of every webhook (contract, section 8): `{"type", "timestamp", "data"}`. Built as text, since the signature
 * is over bytes and an event's data is text already where it comes from.
 *
 * @param type of the event, such as `bundle.created`
 * @param timestamp when it happened
 * @param dataJson its data as JSON, taken over as it is
 */
export function eventBody(type: string, timestamp: Date, dataJson: string): string {
  return `{"type":${JSON.stringify(type)},"timestamp":"${timestamp.toISOString()}","data":${dataJson}}`;
}
