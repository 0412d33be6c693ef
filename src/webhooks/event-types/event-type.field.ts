import type { EventCatalogue } from '../../events/event-catalogue';
import { EVENT_TYPE_SCHEMA } from '../../events/event-types';
import { HasFormat } from '../../http/requests/constraints';
import { Field } from '../../http/requests/fields';
import type { Kind } from '../../http/requests/kinds';
import type { TextChecks } from '../../http/requests/text-checks';

/** Under which name the check of an event's name is registered. */
const CHECK = EVENT_TYPE_SCHEMA.enumName;

/**
 * The name of an event, as an item of a list. The nouns declare their events, so that only the finished application knows
 * all names: the document gets them when it is built, and the check when the module of webhooks is created.
 */
export const EVENT_TYPE: Kind = {
  schema: { $ref: `#/components/schemas/${EVENT_TYPE_SCHEMA.enumName}` },
  checks: (each) => [HasFormat(CHECK, each)],
};

/** A query parameter that is the name of an event and may be left out. */
export function EventTypeField(): PropertyDecorator {
  return Field({ ...EVENT_TYPE, schema: { ...EVENT_TYPE_SCHEMA } }, { required: false });
}

/** Registers the check of the fields above. What is not even a text is not one of the names either, as in pydantic. */
export function checkEventTypes(checks: TextChecks, { types }: EventCatalogue): void {
  const names = new Set<string>(types);
  const msg = `Must be one of ${types.join(', ')}.`;
  checks.register(CHECK, (text) => (names.has(text) ? undefined : { msg, type: 'enum' }));
}
