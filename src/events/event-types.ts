import type { DataOf, EventShape, Fields } from './event-shape';

/**
 * What the data of every event type is: `EventTypes['thing.created']`. Each noun adds its own with `declare module`, in
 * its `*.events.ts`, so that the compiler knows at `record()` what belongs to which type.
 */
// eslint-disable-next-line @typescript-eslint/no-empty-object-type -- the nouns fill it
export interface EventTypes {}

/** The name of an event. */
export type EventType = keyof EventTypes;

/** One event type, with the words that clients show for it. */
export interface EventDeclaration<F extends Fields = Fields> extends EventShape<F> {
  readonly label: string;
  readonly description: string;
}

/** The event types of one noun, which clients show together. */
export interface EventGroup<T extends Declarations = Declarations> {
  readonly name: string;
  readonly types: T;
}

type Declarations = Readonly<Record<string, EventDeclaration>>;

/** What a group adds to `EventTypes`. */
export type DataOfEvents<G extends EventGroup> = { [N in keyof G['types']]: DataOf<G['types'][N]['fields']> };

/** Declares an event type: two texts for a person, and what its data is. */
export function event<F extends Fields>(label: string, description: string, shape: EventShape<F>): EventDeclaration<F> {
  return { label, description, ...shape };
}

/**
 * Declares the event types of a noun, in its `*.events.ts`. Its module hands them on in `declares`, from where the
 * catalogue takes them.
 *
 * @param name by which clients show the group
 * @param types by name; a new one goes to the end, since clients show them in this order (contract, section 8)
 */
export function defineEvents<T extends Declarations>(name: string, types: T): EventGroup<T> {
  return { name, types };
}

/**
 * The schema of the name of an event, for `@ApiProperty`. The noun that has it cannot see all others, so the document
 * gets the values when it is built, from the catalogue.
 */
export const EVENT_TYPE_SCHEMA = { type: 'string' as const, enum: [], enumName: 'EventType' };
