/**
 * The body of every webhook (contract, section 8): `{"type", "timestamp", "data"}`. Built as text, because the
 * signature covers bytes and the event's data is already text.
 *
 * @param type of the event, such as `bundle.created`
 * @param timestamp when the event occurred
 * @param dataJson its data as JSON, inserted unchanged
 */
export function eventBody(type: string, timestamp: Date, dataJson: string): string {
  return `{"type":${JSON.stringify(type)},"timestamp":"${timestamp.toISOString()}","data":${dataJson}}`;
}
