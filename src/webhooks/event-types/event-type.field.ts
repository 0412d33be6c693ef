import type { EventCatalogue } from '../../events/event-catalogue';
import { EVENT_TYPE_SCHEMA } from '../../events/event-types';
import { HasFormat } from '../../http/requests/constraints';
import { Field } from '../../http/requests/fields';
import type { Kind } from '../../http/requests/kinds';
import type { TextChecks } from '../../http/requests/text-checks';

/** The name under which the check of event types is registered. */
const CHECK = EVENT_TYPE_SCHEMA.enumName;

/**
 * The name of an event as a list item. Modules declare their events, so only the complete application knows all names:
 * the document gets them when it is built, the check when the webhooks module is created.
 */
export const EVENT_TYPE: Kind = {
  schema: { $ref: `#/components/schemas/${EVENT_TYPE_SCHEMA.enumName}` },
  checks: (each) => [HasFormat(CHECK, each)],
};

/** An optional query parameter with the name of an event. */
export function EventTypeField(): PropertyDecorator {
  return Field({ ...EVENT_TYPE, schema: { ...EVENT_TYPE_SCHEMA } }, { required: false });
}

/** Registers the check of the fields above. A value that is not a string is also reported as `enum`, as in pydantic. */
export function checkEventTypes(checks: TextChecks, { types }: EventCatalogue): void {
  const names = new Set<string>(types);
  const msg = `Must be one of ${types.join(', ')}.`;
  checks.register(CHECK, (text) => (names.has(text) ? undefined : { msg, type: 'enum' }));
}
